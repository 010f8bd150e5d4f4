"""The table: upload, how it is read, preview, missing values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from cst_core.data import NOT_COUNTED, Header, ReadTable
from cst_core.errors import CSTError
from cst_core.explain import count, short
from cst_core.scenario import PreparationPart
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list
from dashboard.frame.upload import upload_table
from dashboard.session import computing
from dashboard.session.editing import edit
from dashboard.session.state import session, store
from dashboard.shared.text import markdown

FOUND = "found out"
DELIMITERS = {",": ",", ";": ";", "tab": "\t", "|": "|", "space": " "}
ENCODINGS = ("utf-8", "cp1252", "latin-1", "utf-16", "mac_roman")
DECIMALS = (".", ",")
HEADERS: dict[str, Header] = {"yes": "first", "no": "none"}
PREVIEW_ROWS = 8
MOST_NOTES = 8


def source_form(draft: Draft) -> ReadTable | None:
    """Show where the data come from; return the table when there is one."""
    if draft.source is None:
        st.info(
            "This workspace has no data yet. Upload the table of decisions to go on.",
            icon=":material/upload_file:",
        )
        _upload(draft, "Upload a table")
        return None
    try:
        read = computing.table_beside(draft.source)
    except CSTError as error:
        st.error(markdown(error), icon=":material/error:")
        _reading(draft, None)
        _upload(draft, "Upload another table")
        return None
    if read is None:
        return None
    try:
        table = computing.prepared(draft)
    except CSTError as error:
        _unprepared(draft, error)
        return None
    rows, columns = table.frame.shape
    st.markdown(
        f"**{markdown(short(draft.source.name, 80))}**: {_people(draft, rows)}, "
        f"{count(columns, 'column')}."
    )
    st.dataframe(
        table.frame.head(PREVIEW_ROWS),
        hide_index=True,
        height="content",
        alt=f"The first {min(rows, PREVIEW_ROWS)} rows of the table",
    )
    for note in read.notes[:MOST_NOTES]:
        st.caption(f":material/info: {markdown(note.sentence)}")
    if len(read.notes) > MOST_NOTES:
        st.caption(f"And {count(len(read.notes) - MOST_NOTES, 'more note')} of this kind.")
    _in_force(draft, [note.sentence for note in table.notes[len(read.notes) :]])
    left, right = st.columns(2)
    with left, st.expander("How the file is read", icon=":material/tune:"):
        _reading(draft, table)
    with right, st.expander("Use another file", icon=":material/upload_file:"):
        _upload(draft, "Upload a table in place of this one")
    return table


def _in_force(draft: Draft, done: list[str]) -> None:
    """Say which rows and values the case takes of the table, all of them."""
    if not done:
        return
    said = draft.preparation
    where = ""
    if said.rows or said.groups or said.dates:
        where = " Rows, groups and dates are said in the scenario file; change them there."
    st.markdown(
        f":material/filter_alt: **The case takes this table as follows.** "
        f"{markdown(' '.join(done))}{where}"
    )


def _people(draft: Draft, rows: int) -> str:
    if draft.roles.count in (None, NOT_COUNTED):
        return count(rows, "person", "people")
    return f"{count(rows, 'row')} that count people"


def _unprepared(draft: Draft, error: CSTError) -> None:
    """Say why the rows and values that the case takes cannot be had of this table."""
    st.error(markdown(error), icon=":material/error:")
    if st.button("Take the table as it is", key=session().key("unprepared")):
        plain = draft.model_copy(update={"preparation": PreparationPart()})
        edit(plain, "Took all rows and values of the data as they are")
        session().generation += 1
        st.rerun()
    _upload(draft, "Upload another table")


def _upload(draft: Draft, label: str) -> None:
    upload = upload_table(label, session().key("data-upload"))
    if upload is None:
        return
    source = upload.source
    if draft.source and source.sha256 == draft.source.sha256:
        return
    missing = draft.source.missing if draft.source else "refuse"
    workspace = session().opened
    store().put_blob(upload.data, name=source.name, workspace_id=workspace.id)
    changed = draft.model_copy(update={"source": source.model_copy(update={"missing": missing})})
    computing.keep_table(source, upload.table)
    edit(changed, f"Uploaded {short(source.name)}")
    session().generation += 1
    st.rerun()


def _reading(draft: Draft, table: ReadTable | None) -> None:
    """Let the reading be changed; what cannot be read is said and not saved."""
    here, source = session(), draft.source
    assert source is not None
    if source.format == "parquet":
        st.caption("A Parquet file says itself how it is to be read.")
        return
    if source.format == "excel":
        sheets = list(table.sheets) if table else []
        if not sheets:
            return
        first = source.sheet if source.sheet in sheets else sheets[0]
        sheet = one_in_list("Sheet", {name: name for name in sheets}, first, "sheet")
        changed = source.model_copy(update={"sheet": sheet})
    else:
        names = {sign: name for name, sign in DELIMITERS.items()}
        now = source.delimiter and names.get(source.delimiter, source.delimiter)
        delimiter = _found_or("Columns are separated by", names.values(), now, "delimiter")
        encoding = _found_or(
            "Letters are written as (encoding)",
            ENCODINGS,
            source.encoding,
            "encoding",
            help="Change it when letters such as é or ß look wrong in the table above.",
        )
        decimal = _found_or("Decimal mark", DECIMALS, source.decimal, "decimal")
        said = {value: name for name, value in HEADERS.items()}
        header = _found_or(
            "The first row holds the names of the columns",
            HEADERS,
            source.header and said[source.header],
            "header",
        )
        changed = source.model_copy(
            update={
                "header": header and HEADERS[header],
                "delimiter": delimiter and DELIMITERS.get(delimiter, delimiter),
                "encoding": encoding,
                "decimal": decimal,
            }
        )
    if changed == source:
        return
    try:
        computing.table(changed)
    except CSTError as error:
        st.error(markdown(error), icon=":material/error:")
        st.caption("The table is still read as before.")
        return
    edit(draft.model_copy(update={"source": changed}), "Changed how the file is read")
    here.generation += 1
    st.rerun()


def _found_or(
    label: str, known: Iterable[str], now: str | None, key: str, **more: Any
) -> str | None:
    """Ask how a part of the file is read; None: the program finds it out."""
    words = {name: name for name in (FOUND, *known, *([now] if now else []))}
    chosen = one_in_list(label, words, now or FOUND, key, **more)
    return None if chosen == FOUND else chosen
