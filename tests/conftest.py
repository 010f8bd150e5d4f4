"""What holds for all tests: helpers found from every folder, markers, and Hypothesis."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

collect_ignore_glob = ["*conftest.py"]  # there are several, and none has examples to be run

# The same examples on every machine and every day; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# `make test` tries half of the examples that a test asks for, `make validate` all of them
# (thorough), `make quick` at most ten.
settings.register_profile("thorough", settings.get_profile("steady"))
settings.register_profile("explore", settings.get_profile("steady"), derandomize=False)
settings.register_profile("quick", settings.get_profile("steady"))
TRIED = {"steady": lambda asked: -(-asked // 2), "quick": lambda asked: min(asked, 10)}
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")
settings.load_profile(PROFILE)


@pytest.fixture(autouse=True)
def no_chance_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask whether counts exceed chance only where a test says so: it is a hundred tests each."""
    from cst_core.robustness import placebo as module

    monkeypatch.setattr(sys.modules[module.__module__], "USUAL", ())


def shares_a_set_up(item: pytest.Item) -> bool:
    """Return whether something is made for all tests of its module, as large cases are."""
    known = getattr(item, "_fixtureinfo", None)
    made = known.name2fixturedefs.values() if known is not None else ()
    return any(one.scope == "module" for several in made for one in several)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser; keep together what shares a set-up; try fewer examples."""
    for item in items:
        if shares_a_set_up(item) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))  # made once, in one process
        if HERE / "browser" in item.path.parents:
            item.add_marker("browser")
        test = getattr(item, "obj", None)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if PROFILE in TRIED and own is not None:
            fewer = TRIED[PROFILE](own.max_examples)
            test._hypothesis_internal_use_settings = settings(own, max_examples=fewer)
