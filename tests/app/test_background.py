"""Work beside the page: what becomes of it when nobody waits for it any more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from app_user import User

from cst_core.errors import CancelledError
from dashboard.session import background, caches, computing, results
from dashboard.session.background import Job, Tell

Visit = Callable[..., User]


def ended(job: Job) -> Job:
    assert job.finished.wait(20)
    return job


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Let no test end before this is set, and no page wait for one."""
    gate, run = threading.Event(), results._run

    def slow(*given: Any, **more: Any) -> Any:
        assert gate.wait(20)
        return run(*given, **more)

    caches.forget_all()
    monkeypatch.setattr(results, "_run", slow)
    return gate


def test_work_stops_when_its_workspace_is_no_longer_open() -> None:
    is_open, looked = threading.Event(), threading.Event()
    is_open.set()

    def work(tell: Tell) -> str:
        assert tell("step", 1, 2)
        is_open.clear()
        looked.set()
        if not tell("step", 2, 2):
            raise CancelledError("stopped")
        return "kept"

    job = Job("words", workspace="a", is_open=is_open.is_set)
    job.start(work)
    ended(job)
    assert looked.is_set()
    assert job.cancelled.is_set()
    assert job.result is None


def test_work_outlives_a_short_absence_but_not_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(tell: Tell) -> bool:
        return tell("step", 1, 1)

    short = Job("words", is_there=lambda: False)
    short.start(work)
    assert ended(short).result is True
    monkeypatch.setattr(background, "AWAY_FOR", -1.0)
    long = Job("words", is_there=lambda: False)
    long.start(work)
    assert ended(long).cancelled.is_set()
    assert long.result is None


def test_forgetting_a_workspace_leaves_the_work_on_others_alone() -> None:
    gate = threading.Event()
    mine, theirs = Job("words", workspace="a"), Job("words", workspace="b")
    for job in (mine, theirs):
        job.start(lambda _: gate.wait(20))
    background.forget("a")
    gate.set()
    assert ended(mine).result is None
    assert ended(theirs).result is True


def test_a_finished_result_is_forgotten_with_its_workspace() -> None:
    job = Job("words", workspace="a")
    job.start(lambda _: "found")
    assert ended(job).result == "found"
    background.forget("a")
    assert job.result is None


def test_a_test_that_ends_after_its_workspace_was_deleted_is_not_kept(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, held: threading.Event
) -> None:
    user = visit().open_sample("loan")
    user.go("history")  # the table is read
    monkeypatch.setattr(background, "AT_ONCE", 0.0)
    user.go("overview")
    jobs = dict(user.at.session_state["cst_jobs"])
    key, job = next((key, job) for key, job in jobs.items() if key.startswith("test "))
    assert not job.finished.is_set()
    user.go("history")
    user.at.checkbox(key=user.key("sure")).check()
    user.run().press("Delete now")
    held.set()
    ended(job)
    assert job.result is None
    assert results._RESULTS.get(key.removeprefix("test ")) is None
    assert computing._TABLES.find(lambda _: True) is None


def test_results_of_another_workspace_are_dropped(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, held: threading.Event
) -> None:
    user = visit().open_sample("loan").go("history")
    monkeypatch.setattr(background, "AT_ONCE", 0.0)
    user.go("overview")
    job = next(iter(user.at.session_state["cst_jobs"].values()))
    monkeypatch.setattr(background, "AT_ONCE", 60.0)
    held.set()
    user.go("start").open_sample("law-school").go("overview")
    assert ended(job).result is None
    assert job not in user.at.session_state["cst_jobs"].values()
