"""Whom a model of the decisions finds otherwise than was recorded, in sentences."""

from __future__ import annotations

from cst_core.evidence import Direction
from cst_core.explain.text import count
from cst_core.results import Result, Summary


def record_split_sentence(result: Result, found: Summary, direction: Direction) -> str | None:
    """Return what the record says of the cases of CF, where b() is a model of the decisions."""
    if found.method != "CF" or not result.runs[0].decisions.approximate:
        return None
    refused, accepted = found.refused_cases, found.cases - found.refused_cases
    alike, other = (refused, accepted) if direction == "against" else (accepted, refused)
    words = ("refused", "accepted") if direction == "against" else ("accepted", "refused")
    does = "refuses" if direction == "against" else "accepts"
    return (
        f"Of {count(found.cases, 'CF case')}, {alike:,} were {words[0]} on record, as the model "
        f"decides on them; {other:,} were {words[1]} on record, though the model {does} them as "
        "they are."
    )
