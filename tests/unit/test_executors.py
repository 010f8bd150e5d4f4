"""Blocks on this machine's cores or on a Dask cluster: the same answer, and it can be stopped."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import cst_core
from cst_core.errors import CancelledError, InputError, SettingsError, UnavailableError
from cst_core.results import SingleResult
from cst_core.similarity import (
    DaskExecutor,
    GroupCurves,
    LocalExecutor,
    Points,
    SearchSpace,
    executors,
    group_curves,
    search,
)

K_MAX = 20
GROUPS = ("control", "test_st", "test_cst")
FIELDS = ("lowest", "tied", "expected", "highest", "available", "column")


def find(**options: Any) -> GroupCurves:
    """Search 300 tied people around 120 centres; ties and lone centres alternate."""
    random = np.random.default_rng(8)
    numeric = random.integers(0, 12, (300, 2)) / 24
    centres = numeric[:120] + np.where(np.arange(120)[:, None] % 2, 0.0, random.random((120, 2)))

    def points(values: np.ndarray) -> Points:
        return Points(
            numeric=values,
            nominal=(values[:, :1] * 48).astype(np.int64) % 3,
            nominal_weights=np.array([0.25]),
        )

    return group_curves(
        SearchSpace.of(points(numeric), random.random(300) < 0.5),
        points(centres),
        k_max=K_MAX,
        **options,
    )


def assert_identical(one: GroupCurves, other: GroupCurves) -> None:
    for name in FIELDS:
        first, second = getattr(one, name), getattr(other, name)
        assert (first is None) == (second is None)
        if first is not None:
            assert first.dtype == second.dtype
            np.testing.assert_array_equal(first, second, name)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three centres a block."""
    monkeypatch.setattr(search, "BLOCK_CELLS", 3 * K_MAX)


