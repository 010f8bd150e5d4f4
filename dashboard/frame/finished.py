"""What the page says of itself when all of it is there, for what drives it from outside."""

from __future__ import annotations

import streamlit as st

from dashboard.session.state import session
from dashboard.shared.text import markup


def finished(part: str, **about: object) -> None:
    """End a part of the page with an unseen element that says what the part shows.

    Its attributes are the part, how often this tab has ended one, and `about`: tests and
    benchmarks wait for them, not for words that may change.
    """
    here = session()
    here.ended += 1
    told = {"part": part, "run": here.ended, **about}
    attributes = " ".join(f'data-{name}="{markup(value)}"' for name, value in told.items())
    st.html(f'<div class="cst-finished" hidden {attributes}></div>')
