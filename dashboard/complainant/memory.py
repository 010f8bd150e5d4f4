"""What is kept about complainants between two runs of the page; all of it bounded."""

from __future__ import annotations

from typing import Any

from dashboard.kept import Kept

IDS: Kept[Any] = Kept(6)
PEOPLE: Kept[Any] = Kept(6)
STEPS: Kept[Any] = Kept(64)
EMBEDDINGS: Kept[Any] = Kept(4)
MAKERS: Kept[Any] = Kept(4)


def forget_all() -> None:
    """Empty the memory: deleted data must not stay in it."""
    for kept in (IDS, PEOPLE, STEPS, EMBEDDINGS, MAKERS):
        kept.clear()
