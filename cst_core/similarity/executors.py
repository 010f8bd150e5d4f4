"""Where blocks are searched: on this machine's cores, or on a Dask cluster."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures import CancelledError as CancelledFuture
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from cst_core.errors import CancelledError, InputError, UnavailableError
from cst_core.similarity.backends import Backend, search_block
from cst_core.similarity.curves import BlockCurves
from cst_core.similarity.space import Block, SearchSpace

ATTEMPTS = 5
"""How often a block is tried when workers die."""
TIMEOUT = 300.0
"""Seconds to wait for the answer of a block that is done."""

Item = TypeVar("Item")
Found = TypeVar("Found")
Progress = Callable[[int, int], object]
"""Called with (done, total) as a search goes on; returning False cancels it."""


def in_threads(
    work: Callable[[Item], Found], items: Sequence[Item], workers: int
) -> Generator[tuple[int, Found], None, None]:
    """Yield (position of the item, what came of it) as items are done; some are under way."""
    with ThreadPoolExecutor(workers) as pool:
        waiting = iter(enumerate(items))
        running: dict[Future[Found], int] = {}
        try:
            while True:
                while len(running) <= workers and (job := next(waiting, None)) is not None:
                    running[pool.submit(work, job[1])] = job[0]
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()


class Executor(Protocol):
    """Runs blocks of searches, in any order."""

    def run(
        self, space: SearchSpace, blocks: Sequence[Block], backend: Backend
    ) -> Iterator[tuple[int, BlockCurves]]:
        """Yield (position of the block, its curves) as blocks are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalExecutor:
    """The cores of this machine.

    Parameters
    ----------
    workers
        Threads to use; all cores by default. The compiled backend runs without Python's lock.
    """

    workers: int | None = None

    def run(
        self, space: SearchSpace, blocks: Sequence[Block], backend: Backend
    ) -> Iterator[tuple[int, BlockCurves]]:
        """Search the blocks; a few are under way at any time, so memory stays bounded."""
        workers = self.workers or os.cpu_count() or 1
        if workers == 1 or len(blocks) == 1:
            for position, block in enumerate(blocks):
                yield position, search_block(space, block, backend)
            return
        yield from in_threads(lambda block: search_block(space, block, backend), blocks, workers)


@dataclass(frozen=True, slots=True, kw_only=True)
class DaskExecutor:
    """A Dask cluster (needs the extra ``cluster``).

    The search space is sent to each worker once. A worker that dies is replaced by the others: its
    blocks are searched again, and the answer is the same.

    Parameters
    ----------
    address
        The scheduler's address, e.g. ``"tcp://10.0.0.5:8786"``; None uses the client that is
        already open in this process.
    """

    address: str | None = None

    def run(
        self, space: SearchSpace, blocks: Sequence[Block], backend: Backend
    ) -> Iterator[tuple[int, BlockCurves]]:
        """Search the blocks on the cluster's workers."""
        client, opened = self._client()
        try:
            from distributed import wait as wait_for  # noqa: PLC0415 an optional dependency

            shipped = _ship(client, space)
            waiting = deque((position, 1) for position in range(len(blocks)))
            running: dict[Any, tuple[int, int]] = {}
            window = 2 * max(1, sum(client.nthreads().values()))
            while waiting or running:
                while waiting and len(running) < window:
                    job = waiting.popleft()
                    future = client.submit(
                        search_block, shipped, blocks[job[0]], backend, pure=False, retries=2
                    )
                    running[future] = job
                with suppress(*_lost()), client.as_current():  # a cancelled block is found below
                    wait_for(list(running), return_when="FIRST_COMPLETED")
                for future in [future for future in running if future.status != "pending"]:
                    position, tries = running.pop(future)
                    try:
                        found = future.result(timeout=TIMEOUT)
                    except _lost() as error:
                        if tries == ATTEMPTS:
                            raise UnavailableError(
                                f"The cluster failed {tries} times on one block: {error!r}"
                            ) from error
                        shipped = _ship(client, space)  # the only copy may have gone with a worker
                        waiting.append((position, tries + 1))
                        continue
                    future.release()
                    yield position, found
        finally:
            if opened:
                client.close()

    def _client(self) -> tuple[Any, bool]:
        try:
            from distributed import Client, get_client  # noqa: PLC0415 an optional dependency
        except ImportError:
            raise UnavailableError(
                "A Dask cluster was asked for, but Dask is not installed. Install the extra: "
                "pip install 'counterfactual-situation-testing[cluster]'."
            ) from None
        try:
            if self.address is not None:
                return Client(self.address, timeout=10, set_as_default=False), True
            return get_client(), False
        except (OSError, ValueError) as error:
            place = self.address or "an open Dask client"
            raise InputError(
                f"cluster: cannot reach {place} ({error}). Check the address, e.g. "
                "tcp://10.0.0.5:8786, and that the scheduler is running."
            ) from error


def _ship(client: Any, space: SearchSpace) -> Any:
    """Send the search space to every worker, once."""
    return client.scatter(space, broadcast=True, hash=False)


def _lost() -> tuple[type[BaseException], ...]:
    """Return what a dying worker can make of a block: lost, cancelled, unreachable, too late."""
    from distributed import KilledWorker  # noqa: PLC0415 an optional dependency

    return (KilledWorker, CancelledFuture, asyncio.CancelledError, OSError, TimeoutError)


def run_blocks(
    executor: Executor,
    space: SearchSpace,
    blocks: Sequence[Block],
    backend: Backend,
    *,
    progress: Progress | None,
) -> Iterator[tuple[int, BlockCurves]]:
    """Run the blocks, telling how many centres are done; stop when told to."""
    total = sum(len(block) for block in blocks)
    done = 0
    found = executor.run(space, blocks, backend)
    try:
        for position, curves in found:
            yield position, curves
            done += len(blocks[position])
            if progress is not None and progress(done, total) is False:
                raise CancelledError(f"Cancelled after {done} of {total} searches.")
    finally:
        close = getattr(found, "close", None)
        if close is not None:
            close()
