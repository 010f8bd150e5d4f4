"""Navigation only: what stands around every page."""

from __future__ import annotations

import streamlit as st

from dashboard.frame.finished import finished
from dashboard.frame.header import header
from dashboard.frame.navigation import offer, show_pages
from dashboard.pages import parts
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
all_parts = parts()
offer(all_parts)
page = st.navigation([part.shown for part in all_parts], position="hidden")
try:
    follow_link()
    show_pages(page.url_path)
    header()
    page.run()
    finished("page", path=page.url_path)
except StoreError as error:
    st.error(
        f"{markdown(error)} Nothing that was saved is lost. Reload this page to try again.",
        icon=":material/error:",
    )
