"""What is cache, and what has to go."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from dashboard.session.caches import Cache, forget_all


def test_the_one_not_used_for_longest_goes() -> None:
    cache: Cache[int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]
    cache.clear()
    assert cache.get("a") is None


def test_a_thing_under_several_keys_counts_once() -> None:
    cache: Cache[bytes] = Cache(100, size=len, limit=10)
    shared = bytes(8)
    for key in "abc":
        cache.put(key, shared)
    assert all(cache.get(key) is shared for key in "abc")
    cache.put("d", bytes(2))
    assert cache.get("a") is shared
    cache.put("e", bytes(3))
    assert [cache.get(key) for key in "abce"] == [None, None, None, bytes(3)]


def test_the_newest_stays_however_large_it_is() -> None:
    cache: Cache[bytes] = Cache(100, size=len, limit=10)
    cache.put("a", bytes(2))
    cache.put("b", bytes(50))
    assert cache.get("a") is None
    assert cache.get("b") == bytes(50)


def test_a_key_can_be_looked_for() -> None:
    cache: Cache[int] = Cache(2)
    cache.put("one table", 1)
    assert cache.find(lambda key: key.endswith("table")) == 1
    assert cache.find(lambda key: key.endswith("chair")) is None


def test_what_was_begun_before_everything_was_forgotten_is_not_kept() -> None:
    cache: Cache[int] = Cache(2)

    def make() -> int:
        forget_all()
        return 1

    assert cache.once("a", make) == 1
    assert len(cache) == 0
    assert cache.once("a", lambda: 2) == 2
    assert cache.once("a", lambda: 3) == 2


def test_two_who_ask_at_once_wait_for_one_maker() -> None:
    cache: Cache[object] = Cache(2)
    made: list[object] = []
    begun, go_on = threading.Event(), threading.Event()

    def make() -> object:
        begun.set()
        assert go_on.wait(10)
        made.append(object())
        return made[-1]

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.once, "a", make)
        assert begun.wait(10)
        second = pool.submit(cache.once, "a", make)
        go_on.set()
        assert first.result(10) is second.result(10)
    assert len(made) == 1
