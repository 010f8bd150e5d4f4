"""The groups as boxes; quartiles computed before they reach the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cst_core.evidence import FloatArray
from cst_core.explain import short
from cst_core.results import GroupName
from dashboard.pages.person.groups.cases import Described
from dashboard.shared.figure import Across, Axis, Boxes, Figure, Markers, Role, named, values

NAMES: dict[GroupName, str] = {
    "control": "control group",
    "test_st": "ST test group",
    "test_cst": "CST test group",
}
LOOKS: dict[GroupName, tuple[float, Role]] = {
    "control": (-0.27, "protected"),
    "test_st": (0.0, "reference"),
    "test_cst": (0.27, "counterfactual"),
}


def case_boxes(found: Described, column: str, label: str, alt: str) -> Figure:
    """Return one attribute of the three groups of several cases, she and her counterfactual."""
    place = found.names.index(column)
    boxes = {group: table.boxes[:, place, :] for group, table in found.groups.items()}
    heads = [" ".join(str(person).split()) for person in found.people]
    centres = (found.own[:, place], found.counterfactual[:, place])
    return _boxes(boxes, heads, centres, ("the person", "the counterfactual"), label=label, alt=alt)


def slice_boxes(slices: Mapping[str, Described], column: str, label: str, alt: str) -> Figure:
    """Return the same averaged over the cases of each slice: a box of mean quartiles."""
    shown = {name: found for name, found in slices.items() if len(found.people)}
    place = next(iter(shown.values())).names.index(column) if shown else 0
    boxes = {
        group: np.array([_mean(f.groups[group].boxes[:, place, :]) for f in shown.values()])
        for group in LOOKS
    }
    centres = (
        np.array([found.own[:, place].mean() for found in shown.values()]),
        np.array([found.counterfactual[:, place].mean() for found in shown.values()]),
    )
    words = ("people, mean", "counterfactuals, mean")
    return _boxes(boxes, list(shown), centres, words, label=label, alt=alt)


def _mean(boxes: FloatArray) -> FloatArray:
    known = boxes[~np.isnan(boxes[:, 0])]
    return np.asarray(known.mean(axis=0) if len(known) else np.full(5, np.nan), dtype=float)


def _boxes(
    boxes: Mapping[GroupName, FloatArray],
    heads: Sequence[str],
    centres: tuple[FloatArray, FloatArray],
    words: tuple[str, str],
    *,
    label: str,
    alt: str,
) -> Figure:
    at = np.arange(len(heads), dtype=float)
    drawn = []
    for group, table in boxes.items():
        name, (shift, role) = NAMES[group], LOOKS[group]
        known = ~np.isnan(table[:, 0]) if len(table) else np.zeros(0, dtype=bool)
        five = tuple(tuple(row) for row in table[known].tolist()) if len(table) else ()
        drawn.append(
            Boxes(at=values(at[known] + shift), five=five, name=name, role=role, width=0.21)
        )
    control, test_st, test_cst = (at + shift for shift, _ in LOOKS.values())
    she = Markers(
        x=values(np.concatenate([control, test_st])),
        y=values(np.concatenate([centres[0], centres[0]])),
        name=words[0],
        role="text",
        shape="circle",
        size=10,
    )
    other = Markers(
        x=values(test_cst), y=values(centres[1]), name=words[1], role="text", shape="open diamond"
    )
    borders = (Across(at=place - 0.5, role="grid") for place in range(1, len(heads)))
    rows = ["\n".join(short(line, 16) for line in head.split("\n", 1)) for head in heads]
    return Figure(
        marks=(*borders, *drawn, she, other),
        alt=alt,
        x=named(rows),
        y=Axis(title=short(label, 50)),
        height=390,
        before_legend="From left to right: ",
    )
