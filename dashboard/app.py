"""Navigation only: what stands around every page."""

from __future__ import annotations

import streamlit as st

from dashboard.header import header
from dashboard.pages import pages
from dashboard.state import follow_link
from dashboard.store import StoreError
from dashboard.style import style_sheet
from dashboard.text import markdown

st.set_page_config(
    page_title="Counterfactual situation testing",
    page_icon="⚖️",
    layout="wide",
    initial_sidebar_state="collapsed",
)
st.html(style_sheet())
page = st.navigation(list(pages().values()), position="top")
try:
    follow_link()
    header()
    page.run()
except StoreError as error:
    st.error(
        f"{markdown(error)} Nothing that was saved is lost. Reload this page to try again.",
        icon=":material/error:",
    )
