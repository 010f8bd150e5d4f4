"""A dataset's nodes as arrays, and an intervention as a value on a node's scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.dataset import Dataset
from cst_core.data.matching import as_number, as_text, equals, show_values
from cst_core.data.roles import Value
from cst_core.errors import CausalModelError

Array = npt.NDArray[Any]
FloatArray = npt.NDArray[np.float64]
NodeValues = Mapping[str, Array]
"""Each node's values: 1 and 0 for protected and reference, numbers for a scale, else objects."""


def is_text_node(dataset: Dataset, node: str) -> bool:
    """Return whether a node holds names, not numbers: nominal, or ordinal with an order."""
    for attribute in dataset.roles.relevant:
        if attribute.column == node:
            return attribute.kind == "nominal" or attribute.order is not None
    return False


def encode(dataset: Dataset, nodes: tuple[str, ...]) -> dict[str, Array]:
    """Return the nodes' observed values as arrays."""
    protected = {attribute.column for attribute in dataset.roles.protected}
    values: dict[str, Array] = {}
    for node in nodes:
        if node in protected:
            values[node] = dataset.is_protected(node).astype(float)
        elif is_text_node(dataset, node):
            values[node] = dataset.frame[node].map(as_text).to_numpy(dtype=object)
        else:
            values[node] = dataset.scale(node)
    return values


def encode_intervention(dataset: Dataset, node: str, value: Value) -> tuple[Any, Value]:
    """Return do(node := value) as (the value on the node's scale, the value to show)."""
    for attribute in dataset.roles.protected:
        if attribute.column != node:
            continue
        column = dataset.frame[node]
        here = equals(column, value)
        if here.any():
            return float(dataset.is_protected(node)[here][0]), column[here].iloc[0]
        if value in (attribute.protected_label, attribute.reference_label):
            protected = value == attribute.protected_label
            rest = pd.unique(column[dataset.is_protected(node) == protected])
            return float(protected), rest[0] if len(rest) == 1 else value
        raise CausalModelError(
            f"do({node} := {value}): nobody in the data has this value. "
            f"'{node}' holds: {show_values(column)}."
        )
    known = [attribute.column for attribute in dataset.roles.protected]
    known += [item.column for item in dataset.roles.relevant]
    if node not in known:
        raise CausalModelError(
            f"do({node} := {value}): '{node}' is neither a protected nor a relevant attribute. "
            f"Known: {', '.join(known)}."
        )
    if is_text_node(dataset, node):
        here = equals(dataset.frame[node], value)
        if not here.any():
            raise CausalModelError(
                f"do({node} := {value}): nobody in the data has this value. "
                f"'{node}' holds: {show_values(dataset.frame[node])}."
            )
        shown = dataset.frame[node][here].iloc[0]
        return as_text(shown), shown
    number = as_number(value)
    if number is None or not np.isfinite(number):
        raise CausalModelError(
            f"do({node} := {value}): '{node}' is numeric; expected a finite number, got {value!r}."
        )
    return number, number
