"""What Streamlit's own page is given before it runs: see `browser.js`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPT = Path(__file__).with_name("browser.js")
ADDRESS = "/cst-browser.js"
_ONLY_IN_PART = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
_TAG = f'<script src=".{ADDRESS}"></script></head>'.encode()


def _script(_: Request) -> Response:
    return Response(SCRIPT.read_bytes(), media_type="text/javascript")


ROUTES = [Route(ADDRESS, _script)]


class Opening:
    """Names the script in every page that Streamlit serves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; hold a page back until it is whole, and add to it."""
        if scope["type"] != "http" or not _asks_for_page(scope):
            await self._app(scope, receive, send)
            return
        # plain and whole, or there would be nothing to add to
        asked = [item for item in scope["headers"] if item[0] not in _ONLY_IN_PART]
        first: Message | None = None
        body = b""

        async def add(message: Message) -> None:
            nonlocal first, body
            if message["type"] == "http.response.start" and _is_page(message):
                first = message
            elif first is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    body = body.replace(b"</head>", _TAG, 1)
                    headers = MutableHeaders(scope=first)
                    headers["content-length"] = str(len(body))
                    for name in ("etag", "last-modified"):  # they are those of Streamlit's file
                        del headers[name]
                    await send(first)
                    await send({"type": "http.response.body", "body": body})

        await self._app({**scope, "headers": asked}, receive, add)


def _asks_for_page(scope: Scope) -> bool:
    return b"text/html" in dict(scope["headers"]).get(b"accept", b"")


def _is_page(start: Message) -> bool:
    kind = MutableHeaders(scope=start).get("content-type", "")
    return start["status"] == 200 and kind.startswith("text/html")
