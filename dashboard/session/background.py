"""Long work beside the page: it shows how far it is, and can be cancelled."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

from cst_core.errors import CancelledError
from dashboard.session.state import Session, session
from dashboard.shared.text import markdown

Result = TypeVar("Result")
Tell = Callable[[str, int, int], bool]
"""Called with (what is being done, done, total); returns False when the work is to stop."""

AT_ONCE = 0.4
"""Seconds that work may take without being shown at all."""
LOOK_EVERY = 0.5
KEPT_FOR = 300.0
"""Seconds that a result nobody has asked for yet is kept."""
AWAY_FOR = 120.0
"""Seconds a browser may be away before its work stops; Streamlit forgets its session then, too."""

_JOBS = "cst_jobs"
_ALL: weakref.WeakSet[Job] = weakref.WeakSet()


@dataclass(slots=True, eq=False, weakref_slot=True)
class Job:
    """Work that runs in a thread of its own.

    Attributes
    ----------
    workspace
        Whose data it works on; empty when they belong to none yet.
    is_open
        Returns whether the tab that asked for it still has that workspace open.
    is_there
        Returns whether that tab's browser is connected.
    """

    words: str
    workspace: str = ""
    is_open: Callable[[], bool] = lambda: True
    is_there: Callable[[], bool] = lambda: True
    started: float = field(default_factory=time.monotonic)
    step: str = ""
    done: int = 0
    total: int = 0
    result: Any = None
    error: BaseException | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)
    ended: float = 0.0
    seen: float = field(default_factory=time.monotonic)

    def start(self, work: Callable[[Tell], Any]) -> None:
        """Begin."""
        _ALL.add(self)
        threading.Thread(target=self._run, args=(work,), daemon=True).start()

    def _run(self, work: Callable[[Tell], Any]) -> None:
        try:
            self.result = work(self._tell)
        except BaseException as error:  # handed over to the page, which says it or lets it through
            self.error = error
        finally:
            self.ended = time.monotonic()
            if self.cancelled.is_set():
                self.result = None
            self.finished.set()

    def _tell(self, step: str, done: int, total: int) -> bool:
        self.step, self.done, self.total = step, done, total
        now = time.monotonic()
        if self.is_there():
            self.seen = now
        if not self.is_open() or now - self.seen > AWAY_FOR:
            self.cancel()
        return not self.cancelled.is_set()

    def cancel(self) -> None:
        """Stop as soon as the work looks up, and forget what it found."""
        self.cancelled.set()
        self.result = None


def run(key: str, words: str, work: Callable[[Tell], Result]) -> Result | None:
    """Return the work's result; while it is not there, show how far it is and return None.

    Parameters
    ----------
    key
        Names the work: the same key is the same work, so it is begun once.
    words
        What is being done, for the screen.
    work
        The work. It may call what it is given to say how far it is, and stop when that returns
        False; work that cannot be interrupted is left to itself when it is cancelled.

    Raises
    ------
    CSTError
        What the work raised, and a `CancelledError` after it was cancelled.
    """
    jobs: dict[str, Job] = st.session_state.setdefault(_JOBS, {})
    here = session()
    workspace = here.workspace.id if here.workspace else ""
    _drop_old(jobs, workspace, but=key)
    job = jobs.get(key)
    if job is None:
        job = jobs[key] = Job(
            words,
            workspace=workspace,
            is_open=lambda: not workspace or _has_open(here, workspace),
            is_there=_connection(),
        )
        job.start(work)
    job.finished.wait(AT_ONCE if time.monotonic() - job.started < AT_ONCE else 0)
    if job.cancelled.is_set():
        del jobs[key]
        raise CancelledError("Cancelled. Nothing was changed.")
    if not job.finished.is_set():
        _show(key)
        return None
    del jobs[key]
    if job.error is not None:
        raise job.error
    result: Result = job.result
    if job.cancelled.is_set():  # while it was handed over
        raise CancelledError("Cancelled. Nothing was changed.")
    return result


def is_begun(key: str) -> bool:
    """Return whether this tab has such work, running or done and not yet handed over."""
    job = st.session_state.get(_JOBS, {}).get(key)
    return job is not None and not job.cancelled.is_set()


def is_running(key: str) -> bool:
    """Return whether such work is not done yet."""
    return is_begun(key) and not st.session_state[_JOBS][key].finished.is_set()


def _drop_old(jobs: dict[str, Job], workspace: str, but: str) -> None:
    """Forget work on another workspace, and finished work that nobody came back for."""
    now = time.monotonic()
    for key, job in list(jobs.items()):
        late = job.finished.is_set() and now - job.ended > KEPT_FOR
        if key != but and (late or job.workspace not in ("", workspace)):
            job.cancel()
            del jobs[key]


def _has_open(here: Session, workspace: str) -> bool:
    return here.workspace is not None and here.workspace.id == workspace


def _connection() -> Callable[[], bool]:
    """Return what tells whether the browser of this run is still connected."""
    context = get_script_run_ctx()
    if context is None or not Runtime.exists():
        return lambda: True
    runtime, session = Runtime.instance(), context.session_id
    return lambda: runtime.is_active_session(session)


def forget(workspace: str) -> None:
    """Stop and forget all work on a workspace, in every tab: it was deleted."""
    for job in list(_ALL):
        if job.workspace == workspace:
            job.cancel()


@st.fragment(run_every=LOOK_EVERY)
def _show(key: str) -> None:
    job: Job | None = st.session_state.get(_JOBS, {}).get(key)
    if job is None or job.finished.is_set():
        st.rerun(scope="app")
        return
    seconds = int(time.monotonic() - job.started)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            if job.total:
                share = min(job.done / job.total, 1.0)
                st.progress(share, text=f"{markdown(job.step or job.words)}: {share:.0%}")
            else:
                st.markdown(f":material/hourglass_top: {markdown(job.words)} … {seconds} s")
        if st.button("Cancel", key=f"cancel-{key}", icon=":material/close:"):
            job.cancelled.set()
            st.rerun(scope="app")
