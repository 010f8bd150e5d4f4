"""The same work many times over, on all cores, with progress and a way to stop."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TypeVar

from cst_core.errors import CancelledError
from cst_core.evidence import check_whole
from cst_core.similarity import in_threads
from cst_core.testing import Progress

Item = TypeVar("Item")
Found = TypeVar("Found")


def repeat(
    work: Callable[[Item], Found],
    items: Sequence[Item],
    *,
    label: str,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Found]:
    """Return what came of each item, in the items' order.

    Threads: the time is spent in numpy and in the search kernel, which run without Python's lock.

    Parameters
    ----------
    work
        What to do with an item; it must not depend on the others.
    items
        The items.
    label
        What is being done, for `progress`.
    workers
        Threads; all cores by default.
    progress
        Told (label, done, total); returning False cancels (`CancelledError`).

    Examples
    --------
    >>> repeat(lambda number: number**2, [3, 1, 2], label="squares")
    [9, 1, 4]
    """
    if workers is not None:
        check_whole(workers, "workers")
    found: dict[int, Found] = {}
    with closing(in_threads(work, items, workers or os.cpu_count() or 1)) as done:
        for place, one in done:
            found[place] = one
            if progress is not None and progress(label, len(found), len(items)) is False:
                raise CancelledError(f"Cancelled after {len(found)} of {len(items)}.")
    return [found[place] for place in range(len(items))]
