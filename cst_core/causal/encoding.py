"""A dataset's nodes as arrays, and an intervention as a value on a node's scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from cst_core.data import Dataset, Value, as_number, as_text, equals, show_values
from cst_core.errors import CausalModelError

Array = npt.NDArray[Any]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
NodeValues = Mapping[str, Array]
"""Each node's values: a protected one as `Groups.codes`, numbers for a scale, else objects."""


def is_text_node(dataset: Dataset, node: str) -> bool:
    """Return whether a node holds names, not numbers: nominal, or ordinal with an order."""
    both = (*dataset.roles.relevant, *dataset.roles.context)
    return any(attribute.holds_names for attribute in both if attribute.column == node)


def encode(dataset: Dataset, nodes: tuple[str, ...]) -> dict[str, Array]:
    """Return the nodes' observed values as arrays."""
    values: dict[str, Array] = {}
    for node in nodes:
        if node in dataset.groups:
            values[node] = dataset.groups[node].codes(dataset.frame[node])
        elif is_text_node(dataset, node):
            values[node] = dataset.frame[node].map(as_text).to_numpy(dtype=object)
        else:
            values[node] = dataset.scale(node)
    return values


def levels_of(dataset: Dataset, node: str, values: Array) -> list[str] | None:
    """Return the levels of a node with names, the one that terms are against first; else None."""
    if values.dtype != np.dtype(object):
        return None
    found = set(values.tolist())
    known = dataset.groups[node].levels if node in dataset.groups else ()
    return [level for level in known if level in found] or sorted(found)


def encode_intervention(dataset: Dataset, node: str, value: Value) -> tuple[Any, Any]:
    """Return do(node := value) as (the value on the node's scale, the value to show).

    Either is an array, one entry a person, where people are set to different numbers.
    """
    if node in dataset.groups:
        return dataset.groups[node].setting(dataset.frame[node], value)
    known = dataset.roles.nodes
    if node not in known:
        raise CausalModelError(
            f"do({node} := {value}): '{node}' is neither a protected, a relevant nor a context "
            f"attribute. Known: {', '.join(known)}."
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
