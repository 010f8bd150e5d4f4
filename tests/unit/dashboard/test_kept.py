"""What is kept, and what has to go."""

from __future__ import annotations

from dashboard.kept import Kept


def test_the_one_not_used_for_longest_goes() -> None:
    kept: Kept[int] = Kept(2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert [kept.get(key) for key in "abc"] == [1, None, 3]
    kept.clear()
    assert kept.get("a") is None


def test_a_thing_under_several_keys_counts_once() -> None:
    kept: Kept[bytes] = Kept(100, size=len, limit=10)
    shared = bytes(8)
    for key in "abc":
        kept.put(key, shared)
    assert all(kept.get(key) is shared for key in "abc")
    kept.put("d", bytes(2))
    assert kept.get("a") is shared
    kept.put("e", bytes(3))
    assert [kept.get(key) for key in "abce"] == [None, None, None, bytes(3)]


def test_the_newest_stays_however_large_it_is() -> None:
    kept: Kept[bytes] = Kept(100, size=len, limit=10)
    kept.put("a", bytes(2))
    kept.put("b", bytes(50))
    assert kept.get("a") is None
    assert kept.get("b") == bytes(50)


def test_a_key_can_be_looked_for() -> None:
    kept: Kept[int] = Kept(2)
    kept.put("one table", 1)
    assert kept.find(lambda key: key.endswith("table")) == 1
    assert kept.find(lambda key: key.endswith("chair")) is None
