"""A table as Markdown."""

from __future__ import annotations

import pandas as pd


def in_markdown(table: pd.DataFrame) -> str:
    """Return the table with shares in per cent and everything else as it is."""
    lines = ["| " + " | ".join(str(name) for name in table.columns) + " |"]
    lines.append("|" + " --- |" * table.shape[1])
    for row in table.itertuples(index=False):
        cells = [_cell(name, value) for name, value in zip(table.columns, row, strict=True)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(name: str, value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    plain = name in ("tau", "control / test")
    return f"{value:.1f}" if plain else f"{100 * value:.1f} %"
