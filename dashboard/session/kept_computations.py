"""What is computed once beside the page and kept with the workspace, for whoever opens it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from cst_core.data import VERSION
from cst_core.errors import DataError
from dashboard.session import background
from dashboard.session.background import Tell
from dashboard.session.caches import Cache
from dashboard.session.state import session, store
from dashboard.store import StoreError

Thing = TypeVar("Thing")


def fingerprint(*parts: object) -> str:
    """Return a short name for all that something depends on, this version of the program too."""
    return hashlib.sha256("\0".join(map(str, (VERSION, *parts))).encode()).hexdigest()[:40]


def stored(name: str, computed_from: str, read: Callable[[str], Thing]) -> Thing | None:
    """Return what the open workspace keeps under a name; None when it is of something else."""
    with suppress(StoreError, DataError, ValueError, KeyError):
        found = store().report(session().opened.id, name)
        if found is not None and found.computed_from == computed_from:
            return read(found.content)
    return None


def computed(
    cache: Cache[Thing],
    name: str,
    computed_from: str,
    words: str,
    work: Callable[[Tell], Thing],
    *,
    read: Callable[[str], Thing],
    write: Callable[[Thing], str],
) -> Thing | None:
    """Return a computation: remembered, kept with the workspace, or made beside the page.

    While it is being made, how far it is is shown, and None is returned.

    Parameters
    ----------
    cache
        Where it is remembered.
    name, computed_from
        Under which name the workspace keeps it, and of what it is.
    words
        What is being done.
    work, read, write
        Make it; and from and to the text that is kept.
    """
    found = cache.get(computed_from) or stored(name, computed_from, read)
    if found is not None:
        return cache.put(computed_from, found)
    here, workspace = store(), session().opened.id

    def whole(tell: Tell) -> Thing:
        made = work(tell)
        if tell("", 1, 1) is not False:
            with suppress(StoreError):  # it is shown all the same, and computed again next time
                here.keep_report(workspace, name, computed_from=computed_from, content=write(made))
        return made

    found = background.run(f"{name} {computed_from}", words, whole)
    return None if found is None else cache.put(computed_from, found)
