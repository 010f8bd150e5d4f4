"""A table that somebody brings: asked for, and read beside the page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import streamlit as st

from cst_core.data import ReadTable, read_table
from cst_core.errors import CSTError
from dashboard.draft.document import SourcePart
from dashboard.session import background
from dashboard.shared.text import markdown

TABLES = ["csv", "tsv", "txt", "xlsx", "xlsm", "parquet", "pq"]


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
