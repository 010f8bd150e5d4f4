"""The table: upload, how it is read, preview, missing values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from cst_core.data.reading import ReadTable, read_table
from cst_core.errors import CSTError
from dashboard import background, compute
from dashboard.draft.document import Draft, SourcePart
from dashboard.state import edit, redraw, session, store
from dashboard.text import count, listed, markdown, short

TABLES = ["csv", "tsv", "txt", "xlsx", "xlsm", "parquet", "pq"]
FOUND = "found out"
DELIMITERS = {FOUND: None, ",": ",", ";": ";", "tab": "\t", "|": "|", "space": " "}
ENCODINGS = (FOUND, "utf-8", "cp1252", "latin-1", "utf-16", "mac_roman")
DECIMALS = (FOUND, ".", ",")
PREVIEW_ROWS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A table that was uploaded and can be read."""

    source: SourcePart
    data: bytes
    table: ReadTable


def upload_table(label: str, key: str, *, label_visible: bool = True) -> Upload | None:
    """Ask for a table and read it; say what is wrong with one that cannot be read."""
    upload = st.file_uploader(
        label,
        type=TABLES,
        key=key,
        label_visibility="visible" if label_visible else "collapsed",
    )
    if upload is None:
        return None
    data, name = upload.getvalue(), upload.name
    digest = hashlib.sha256(data).hexdigest()
    try:
        read = background.run(
            f"upload {digest} {name}",
            "Reading the table",
            lambda _: read_table(data, name=name),
        )
    except CSTError as error:
        st.error(markdown(error), icon=":material/error:")
        st.caption("Nothing was changed. Choose another file.")
        return None
    if read is None:
        return None
    source = SourcePart(
        name=name,
        sha256=digest,
        format=read.format,
        delimiter=read.delimiter,
        encoding=read.encoding,
        decimal=read.decimal,
        sheet=read.sheet,
    )
    return Upload(source=source, data=data, table=read)


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
        table = compute.table_beside(draft.source)
    except CSTError as error:
        st.error(markdown(error), icon=":material/error:")
        _reading(draft, None)
        _upload(draft, "Upload another table")
        return None
    if table is None:
        return None
    rows, columns = table.frame.shape
    st.markdown(
        f"**{markdown(short(draft.source.name, 80))}**: {count(rows, 'person', 'people')}, "
        f"{count(columns, 'column')}."
    )
    st.dataframe(
        table.frame.head(PREVIEW_ROWS),
        hide_index=True,
        height="content",
        alt=f"The first {min(rows, PREVIEW_ROWS)} rows of the table",
    )
    left, right = st.columns(2)
    with left, st.expander("How the file is read", icon=":material/tune:"):
        _reading(draft, table)
    with right, st.expander("Use another file", icon=":material/upload_file:"):
        _upload(draft, "Upload a table in place of this one")
    return table


def _upload(draft: Draft, label: str) -> None:
    upload = upload_table(label, session().key("data-upload"))
    if upload is None:
        return
    source = upload.source
    if draft.source and source.sha256 == draft.source.sha256:
        return
    missing = draft.source.missing if draft.source else "refuse"
    workspace = session().workspace
    assert workspace is not None
    store().put_blob(upload.data, name=source.name, workspace_id=workspace.id)
    changed = draft.model_copy(update={"source": source.model_copy(update={"missing": missing})})
    compute.keep_table(source, upload.table)
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
        sheet = st.selectbox(
            "Sheet",
            sheets,
            index=sheets.index(source.sheet) if source.sheet in sheets else 0,
            key=here.key("sheet"),
        )
        changed = source.model_copy(update={"sheet": sheet})
    else:
        names = {value: name for name, value in DELIMITERS.items()}
        options = list(DELIMITERS)
        if source.delimiter not in names:
            options.append(str(source.delimiter))
        shown = names.get(source.delimiter, str(source.delimiter))
        delimiter = st.selectbox(
            "Columns are separated by", options, index=options.index(shown),
            key=here.key("delimiter"),
        )  # fmt: skip
        encodings = [*ENCODINGS]
        if source.encoding and source.encoding not in encodings:
            encodings.append(source.encoding)
        encoding = st.selectbox(
            "Letters are written as (encoding)", encodings,
            index=encodings.index(source.encoding or FOUND), key=here.key("encoding"),
            help="Change it when letters such as é or ß look wrong in the table above.",
        )  # fmt: skip
        decimal = st.selectbox(
            "Decimal mark", DECIMALS, index=DECIMALS.index(source.decimal or FOUND),
            key=here.key("decimal"),
        )  # fmt: skip
        changed = source.model_copy(
            update={
                "delimiter": DELIMITERS.get(delimiter, delimiter),
                "encoding": None if encoding == FOUND else encoding,
                "decimal": None if decimal == FOUND else decimal,
            }
        )
    if changed == source:
        return
    try:
        compute.table(changed)
    except CSTError as error:
        st.error(markdown(error), icon=":material/error:")
        st.caption("The table is still read as before.")
        return
    edit(draft.model_copy(update={"source": changed}), "Changed how the file is read")
    here.generation += 1
    st.rerun()


def missing_form(draft: Draft, table: ReadTable) -> None:
    """Count the missing values of the columns in use, and ask what to do with them."""
    here, source, roles = session(), draft.source, draft.roles
    assert source is not None
    used = [*draft.protected_columns, *draft.relevant_columns]
    used += [roles.decision.column] if roles.decision else []
    gaps = table.frame[[name for name in used if name in table.frame]].isna()
    if not gaps.to_numpy().any():
        if used:
            st.caption("No value is missing in the columns in use.")
        return
    rows = int(gaps.any(axis=1).sum())
    columns = [f"{name} ({number:,})" for name, number in gaps.sum().items() if number]
    st.markdown(
        f"Values are missing in {markdown(listed(columns))}: "
        f"{count(rows, 'person', 'people')} of {len(gaps):,} "
        f"{'lacks' if rows == 1 else 'lack'} at least one."
    )
    choice = st.radio(
        "What shall be done with them?",
        ("refuse", "drop"),
        index=0 if source.missing == "refuse" else 1,
        format_func=lambda value: {
            "refuse": "Stop until the file is complete",
            "drop": f"Leave these {rows:,} people out, and say so in every result",
        }[value],
        key=here.key("missing"),
    )
    if choice != source.missing:
        changed = source.model_copy(update={"missing": choice})
        edit(
            draft.model_copy(update={"source": changed}),
            "Left people with missing values out" if choice == "drop" else
            "Stopped leaving people with missing values out",
        )  # fmt: skip
        redraw()
