"""The one registry of what is kept in memory: bounded, by text keys, and forgotten all at once.

No table or array is ever part of a key (Streamlit hashes only a sample of a large one). The keys
are texts: the data's SHA-256 and the parts of the draft that matter.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakSet, WeakValueDictionary

Thing = TypeVar("Thing")
_ALL: WeakSet[Cache[Any]] = WeakSet()


class Cache(Generic[Thing]):
    """Keeps what was used last; unlike Streamlit's caches it can be asked what it holds.

    At most so many entries; with `size`, also at most `limit` in all, counting a thing that is
    kept under several keys once. The newest entry always stays.
    """

    def __init__(
        self, entries: int, *, size: Callable[[Thing], int] | None = None, limit: int = 0
    ) -> None:
        self._entries = entries
        self._size = size
        self._limit = limit
        self._things: OrderedDict[str, tuple[Thing, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._makers: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._cleared = 0
        _ALL.add(self)

    def __len__(self) -> int:
        return len(self._things)

    def get(self, key: str) -> Thing | None:
        """Return what is kept under a key."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: str, thing: Thing) -> Thing:
        """Keep a thing; the one not used for longest may have to go."""
        return self._put(key, thing, self._cleared)

    def once(self, key: str, make: Callable[[], Thing]) -> Thing:
        """Return what is kept under a key, or make it; two who ask at once wait for one maker.

        What was begun before everything was forgotten is given back and not kept.
        """
        found = self.get(key)
        if found is not None:
            return found
        with self._lock:
            maker = self._makers.setdefault(key, threading.Lock())
        with maker:
            found, cleared = self.get(key), self._cleared
            return found if found is not None else self._put(key, make(), cleared)

    def _put(self, key: str, thing: Thing, cleared: int) -> Thing:
        size = 0 if self._size is None else self._size(thing)
        with self._lock:
            if cleared == self._cleared:
                self._things[key] = thing, size
                self._things.move_to_end(key)
            while len(self._things) > max(1, self._entries) or self._is_too_large():
                self._things.popitem(last=False)
        return thing

    def find(self, matches: Callable[[str], bool]) -> Thing | None:
        """Return something kept under a key that matches."""
        with self._lock:
            return next((thing for key, (thing, _) in self._things.items() if matches(key)), None)

    def _is_too_large(self) -> bool:
        sizes = {id(thing): size for thing, size in self._things.values()}
        return len(self._things) > 1 and sum(sizes.values()) > self._limit

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._cleared += 1
            self._things.clear()


def forget_all() -> None:
    """Empty every cache there is: deleted data must not stay in memory."""
    for cache in list(_ALL):
        cache.clear()


def count() -> int:
    """Return how many things all caches keep together."""
    return sum(map(len, list(_ALL)))