@pytest.fixture
def blocks_searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the blocks searched so far."""
    sizes: list[int] = []
    real = executors.search_block

    def counting(space: Any, block: Any, backend: Any) -> Any:
        sizes.append(len(block))
        return real(space, block, backend)

    monkeypatch.setattr(executors, "search_block", counting)
    return sizes


@pytest.fixture
def threads_stay() -> Iterator[None]:
    """Nothing is left running after the test."""
    before = set(threading.enumerate())
    yield
    assert {thread for thread in threading.enumerate() if thread not in before} == set()


WORKERS = pytest.mark.parametrize("workers", [1, 2, 5])


# --------------------------------------------------------------------------- this machine


@WORKERS
@pytest.mark.parametrize("backend", ["auto", "tree", "brute"])
@pytest.mark.parametrize("ties", ["expected", "last"])
def test_blocks_and_threads_change_nothing(
    workers: int, backend: str, ties: str, monkeypatch: pytest.MonkeyPatch, threads_stay: None
) -> None:
    whole = find(executor=LocalExecutor(workers=1), backend=backend, ties=ties)
    for cells in (1, 3 * K_MAX, 50 * K_MAX):
        monkeypatch.setattr(search, "BLOCK_CELLS", cells)
        found = find(executor=LocalExecutor(workers=workers), backend=backend, ties=ties)
        assert_identical(found, whole)


@pytest.mark.usefixtures("small_blocks", "threads_stay")
def test_all_cores_by_default(blocks_searched: list[int]) -> None:
    assert_identical(find(), find(executor=LocalExecutor()))
    assert max(blocks_searched) == 3
    assert len(blocks_searched) > 50


@WORKERS
@pytest.mark.usefixtures("small_blocks", "threads_stay")
def test_progress_rises_to_the_total(workers: int) -> None:
    told: list[tuple[int, int]] = []
    curves = find(executor=LocalExecutor(workers=workers), progress=lambda *now: told.append(now))
    done = [now[0] for now in told]
    assert {now[1] for now in told} == {curves.n_searches}
    assert done == sorted(set(done))
    assert done[0] <= 3
    assert done[-1] == curves.n_searches
    assert len(done) == -(-curves.n_searches // 3)


@WORKERS
@pytest.mark.usefixtures("small_blocks", "threads_stay")
def test_cancelling(workers: int, blocks_searched: list[int]) -> None:
    """At most what was under way is still searched."""
    told: list[int] = []

    def stop(done: int, total: int) -> bool:
        told.append(done)
        return done < 6

    with pytest.raises(CancelledError, match=r"Cancelled after 6 of \d+ searches"):
        find(executor=LocalExecutor(workers=workers), progress=stop)
    assert told == [3, 6]
    assert len(blocks_searched) <= 2 + workers + 1


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("answer", [None, 0, True, "", []])
def test_only_false_cancels(answer: object) -> None:
    find(progress=lambda *_: answer)


@WORKERS
@pytest.mark.usefixtures("small_blocks", "threads_stay")
def test_a_failing_callback(workers: int, blocks_searched: list[int]) -> None:
    class BrokenScreenError(Exception):
        pass

    def fail(*_: int) -> None:
        raise BrokenScreenError("no screen")

    with pytest.raises(BrokenScreenError, match="no screen"):
        find(executor=LocalExecutor(workers=workers), progress=fail)
    assert len(blocks_searched) <= 1 + workers + 1


@WORKERS
@pytest.mark.usefixtures("small_blocks", "threads_stay")
def test_a_failing_block(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[int] = []

    def fail(*_: object) -> None:
        searched.append(1)
        raise MemoryError("too large")

    monkeypatch.setattr(executors, "search_block", fail)
    with pytest.raises(MemoryError, match="too large"):
        find(executor=LocalExecutor(workers=workers))
    assert len(searched) <= workers + 1


def run_loan(**options: Any) -> SingleResult:
    case = cst_core.load_scenario("loan")
    return cst_core.run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=cst_core.SearchSettings(max_neighbours=50),
        **options,
    )


@pytest.fixture
def loan_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """About 23 blocks a group."""
    monkeypatch.setattr(search, "BLOCK_CELLS", 100 * 50)


@pytest.mark.usefixtures("loan_blocks", "threads_stay")
def test_a_run_tells_what_it_does() -> None:
    told: dict[str, list[int]] = {}
    result = run_loan(progress=lambda what, done, total: told.setdefault(what, []).append(done))
    labels = ["Gender: control groups", "Gender: test groups, ST", "Gender: test groups, CST"]
    assert list(told) == labels
    for label, group in zip(labels, GROUPS, strict=True):
        assert told[label] == sorted(told[label])
        assert told[label][-1] == getattr(result, group).n_searches


@pytest.mark.usefixtures("loan_blocks", "threads_stay")
@pytest.mark.parametrize("during", ["control", "ST", "CST"])
def test_a_run_can_be_cancelled(during: str) -> None:
    told: list[str] = []

    def stop(what: str, *_: int) -> bool:
        told.append(what)
        return not what.endswith(during) and during not in what.split()

    with pytest.raises(CancelledError):
        run_loan(executor=LocalExecutor(workers=2), progress=stop)
    assert during in told[-1]


def test_unknown_executors_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"executor: expected 'local', 'dask'.*'spark'"):
        run_loan(executor="spark")


# --------------------------------------------------------------------------- a Dask cluster


def test_dask_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for executor in (DaskExecutor(), DaskExecutor(address="tcp://127.0.0.1:8786")):
        with pytest.raises(UnavailableError, match=r"not installed.*\[cluster\]"):
            find(executor=executor)
    with pytest.raises(UnavailableError, match="cluster"):
        run_loan(executor="dask")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two worker processes, gone after the test."""
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    # a worker process runs the main module again, and a test of the app may have left a page there
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    patient = {"distributed.comm.timeouts.connect": "180s"}  # on a busy machine they start late
    with (
        dask.config.set(patient),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs="CRITICAL",
        ) as cluster,
    ):
        yield cluster
        nannies = [nanny.process for nanny in cluster.workers.values()]
        processes = [nanny.process for nanny in nannies if nanny is not None]
    assert not any(process.is_alive() for process in processes if process is not None)
    gc.collect()  # what Dask leaves open is closed here, where its warnings are ignored


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_on_a_real_cluster(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One test, so that one cluster is started: pytest-xdist may spread tests over processes."""
    local = run_loan()
    monkeypatch.setattr(search, "BLOCK_CELLS", 60 * 50)
    by_address(cluster, local)
    with_an_open_client(cluster, local)
    the_space_is_sent_once(cluster)
    one_block_and_none(cluster)
    stopping(cluster)
    a_worker_is_killed(cluster, local, only_copy=False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_only_copy_is_lost(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not on the cluster above: Dask does not always replace a worker that was killed."""
    local = run_loan()
    monkeypatch.setattr(search, "BLOCK_CELLS", 60 * 50)
    a_worker_is_killed(cluster, local, only_copy=True)


def assert_same_run(result: SingleResult, local: SingleResult) -> None:
    for group in GROUPS:
        assert_identical(getattr(result, group), getattr(local, group))


def by_address(cluster: Any, local: SingleResult) -> None:
    """No other client is open in this process."""
    told: dict[str, list[int]] = {}
    result = run_loan(
        executor=DaskExecutor(address=cluster.scheduler_address),
        progress=lambda what, done, total: told.setdefault(what, []).append(done),
    )
    assert_same_run(result, local)
    for group, done in zip(GROUPS, told.values(), strict=True):
        assert len(done) > 30
        assert done == sorted(done)
        assert done[-1] == getattr(local, group).n_searches


def with_an_open_client(cluster: Any, local: SingleResult) -> None:
    from distributed import Client

    with Client(cluster) as client:
        assert_same_run(run_loan(executor="dask"), local)
        assert client.status == "running"  # it is the caller's: left open
        assert_identical(find(executor=DaskExecutor(), ties="last"), find(ties="last"))


def copies(client: Any) -> dict[str, int]:
    """Return how many search spaces each worker holds."""

    def count(dask_worker: Any) -> int:
        return sum(type(item).__name__ == "SearchSpace" for item in dask_worker.data.values())

    return dict(client.run(count))


def the_space_is_sent_once(cluster: Any) -> None:
    from distributed import Client

    held: list[int] = []
    with Client(cluster) as client:

        def look(what: str, done: int, total: int) -> None:
            if done == total and not held:
                held.extend(copies(client).values())

        run_loan(executor="dask", progress=look)
    assert max(held) == 1


def one_block_and_none(cluster: Any) -> None:
    def points(n: int) -> Points:
        return Points(
            numeric=np.ones((n, 1)),
            nominal=np.empty((n, 0), dtype=np.int64),
            nominal_weights=np.empty(0),
        )

    executor = DaskExecutor(address=cluster.scheduler_address)
    assert_identical(find(executor=executor), find())
    curves = group_curves(
        SearchSpace.of(points(1), np.array([True])), points(0), k_max=3, executor=executor
    )
    assert curves.n_searches == 0


def stopping(cluster: Any) -> None:
    """By returning False and by failing; the cluster goes on working."""
    from distributed import Client

    told: list[int] = []

    def stop(_: str, done: int, __: int) -> bool:
        told.append(done)
        return False

    def fail(*_: object) -> None:
        raise ZeroDivisionError("no screen")

    for executor in (DaskExecutor(), DaskExecutor(address=cluster.scheduler_address)):
        with Client(cluster) as client:
            told.clear()
            with pytest.raises(CancelledError, match=r"Cancelled after \d+ of"):
                run_loan(executor=executor, progress=stop)
            assert len(told) == 1
            with pytest.raises(ZeroDivisionError, match="no screen"):
                run_loan(executor=executor, progress=fail)
            assert_identical(find(executor=executor), find())
            assert client.status == "running"


def a_worker_is_killed(cluster: Any, local: SingleResult, *, only_copy: bool) -> None:
    """After the first block, with most of the work to be done: the answer is the same.

    Dask drops spare copies of data after a while (its active memory manager, every 2 s): with
    `only_copy`, that is waited for, and the worker killed is the one that has the search space.
    """
    from distributed import Client

    left: list[int] = []
    with Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        workers = dict(client.run(os.getpid))
        victims: list[int] = []
        assert len(workers) == 2

        def kill(what: str, done: int, total: int) -> None:
            if left:
                return
            holders = copies(client)
            for _ in range(50 if only_copy else 0):
                if not all(holders.values()):
                    break
                time.sleep(0.1)
                holders = copies(client)
            victims.append(workers[max(holders, key=lambda worker: holders[worker])])
            os.kill(victims[0], signal.SIGKILL)
            left.append(total - done)

        result = run_loan(executor="dask", progress=kill)
        assert victims[0] not in client.run(os.getpid).values()
    assert left[0] > 2_000
    assert_same_run(result, local)


@pytest.mark.filterwarnings("ignore")
def test_no_open_client() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="cluster: cannot reach an open Dask client"):
        find(executor=DaskExecutor())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("address", [None, "nonsense://nowhere:1", "tcp://127.0.0.1:99999"])
def test_a_bad_address(address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    real = distributed.Client

    def impatient(*arguments: Any, **options: Any) -> Any:
        return real(*arguments, **{**options, "timeout": 1})

    monkeypatch.setattr(distributed, "Client", impatient)
    place = address or f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(InputError, match=f"cluster: cannot reach {place}.*Check the address"):
        find(executor=DaskExecutor(address=place))
    gc.collect()
