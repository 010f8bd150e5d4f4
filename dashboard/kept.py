"""A bounded memory of large things by text keys, which can be asked what it holds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Kept(Generic[Thing]):
    """Keeps what was used last; Streamlit's caches cannot be asked, only called."""

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._things: OrderedDict[str, Thing] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> Thing | None:
        """Return what is kept under a key."""
        with self._lock:
            if key in self._things:
                self._things.move_to_end(key)
            return self._things.get(key)

    def put(self, key: str, thing: Thing) -> Thing:
        """Keep a thing; the one not used for longest may have to go."""
        with self._lock:
            self._things[key] = thing
            self._things.move_to_end(key)
            while len(self._things) > self._entries:
                self._things.popitem(last=False)
        return thing

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._things.clear()
