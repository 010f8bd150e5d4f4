"""Navigation only: what stands around every page."""

from __future__ import annotations

import streamlit as st

from dashboard.frame.finished import finished
from dashboard.frame.header import header
from dashboard.frame.navigation import offer
from dashboard.pages import pages
from dashboard.session.state import follow_link
from dashboard.shared.text import markdown
from dashboard.shared.theme import style_sheet
from dashboard.store import StoreError

st.set_page_config(
    page_title="Counterfactual situation testing",
    page_icon="⚖️",
    layout="wide",
    initial_sidebar_state="collapsed",
)
st.html(style_sheet())
all_pages = pages()
offer(all_pages)
page = st.navigation(list(all_pages.values()), position="top")
try:
    follow_link()
    header()
    page.run()
    finished("page", path=page.url_path)
except StoreError as error:
    st.error(
        f"{markdown(error)} Nothing that was saved is lost. Reload this page to try again.",
        icon=":material/error:",
    )
