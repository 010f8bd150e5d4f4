"""What an audit is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from cst_core.errors import InputError
from cst_core.evidence.presets import PRESETS, preset_of
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.scenario.case import Case
from cst_core.testing.several import IntersectionalForm
from cst_core.testing.single import ExecutorChoice

Protocol = Literal["ordinary", "published"]
SEVERAL = ("multiple", "intersectional")
"""The tests of several attributes together."""
EVIDENCE = {
    "tau": "accepted_deviation",
    "alpha": "significance_level",
    "direction": "direction",
    "interval": "interval",
    "correction": "correction",
    "tie_robust": "tie_robust",
    "balance_radii": "balance_radii",
    "several": "several",
}
"""The settings of the evidence, by what they are called in a scenario and on the command line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What was asked for; `evidence.n_neighbours` is unused, `k` lists them all."""

    protocol: Protocol
    tests: tuple[str, ...]
    k: tuple[int, ...]
    evidence: EvidenceSettings
    search: SearchSettings
    world: str
    form: IntersectionalForm
    executor: ExecutorChoice = "local"

    @property
    def preset(self) -> str | None:
        """The preset that the settings equal; None when they equal none."""
        if self.protocol == "published":
            return "published"
        found = preset_of(
            ties=self.search.ties,
            interval=self.evidence.interval,
            correction=self.evidence.correction,
            tie_robust=self.evidence.tie_robust,
            balance_radii=self.evidence.balance_radii,
        )
        return None if found is None else found.name


def choose_settings(
    case: Case, preset: str | None, sizes: tuple[int, ...], asked: Mapping[str, Any]
) -> tuple[EvidenceSettings, SearchSettings]:
    """Return the case's settings with what a preset fixes, and with what was asked beside it."""
    saved = case.scenario.settings
    evidence = saved.evidence_settings(sizes[0])
    search = SearchSettings(
        max_neighbours=max(sizes), ties=saved.ties, max_distance=saved.max_distance
    )
    if preset is not None:
        evidence = PRESETS[preset].apply(evidence)
        search = PRESETS[preset].apply_to_search(search)
    given = {name: value for name, value in asked.items() if value is not None}
    return (
        replace(evidence, **{EVIDENCE[name]: given[name] for name in EVIDENCE if name in given}),
        replace(
            search, **{name: given[name] for name in ("ties", "max_distance") if name in given}
        ),
    )


def choose_tests(case: Case, wanted: str | None) -> tuple[str, ...]:
    """Return the tests to run: the one named, or all that the case allows."""
    attributes = [item.column for item in case.scenario.roles.protected]
    known = [*attributes, *(SEVERAL if len(attributes) > 1 else ())]
    if wanted is None:
        return tuple(known)
    if wanted in known:
        return (wanted,)
    if wanted in SEVERAL:
        raise InputError(
            f"--test {wanted}: this case has one protected attribute ({attributes[0]}); "
            f"'{wanted}' needs two or more."
        )
    raise InputError(f"--test: expected one of {', '.join(known)}, got '{wanted}'.")
