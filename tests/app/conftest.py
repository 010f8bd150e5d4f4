"""The whole app without a browser: each test on a store of its own."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from app_user import User
from streamlit.runtime.context import ContextProxy

import dashboard
from dashboard.session import background, caches, state
from dashboard.store import Store

APP = Path(dashboard.__file__).with_name("app.py")


@pytest.fixture(scope="session", autouse=True)
def frozen() -> Iterator[None]:
    """Keep what is loaded out of the garbage collection that follows every run, as serving does."""
    importlib.import_module("dashboard.pages")
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Give the empty store that the app uses in this test."""
    monkeypatch.setenv("CST_STORE", f"sqlite:///{tmp_path}/workspaces.sqlite3")
    monkeypatch.setenv("CST_CHANCE_REPEATS", "0")  # but where a test asks for it
    monkeypatch.setattr(background, "AT_ONCE", 60.0)  # a page waits, however slow the machine is
    caches.forget_all()  # no test sees what another one computed
    opened = state.store()
    yield opened
    opened.close()
    state._open.cache_clear()


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Callable[..., User]:
    """Open the app in a browser of its own, by a link or without one."""
    cookies: dict[str, str] = {}
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: cookies))

    def open_app(link: str | None = None, browser: str | None = None) -> User:
        cookies.clear()
        if browser:
            cookies[state.BROWSER_COOKIE] = browser
        return User(APP, link)

    return open_app
