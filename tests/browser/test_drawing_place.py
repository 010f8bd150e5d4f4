"""Where the drawing stands: as large as its place, what follows beside it, and full screen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import FloatRect, Locator, expect

if TYPE_CHECKING:
    from app_driver import Person

HEIGHT = 900
READABLE = 11.5
"""The least size of a name, in pixels on the screen."""
SIZE_SEEN = """(name) => parseFloat(getComputedStyle(name).fontSize)
  * name.getBoundingClientRect().height / name.offsetHeight"""
FULL = """() => {
  const host = document.fullscreenElement;
  return host === null ? "" : (host.shadowRoot?.fullscreenElement ?? host).className;
}"""


def place(what: Locator) -> FloatRect:
    box = what.bounding_box()
    assert box is not None
    return box


def opened(person: Person, sample: str, width: int) -> Person:
    person.page.set_viewport_size({"width": width, "height": HEIGHT})
    person.follow(person.server.workspace(sample))
    expect(person.number(re.compile("^Coefficient")).first).to_be_visible()
    person.still()
    return person


@pytest.mark.parametrize(
    ("sample", "width"), [("adult", 1024), ("german-credit", 1920), ("law-school", 1920)]
)
def test_a_drawing_is_whole_large_and_readable(person: Person, sample: str, width: int) -> None:
    opened(person, sample, width)
    canvas = place(person.page.locator(".canvas"))
    nodes = [place(node) for node in person.page.locator(".react-flow__node").all()]
    for node in nodes:
        assert canvas["x"] <= node["x"]
        assert node["x"] + node["width"] <= canvas["x"] + canvas["width"]
        assert canvas["y"] <= node["y"]
        assert node["y"] + node["height"] <= canvas["y"] + canvas["height"]
    across = max(node["x"] + node["width"] for node in nodes) - min(node["x"] for node in nodes)
    down = max(node["y"] + node["height"] for node in nodes) - min(node["y"] for node in nodes)
    assert max(across / canvas["width"], down / canvas["height"]) > 0.85
    assert canvas["y"] + canvas["height"] <= HEIGHT
    assert canvas["width"] > 0.6 * width
    sizes = [name.evaluate(SIZE_SEEN) for name in person.page.locator(".node .name").all()]
    assert min(sizes) >= READABLE


def test_a_drawing_follows_its_window_until_it_is_moved(person: Person) -> None:
    opened(person, "loan", 1024)
    before = place(person.node("Gender"))["width"]
    person.page.set_viewport_size({"width": 1920, "height": HEIGHT})
    expect(person.page.locator(".dag-editor")).to_have_css("width", re.compile("^1[12]"))
    person.still()
    assert place(person.node("Gender"))["width"] > before
    person.tool("Zoom out").click()
    person.still()
    smaller = place(person.node("Gender"))["width"]
    person.page.set_viewport_size({"width": 1700, "height": HEIGHT})
    expect(person.page.locator(".dag-editor")).to_have_css("width", re.compile("^10"))
    assert place(person.node("Gender"))["width"] == pytest.approx(smaller, abs=1)


def test_the_tools_stand_on_one_line(person: Person) -> None:
    opened(person, "loan", 1280)
    tools = person.page.get_by_role("toolbar", name="Drawing tools").get_by_role("button")
    assert tools.count() > 8
    assert len({round(place(tool)["y"]) for tool in tools.all()}) == 1


def test_there_is_one_undo(person: Person) -> None:
    opened(person, "loan", 1440)
    expect(person.page.get_by_role("button", name=re.compile("Undo"))).to_have_count(1)
    expect(person.page.get_by_role("button", name=re.compile("Redo"))).to_have_count(1)


def test_what_follows_stands_beside_the_drawing(person: Person) -> None:
    opened(person, "law-school", 1440)
    drawing = place(person.page.locator(".dag-editor"))
    beside = [
        person.heading("What follows from it"),
        person.page.get_by_role("table", name=re.compile("^On average")),
        person.page.get_by_role("table", name=re.compile("^Person 0")),
        person.heading("Equations"),
    ]
    for one in beside:
        found = place(one)
        assert found["x"] >= drawing["x"] + drawing["width"]
        assert found["x"] + found["width"] <= 1440
        assert found["y"] + found["height"] <= HEIGHT
    person.select(person.arrow("race", "UGPA"))  # then its own form and equation come first
    note = person.field("Why this arrow is there")
    expect(note).to_be_in_viewport()
    expect(person.heading("Equations")).to_be_in_viewport()
    assert place(note)["y"] < place(person.heading("Equations"))["y"]
    follows = person.heading("What follows from it")
    assert place(person.heading("Equations"))["y"] < place(follows)["y"]
    follows.scroll_into_view_if_needed()
    person.still()
    assert place(person.page.locator(".dag-editor"))["y"] == pytest.approx(drawing["y"], abs=1)


def test_in_a_narrow_window_what_follows_stands_below(person: Person) -> None:
    opened(person, "loan", 1024)
    drawing = place(person.page.locator(".dag-editor"))
    assert place(person.heading("Equations"))["y"] > drawing["y"] + drawing["height"]


def test_full_screen_and_back(person: Person) -> None:
    opened(person, "loan", 1440)
    before = place(person.page.locator(".dag-editor"))
    size = place(person.node("Gender"))
    person.tool("Full screen").click()
    expect(person.tool("Leave full screen")).to_be_visible()
    assert "dag-editor" in person.page.evaluate(FULL)
    person.still()
    full = place(person.page.locator(".dag-editor"))
    assert (full["width"], full["height"]) == (1440, HEIGHT)
    assert place(person.node("Gender"))["width"] > size["width"]
    person.delete_arrow("Gender", "Annual salary")  # one draws there as before
    person.kept(lambda draft: len(draft.world.edges) == 4)
    person.node("Gender").focus()
    person.page.keyboard.press("Control+z")
    person.kept(lambda draft: len(draft.world.edges) == 5)
    person.quiet()
    person.page.keyboard.press("Escape")
    expect(person.tool("Full screen")).to_be_visible()
    assert person.page.evaluate(FULL) == ""
    person.still()
    assert place(person.page.locator(".dag-editor")) == before


def test_a_copy_has_its_own_description(person: Person) -> None:
    opened(person, "loan", 1440)
    described = person.draft().world.description
    assert described
    person.button("New").click()
    person.field("Name of the new causal model").fill("Second opinion")
    person.field("What it assumes").fill("Hours explain half of the gap.")
    person.page.get_by_role("button", name="Create", exact=True).click()
    expect(person.combobox("Causal model")).to_have_value("Second opinion")
    person.says("Hours explain half of the gap.")
    first, second = person.kept(lambda draft: len(draft.worlds) == 2).worlds
    assert (first.description, second.description) == (described, "Hours explain half of the gap.")
    assert first.edges == second.edges

    person.quiet()
    person.page.keyboard.press("Escape")  # the form stays open
    expect(person.field("What it assumes")).to_have_count(0)
    person.button("New").click()
    person.write(person.field("Name of the new causal model"), "Third opinion")
    person.says("is not written yet")
    assert person.kept(lambda draft: len(draft.worlds) == 3).world.description == ""
