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

from cst_core.errors import SettingsError
from cst_core.evidence.binomial import binomial
from cst_core.evidence.counts import BoolArray, Counts, FloatArray, beyond
from cst_core.evidence.one_sided import excluded
from cst_core.evidence.settings import EvidenceSettings, check_whole

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
        that chance, never one that τ accepts; None when no Δp for which the base leaves room is.
        Its sign tells the way: with τ < 0 against her (or τ > 0 in favour) a difference of the
        other sign may be beyond τ, too.
    """

    settings: EvidenceSettings
    base: float
    power: float
    delta: float | None

    def sentence(self) -> str:
        """Return the result in one sentence."""
        against, tau = self.settings.direction == "against", self.settings.accepted_deviation
        often = f"in {self.power:.0%} of such cases"
        given = (
            f"With k = {self.settings.n_neighbours} and {self.base:.0%} refused in the test group"
        )
        if tau < 0 if against else tau > 0:  # differences of the other sign can be beyond τ
            side, more, missed = (
                ("above", "more", "lower") if against else ("below", "less", "higher")
            )
            found = f"found significantly {side} the accepted {_points(tau)} {often}"
            if self.delta is None:
                return f"{given}, no difference would be {found}."
            return (
                f"{given}, a difference Δp of {_points(self.delta)} or {more} would be {found}; "
                f"{missed} ones would more often be missed."
            )
        way = "to the disadvantage" if against else "in favour"
        if self.delta is None:
            return f"{given}, no difference {way} would be found significant {often}."
        return (
            f"{given}, a difference {way} of {_points(abs(self.delta))} or more would be found "
            f"significant {often}; smaller ones would more often be missed."
        )


def _points(delta: float) -> str:
    return f"{delta * 100 + 0.0:.3g} percentage points".replace("-", "−")


def smallest_detectable(
    settings: EvidenceSettings,
    *,
    base: float,
    power: float = POWER,
    sizes: tuple[int, int] | None = None,
) -> Detectable:
    """Return the smallest Δp found significant with the given power.

    Looked for from τ on (or from the least that the base leaves room for), up for ``"against"`` and
    down for ``"favour"``.

    Parameters
    ----------
    settings
        k, τ, α, direction and interval; nothing else is looked at.
    base
        The refusal share p_t in the test group; `DemographicParity.refused_reference` is the
        observed one over everybody.
    power
        The chance asked for.
    sizes
        The sizes of control and test group where they are not k, as `balanced_sizes` gives them.

    Examples
    --------
    >>> found = smallest_detectable(EvidenceSettings(interval="agresti-caffo"), base=0.5)
    >>> round(found.delta, 2)
    0.4
    >>> smallest_detectable(EvidenceSettings(), base=0.95).delta is None
    True
    >>> settings = EvidenceSettings(n_neighbours=100, accepted_deviation=-0.3, interval="score")
    >>> print(smallest_detectable(settings, base=0.5).sentence())  # doctest: +ELLIPSIS
    With ..., a difference Δp of −12... or more would be found significantly above the accepted ...
    """
    _check_share(base, "base")
    _check_share(power, "power")
    for size in sizes or ():
        check_whole(size, "sizes")
    k, tau = settings.n_neighbours, float(settings.accepted_deviation)
    n_control, n_test = sizes or (k, k)
    if settings.direction == "against":
        sign, start = 1.0, max(tau, -base)
        room = 1.0 - base - start
    else:
        sign, start = -1.0, min(tau, 1.0 - base)
        room = base + start
    if room <= 0:
        return Detectable(settings=settings, base=base, power=power, delta=None)
    weight = significant_chance(settings, base, n_control, n_test)

    def reached(further: FloatArray) -> FloatArray:
        return binomial(base + start + sign * further, n_control) @ weight

    grid = np.linspace(0.0, room, round(room / GRID) + 2)
    failing = np.flatnonzero(reached(grid) < power)
    last = int(failing[-1]) if len(failing) else -1
    if last == len(grid) - 1:
        return Detectable(settings=settings, base=base, power=power, delta=None)
    low, high = (grid[last], grid[last + 1]) if last >= 0 else (0.0, 0.0)
    while high - low > PRECISE:
        middle = (low + high) / 2
        low, high = (low, middle) if reached(np.array([middle]))[0] >= power else (middle, high)
    return Detectable(settings=settings, base=base, power=power, delta=float(start + sign * high))


def neighbours_needed(
    delta: float,
    settings: EvidenceSettings,
    *,
    base: float,
    power: float = POWER,
    largest: int = LARGEST_K,
) -> int | None:
    """Return the k from which on a difference is found significant with the given power.

    None where τ accepts the difference, so that no k can find it, and where `largest` is too small.
    The chance rises with k, but in small waves, for counts are whole numbers. Halving finds about
    where it passes `power`; the k around there, a tenth to each side and twenty at least, are then
    looked at from above, and the answer is the one after the first that fails.

    Parameters
    ----------
    delta
        Δp = p_c − p_t, negative in favour.
    settings, base, power
        As in `smallest_detectable`; k is not looked at.
    largest
        The largest k to look at.

    Examples
    --------
    >>> neighbours_needed(0.2, EvidenceSettings(interval="agresti-caffo"), base=0.5)
    72
    """
    check_whole(largest, "largest")
    _check_share(base, "base")
    _check_share(power, "power")
    if not isinstance(delta, Real) or not 0 <= base + float(delta) <= 1:
        raise SettingsError(
            f"delta: expected a difference that leaves base + delta between 0 and 1, got {delta!r} "
            f"with base {base!r}."
        )
    tau, against = settings.accepted_deviation, settings.direction == "against"
    if not beyond(np.array(float(delta)), tau, against=against):
        return None

    def enough(k: int) -> bool:
        weight = significant_chance(settings, base, k, k)
        return bool(binomial(np.array([base + delta]), k)[0] @ weight >= power)

    low, high = 0, largest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    reach = max(high // 10, 20)
    k = min(high + reach, largest)
    while k > max(high - reach, 0) and enough(k):
        k -= 1
    return k + 1 if k < largest else None


def significant_chance(
    settings: EvidenceSettings, base: float, n_control: int, n_test: int
) -> FloatArray:
    """Return, for each number of negatives in the control group, the chance to be significant.

    The test group's negatives are binomial with share `base`. Where more negatives can only speak
    for the verdict, the first that do are found by halving (proved for Wald and Agresti–Caffo, see
    `every_tie`; the tests check it for the others); else every pair of counts is asked.
    """
    test = binomial(np.array([base]), n_test)[0]
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
    counts = Counts(a.astype(float), sizes[0], b.astype(float), sizes[1])
    against = settings.direction == "against"
    is_case = beyond(counts.delta, settings.accepted_deviation, against=against)
    return is_case & excluded(counts, settings)


def _check_share(value: object, name: str) -> None:
    if not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise SettingsError(f"{name}: expected a share from 0 to 1, got {value!r}.")
