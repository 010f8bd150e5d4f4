"""The settings of a test: what needs a search, and what is answered without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from numbers import Integral
from typing import Any, Literal

from cst_core.errors import SettingsError
from cst_core.evidence.intervals import INTERVAL_METHODS, IntervalMethod
from cst_core.evidence.setting_table import Bounds, Setting, SettingPart, setting
from cst_core.similarity import BACKENDS, CAP, BackendChoice, DistanceKind, TieRule

Direction = Literal["against", "favour"]
Correction = Literal["none", "bh", "by"]
SeveralRule = Literal["bonferroni", "intersection-union"]
CalibrationKind = Literal["none", "relabelling"]
IntersectionalForm = Literal["paper", "full"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSettings:
    """What the evidence depends on; a change never searches again.

    Parameters
    ----------
    n_neighbours
        k: the size of each group.
    accepted_deviation
        τ in [−1, 1]: the difference in refusal rates that is still accepted.
    significance_level
        α in (0, 1).
    direction
        ``"against"`` the complainant (Δp > τ) or in her ``"favour"`` (Δp < τ).
    interval
        How the confidence interval is computed.
    correction
        For many complainants, who are many tests: ``"bh"`` (Benjamini and Hochberg, assumes
        independence or positive dependence) or ``"by"`` (Benjamini and Yekutieli, any dependence)
        over all complainants of a test with evidence by that method. Not with Wald.
    tie_robust
        Only verdicts that hold under every way to break ties.
    balance_radii
        Search the smaller search space by fewer people, in proportion to its size, so that its
        neighbourhoods are not the wider ones; see `balanced_sizes`.
    calibration
        ``"relabelling"``: a finding must also be rare among worlds in which the label means
        nothing: everyone else's labels dealt out anew, the causal model fitted to them.
    relabellings, relabelling_seed
        How often, and where the random numbers start. People near the line have ten times as many.
    several
        For multiple discrimination, each run at α ÷ (number of runs), ``"bonferroni"`` as in the
        paper, or at α, ``"intersection-union"``.
    """

    n_neighbours: int = 15
    accepted_deviation: float = setting(
        0.0,
        name="tau",
        label="Accepted difference",
        symbol="τ",
        help="How large a difference in refusal rates is still accepted. 0: none at all; 0.05: up "
        "to five percentage points.",
        bounds=Bounds(-1, 1),
        is_always_said=True,
    )
    significance_level: float = setting(
        0.05,
        name="alpha",
        label="Error level",
        symbol="α",
        help="How often, at most, chance alone is meant to look like a significant difference. "
        "0.05 is usual.",
        bounds=Bounds(0, 1, is_open=True),
        advice="The usual choice is 0.05.",
        is_always_said=True,
    )
    direction: Direction = setting(
        "against",
        label="Direction",
        help="Against: refused more often than the others would be. In favour: less often.",
        words={"against": "against the protected group", "favour": "in its favour"},
        mark="in favour",
    )
    interval: IntervalMethod = setting(
        "wald",
        label="Interval",
        help="How sure a difference is. Wald's is the paper's; it has no width when both shares "
        "are 0 or 1, and errs when the groups differ in size. Agresti–Caffo, Newcombe and "
        "Miettinen–Nurminen hold their error level much better; the exact ones never exceed it.",
        words={
            "wald": "Wald",
            "agresti-caffo": "Agresti–Caffo",
            "newcombe": "Newcombe",
            "score": "Miettinen–Nurminen",
            "exact": "exact",
            "exact-ratio": "exact (likelihood ratio)",
        },
        remarks={"wald": " (the paper's)", "score": " (score)", "exact": " (slow for large k)"},
        is_always_said=True,
        is_in_presets=True,
    )
    correction: Correction = setting(
        "none",
        label="Correction for many people tested",
        help="Each person is a test; among many, some succeed by chance. "
        "Benjamini–Hochberg holds the expected share of false findings at α when the tests lean "
        "the same way, Benjamini–Yekutieli always. Needs another interval than Wald's.",
        words={
            "none": "none: everyone as if nobody else were tested",
            "bh": "Benjamini–Hochberg",
            "by": "Benjamini–Yekutieli",
        },
        is_in_presets=True,
        unless=("interval", "wald"),
    )
    tie_robust: bool = setting(
        False,
        label="Only verdicts that hold however ties are broken",
        help="Where people are equally far away, it may depend on who of them is taken. Then no "
        "verdict is given that another choice would take back.",
        mark="ties in every way",
        is_in_presets=True,
    )
    balance_radii: bool = setting(
        False,
        label="Balanced neighbourhoods",
        help="Take fewer people from the smaller group, in proportion to its size, so that both "
        "groups are about equally alike. Off in the paper.",
        mark="balanced",
        is_in_presets=True,
    )
    calibration: CalibrationKind = setting(
        "none",
        label="Calibration",
        help="Relabelling: deal out the protected label anew among all others, hundreds of times, "
        "and count how often a difference like this comes about though the label then means "
        "nothing. It answers for chance and for the smaller group's wider neighbourhoods.",
        words={
            "none": "none",
            "relabelling": "against worlds in which the label means nothing",
        },
        mark="calibrated",
        is_in_presets=True,
        takes_long=True,
    )
    relabellings: int = setting(
        999,
        label="How often labels are dealt out",
        help="Only for calibration. People near the line have ten times as many.",
        bounds=Bounds(19, 99_999),
        is_whole=True,
        takes_long=True,
        advice="The usual choice is 999.",
    )
    relabelling_seed: int = setting(
        0,
        label="Where the random numbers of calibration start",
        help="Only for calibration. The same number gives the same answer.",
        bounds=Bounds(0, 999_999),
        is_whole=True,
        takes_long=True,
    )
    several: SeveralRule = setting(
        "bonferroni",
        label="Several attributes at once",
        help="At which error level each attribute is tested when all of them must show it. The "
        "paper divides α by their number. As every one of them must succeed, α for each is enough "
        "to keep the error of the whole at α.",
        words={
            "bonferroni": "α divided by their number (Bonferroni)",
            "intersection-union": "α for each (intersection–union)",
        },
        is_for_several=True,
    )

    def __post_init__(self) -> None:
        check_whole(self.n_neighbours, "n_neighbours (k)")
        _check(self, "evidence")
        if self.correction != "none" and INTERVAL_METHODS[self.interval].may_have_no_width:
            raise SettingsError(
                f"correction: {self.correction!r} needs p-values that hold what they promise, and "
                f"those of interval {self.interval!r} do not (0 where both shares are "
                "0 or 1). Choose another interval, such as 'agresti-caffo'."
            )

    @property
    def uncalibrated(self) -> EvidenceSettings:
        """The same without calibration."""
        return self if self.calibration == "none" else replace(self, calibration="none")

    @property
    def over_k(self) -> EvidenceSettings:
        """How curves over many k are judged: without calibration, by a quicker interval.

        Labels are not dealt out anew for each k, and exact intervals at hundreds of k take minutes.

        Examples
        --------
        >>> EvidenceSettings(interval="exact-ratio").over_k.interval
        'score'
        """
        method = INTERVAL_METHODS[self.interval]
        if method.never_errs_more and method.stand_in is not None:
            return replace(self, interval=method.stand_in, calibration="none")
        return self.uncalibrated

    @property
    def by_name(self) -> dict[str, Any]:
        """All but k, by the names in scenario files, flags and links.

        Examples
        --------
        >>> EvidenceSettings().by_name["alpha"]
        0.05
        """
        return {one.name: getattr(self, one.field) for one in settings_of("evidence")}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """What a neighbour search depends on.

    Parameters
    ----------
    max_neighbours
        The largest k that will be asked for.
    ties
        ``"expected"``: people tied at the k-th place share the places left, equally.
        ``"all"``: all of them join, and groups may be larger than k.
        ``"first"`` or ``"last"``: by row position.
    max_distance
        ε: only people at most this far count; None for no limit.
    distance
        How likeness is measured: ``"gower"`` as in the paper, ``"capped"``, ``"rank"``,
        ``"hvdm"`` or ``"propensity"``; see `cst_core.similarity.embedding`.
    cap
        For ``"capped"``: the share of values beyond each end of the range.
    backend
        How neighbours are found: ``"compiled"``, ``"tree"`` or ``"brute"``; ``"auto"`` takes the
        best for the data. The answers are the same.
    """

    max_neighbours: int = 500
    ties: TieRule = setting(
        "expected",
        label="People equally far away",
        help="When more people are equally alike than there are places left in a group (ties). "
        "Three people for the last place: each counts for a third of it, or all three join; "
        "neither depends on the order of the table.",
        words={
            "expected": "none is preferred, each counts for a part of a place",
            "all": "all join, the group may be larger than k",
            "first": "earlier rows of the table first",
            "last": "later rows of the table first",
        },
        is_in_presets=True,
    )
    max_distance: float | None = setting(
        None,
        label="Largest distance",
        symbol="ε",
        help="People farther away than this are never called similar; groups may then be smaller "
        "than k. 0: equal in everything; 1: as different as can be.",
        bounds=Bounds(0),
        advice="Distances run from 0 (alike) to 1 (as different as anyone in the data).",
    )
    distance: DistanceKind = setting(
        "gower",
        label="How likeness is measured",
        help="Ranges (Gower) is the paper's. Capped ranges, where a few extreme values squeeze all "
        "others together. Ranks, where only the order of values counts. The last two use the "
        "decisions themselves: HVDM calls two values of an attribute without a scale alike when "
        "they are decided alike, chances call two people alike whose fitted chances of a negative "
        "decision are alike.",
        words={
            "gower": "by ranges (Gower)",
            "capped": "by capped ranges",
            "rank": "by ranks",
            "hvdm": "by how values are decided (HVDM)",
            "propensity": "by the fitted chance of a negative decision",
        },
        remarks={
            "gower": " (the paper's)",
            "hvdm": " (uses the decisions)",
            "propensity": " (uses the decisions)",
        },
        is_in_presets=True,
    )
    cap: float = setting(
        CAP,
        label="Share beyond each end of a capped range",
        help="Only for capped ranges. 0.01: from the value that 1 % do not exceed to the one that "
        "99 % do not; who lies beyond counts as if at the end.",
        bounds=Bounds(0, 0.5, is_open=True),
        advice="The usual choice is 0.01.",
    )
    backend: BackendChoice = "auto"

    def __post_init__(self) -> None:
        check_whole(self.max_neighbours, "max_neighbours")
        _check(self, "search")
        if self.backend not in BACKENDS:
            raise SettingsError(
                f"backend: expected one of {', '.join(BACKENDS)}, got {self.backend!r}."
            )


def _described(part: SettingPart, kind: type[EvidenceSettings | SearchSettings]) -> list[Setting]:
    return [
        Setting(
            **{"name": item.name, **item.metadata}, part=part, field=item.name, default=item.default
        )
        for item in fields(kind)
        if item.metadata
    ]


_FORM = Setting(
    name="intersectional_form",
    part="test",
    field="form",
    label="Intersectional model",
    help="How the causal model takes the attributes together.",
    default="paper",
    words={
        "paper": "as in the paper: one attribute that joins them",
        "full": "in full: every attribute and their products",
    },
    is_for_several=True,
)
SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        *_described("evidence", EvidenceSettings),
        *_described("search", SearchSettings),
        _FORM,
    )
}
"""The settings of a case by name, but for k, of which a case has several."""


@cache
def settings_of(part: SettingPart) -> tuple[Setting, ...]:
    """Return the settings of one part."""
    return tuple(one for one in SETTINGS.values() if one.part == part)


def in_words(values: Mapping[str, Any]) -> dict[str, str]:
    """Return settings for the readers of a file, by label.

    Examples
    --------
    >>> told = in_words({name: one.default for name, one in SETTINGS.items()})
    >>> told["Error level (alpha)"], told["Interval"], told["Largest distance (max_distance)"]
    ('0.05', 'Wald', 'none')
    """
    return {
        f"{one.label} ({name})" if one.symbol else one.label: one.in_words(values[name])
        for name, one in SETTINGS.items()
    }


def over_k_note(settings: EvidenceSettings) -> str:
    """Return how curves over k are judged where that is not as all else is; empty where it is.

    Examples
    --------
    >>> over_k_note(EvidenceSettings(interval="exact"))
    'Against k: by Miettinen–Nurminen intervals, which are quicker.'
    """
    said, other = [], settings.over_k.interval
    if settings.calibration != "none":
        said.append("before calibration, as labels are not dealt out anew for each k")
    if other != settings.interval:
        said.append(f"by {SETTINGS['interval'].words[other]} intervals, which are quicker")
    return f"Against k: {'; '.join(said)}." if said else ""


def _check(held: EvidenceSettings | SearchSettings, part: SettingPart) -> None:
    for one in settings_of(part):
        one.check(getattr(held, one.field))


def balanced_sizes(k: int, n_control: int, n_test: int) -> tuple[int, int]:
    """Return how many people each group takes when radii are balanced.

    k from the larger search space; from the smaller one k · n_small ÷ n_large, rounded up. Then
    both groups are about the same share of their space, and where the two are spread alike,
    about as wide. Usually the control space (the protected) is the smaller one; where it is the
    larger, it is the test group that takes fewer.

    Parameters
    ----------
    k
        The size of the larger group.
    n_control, n_test
        How many people have the protected value, and how many do not.

    Examples
    --------
    >>> balanced_sizes(50, 3506, 18284)
    (10, 50)
    >>> balanced_sizes(50, 600, 400)
    (50, 34)
    """
    small, large = min(n_control, n_test), max(n_control, n_test)
    fewer = max(-(-k * small // max(large, 1)), 1)
    return (fewer, k) if n_control < n_test else (k, fewer)


def check_whole(number: object, name: str, *, least: int = 1) -> None:
    """Raise unless it is a whole number of 1 (or so many) or more."""
    if not isinstance(number, Integral) or isinstance(number, bool) or number < least:
        raise SettingsError(f"{name}: expected a whole number of {least} or more, got {number!r}.")
