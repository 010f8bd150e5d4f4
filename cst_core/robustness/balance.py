"""Neighbourhood balance: how far away the people in control and test groups are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.data import BoolArray
from cst_core.evidence import EvidenceSettings, check_whole
from cst_core.results import SingleResult
from cst_core.robustness.check import Check, CheckRequest, CheckResult, people_table, plain_rows
from cst_core.robustness.sampling import MAX_COMPLAINANTS, check_seed
from cst_core.similarity import (
    TOLERANCE,
    Curves,
    FloatArray,
    IntArray,
    Points,
    Radii,
    SearchSpace,
    group_radii,
)

Against = Literal["test_st", "test_cst"]
TESTS: tuple[Against, ...] = ("test_st", "test_cst")
GROUPS = ("control", *TESTS)
WIDE = 1.5
"""A control group this many times as wide as the test group, or more, is worth a warning,"""
NEAR = 0.01
"""unless its mean distance is below this: a hundredth of the attributes' ranges."""
CROWDED = 5
"""From so many attributes on everyone is about equally far away, and a ratio tells little."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Balance(CheckResult):
    """The widths of control and test groups, side by side; see `balance`.

    Attributes
    ----------
    name
        The test.
    k, balance_radii
        The size that was asked for, and whether the smaller search space is searched by fewer.
    index
        The complainants looked at.
    n_complainants
        How many there are in all; more than in `index` when they are a sample.
    control, test_st, test_cst
        The widths, by complainant.
    n_attributes
        How many attributes people are compared on.
    """

    name: str
    k: int
    balance_radii: bool
    index: pd.Index[Any]
    n_complainants: int
    control: Radii
    test_st: Radii
    test_cst: Radii
    n_attributes: int = 0

    @property
    def is_sample(self) -> bool:
        """Whether only a sample of the complainants was looked at."""
        return self.seed is not None

    def ratios(self, test: Against = "test_cst") -> FloatArray:
        """Return, by complainant, the control group's mean distance over the test group's.

        1 where both are 0, infinite where only the test group's is; NaN where a group is empty.
        """
        return _ratio(self.control.mean, getattr(self, test).mean)

    def ratio(self, test: Against = "test_cst") -> float:
        """Return the same of the mean distances over all complainants who have both groups."""
        other: Radii = getattr(self, test)
        known = ~(np.isnan(self.control.mean) | np.isnan(other.mean))
        if not known.any():
            return float("nan")
        means = np.array([self.control.mean[known].mean()]), np.array([other.mean[known].mean()])
        return float(_ratio(*means)[0])

    def is_wide(self, test: Against = "test_cst") -> BoolArray:
        """Return whose control group is `WIDE` times as wide as her test group, and not `NEAR`."""
        return np.asarray((self.ratios(test) >= WIDE) & (self.control.mean >= NEAR))

    def warning(self, test: Against = "test_cst") -> str | None:
        """Return a sentence when control groups on the whole are `WIDE`, and not `NEAR`.

        Where people are compared on many attributes, one that no ratio near 1 is a comfort.
        """
        ratio = self.ratio(test)
        if not (ratio >= WIDE and np.nanmean(self.control.mean) >= NEAR):
            if self.n_attributes < CROWDED:
                return None
            return (
                f"{self.name}: people are compared on {self.n_attributes} attributes. In so many "
                "everyone is about equally far away, so that a ratio near 1 does not show that "
                "both groups are equally alike: where the label meant nothing, 4 to 33 % were "
                "still found significant. See whether the count is more than chance gives."
            )
        times = "farther away than" if np.isinf(ratio) else f"{ratio:.1f} times as far away as"
        return (
            f"{self.name}: at k = {self.k} the control groups are on average {times} the test "
            "groups. "
            "A wider control group is less alike, so that a difference in refusals can appear "
            "where the protected attribute has no effect. Compare with balanced radii and with "
            "the placebo."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant: widths, ratios, and whether her groups are unbalanced."""
        columns: dict[str, Any] = {}
        for group in GROUPS:
            width: Radii = getattr(self, group)
            columns[f"{group}: mean distance"] = width.mean
            columns[f"{group}: largest distance"] = width.largest
            columns[f"{group}: size"] = width.size
        for name in TESTS:
            columns[f"control / {name}"] = self.ratios(name)
            columns[f"wider than {name}"] = self.is_wide(name)
        return pd.DataFrame(columns, index=self.index)

    def overall(self) -> pd.DataFrame:
        """Return one row a group: means and medians over the complainants, and the ratio."""
        rows = {}
        for name in GROUPS:
            width: Radii = getattr(self, name)
            row: dict[str, float | None] = {}
            for what, values in (("mean", width.mean), ("largest", width.largest)):
                known = values[~np.isnan(values)]
                row[f"mean of {what} distance"] = float(known.mean()) if len(known) else None
                row[f"median of {what} distance"] = float(np.median(known)) if len(known) else None
            rows[name] = row
        for name in TESTS:
            rows[name]["control / test"] = self.ratio(name)
            rows[name]["share with a wide control group"] = float(self.is_wide(name).mean())
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("group")

    def summary(self) -> tuple[str, ...]:
        """Return how far away the people of each group are, and what to make of it."""
        means = self.overall()["mean of mean distance"].astype(float)
        control, st, cst = ("–" if np.isnan(means[x]) else f"{means[x]:.4f}" for x in GROUPS)
        said = [
            f"k = {self.k}: mean distance {control} in control groups, {st} in ST's and {cst} in "
            "CST's test groups."
        ]
        if self.is_sample:
            said.append(
                f"k = {self.k}: a random sample of {len(self.index):,} of "
                f"{self.n_complainants:,} people was looked at."
            )
        warning = self.warning()
        return (*said, warning) if warning else tuple(said)

    def numbers(self) -> dict[str, Any]:
        """Return the widths over all complainants as plain data."""
        row = {
            "k": self.k,
            "complainants": self.n_complainants,
            "evaluated": len(self.index),
            "groups": plain_rows(self.overall().reset_index()),
            "warnings": {name: self.warning(name) for name in TESTS},
        }
        return {"results": [row]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the widths over all complainants, and of each."""
        overall = self.overall().reset_index().assign(k=self.k)
        return {f"k{self.k}": people_table(self.to_frame()), "": overall}


def balance(
    result: SingleResult,
    settings: EvidenceSettings,
    *,
    max_complainants: int = MAX_COMPLAINANTS,
    seed: int = 0,
) -> Balance:
    """Compare how far away the people in control and test groups are.

    Parameters
    ----------
    result
        A test's outcome. k may be larger than what it searched for.
    settings
        What gives the groups their sizes.
    max_complainants
        With more complainants, a random sample of this size is looked at, and the result says so.
    seed
        Where the random numbers of that sample start.

    Notes
    -----
    A group's mean distance is the mean over its k people; people tied at the k-th place share the
    places left, and as they are equally far the mean is the same under every tie rule but
    ``all``, by which they count whole.

    *Why it matters.* With the same k, the group that has fewer people to choose from is gathered
    from farther away. If refusals grow along X, a wider neighbourhood has another share of them,
    and Δp ≠ 0 comes out where A has no effect.

    *The rule.* A warning is given when control groups are at least 1.5 times as wide as test
    groups. In simulations without any effect of A (`docs/simulations.md`; α = 0.05, k up to 100)
    equally many people in both groups gave a ratio of 1.0 and at most 4 % of complainants
    significant; one protected person in five gave 1.9 and up to 12 %, one in twenty gave 4.1 and up
    to 22 %. So 1.5 lies between where nothing is wrong and where false findings are twice what α
    promises. For one person, chance alone passes 1.5 for fewer than 5 in 100 complainants at k = 15
    with equally many people in both groups, and hardly ever from k = 50 on. Control groups with a
    mean distance under 0.01 are left alone whatever the ratio: on data with many equal people the
    test group's distance is often 0, every ratio then infinite, and yet the placebo finds little
    (law school, race, k = 15: 0.6 % of complainants). It is a reason to look, not a verdict: false
    findings sit where refusals change quickly, and a ratio says nothing about that.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> found = balance(result, EvidenceSettings(n_neighbours=50))
    >>> round(found.ratio("test_st"), 1), found.warning("test_st")
    (0.9, None)
    """
    check_whole(max_complainants, "max_complainants")
    check_seed(seed)
    inside, outside = np.flatnonzero(result.is_protected), np.flatnonzero(result.is_reference)
    chosen = np.arange(len(inside))
    sampled = len(inside) > max_complainants
    if sampled:
        random = np.random.default_rng(seed)
        chosen = np.sort(random.choice(len(inside), max_complainants, replace=False))
    rows = inside[chosen]

    def widths(
        space: SearchSpace, centres: Points, size: int, own: IntArray | None = None
    ) -> Radii:
        return group_radii(
            space,
            centres.take(rows),
            k=size,
            own_row=own,
            max_distance=result.search.max_distance,
            backend=result.search.backend,
        )

    def people(some: IntArray) -> SearchSpace:
        return SearchSpace.of(result.points.take(some), result.decisions.negative[some])

    def joined(width: Radii, curves: Curves, size: int) -> Radii:
        if result.search.ties != "all":
            return width
        everyone = curves.sizes(size)[chosen].astype(np.int64)
        more = np.where(width.size > 0, (everyone - width.size) * width.largest, 0.0)
        with np.errstate(invalid="ignore"):
            mean = (width.mean * width.size + more) / everyone
        return Radii(mean=mean, largest=width.largest, size=everyone)

    if result.search.ties == "all":
        result.check_searched(settings.n_neighbours)
    sizes = result.group_sizes(settings)
    others = people(outside)
    return Balance(
        name=result.name,
        k=settings.n_neighbours,
        balance_radii=settings.balance_radii,
        index=result.index[chosen],
        n_complainants=len(inside),
        seed=seed if sampled else None,
        control=joined(
            widths(people(inside), result.points, sizes[0], chosen), result.control, sizes[0]
        ),
        test_st=joined(widths(others, result.points, sizes[1]), result.test_st, sizes[1]),
        test_cst=joined(
            widths(others, result.counterfactual_points, sizes[1]), result.test_cst, sizes[1]
        )
        if result.counterfactuals.states.mixture is None
        else _around_states(result, rows, sizes[1]),
        n_attributes=len(result.dataset.roles.relevant),
    )


def _around_states(result: SingleResult, rows: IntArray, size: int) -> Radii:
    """Return the widths of CST test groups that stand around several weighted states."""
    groups = [result.around(int(row), "test_cst", size).at(size) for row in rows]
    sizes = np.array([group.weights.sum() for group in groups], dtype=float)
    totals = np.array([group.weights @ group.distances for group in groups], dtype=float)
    with np.errstate(invalid="ignore"):
        mean = np.asarray(totals / sizes, dtype=float)
    largest = np.array([group.distances.max(initial=0.0) for group in groups], dtype=float)
    return Radii(
        mean=mean,
        largest=np.where(np.isnan(mean), np.nan, largest),
        size=np.rint(sizes).astype(np.int64),
    )


def _ratio(control: FloatArray, test: FloatArray) -> FloatArray:
    same = np.abs(control - test) <= TOLERANCE
    with np.errstate(divide="ignore", invalid="ignore"):
        nothing = np.where(np.isnan(test), np.nan, 0.0)  # an empty group has no distance
        return np.asarray(np.where(same, 1.0, control / np.where(test > TOLERANCE, test, nothing)))


def _run(request: CheckRequest) -> list[Balance]:
    (run,) = request.result.runs
    return [balance(run, settings, seed=request.seed) for settings in request.settings]


BALANCE = Check(
    name="balance",
    kind=Balance,
    run=_run,
    needs=("one attribute", "seed"),
    title="Are both groups equally alike?",
    on_request=False,
)
