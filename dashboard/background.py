"""Long work beside the page: it shows how far it is, and can be cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from cst_core.errors import CancelledError
from dashboard.text import markdown

Result = TypeVar("Result")
Tell = Callable[[str, int, int], bool]
"""Called with (what is being done, done, total); returns False when the work is to stop."""

AT_ONCE = 0.4
"""Seconds that work may take without being shown at all."""
LOOK_EVERY = 0.5


@dataclass(slots=True, eq=False)
class Job:
    """Work that runs in a thread of its own."""

    words: str
    started: float = field(default_factory=time.monotonic)
    step: str = ""
    done: int = 0
    total: int = 0
    result: Any = None
    error: BaseException | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)

    def start(self, work: Callable[[Tell], Any]) -> None:
        """Begin."""
        threading.Thread(target=self._run, args=(work,), daemon=True).start()

    def _run(self, work: Callable[[Tell], Any]) -> None:
        try:
            self.result = work(self._tell)
        except BaseException as error:  # handed over to the page, which says it or lets it through
            self.error = error
        finally:
            self.finished.set()

    def _tell(self, step: str, done: int, total: int) -> bool:
        self.step, self.done, self.total = step, done, total
        return not self.cancelled.is_set()


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
    jobs: dict[str, Job] = st.session_state.setdefault("cst_jobs", {})
    job = jobs.get(key)
    if job is None:
        job = jobs[key] = Job(words)
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
    return result


@st.fragment(run_every=LOOK_EVERY)
def _show(key: str) -> None:
    job: Job | None = st.session_state.get("cst_jobs", {}).get(key)
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
