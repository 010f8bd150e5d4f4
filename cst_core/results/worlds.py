"""The complainants in two worlds: as they are, and had the protected attribute been another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.data import FloatArray, Kind, RelevantAttribute, as_text, scale_values
from cst_core.errors import UnavailableError
from cst_core.results.single import SingleResult
from cst_core.similarity import IntArray

BINS = 40
TAIL = 0.0005
"""This share of the people on each side is drawn in the outermost bin."""
ON_GRID = 0.9
"""A share of the values from which on their steps are those of the bins."""
MANY_LEVELS = 12
OTHER = "other values"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How an attribute is spread over some people."""

    n: int
    mean: float
    lowest: float
    lower_quartile: float
    median: float
    upper_quartile: float
    highest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeWorlds:
    """One attribute of the complainants in both worlds, and of the people they are compared with.

    Attributes
    ----------
    column, kind
        The attribute.
    factual, counterfactual, reference
        How it is spread; None for nominal attributes, which have no scale.
    moved
        Complainants whose value is another in the counterfactual world.
    clipped
        Complainants whose counterfactual value was cut off at a bound.
    """

    column: str
    kind: Kind
    factual: Spread | None
    counterfactual: Spread | None
    reference: Spread | None
    moved: int
    clipped: int

    @property
    def mean_shift(self) -> float | None:
        """By how much the mean moves; None without a scale."""
        if self.factual is None or self.counterfactual is None:
            return None
        return self.counterfactual.mean - self.factual.mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distribution:
    """One attribute's shares by bin or by level.

    Attributes
    ----------
    edges
        The bins' ends; None where the attribute has levels.
    levels
        The levels in order; empty where the attribute has bins.
    factual, counterfactual, reference
        The share of each group in each bin or level.
    """

    edges: FloatArray | None
    levels: tuple[str, ...]
    factual: FloatArray
    counterfactual: FloatArray
    reference: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """The complainants' decisions, and those that b() makes on their counterfactuals.

    Where b() only approximates the real decision maker, both are b()'s.
    """

    stays_refused: int
    refused_to_accepted: int
    accepted_to_refused: int
    stays_accepted: int


def compare_worlds(result: SingleResult) -> tuple[AttributeWorlds, ...]:
    """Return every relevant attribute in both worlds.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> salary, balance = compare_worlds(result)
    >>> salary.mean_shift > 0 and balance.mean_shift > 0
    True
    """
    return tuple(_compare(result, attribute) for attribute in result.dataset.roles.relevant)


