"""What a reader of a table was not asked about and must know."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple


class ReadingNote(NamedTuple):
    """One thing that was done to a table while it was read; `column` is empty for the whole.

    `also` are other columns that the sentence is about, such as the first of two with one name.
    """

    column: str
    sentence: str
    also: tuple[str, ...] = ()

    def is_about(self, columns: Collection[str]) -> bool:
        """Return whether it must be told where these columns are used."""
        return not self.column or any(name in columns for name in (self.column, *self.also))


def notes_about(notes: Iterable[ReadingNote], columns: Collection[str]) -> tuple[str, ...]:
    """Return the sentences on the whole table and on these columns."""
    return tuple(note.sentence for note in notes if note.is_about(columns))
