"""The numbers that the screen must show, worked out by the library alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from cst_core.causal import FittedCausalModel, counterfactuals
from cst_core.data import Dataset, read_table
from cst_core.scenario import as_causal_model, as_roles
from dashboard.draft.document import Draft
from dashboard.store import Store

MINUS = "\N{MINUS SIGN}"
NUMBER = re.compile(f"[{MINUS}+-]?[0-9][0-9,]*(\\.[0-9]+)?")


def first_number(text: str) -> float:
    """Return the first number in what the screen says."""
    found = NUMBER.search(text)
    assert found is not None, f"no number in {text!r}"
    return float(found[0].replace(MINUS, "-").replace(",", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """A draft's causal model fitted by the library alone."""

    people: Dataset
    fitted: FittedCausalModel

    def coefficient(self, cause: str, effect: str) -> float:
        return float(self.fitted.equation(effect).coefficients[cause].value or 0.0)

    def means(self, attribute: str, column: str) -> tuple[float, float]:
        """Return the protected group's mean of a column, as it is and under the do()."""
        part = self.people.roles.protected_attribute(attribute)
        inside = self.people.is_protected(attribute)
        other = counterfactuals(self.fitted, self.people, {attribute: part.reference_label})
        before = self.people.frame[column].to_numpy(dtype=float)[inside]
        after = other.frame[column].to_numpy(dtype=float)[inside]
        return float(np.mean(before)), float(np.mean(after))


def numbers(draft: Draft, store: Store, link: str) -> Numbers:
    """Fit the open world of a draft, from the bytes in the store."""
    assert draft.source is not None
    source, roles, world = draft.source, draft.roles, draft.world
    data = store.get_blob(store.open(link).id, source.sha256)
    part = roles.complete()
    table = read_table(
        data,
        name=source.name,
        delimiter=source.delimiter,
        encoding=source.encoding,
        decimal=source.decimal,
    )
    people = Dataset.from_frame(table.frame, as_roles(part), missing=source.missing)
    model = as_causal_model(world, part, draft.decision_node)
    return Numbers(people=people, fitted=model.fit(people))
