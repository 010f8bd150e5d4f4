"""One person's session without a browser: a websocket that speaks Streamlit's protocol.

It sends what Streamlit's page sends (all widget states it has, the watch that runs every few
seconds) and reads every answer, but draws nothing: so that a measurement of many sessions measures
the server and not many browsers on the same machine.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from typing import Any, Self
from urllib.parse import parse_qs, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

PATIENCE = 60.0
FIRST_RETRY = 5.0
"""Seconds after which the drawing says again what was not acknowledged."""
CHARTS = 3
WHOLE_RUN = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)


class Client:
    """A session on the causal model page of one workspace."""

    page_name = "causal-model"
    ends = WHOLE_RUN

    def __init__(self, stream: str, token: str) -> None:
        self._stream = stream
        self._query = urlencode({"w": token})
        self._connection: ClientConnection | None = None
        self._page = ""
        self._states: dict[str, WidgetState] = {}
        self._numbers: dict[str, str] = {}
        self._drawing_id = ""
        self._client, self._seq = secrets.token_hex(16), 0
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._heard = asyncio.Event()
        self.drawing: dict[str, Any] = {}
        self.runs = 0
        self.sent_again = 0
        self.bytes = 0

    async def __aenter__(self) -> Self:
        origin = self._stream.replace("ws://", "http://").partition("/_stcore")[0]
        self._connection = await connect(
            self._stream,
            subprotocols=[Subprotocol("streamlit")],
            origin=origin,  # type: ignore[arg-type]
            max_size=None,
        )
        self._tasks["read"] = asyncio.create_task(self._read())
        await self._send(ClientState(query_string=self._query, page_name=self.page_name))
        await self._until(self._is_open)
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks.values():
            task.cancel()
        assert self._connection is not None
        await self._connection.close()

    def _is_open(self) -> bool:
        return bool(self._numbers and self.drawing.get("edges"))

    async def set_number(self, label: str, value: float, cause: str, effect: str) -> float:
        """Type a coefficient; return the seconds until the last frame with the new drawing."""
        start = time.perf_counter()
        if label not in self._numbers:  # the page is not ready: whoever types must wait as well
            await self._until(lambda: label in self._numbers)
        number = self._numbers[label]
        self._states[number] = WidgetState(id=number, double_value=value)
        await self._send(self._state())
        return await self._until(lambda: self._is_by_hand(cause, effect, value)) - start

    async def draw(self, **operation: object) -> float:
        """Do something in the drawing; return the seconds until it is acknowledged."""
        self._seq += 1
        start = time.perf_counter()
        for attempt in range(4):
            log = {
                "client": self._client,
                "operations": [{**operation, "seq": self._seq}],
                "attempt": attempt,
            }
            self._states[self._drawing_id] = WidgetState(
                id=self._drawing_id, json_value=json.dumps({"log": log})
            )
            await self._send(self._state())
            try:
                patience = FIRST_RETRY * 2**attempt  # as the editor in the browser does
                return await self._until(self._is_acknowledged, patience) - start
            except TimeoutError:
                self.sent_again += 1
        raise TimeoutError(f"{operation} was not acknowledged")

    def _is_by_hand(self, cause: str, effect: str, value: float) -> bool:
        for edge in self.drawing["edges"]:
            if (edge["cause"], edge["effect"]) == (cause, effect):
                shown = edge["label"].replace("\N{MINUS SIGN}", "-").replace(",", "")
                return edge["by_hand"] and bool(shown) and abs(float(shown) - value) < 1e-9
        return False

    def _is_acknowledged(self) -> bool:
        said = self.drawing.get("acknowledged") or {}
        return said == {"client": self._client, "seq": self._seq}

    def _state(self, **more: Any) -> ClientState:
        state = ClientState(query_string=self._query, page_script_hash=self._page, **more)
        state.widget_states.widgets.extend(self._states.values())
        return state

    async def _send(self, state: ClientState) -> None:
        assert self._connection is not None
        state.context_info.color_scheme = "light"
        await self._connection.send(BackMsg(rerun_script=state).SerializeToString())

    async def _until(self, done: Callable[[], bool], patience: float = PATIENCE) -> float:
        """Return when the whole page was run, as wished; nobody else is waiting."""
        async with asyncio.timeout(patience):
            while True:
                self._heard.clear()
                await self._heard.wait()
                if done():
                    return self._finished_at

    async def _read(self) -> None:
        assert self._connection is not None
        async for data in self._connection:
            assert isinstance(data, bytes)
            self.bytes += len(data)
            self._take(ForwardMsg.FromString(data))

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "navigation":  # at the beginning of each run of the whole page
                self._page = message.navigation.page_script_hash
                self._numbers = {}
            case "delta" if message.delta.HasField("new_element"):
                self._take_element(message.delta.new_element, message.delta.fragment_id)
            case "auto_rerun":
                self._watch(message.auto_rerun.fragment_id, message.auto_rerun.interval)
            case "script_finished":
                self.runs += (
                    message.script_finished != ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
                )
                if message.script_finished in self.ends:
                    self._forget_widgets()
                    self._finished_at = time.perf_counter()
                    self._heard.set()

    def _take_element(self, element: Element, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "number_input":
            self._numbers[element.number_input.label] = element.number_input.id
        elif kind == "bidi_component":
            self._drawing_id = element.bidi_component.id
            self.drawing = json.loads(element.bidi_component.json)

    def _forget_widgets(self) -> None:
        """Keep the states of the widgets on the page only."""
        shown = {self._drawing_id, *self._numbers.values()}
        self._states = {key: self._states[key] for key in shown & set(self._states)}

    def _watch(self, fragment: str, seconds: float) -> None:
        """Ask for a fragment again and again, as the page does."""
        for name in set(self._tasks) - {"read"}:
            self._tasks.pop(name).cancel()

        async def ask() -> None:
            while True:
                await asyncio.sleep(seconds)
                await self._send(self._state(fragment_id=fragment, is_auto_rerun=True))

        self._tasks[fragment] = asyncio.create_task(ask())


class Reader(Client):
    """A session on the Overview of one workspace, whose slider is moved."""

    page_name = "overview"
    ends = (*WHOLE_RUN, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)

    def __init__(self, stream: str, token: str) -> None:
        super().__init__(stream, token)
        self._slider, self._fragment = "", ""
        self._charts, self._shown = 0, ""

    def _is_open(self) -> bool:
        return self._charts >= CHARTS

    async def slide(self, k: int) -> float:
        """Move k; return the seconds until the last message of the run that shows it."""
        start = time.perf_counter()
        value = WidgetState(id=self._slider)
        value.double_array_value.data.append(k)
        self._states[self._slider] = value
        self._charts = 0
        await self._send(self._state(fragment_id=self._fragment))
        return await self._until(lambda: self._charts >= CHARTS and self._shown == str(k)) - start

    def _take(self, message: ForwardMsg) -> None:
        if message.WhichOneof("type") == "page_info_changed":
            self._query = message.page_info_changed.query_string
            self._shown = parse_qs(self._query).get("k", [""])[0]
        super()._take(message)

    def _take_element(self, element: Element, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "slider":
            self._slider, self._fragment = element.slider.id, fragment
        self._charts += kind == "plotly_chart"

    def _forget_widgets(self) -> None:
        self._states = {key: item for key, item in self._states.items() if key == self._slider}
