"""What an audit is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cst_core.evidence import PRESETS, SETTINGS, EvidenceSettings, preset_of
from cst_core.scenario import Case, SettingsPart
from cst_core.testing import DiscriminationTest, ExecutorChoice, allowed_tests, parse_test

Protocol = Literal["ordinary", "published"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What was asked for.

    `chance` is how often labels are dealt out to see whether the counts are more than chance gives:
    None for the usual number, 0 for never; `seed` is where the random numbers of that start.
    """

    protocol: Protocol
    tests: tuple[DiscriminationTest, ...]
    settings: SettingsPart
    world: str
    executor: ExecutorChoice = "local"
    chance: int | None = None
    seed: int = 0

    @property
    def k(self) -> tuple[int, ...]:
        """The sizes of the groups."""
        return self.settings.k

    def evidence_settings(self, test: str, k: int) -> EvidenceSettings:
        """Return how a test is judged at one k."""
        levels = {item.name: item.n_levels for item in self.tests}
        return self.settings.evidence_settings(k, n_levels=levels.get(test, 1))

    @property
    def preset(self) -> str | None:
        """The preset that the settings equal; None when they equal none."""
        if self.protocol == "published":
            return "published"
        found = preset_of(dict(self.settings))
        return None if found is None else found.name


def choose_settings(
    saved: SettingsPart,
    preset: str | None,
    sizes: tuple[int, ...] | None,
    asked: Mapping[str, Any],
) -> SettingsPart:
    """Return a case's settings with what a preset fixes, and with what was asked beside it."""
    fixed = {} if preset is None else PRESETS[preset].fixed
    found = saved.model_copy(update={"k": sizes or saved.k, **fixed, **asked})
    for name, one in SETTINGS.items():
        one.check(getattr(found, name))
    found.evidence_settings(found.k[0])  # whether they go together
    return found


def choose_tests(case: Case, wanted: Sequence[str] | None) -> tuple[DiscriminationTest, ...]:
    """Return the tests to run: those named, each once, or all that the case allows."""
    attributes = case.roles().tests
    if not wanted:
        return allowed_tests(attributes)
    found = [parse_test(one, attributes, parameter="--test") for one in wanted]
    return tuple({test.name: test for test in found}.values())
