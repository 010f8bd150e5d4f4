"""A bounded memory of large things by text keys, which can be asked what it holds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Kept(Generic[Thing]):
    """Keeps what was used last; Streamlit's caches cannot be asked, only called.

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

    def get(self, key: str) -> Thing | None:
        """Return what is kept under a key."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: str, thing: Thing) -> Thing:
        """Keep a thing; the one not used for longest may have to go."""
        size = 0 if self._size is None else self._size(thing)
        with self._lock:
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
            self._things.clear()
