"""Write a table as CSV that says what it comes from and that no spreadsheet runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

PACKAGE = "counterfactual-situation-testing"
VERSION = version(PACKAGE)
_UNSEEN = r"\s\x00-\x1f\u200b-\u200f\u2060\ufeff"
_FORMULA = re.compile(rf"[{_UNSEEN}]*[=+\-@＝＋－＠\t\r\n]")
_AFTER_DELIMITER = re.compile(rf"([,;\t][{_UNSEEN}\"]*)(?=[=+\-@＝＋－＠])")
"""Where a source line that a spreadsheet cuts at commas would give it a formula."""
_SOURCES = re.compile(r'(?:"?# [^\r\n]*(?:\r\n?|\n))+')
_QUOTED = re.compile(r'[",#\r\n]|^\s|\s$')


def safe_cell(value: Any) -> Any:
    """Put an apostrophe before text that a spreadsheet would run; all else stays as it is.

    That is text that begins with a line end, a tab, or one of ``= + - @``, also in full width, and
    also behind spaces or characters that do not show.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell(" @x"), safe_cell("Ann"), safe_cell(-1)
    ("'=1+1", "' @x", 'Ann', -1)
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def sources(
    *,
    case: str,
    data: str,
    sha256: str,
    reading: Iterable[str],
    causal_model: str,
    more: Mapping[str, str],
) -> dict[str, str]:
    """Return what a reader of a file needs to find out where its numbers come from."""
    read = " ".join(reading)
    return {
        "Case": case,
        "Data": data,
        "SHA-256 of the data": sha256,
        **({"How the table was read": read} if read else {}),
        "Causal model": causal_model,
        **more,
        "Program": f"{PACKAGE} {VERSION}",
        "What it is": "Differences to examine (the paper's potential discrimination); never proof.",
    }


def as_csv(table: pd.DataFrame, about: Mapping[str, str]) -> bytes:
    """Return a table's columns as CSV, its sources before them in lines that begin with #.

    Cells with a # stand in quotes, so that programs that leave such lines out keep them whole.

    Examples
    --------
    >>> table = pd.DataFrame({"id": ["a#1"], "x": [1.5]})
    >>> print(as_csv(table, {"Case": "Loan"}).decode("utf-8-sig"))
    # Case: Loan
    id,x
    "a#1",1.5
    <BLANKLINE>
    """
    lines = [f"# {name}: {_one_line(value)}" for name, value in about.items()]
    lines.append(_row(table.columns.astype(str)))
    lines += map(
        _row, zip(*(table.iloc[:, i].tolist() for i in range(table.shape[1])), strict=True)
    )
    return "".join(f"{line}\n" for line in lines).encode("utf-8-sig")


def blank_sources(text: str) -> str:
    """Return a CSV text in which the lines that `as_csv` writes before the table are blank."""
    found = _SOURCES.match(text)
    if found is None or f"# Program: {PACKAGE}" not in found[0]:
        return text
    return re.sub(r"[^\r\n]", "", found[0]) + text[found.end() :]  # lines keep their numbers


def plain_cell(cell: Any) -> Any:
    """Return a cell as a file may hold it: a number, text that nothing runs, None for missing."""
    if pd.isna(cell):
        return None
    cell = cell.item() if isinstance(cell, np.generic) else cell
    return cell if isinstance(cell, int | float) else safe_cell(str(cell))


def _one_line(value: str) -> str:
    return _AFTER_DELIMITER.sub(r"\1'", " ".join(value.split()))


def _row(cells: Iterable[Any]) -> str:
    return ",".join(map(_field, map(plain_cell, cells))) or '""'


def _field(cell: Any) -> str:
    text = "" if cell is None else str(cell)
    return '"{}"'.format(text.replace('"', '""')) if _QUOTED.search(text) else text
