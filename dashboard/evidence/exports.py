"""What leaves a page as a file: tables and pictures, each saying what it was computed from."""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.evidence.presets import preset_of
from dashboard.charts import show_plot
from dashboard.draft.document import Draft
from dashboard.evidence.results import Choice
from dashboard.exchange import file_stem
from dashboard.figures import Plot, plot
from dashboard.setting_words import CORRECTIONS, DIRECTIONS, FORMS, INTERVALS, SEVERAL, TIES
from dashboard.state import session
from dashboard.text import number
from dashboard.wording import METHOD_LABELS, METHOD_TITLES

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
BEFORE_FORMULA = re.compile(r"([,;\t][\s\"]*)(?=[=+\-@])")
"""Where a line of text that a spreadsheet cuts at commas would give it a formula."""
PACKAGE = "counterfactual-situation-testing"
VERSION = version(PACKAGE)
NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\']")
PICTURES = ("PNG", "SVG")


def provenance(draft: Draft, choice: Choice | None) -> dict[str, str]:
    """Return what a reader needs to find out where a number comes from."""
    workspace = session().workspace
    found = {
        "Case": draft.title,
        "Data": draft.source.name if draft.source else "none",
        "SHA-256 of the data": draft.source.sha256 if draft.source else "none",
        "Causal model": draft.world.name,
        "Revision of the case": str(workspace.head) if workspace else "none",
    }
    if choice is not None:
        settings, search = choice.settings, draft.settings
        preset = preset_of(
            ties=search.ties,
            interval=settings.interval,
            correction=settings.correction,
            tie_robust=settings.tie_robust,
            balance_radii=settings.balance_radii,
        )
        found |= {
            "Test": choice.test,
            "Method": METHOD_TITLES.get(choice.method, choice.method),
            "k": str(choice.k),
            "Accepted difference (tau)": number(settings.accepted_deviation),
            "Error level (alpha)": number(settings.significance_level),
            "Direction": DIRECTIONS[settings.direction],
            "Interval": INTERVALS[settings.interval],
            "Correction for many complainants": CORRECTIONS[settings.correction],
            "Only verdicts that hold however ties are broken": _yes(settings.tie_robust),
            "Balanced neighbourhoods": _yes(settings.balance_radii),
            "Several attributes at once": SEVERAL[settings.several],
            "People equally far away": TIES[search.ties],
            "Largest distance (epsilon)": number(search.max_distance),
            "Intersectional model": FORMS[search.intersectional_form],
            "Preset": preset.name if preset else "none",
        }
    return found | {
        "Program": f"{PACKAGE} {VERSION}",
        "Made": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "What it is": "Potential, prima facie evidence; never proof.",
    }


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def source_line(draft: Draft, choice: Choice) -> str:
    """Return the line under a picture that says what it was computed from."""
    sha = draft.source.sha256[:12] if draft.source else "no data"
    workspace = session().workspace
    revision = workspace.head if workspace else 0
    settings = choice.settings
    parts = [
        f"data {sha}",
        draft.world.name,
        f"revision {revision}",
        choice.test,
        METHOD_LABELS.get(choice.method, choice.method),
        f"k = {choice.k}",
        f"τ = {settings.accepted_deviation:g}",
        f"α = {settings.significance_level:g}",
        settings.interval,
    ]
    parts += [settings.correction] if settings.correction != "none" else []
    parts += ["ties in every way"] if settings.tie_robust else []
    parts += ["balanced"] if settings.balance_radii else []
    parts += ["in favour"] if settings.direction == "favour" else []
    return " · ".join([*parts, f"cst {VERSION}"])


def safe(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return f"'{cell}"
    return cell


def as_csv(table: pd.DataFrame, about: Mapping[str, str]) -> bytes:
    """Return a table as CSV, what it was computed from in lines that begin with #."""
    buffer = io.StringIO()
    for name, value in about.items():
        line = BEFORE_FORMULA.sub(r"\1'", " ".join(value.split()))
        buffer.write(f"# {name}: {line}\n")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([safe(str(name)) for name in table.columns])
    for row in table.itertuples(index=False):
        writer.writerow([_plain(cell) for cell in row])
    return buffer.getvalue().encode("utf-8-sig")


def as_xlsx(table: pd.DataFrame, about: Mapping[str, str], title: str = "Table") -> bytes:
    """Return a table as an Excel workbook, what it was computed from on a second sheet."""
    import openpyxl  # noqa: PLC0415  (a quarter of a second, and only when asked for)

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = NOT_IN_SHEET_NAMES.sub(" ", _writable(title))[:31]
    sheet.append([_writable(safe(str(name))) for name in table.columns])
    for row in table.itertuples(index=False):
        sheet.append([_writable(_plain(cell)) for cell in row])
    notes = book.create_sheet("About")
    for name, value in about.items():
        notes.append([name, _writable(safe(value))])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def as_archive(files: Mapping[str, bytes]) -> bytes:
    """Return several files in one archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _plain(cell: Any) -> Any:
    if cell is None or cell is pd.NA or (isinstance(cell, float) and np.isnan(cell)):
        return None
    if isinstance(cell, np.generic):
        cell = cell.item()
    return safe(cell)


def _writable(cell: Any) -> Any:
    """Return a cell without the control characters that a workbook cannot hold."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE  # noqa: PLC0415

    return ILLEGAL_CHARACTERS_RE.sub(" ", cell) if isinstance(cell, str) else cell


def table_downloads(table: pd.DataFrame, name: str, draft: Draft, choice: Choice | None) -> None:
    """Offer a table as CSV and XLSX; the files are made when they are asked for."""
    stem = file_stem(f"{draft.title} {name}")
    about = provenance(draft, choice)  # now: a file is made in a thread that knows no session
    with st.container(horizontal=True):
        st.download_button(
            "CSV", data=lambda: as_csv(table, about),
            file_name=f"{stem}.csv", mime="text/csv", icon=":material/download:",
            on_click="ignore", key=f"csv-{name}", help="The table for any program",
        )  # fmt: skip
        st.download_button(
            "XLSX", data=lambda: as_xlsx(table, about, name),
            file_name=f"{stem}.xlsx", icon=":material/download:", on_click="ignore",
            mime="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            key=f"xlsx-{name}", help="The table for Excel",
        )  # fmt: skip


def chart(
    figure: Plot, key: str, words: str, draft: Draft, choice: Choice, *, below: str = ""
) -> None:
    """Show a chart whose picture can be saved; the line under it says what it comes from.

    `below` is that line where it is not the present settings'.
    """
    said = _two_lines(below or source_line(draft, choice))
    source = {
        "text": said,
        "xref": "paper", "yref": "paper", "x": 1, "y": 0, "xanchor": "right", "yanchor": "top",
        "yshift": -66, "showarrow": False, "font": {"size": 9}, "opacity": 0.75,
    }  # fmt: skip
    under = {
        "annotations": [source],
        "margin": {"b": 100, "r": 42},
        "modebar": {"orientation": "v", "bgcolor": "rgba(0,0,0,0)"},  # beside the chart, not on it
    }
    show_plot(
        plot(figure["data"], figure["layout"], under),
        key=key,
        alt=words,
        config=picture_config(key),
    )


def _two_lines(text: str) -> str:
    """Return a long line in two, each narrow enough for half a small screen; plotly reads tags."""
    parts = [html.escape(part, quote=False) for part in text.split(" · ")]
    middle = next(
        (place for place, part in enumerate(parts) if part.startswith("k = ")), len(parts) // 2
    )
    return f"{' · '.join(parts[:middle])}<br>{' · '.join(parts[middle:])}"


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
