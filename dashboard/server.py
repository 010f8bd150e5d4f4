"""The app as an ASGI application: Streamlit with the headers and the cookie that we want."""

from __future__ import annotations

import asyncio
import base64
import gc
import hashlib
import importlib
import os
import re
import secrets
import socket
import threading
import time
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import cookie_parser
from streamlit.runtime.pages_manager import PagesManager

from dashboard.opening import ROUTES, Opening

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


def _inline_scripts() -> list[str]:
    """Return the hashes of the scripts inside Streamlit's own page, which may run."""
    page = Path(st.__file__).parent / "static" / "index.html"
    bodies = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    digests = (hashlib.sha256(body.encode()).digest() for body in bodies)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


SCRIPT = Path(__file__).with_name("app.py")
BROWSER_COOKIE = "cst_browser"
STORE_VARIABLE = "CST_STORE"

POLICY = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' 'wasm-unsafe-eval' {' '.join(_inline_scripts())}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' blob: data:",
        "worker-src 'self' blob:",
        "media-src 'self' blob:",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
SECONDS_UNTIL_THE_REST = 3.0
ATTEMPTS = 100
ONE_YEAR = 365 * 24 * 3600


class Guard:
    """Adds the security headers to every answer, and gives each browser an id of its own.

    The id is how a browser finds its recent workspaces again. It is random, says nothing about
    anyone, and scripts cannot read it. It is sent when a link is followed from elsewhere, such as
    a message (SameSite=Lax): else each such visit would give the browser a new id.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add to the answer."""
        if scope["type"] == "websocket" and _loading.is_alive():
            await asyncio.to_thread(_loading.join)
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        known = _browser_of(scope)

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if known is None and headers.get("content-type", "").startswith("text/html"):
                    headers.append(
                        "Set-Cookie",
                        f"{BROWSER_COOKIE}={secrets.token_urlsafe(24)}; Path=/; HttpOnly; "
                        f"SameSite=Lax; Max-Age={ONE_YEAR}"
                        + ("; Secure" if scope.get("scheme") == "https" else ""),
                    )
            await send(message)

        await self._app(scope, receive, add)


def _browser_of(scope: Scope) -> str | None:
    """Return the id that a browser sends, as Streamlit will read it; other cookies may be odd."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            found = cookie_parser(value.decode("latin-1")).get(BROWSER_COOKIE)
            if found:
                return found
    return None


def explain(error: Exception) -> bool:
    """Say on the screen that something went wrong, without the error's own text."""
    st.error(
        "Something went wrong on this page. Your work is saved: everything up to the last change "
        "is in the workspace. Reload the page; if it happens again, undo the last change or "
        "restore an earlier version under History.",
        icon=":material/error:",
    )
    return True


PagesManager.uses_pages_directory = False  # Streamlit's, which reads a folder of that name as pages
app = st.App(
    SCRIPT,
    routes=ROUTES,
    middleware=[Middleware(Guard), Middleware(Opening)],
    on_script_error=explain,
)


def _load_pages() -> None:
    """Load what the first page needs, while the browser loads its own part.

    Streamlit collects garbage after every run. What is loaded once is taken out of its sight, or
    each of these collections would look through all of it again.
    """
    importlib.import_module("dashboard.pages")
    gc.collect()
    gc.freeze()
    threading.Thread(target=_load_the_rest, daemon=True).start()


_loading = threading.Thread(target=_load_pages, daemon=True)
"""While it runs, no page is asked for: two threads that load the same modules can trip over."""


def _load_the_rest() -> None:
    """Load what later pages need, while people read the first."""
    time.sleep(SECONDS_UNTIL_THE_REST)
    for module in ("plotly.graph_objects", "scipy.stats", "sklearn.tree", "sklearn.compose"):
        importlib.import_module(module)
    gc.collect()
    gc.freeze()


def serve(*, port: int = 8501, store: str | None = None, open_browser: bool = False) -> None:
    """Serve the app on this machine until it is stopped."""
    if store:
        os.environ[STORE_VARIABLE] = store
    _loading.start()
    if open_browser:
        threading.Thread(target=_show, args=(port,), daemon=True).start()
    # headless also without a screen of its own: Streamlit would open the browser, but would also
    # lay an advertisement for developers over the first page
    app.run(config={"server.port": port, "server.headless": True})


def _show(port: int) -> None:
    """Open the browser as soon as the server answers."""
    for _ in range(ATTEMPTS):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            webbrowser.open(f"http://127.0.0.1:{port}")
            return
        time.sleep(0.2)
