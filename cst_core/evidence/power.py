"""Power: what a test with k neighbours can find, before it is made.

Take two groups drawn at random with refusal shares p_t (test) and p_c = p_t + Δ (control). The
chance of the verdict "significant" is the sum of two binomial probabilities over all pairs of
counts that give it, here summed up exactly. Real groups are not drawn at random, tied people share
places, and a correction for many complainants asks for more: it is a guide, and a hopeful one.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np
import numpy.typing as npt
from scipy import special

from cst_core.errors import SettingsError
from cst_core.evidence.counts import BoolArray, FloatArray, beyond, excluded
from cst_core.evidence.intervals import IntervalMethod
from cst_core.evidence.settings import Direction, EvidenceSettings, check_whole

POWER = 0.8
LARGEST_K = 500
GRID = 0.005
PRECISE = 1e-4
"""Differences are found to this precision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detectable:
    """The smallest difference that a group size can show.

    Attributes
    ----------
    settings
        k, τ, α, direction and interval.
    base
        The refusal share p_t in the test group.
    power
        The chance asked for.
    delta
        The Δp from which on (in favour: down from which) a difference is found significant with
        that chance; None when no Δp for which the base leaves room is.
    """

    settings: EvidenceSettings
    base: float
    power: float
    delta: float | None

    def sentence(self) -> str:
        """Return the result in one sentence."""
        given = (
            f"With k = {self.settings.n_neighbours} and {self.base:.0%} refused in the test group"
        )
        way = _way(self.settings)
        if self.delta is None:
            return f"{given}, no difference {way} would be found significant {_often(self.power)}."
        return (
            f"{given}, a difference {way} of {_points(self.delta)} or more would be found "
            f"significant {_often(self.power)}; smaller ones would more often be missed."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The group size that a difference needs.

    Attributes
    ----------
    settings
        τ, α, direction and interval; its k is the answer, where there is one.
    base, delta, power
        The refusal share p_t in the test group, the difference Δp, and the chance asked for.
    k
        The k from which on it is found significant with that chance; None when no k up to
        `largest` does.
    largest
        The largest k looked at.
    """

    settings: EvidenceSettings
    base: float
    delta: float
    power: float
    k: int | None
    largest: int

    def sentence(self) -> str:
        """Return the result in one sentence."""
        what = (
            f"a difference {_way(self.settings)} of {_points(self.delta)} to be found significant "
            f"{_often(self.power)}, with {self.base:.0%} refused in the test group"
        )
        if self.k is None:
            return f"For {what}, no k up to {self.largest} is enough."
        return f"For {what}, take k = {self.k} or more."


def smallest_detectable(
    k: int,
    *,
    base: float,
    tau: float = 0.0,
    alpha: float = 0.05,
    interval: IntervalMethod = "wald",
    direction: Direction = "against",
    power: float = POWER,
    sizes: tuple[int, int] | None = None,
) -> Detectable:
    """Return the smallest Δp found significant with the given power.

    Parameters
    ----------
    k
        The size of each group.
    base
        The refusal share p_t in the test group; `DemographicParity.refused_reference` is the
        observed one over everybody.
    tau, alpha, interval, direction
        As in `EvidenceSettings`.
    power
        The chance asked for.
    sizes
        The sizes of control and test group where they are not k, as `balanced_sizes` gives them.

    Examples
    --------
    >>> found = smallest_detectable(15, base=0.5, interval="agresti-caffo")
    >>> round(found.delta, 2)
    0.4
    >>> smallest_detectable(15, base=0.95).delta is None
    True
    """
    settings = _settings(k, tau, alpha, interval, direction)
    _check_share(base, "base")
    _check_share(power, "power")
    n_control, n_test = sizes or (k, k)
    sign = 1.0 if direction == "against" else -1.0
    room = 1.0 - base if direction == "against" else base
    weight = significant_chance(settings, base, n_control, n_test)

    def reached(sizes_of_difference: FloatArray) -> FloatArray:
        return _binomial(n_control, base + sign * sizes_of_difference) @ weight

    grid = np.linspace(0.0, room, round(room / GRID) + 2)
    failing = np.flatnonzero(reached(grid) < power)
    last = int(failing[-1]) if len(failing) else -1
    if last == len(grid) - 1:
        return Detectable(settings=settings, base=base, power=power, delta=None)
    low, high = (grid[last], grid[last + 1]) if last >= 0 else (0.0, 0.0)
    while high - low > PRECISE:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(np.array([middle]))[0] >= power else (middle, high)
    return Detectable(settings=settings, base=base, power=power, delta=float(sign * high))


def neighbours_needed(
    delta: float,
    *,
    base: float,
    tau: float = 0.0,
    alpha: float = 0.05,
    interval: IntervalMethod = "wald",
    direction: Direction = "against",
    power: float = POWER,
    largest: int = LARGEST_K,
) -> Needed:
    """Return the k from which on a difference is found significant with the given power.

    The chance rises with k, but in small waves, for counts are whole numbers. Halving finds about
    where it passes `power`; the k around there, a tenth to each side and twenty at least, are then
    looked at from above, and the answer is the one after the first that fails.

    Parameters
    ----------
    delta
        Δp = p_c − p_t, negative in favour.
    base, tau, alpha, interval, direction, power
        As in `smallest_detectable`.
    largest
        The largest k to look at.

    Examples
    --------
    >>> found = neighbours_needed(0.2, base=0.5, interval="agresti-caffo")
    >>> print(found.sentence())  # doctest: +ELLIPSIS
    For a difference against her of 20 percentage points to be found ..., take k = ... or more.
    """
    settings = _settings(largest, tau, alpha, interval, direction)
    _check_share(base, "base")
    _check_share(power, "power")
    if not isinstance(delta, Real) or not 0 <= base + float(delta) <= 1:
        raise SettingsError(
            f"delta: expected a difference that leaves base + delta between 0 and 1, got {delta!r} "
            f"with base {base!r}."
        )

    def enough(k: int) -> bool:
        weight = significant_chance(settings, base, k, k)
        return bool(_binomial(k, np.array([base + delta]))[0] @ weight >= power)

    low, high = 0, largest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    reach = max(high // 10, 20)
    k = min(high + reach, largest)
    while k > max(high - reach, 0) and enough(k):
        k -= 1
    found = k + 1 if k < largest else None
    return Needed(
        settings=_settings(found or largest, tau, alpha, interval, direction),
        base=base, delta=float(delta), power=power, k=found, largest=largest,
    )  # fmt: skip


def significant_chance(
    settings: EvidenceSettings, base: float, n_control: int, n_test: int
) -> FloatArray:
    """Return, for each number of negatives in the control group, the chance to be significant.

    The test group's negatives are binomial with share `base`. Where more negatives can only speak
    for the verdict, the first that do are found by halving (proved for Wald and Agresti–Caffo, see
    `every_tie`; the tests check it for the others); else every pair of counts is asked.
    """
    test = _binomial(n_test, np.array([base]))[0]
    against, tau = settings.direction == "against", settings.accepted_deviation
    one_step = (tau >= 0 if against else tau <= 0) and settings.significance_level < 0.5
    if not one_step:
        pairs = np.meshgrid(np.arange(n_control + 1), np.arange(n_test + 1), indexing="ij")
        every = _significant(settings, pairs[0], pairs[1], n_control, n_test)
        return np.asarray(every @ test, dtype=np.float64)
    # in favour it is the positive decisions that speak for it: count those instead
    b = np.arange(n_test + 1)
    low = np.full(n_test + 1, -1)
    high = np.full(n_test + 1, n_control + 1)
    while (high - low > 1).any():
        middle = (low + high) // 2
        a = np.clip(middle, 0, n_control)
        if against:
            yes = _significant(settings, a, b, n_control, n_test)
        else:
            yes = _significant(settings, n_control - a, n_test - b, n_control, n_test)
        wide = high - low > 1
        high = np.where(wide & yes, middle, high)
        low = np.where(wide & ~yes, middle, low)
    chance = np.zeros(n_control + 2)
    np.add.at(chance, high, test if against else test[::-1])
    found = np.cumsum(chance)[:-1]
    return found if against else found[::-1]


def _significant(
    settings: EvidenceSettings,
    a: npt.NDArray[np.int64],
    b: npt.NDArray[np.int64],
    n_control: int,
    n_test: int,
) -> BoolArray:
    sizes = np.full(a.shape, float(n_control)), np.full(a.shape, float(n_test))
    counts = (a.astype(float), sizes[0], b.astype(float), sizes[1])
    against = settings.direction == "against"
    delta = counts[0] / sizes[0] - counts[2] / sizes[1]
    is_case = beyond(delta, settings.accepted_deviation, against=against)
    return is_case & excluded(counts, settings)


def _binomial(n: int, shares: FloatArray) -> FloatArray:
    """Return the probability of each number from 0 to n: a row a share."""
    x = np.arange(n + 1)
    ways = special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1)
    p = np.clip(shares, 0.0, 1.0)[:, None]
    return np.asarray(np.exp(ways + special.xlogy(x, p) + special.xlog1py(n - x, -p)), dtype=float)


def _settings(
    k: int, tau: float, alpha: float, interval: IntervalMethod, direction: Direction
) -> EvidenceSettings:
    check_whole(k, "k")
    return EvidenceSettings(
        n_neighbours=k,
        accepted_deviation=tau,
        significance_level=alpha,
        interval=interval,
        direction=direction,
    )


def _check_share(value: object, name: str) -> None:
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise SettingsError(f"{name}: expected a share from 0 to 1, got {value!r}.")


def _way(settings: EvidenceSettings) -> str:
    return "against her" if settings.direction == "against" else "in her favour"


def _often(power: float) -> str:
    return f"in {power:.0%} of such cases"


def _points(delta: float) -> str:
    return f"{abs(delta) * 100:.3g} percentage points"