def _compare(result: SingleResult, attribute: RelevantAttribute) -> AttributeWorlds:
    inside, outside, column = result.is_protected, result.is_reference, attribute.column
    here, states = result.dataset.frame[column], _States.of(result)
    own, there = here[inside].iloc[states.owner], states.frame[column]
    clips = result.counterfactuals.clips.get(column)
    spreads: list[Spread | None] = [None, None, None]
    if attribute.kind == "nominal":
        moved = own.map(as_text).to_numpy() != there.map(as_text).to_numpy()
    else:
        before, after = scale_values(here, attribute), scale_values(there, attribute)
        spreads = [
            _spread(before[inside]),
            _spread(after, states.weight),
            _spread(before[outside]),
        ]
        moved = scale_values(own, attribute) != after
    return AttributeWorlds(
        column=column,
        kind=attribute.kind,
        factual=spreads[0],
        counterfactual=spreads[1],
        reference=spreads[2],
        moved=round(float(moved @ states.weight)),
        clipped=0 if clips is None else int(clips[inside].sum()),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _States:
    """The complainants' counterfactual states: whose each is, and how much of her."""

    frame: pd.DataFrame
    owner: IntArray
    weight: FloatArray

    @classmethod
    def of(cls, result: SingleResult) -> _States:
        """Take those of a result; with one state each they all weigh 1."""
        states = result.counterfactuals.states.of(result.is_protected)
        mixture, n = states.mixture, len(states.frame)
        if mixture is None:
            return cls(frame=states.frame, owner=np.arange(n), weight=np.ones(n))
        held = np.flatnonzero(mixture.weight > 0)
        return cls(
            frame=states.frame.iloc[held],
            owner=mixture.owner[held],
            weight=mixture.weight[held],
        )


def _spread(values: FloatArray, weights: FloatArray | None = None) -> Spread:
    """Return how values are spread; where people have parts in several, by their weights."""
    places = np.array([0, 0.25, 0.5, 0.75, 1])
    if weights is None or (weights == 1).all():
        ends, n = np.quantile(values, places), len(values)
        mean = float(values.mean())
    else:
        order = np.argsort(values, kind="stable")
        upto = np.cumsum(weights[order])
        at = np.searchsorted(upto, places * upto[-1] * (1 - 1e-12))
        ends, n = values[order][np.minimum(at, len(values) - 1)], round(float(upto[-1]))
        mean = float(values @ weights / weights.sum())
    lowest, lower, median, upper, highest = ends.tolist()
    return Spread(
        n=n,
        mean=mean,
        lowest=lowest,
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        highest=highest,
    )


def distribution(result: SingleResult, column: str) -> Distribution:
    """Return an attribute's shares in both worlds, and among the people compared with.

    Numbers are counted in at most about 40 bins, whose width is a whole number of the data's own
    steps where they have such; the outermost bins also hold the few people beyond them. Names are
    counted one by one, the rarest together.
    """
    attribute = result.dataset.relevant_attribute(column)
    inside, outside = result.is_protected, result.is_reference
    here, states = result.dataset.frame[column], _States.of(result)
    there, weights = states.frame[column], [None, states.weight, None]
    if attribute.kind == "nominal" or attribute.order is not None:
        texts = [here[inside].map(as_text), there.map(as_text), here[outside].map(as_text)]
        if attribute.order is not None:
            levels = [as_text(value) for value in attribute.order]
        else:
            often = here.map(as_text).value_counts()
            levels = [str(name) for name in often.index]
            if len(levels) > MANY_LEVELS:
                levels = levels[: MANY_LEVELS - 1]
                texts = [text.where(text.isin(levels), OTHER) for text in texts]
                levels.append(OTHER)
        shares = [
            _level_shares(text.to_numpy(), levels, each)
            for text, each in zip(texts, weights, strict=True)
        ]
        return Distribution(
            edges=None,
            levels=tuple(levels),
            factual=shares[0],
            counterfactual=shares[1],
            reference=shares[2],
        )
    before, after = here.to_numpy(dtype=float), there.to_numpy(dtype=float)
    edges = _edges(before[inside], before[outside], after)
    shares = [
        _shares(part, edges, each)
        for part, each in zip((before[inside], after, before[outside]), weights, strict=True)
    ]
    return Distribution(
        edges=edges, levels=(), factual=shares[0], counterfactual=shares[1], reference=shares[2]
    )


def _level_shares(
    texts: Any, levels: Sequence[str], weights: FloatArray | None = None
) -> FloatArray:
    each = np.ones(len(texts)) if weights is None else weights
    return np.array([(texts == level) @ each / each.sum() for level in levels], dtype=float)


def _shares(values: FloatArray, edges: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    each = np.ones(len(values)) if weights is None else weights
    counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), bins=edges, weights=each)
    return np.asarray(counts / max(each.sum(), 1), dtype=float)


def _edges(own: FloatArray, others: FloatArray, counterfactual: FloatArray) -> FloatArray:
    ends = [np.quantile(part, [TAIL, 1 - TAIL]) for part in (own, others, counterfactual)]
    low, high = float(min(end[0] for end in ends)), float(max(end[1] for end in ends))
    if not high > low:
        return np.array([low - 0.5, low + 0.5])
    grids = [grid for part in (own, others) if (grid := _grid(part)) is not None]
    if len(grids) < 2:
        return np.linspace(low, high, BINS + 1)
    (fine, _), (step, place) = sorted(grids)  # bins narrower than the coarser grid would gape
    width = step * max(np.ceil((high - low) / BINS / step), 1)
    start = place - fine / 2
    first, last = np.floor((low - start) / width), np.floor((high - start) / width) + 1
    return np.asarray(start + width * np.arange(first, last + 1), dtype=float)


def _grid(values: FloatArray) -> tuple[float, float] | None:
    """Return step and one place of the grid on which the values lie, some odd ones aside."""
    distinct, counts = np.unique(np.round(values, 9), return_counts=True)
    if not 1 < len(distinct) <= 500:
        return None
    step, often = float(np.diff(distinct).min()), float(distinct[counts.argmax()])
    for wide in (10 * step, 5 * step, 2 * step, step):
        if wide > step and wide > (distinct[-1] - distinct[0]) / 10:
            continue
        places = (distinct - often) / wide
        on_grid = np.abs(places - np.round(places)) < 1e-4
        if counts[on_grid].sum() >= ON_GRID * counts.sum():
            return wide, often
    return None


def flips(result: SingleResult) -> Flips:
    """Return how the complainants' decisions change in the counterfactual world.

    Raises
    ------
    UnavailableError
        Without a decision maker.
    """
    before, after = result.centre_refused, result.refused_there
    if after is None:
        raise UnavailableError(f"Decisions: {result.unavailable['CF']}")
    return Flips(
        stays_refused=int((before & after).sum()),
        refused_to_accepted=int((before & ~after).sum()),
        accepted_to_refused=int((~before & after).sum()),
        stays_accepted=int((~before & ~after).sum()),
    )
