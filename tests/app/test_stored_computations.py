"""Long computations: shown while they run, stopped on request, never begun by themselves."""

from __future__ import annotations

import hashlib
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from app_user import User

from cst_core import EvidenceSettings
from cst_core.errors import CancelledError
from cst_core.robustness import Placebo, PlaceboCounts
from dashboard.session import background
from dashboard.session.state import store

COUNTS = PlaceboCounts(
    method="CST_wo",
    settings=EvidenceSettings(),
    observed_cases=3,
    observed_significant=3,
    cases=np.array([1, 1]),
    significant=np.array([1, 1]),
)
FOUND = Placebo(
    name="Gender",
    permuted=("Gender",),
    repeats=2,
    seed=1,
    n_complainants=9,
    n_evaluated=9,
    counts=(COUNTS,),
    notes=(),
)
OLD_SHAPE = """{"method": "CST_wo", "seed": 1, "n_complainants": 9, "n_evaluated": 9, "notes": [],
"source": "", "repeats": 2, "observed_cases": 3, "observed_significant": 3, "cases": [1, 1],
"significant": [1, 1], "p_cases": 0.3, "p_significant": 0.3}"""


class Slow:
    """A computation that goes on until it is let go, and counts how often it was begun."""

    def __init__(self) -> None:
        self.calls, self.now, self.most = 0, 0, 0
        self.go = threading.Event()
        self.error: Exception | None = None

    def __call__(self, *_: object, progress: Callable[..., bool], **__: object) -> Placebo:
        self.calls += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            while not self.go.wait(0.02):
                if progress("Waiting", 1, 2) is False:
                    raise CancelledError("Cancelled.")
            if self.error is not None:
                raise self.error
            return FOUND
        finally:
            self.now -= 1


def in_place_of(monkeypatch: pytest.MonkeyPatch, check: str, made: Slow) -> None:
    """Let a check do something else; its module has the name of its function."""
    monkeypatch.setattr(sys.modules[f"cst_core.robustness.{check}"], check, made)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    made = Slow()
    in_place_of(monkeypatch, "placebo", made)
    return made


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be waited for; what the page itself needs must have been computed before."""
    monkeypatch.setattr(background, "AT_ONCE", 0.0)


@pytest.fixture
def user(visit: Callable[..., User], slow: Slow, request: pytest.FixtureRequest) -> User:
    found = visit().open_sample("loan").go("robustness")
    request.getfixturevalue("beside")
    found.run()
    return found


def settle(user: User, done: Callable[[], bool]) -> User:
    """Run the page again, as its own clock would, until something holds."""
    for _ in range(200):
        user.run()
        if done():
            return user
        time.sleep(0.02)
    raise AssertionError(user.text[-2000:])


NAME = "placebo " + hashlib.sha256(b"Gender\0CST_wo").hexdigest()[:24]


def placebo(user: User) -> object:
    return store().report(user.workspace.id, NAME)


def buttons(user: User) -> list[str]:
    return [item.label for item in user.at.button]


def test_it_runs_beside_the_page_and_is_kept(user: User, slow: Slow) -> None:
    user.at.button(key="compute-placebo").click()
    user.run().run()
    assert "Cancel" in buttons(user)
    assert placebo(user) is None
    slow.go.set()
    settle(user, lambda: "with the real label it finds 3" in user.text)
    assert slow.calls == 1
    assert "Cancel" not in buttons(user)


@pytest.mark.parametrize("content", [OLD_SHAPE, "", "[]", '["", "{}"]', "[1, 2]", "null"])
def test_what_cannot_be_read_is_computed_anew(user: User, slow: Slow, content: str) -> None:
    store().keep_report(user.workspace.id, NAME, computed_from="{}", content=content)
    user.run()
    assert "with the real label it finds" not in user.text
    assert "Computed before something changed" not in user.text
    assert user.at.button(key="compute-placebo").label == "Compute"
    slow.go.set()
    user.at.button(key="compute-placebo").click()
    settle(user, lambda: "with the real label it finds 3" in user.text)


def test_it_can_be_cancelled_and_leaves_nothing(user: User, slow: Slow) -> None:
    user.at.button(key="compute-placebo").click()
    user.run()
    user.press("Cancel")
    settle(user, lambda: slow.now == 0)
    assert placebo(user) is None
    assert user.at.button(key="compute-placebo").label == "Compute"
    user.run()
    assert slow.calls == 1


def test_an_error_is_met_once(user: User, slow: Slow) -> None:
    slow.error = RuntimeError("a fault of the program")
    slow.go.set()
    user.at.button(key="compute-placebo").click()
    user.at.run()
    for _ in range(100):
        if user.at.exception:
            break
        time.sleep(0.02)
        user.at.run()
    assert user.at.exception
    user.run().run()  # without it
    assert slow.calls == 1


def test_another_workspace_stops_it_and_coming_back_does_not_begin_it_again(
    user: User, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.at.button(key="compute-placebo").click()
    user.run()
    link = user.link
    monkeypatch.setattr(background, "AT_ONCE", 60.0)
    user.go("start").open_sample("law-school").go("robustness")
    assert slow.now == 0
    user.at.query_params["w"] = link
    user.run()
    assert slow.calls == 1
    assert user.at.button(key="compute-placebo").label == "Compute"


def test_everything_is_computed_one_after_the_other(
    user: User, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bootstrap", "tipping", "tornado"):
        in_place_of(monkeypatch, name, slow)
    user.press("Compute everything").run()
    assert "Begins when the computation that is running is done." in user.text
    slow.go.set()
    settle(user, lambda: slow.calls == 4 and slow.now == 0)
    assert slow.most == 1


def test_what_is_shown_afterwards_says_what_it_was_computed_with(
    user: User, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow.go.set()
    user.at.button(key="compute-placebo").click()
    settle(user, lambda: "with the real label it finds 3" in user.text)
    monkeypatch.setattr(background, "AT_ONCE", 60.0)
    user.at.slider[0].set_value(77)
    user.run()
    chart = next(item for item in user.at.get("plotly_chart") if "placebo" in item.proto.id)
    assert "k = 15 " in chart.proto.spec
    assert "k = 77 " not in chart.proto.spec
