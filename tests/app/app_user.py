"""One person with one browser tab, and what the tests ask about it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from dashboard.draft.document import Draft
from dashboard.draft.files import sample_draft
from dashboard.pages import PATHS
from dashboard.session.state import LINK, Session, Shown, store
from dashboard.shared.text import END, ISOLATE, JOINER
from dashboard.store import Event, Workspace

COLLAPSED = 2  # such a label is read out as it is
PAGES = ("start", "data", "causal-model", "history")
EVERY_PAGE = PATHS


class User:
    """A tab of the app. Every action runs the page, and no page may show an exception."""

    def __init__(self, app: Path, link: str | None) -> None:
        self.at = AppTest.from_file(app, default_timeout=60)
        self.at._bidi_component_manager = components()
        if link is not None:
            self.at.query_params[LINK] = link
        self.run()

    def run(self) -> User:
        self.at.run()
        assert not self.at.exception, [item.stack_trace for item in self.at.exception]
        return self

    def go(self, path: str) -> User:
        """Show a page by its address."""
        known = self.at._registered_pages  # AppTest.switch_page knows pages in files only
        address = "" if path == "start" else path
        self.at._page_hash = next(
            page for page, info in known.items() if info["url_pathname"] == address
        )
        return self.run()

    def open_sample(self, name: str) -> User:
        """Open a sample as a link does, on its causal model."""
        draft, data = sample_draft(name)
        assert draft.source is not None
        assert data is not None
        sha = store().put_blob(data, name=draft.source.name)
        made = store().create(
            draft.to_json(),
            title=draft.title,
            author="",
            summary=f"Opened the sample {draft.title}",
            blobs=(sha,),
        )
        self.at.query_params[LINK] = made.token
        return self.go("causal-model")

    @property
    def session(self) -> Session:
        found: Session = self.at.session_state["cst_session"]
        return found

    @property
    def workspace(self) -> Workspace:
        assert self.session.workspace is not None
        return self.session.workspace

    @property
    def link(self) -> str:
        said = self.at.query_params[LINK]
        return said if isinstance(said, str) else said[0]

    @property
    def saved(self) -> Draft:
        """The draft in the store, whatever the screen says."""
        return Draft.from_json(store().load(self.workspace.id)[1].document)

    @property
    def kept(self) -> Shown:
        """What the store says the workspace shows."""
        return Shown.model_validate_json(store().shown(self.workspace.id))

    @property
    def last_change(self) -> str:
        return store().activity(self.workspace.id, limit=1)[0].summary

    @property
    def revisions(self) -> int:
        return len(store().activity(self.workspace.id, limit=1000))

    def key(self, name: str) -> str:
        return self.session.key(name)

    def _labelled(self, kind: str, label: str) -> Any:
        found = [item for item in self.at.get(kind) if item.label.replace(JOINER, "") == label]
        assert len(found) == 1, (label, [item.label for item in self.at.get(kind)])
        return found[0]

    def button(self, label: str) -> Any:
        return self._labelled("button", label)

    def press(self, label: str) -> User:
        self.button(label).click()
        return self.run()

    def press_in_dialog(self, label: str) -> User:
        """Press a button of the dialog that is open; only the dialog runs, as in a browser."""
        item = self.button(label)
        known = self.at._session_state._state._new_widget_state.widget_metadata
        fragment = known[item.id].fragment_id
        assert fragment
        ask = LocalScriptRunner.request_rerun

        def request(runner: Any, data: Any) -> bool:
            runner._requests = ScriptRequests()  # it begins with a request for the whole page
            return ask(runner, replace(data, fragment_id=fragment))

        item.click()
        with patch.object(LocalScriptRunner, "request_rerun", request):
            return self.run()

    @property
    def events(self) -> list[Event]:
        return store().activity(self.workspace.id, limit=1000)

    @property
    def downloads(self) -> set[str]:
        return {item.proto.label for item in self.at.get("download_button")}

    def choose(self, name: str, value: Any) -> User:
        """Set the select box with this key (its name before the generation)."""
        self.at.selectbox(key=self.key(name)).set_value(value)
        return self.run()

    def type(self, name: str, value: str) -> User:
        self.at.text_input(key=self.key(name)).set_value(value)
        return self.run()

    def set_number(self, name: str, value: float) -> User:
        self.at.number_input(key=self.key(name)).set_value(value)
        return self.run()

    def field(self, label: str) -> Any:
        return self._labelled("number_input", label)

    def write(self, label: str, value: str) -> User:
        """Type into the field with this label."""
        self._labelled("text_input", label).set_value(value)
        return self.run()

    def submit(self, label: str, value: str, button: str) -> User:
        """Type into a field of a form, and send the form."""
        self._labelled("text_input", label).set_value(value)
        return self.press(button)

    def enter(self, label: str, value: float | None) -> User:
        """Type a number into the field with this label."""
        self.field(label).set_value(value)
        return self.run()

    @property
    def errors(self) -> list[str]:
        return [read(item.value) for item in self.at.error]

    @property
    def text(self) -> str:
        """Everything that the page says, as a person reads it."""
        said = [*self.at.title, *self.at.header, *self.at.subheader, *self.at.markdown]
        said += [*self.at.caption, *self.at.info, *self.at.warning, *self.at.error]
        said += [*self.at.success]
        parts = [read(str(item.value)) for item in said]
        return "\n".join(parts + [read_html(item.proto.body) for item in self.at.get("html")])

    def shown_as_markdown(self) -> list[str]:
        """Return everything on the page that Streamlit reads as Markdown, as it is sent."""
        found: list[str] = []
        for item in self.at.main:
            proto = getattr(item, "proto", None)
            hidden = getattr(getattr(proto, "label_visibility", None), "value", 0) == COLLAPSED
            for field in ("body", "help", *(() if hidden else ("label",))):
                value = getattr(proto, field, "")
                if isinstance(value, str) and item.type != "html":
                    found.append(value)
        return found

    def status(self) -> str:
        """Return what the line above the page says about saving."""
        found = re.search(r'<span class="done">(.*?)</span>', self._html())
        assert found
        return found.group(1)

    def _html(self) -> str:
        return "".join(item.proto.body for item in self.at.get("html"))


@cache
def components() -> BidiComponentManager:
    """Return the installed components; AppTest would look for them in each tab anew."""
    found = BidiComponentManager()
    found.discover_and_register_components(start_file_watching=False)
    return found


def read(markdown: str) -> str:
    """Return Markdown without its escapes and the bold marks."""
    plain = re.sub(r"\\(.)", r"\1", re.sub(f"[{JOINER}{ISOLATE}{END}]", "", markdown))
    return plain.replace("**", "")


def read_html(body: str) -> str:
    said = re.sub(f"[{ISOLATE}{END}]", "", body)
    said = re.sub(r'<span class="cst-term"[^>]*>([^<]*)</span>', r"\1", said)
    return " ".join(re.sub(r"<[^>]*>", " ", said).split())
