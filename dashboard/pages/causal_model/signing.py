"""The reason for a number set by hand, apart from the name of who set it."""

from __future__ import annotations

import re

SIGNATURE = re.compile(r"Set by .{1,100}\.")


def why(note: str) -> str:
    """Return the reason in a note; a mere signature is none."""
    return "" if SIGNATURE.fullmatch(note.strip()) else note


def without_author(note: str, author: str) -> str:
    """Return a note without the author's name that was added to it."""
    note = note.strip()
    for ending in (f"({author})", f"Set by {author}."):
        if author and note.endswith(ending):
            return note.removesuffix(ending).strip()
    return note
