"""What leaves a page as a file: tables and pictures, each saying what it was computed from."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from cst_core.data import VERSION, as_csv, plain_cell, safe_cell, sources
from cst_core.evidence import METHOD_LABELS, METHOD_TITLES, SETTINGS, in_words, preset_of
from dashboard.draft.document import Draft
from dashboard.draft.files import file_stem
from dashboard.frame.plots import show_figure
from dashboard.session import computing
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.figure import Figure

NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\']")
PICTURES = ("PNG", "SVG")
Download = str | bytes | Callable[[], bytes]
Writer = Callable[[pd.DataFrame, Mapping[str, str], str], bytes]


def provenance(draft: Draft, choice: Choice | None) -> dict[str, str]:
    """Return what a reader needs to find out where a number comes from."""
    workspace = session().workspace
    found = {"Revision of the case": str(workspace.head) if workspace else "none"}
    if choice is not None:
        values = _values(draft, choice)
        preset = preset_of(values)
        found |= {
            "Test": choice.test,
            "Method": METHOD_TITLES.get(choice.method, choice.method),
            "k": str(choice.k),
            **in_words(values),
            "Preset": preset.name if preset else "none",
        }
    return sources(
        case=draft.title,
        data=draft.source.name if draft.source else "none",
        sha256=draft.source.sha256 if draft.source else "none",
        reading=computing.reading_notes(draft),
        causal_model=draft.world.name,
        more=found | {"Made": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"},
    )


def _values(draft: Draft, choice: Choice) -> dict[str, Any]:
    return dict(draft.settings) | choice.settings.by_name


def _is_of_several(draft: Draft, test: str) -> bool:
    return draft.names.test(test).kind != "single"


def source_line(draft: Draft, choice: Choice) -> str:
    """Return the line under a picture that says what it was computed from."""
    sha = draft.source.sha256[:12] if draft.source else "no data"
    workspace = session().workspace
    revision = workspace.head if workspace else 0
    values, several = _values(draft, choice), _is_of_several(draft, choice.test)
    parts = [
        f"data {sha}",
        draft.world.name,
        f"revision {revision}",
        choice.test,
        METHOD_LABELS.get(choice.method, choice.method),
        f"k = {choice.k}",
        *(
            one.in_short(values[name])
            for name, one in SETTINGS.items()
            if several or not one.is_for_several
        ),
        f"cst {VERSION}",
    ]
    return " · ".join(filter(None, parts))


def as_xlsx(table: pd.DataFrame, about: Mapping[str, str], title: str = "Table") -> bytes:
    """Return a table as an Excel workbook, what it was computed from on a second sheet."""
    import openpyxl  # noqa: PLC0415  (a quarter of a second, and only when asked for)

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = NOT_IN_SHEET_NAMES.sub(" ", _writable(title))[:31]
    sheet.append([_writable(safe_cell(str(name))) for name in table.columns])
    for row in table.itertuples(index=False):
        sheet.append([_writable(plain_cell(cell)) for cell in row])
    notes = book.create_sheet("About")
    for name, value in about.items():
        notes.append([name, _writable(safe_cell(value))])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _writable(cell: Any) -> Any:
    """Return a cell without the control characters that a workbook cannot hold."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE  # noqa: PLC0415

    return ILLEGAL_CHARACTERS_RE.sub(" ", cell) if isinstance(cell, str) else cell


FORMATS: dict[str, tuple[Writer, str, str]] = {
    "CSV": (lambda table, about, _: as_csv(table, about), "text/csv", "any program"),
    "XLSX": (
        as_xlsx,
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "Excel",
    ),
}
"""What a table can be had as: how it is written, its media type, and what it is for."""


def download(
    label: str, data: Download, file_name: str, mime: str, icon: str = "download", **more: Any
) -> None:
    """Offer a file without running the page again; a function makes it when it is asked for."""
    icon = f":material/{icon}:"
    st.download_button(
        label, data=data, file_name=file_name, mime=mime, icon=icon, on_click="ignore", **more
    )


def table_downloads(table: pd.DataFrame, name: str, draft: Draft, choice: Choice | None) -> None:
    """Offer a table in every format; the files are made when they are asked for."""
    stem = file_stem(f"{draft.title} {name}")
    about = provenance(draft, choice)  # now: a file is made in a thread that knows no session
    with st.container(horizontal=True):
        for label, (write, media, program) in FORMATS.items():
            made = partial(write, table, about, name)
            key, words = f"{label.lower()}-{name}", f"The table for {program}"
            download(label, made, f"{stem}.{label.lower()}", media, key=key, help=words)


def chart(figure: Figure, key: str, draft: Draft, choice: Choice, *, below: str = "") -> None:
    """Show a chart whose picture can be saved; the line under it says what it comes from.

    `below` is that line where it is not the present settings'.
    """
    figure = replace(figure, source=_two_lines(below or source_line(draft, choice)))
    show_figure(figure, key=key, config=picture_config(key), meta={"k": choice.k})


def _two_lines(text: str) -> str:
    """Return a long line in two, each narrow enough for half a small screen."""
    parts = text.split(" · ")
    middle = next(
        (place for place, part in enumerate(parts) if part.startswith("k = ")), len(parts) // 2
    )
    return f"{' · '.join(parts[:middle])}\n{' · '.join(parts[middle:])}"


def picture_config(name: str) -> dict[str, Any]:
    """Return plotly's settings for a chart whose camera saves it in the chosen format."""
    kind = st.session_state.get("picture-kind", PICTURES[0]).lower()
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoom2d", "pan2d"],
        "toImageButtonOptions": {"format": kind, "filename": file_stem(name), "scale": 2},
    }


def picture_choice() -> None:
    """Ask in which format a chart's camera button saves it."""
    st.segmented_control(
        "Save charts as",
        PICTURES,
        default=PICTURES[0],
        required=True,
        key="picture-kind",
        help="The camera at the upper right of each chart saves it in this format.",
    )
