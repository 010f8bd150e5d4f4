"""The two worlds as figures; binned before they reach the browser."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from cst_core.explain import short, signed
from cst_core.results import AttributeWorlds, Distribution
from dashboard.shared.figure import (
    Across,
    Arrow,
    Axis,
    Bars,
    Figure,
    Line,
    Mark,
    Role,
    named,
    values,
)

HEIGHT = 380
WIDTH = 0.25
"""Of a bar, where three stand side by side."""


def worlds_figure(
    found: Distribution,
    attribute: AttributeWorlds,
    words: tuple[str, str, str],
    label: str,
    alt: str,
) -> Figure:
    """Return one attribute in both worlds, with the people compared with as a backdrop.

    `words` name the complainants, their counterfactuals and the people they are compared with.
    """
    names = [short(word, 50) for word in words]
    title = short(label, 60)
    shares = Axis(title="Share of the group", percent=True, from_zero=True)
    if found.edges is None:
        marks, x = _bars(found, names), named([short(level, 24) for level in found.levels])
        x = replace(x, title=title)
    else:
        marks, x = _outlines(found, names), Axis(title=title)
        if attribute.mean_shift:
            marks += _means(attribute)
    return Figure(marks=marks, alt=alt, x=x, y=shares, height=HEIGHT)


def _outlines(found: Distribution, names: list[str]) -> tuple[Mark, ...]:
    assert found.edges is not None
    x = values(np.concatenate([found.edges[:1], found.edges]))

    def steps(shares: np.ndarray, name: str, role: Role, **look: Any) -> Line:
        y = values(np.concatenate([[0.0], shares, [0.0]]))
        return Line(x=x, y=y, name=name, role=role, steps=True, **look)

    return (
        steps(found.reference, names[2], "reference", dash="dot", width=2),
        steps(found.factual, names[0], "protected", width=2, fill="faint"),
        steps(found.counterfactual, names[1], "counterfactual", dash="dash", fill="hatched"),
    )


def _bars(found: Distribution, names: list[str]) -> tuple[Mark, ...]:
    at = values(range(len(found.levels)))

    def shares(numbers: np.ndarray, name: str, role: Role, place: int, **look: Any) -> Bars:
        size, shift = values(numbers), place * WIDTH
        return Bars(at=at, size=size, name=name, role=role, shift=shift, width=WIDTH, **look)

    return (
        shares(found.factual, names[0], "protected", -1),
        shares(found.counterfactual, names[1], "counterfactual", 0, pattern="/"),
        shares(found.reference, names[2], "reference", 1, hollow=True),
    )


def _means(attribute: AttributeWorlds) -> tuple[Mark, ...]:
    """Return both means as lines, and an arrow from one to the other."""
    assert attribute.factual is not None
    assert attribute.counterfactual is not None
    before, after = attribute.factual.mean, attribute.counterfactual.mean
    return (
        Across(at=before, role="protected", width=1.5),
        Across(at=after, role="counterfactual", width=1.5, dash="dash"),
        Arrow(start=before, end=after, words=f"mean {signed(after - before, 3)}"),
    )
