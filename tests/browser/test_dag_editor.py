"""The editor in a real browser, against the smallest page that can hold it."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.xdist_group("browser")
FRAMES = """async (count) => {
  while (count-- > 0) await new Promise(requestAnimationFrame);
}"""
STILL = """async (viewport) => {
  for (let frames = 0, before = null; frames < 8; frames++) {
    await new Promise(requestAnimationFrame);
    if (viewport.style.transform !== before) frames = 0;
    before = viewport.style.transform;
  }
}"""
HEAR = """(said) => {
  window.heard = [];
  new MutationObserver(() => window.heard.push(said.textContent))
    .observe(said, { childList: true, characterData: true, subtree: true });
}"""
CROSSED = """(lines, box) => lines.flatMap((line, number) => {
  const [length, matrix] = [line.getTotalLength(), line.getScreenCTM()];
  const inside = Array.from({ length: 200 }, (_, step) => step / 199).some((part) => {
    const { x, y } = line.getPointAtLength(part * length).matrixTransform(matrix);
    return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
  });
  return inside ? [number] : [];
})"""
HARNESS = Path(__file__).with_name("dag_editor_harness.py")


class Screen:
    """The harness in one tab: what is drawn, and what Python holds."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def node(self, name: str) -> Locator:
        return self.page.get_by_label(re.compile(f"^{re.escape(name)}, "))

    def arrow(self, cause: str, effect: str) -> Locator:
        return self.page.get_by_label(re.compile(f"^arrow from {cause} to {effect}(,|$)"))

    def both(self, one: str, other: str) -> Locator:
        return self.page.get_by_label(
            re.compile(f"^two-headed arrow between {one} and {other}(,|$)")
        )

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def choice(self, name: str) -> Locator:
        return self.page.get_by_role("combobox", name=name)

    def told(self) -> dict[str, Any]:
        return json.loads(self.page.locator(".st-key-told").inner_text())

    def wait(self, held: Callable[[dict[str, Any]], Any], timeout: float = 10) -> dict[str, Any]:
        """Return what Python holds, once it is as wished."""
        for _ in range(math.ceil(timeout / 0.05)):
            told = self.told()
            if held(told):
                return told
            self.page.wait_for_timeout(50)
        raise AssertionError(f"Python holds {self.told()}"[:3000])

    def round_trip(self, times: int = 1) -> None:
        """Have Python run and answer, after all that was sent before."""
        for _ in range(times):
            before = self.told()["runs"]
            self.button("Rerun").click()
            self.wait(lambda told, before=before: told["runs"] > before)

    def still(self) -> None:
        """Wait until the drawing stays where it is, frame after frame."""
        self.page.locator(".react-flow__viewport").evaluate(STILL)

    def middle(self, what: Locator) -> tuple[float, float]:
        box = what.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        self.page.mouse.move(*end, steps=4)
        self.page.mouse.up()

    def draw_arrow(self, cause: str, effect: str, dx: float = 0, dy: float = 0) -> None:
        """Drag from the dot of a node to a point of another."""
        self.node(cause).hover()
        x, y = self.middle(self.node(effect))
        self.drag(self.middle(self.node(cause).locator(".start").first), (x + dx, y + dy))


@pytest.fixture(scope="module")
def address(serve: Callable[[Path], str], browser: Browser) -> str:
    return serve(HARNESS)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One tab: each test loads the harness anew, and Python begins a session for it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.fixture
def open_screen(address: str, page: Page) -> Iterator[Callable[..., Screen]]:
    errors: list[str] = []

    def hear(error: object) -> None:
        errors.append(str(error))

    page.on("pageerror", hear)

    def start(query: str = "graph=five") -> Screen:
        page.goto(f"{address}/?{query}")
        page.locator(".react-flow__viewport").wait_for()
        page.locator(".st-key-told").wait_for()
        screen = Screen(page)
        screen.still()
        return screen

    yield start
    page.remove_listener("pageerror", hear)
    assert errors == []


@pytest.fixture
def screen(open_screen: Callable[..., Screen]) -> Screen:
    return open_screen()


def test_nodes_and_arrows_say_what_they_are(screen: Screen) -> None:
    assert screen.node("gender").get_attribute("aria-label") == (
        "gender, protected attribute, 2 arrows out"
    )
    assert screen.arrow("gender", "LSAT").get_attribute("aria-label") == (
        "arrow from gender to LSAT, coefficient −0.49, fitted"
    )
    assert "set by hand" in str(screen.arrow("gender", "UGPA").get_attribute("aria-label"))


@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (-45, -15), (40, 18)])
def test_an_arrow_is_drawn_by_mouse_to_any_part_of_a_node(
    screen: Screen, dx: float, dy: float
) -> None:
    screen.draw_arrow("gender", "admitted", dx, dy)
    expect(screen.arrow("gender", "admitted")).to_be_attached()
    screen.wait(lambda told: ["gender", "admitted"] in told["edges"])


def test_an_arrow_is_drawn_by_keyboard_alone(screen: Screen) -> None:
    screen.button("Draw an arrow").focus()
    screen.page.keyboard.press("Enter")
    screen.choice("From").select_option("race")
    screen.choice("To").select_option("admitted")
    screen.choice("To").press("Tab")
    screen.page.keyboard.press("Enter")
    screen.wait(lambda told: ["race", "admitted"] in told["edges"])
    screen.page.keyboard.press("Escape")
    expect(screen.choice("From")).to_have_count(0)
    expect(screen.button("Draw an arrow")).to_be_focused()


def test_a_two_headed_arrow_is_drawn_chosen_and_deleted(
    open_screen: Callable[..., Screen],
) -> None:
    screen = open_screen("graph=unmeasured")
    beside = screen.both("race", "UGPA")
    assert beside.get_attribute("aria-label") == (
        "two-headed arrow between race and UGPA, something unmeasured moves both"
    )
    expect(beside.locator("polygon.head")).to_have_count(2)
    expect(screen.arrow("race", "UGPA").locator("polygon.head")).to_have_count(1)
    screen.button("Draw an arrow").click()
    screen.choice("From").select_option("gender")
    screen.choice("To").select_option("LSAT")
    screen.page.get_by_label("Two heads").check()
    screen.button("Add").click()
    screen.wait(lambda told: ["gender", "LSAT"] in told["bidirected"])
    expect(screen.both("gender", "LSAT")).to_be_attached()
    screen.page.keyboard.press("Escape")
    beside.focus()
    screen.page.keyboard.press("Space")
    screen.wait(lambda told: "SelectedBidirected" in told["selection"])
    expect(screen.button("Reverse selected arrow")).to_be_disabled()
    screen.button("Delete selected").click()
    told = screen.wait(lambda told: ["race", "UGPA"] not in told["bidirected"])
    assert ["race", "UGPA"] in told["edges"]
    screen.node("LSAT").focus()
    screen.page.keyboard.press("Delete")
    screen.wait(lambda told: told["bidirected"] == [])


def test_a_dragged_node_stays_where_it_was_put(screen: Screen) -> None:
    x, y = screen.middle(screen.node("gender"))
    other = screen.middle(screen.node("admitted"))
    screen.drag((x, y), (x + 60, y - 70))
    told = screen.wait(lambda told: told["nodes"]["gender"][1] > 0)
    assert len(told["applied"]) == 1
    before = screen.middle(screen.node("gender"))
    assert before == pytest.approx((x + 60, y - 70), abs=15)  # less the way to the threshold
    screen.button("Rerun").click()
    screen.wait(lambda now: now["runs"] > told["runs"])
    assert screen.middle(screen.node("gender")) == pytest.approx(before, abs=0.5)
    assert screen.middle(screen.node("admitted")) == pytest.approx(other, abs=0.5)


def test_arrow_keys_move_the_focused_node_as_one_operation(screen: Screen) -> None:
    screen.node("race").focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown"):
        screen.page.keyboard.press(key)
    told = screen.wait(lambda told: told["nodes"]["race"][1:] == [20, 210])
    assert len(told["applied"]) == 1


def test_renaming_a_column_changes_its_label_only(screen: Screen) -> None:
    screen.node("LSAT").dblclick()
    field = screen.page.get_by_label("New name for LSAT")
    field.fill("Law test")
    field.press("Enter")
    told = screen.wait(lambda told: told["nodes"]["LSAT"][0] == "Law test")
    assert ["race", "LSAT"] in told["edges"]
    expect(screen.node("Law test")).to_be_focused()


def test_renaming_a_node_outside_the_data_takes_its_arrows_along(screen: Screen) -> None:
    screen.button("Add attribute").click()
    screen.page.get_by_label("Other name…").fill("ambition")
    screen.button("Add").click()
    screen.button("Close").click()
    screen.wait(lambda told: "ambition" in told["nodes"])
    screen.draw_arrow("ambition", "admitted")
    screen.node("ambition").focus()
    screen.page.keyboard.press("F2")
    screen.page.keyboard.type("drive")
    screen.page.keyboard.press("Enter")
    told = screen.wait(lambda told: ["drive", "admitted"] in told["edges"])
    assert "ambition" not in told["nodes"]


def test_delete_keys_work_in_the_canvas_only(screen: Screen) -> None:
    screen.node("gender").click()
    screen.wait(lambda told: "gender" in told["selection"])
    elsewhere = screen.page.get_by_label("Elsewhere")
    elsewhere.fill("ab")
    elsewhere.press("Backspace")
    screen.button("Add attribute").click()
    name = screen.page.get_by_label("Other name…")
    name.fill("ab")
    name.press("Backspace")
    name.press("Delete")
    screen.button("Add attribute").press("Delete")
    screen.button("Close").click()
    screen.node("UGPA").dblclick()
    screen.page.keyboard.press("Backspace")
    screen.page.keyboard.press("Escape")
    screen.round_trip()
    assert len(screen.told()["nodes"]) == 5

    screen.page.locator(".edge-label", has_text="0.60").click()
    screen.page.keyboard.press("Backspace")
    screen.wait(lambda told: ["LSAT", "admitted"] not in told["edges"])
    screen.node("gender").click()
    screen.page.keyboard.press("Delete")
    told = screen.wait(lambda told: "gender" not in told["nodes"])
    assert told["edges"] == [["race", "LSAT"], ["race", "UGPA"], ["UGPA", "admitted"]]
    screen.page.keyboard.press("Control+z")
    screen.wait(lambda told: "gender" in told["nodes"])
    screen.page.keyboard.press("Control+Shift+z")
    screen.wait(lambda told: "gender" not in told["nodes"])


def test_a_refused_operation_says_why_until_one_succeeds(screen: Screen) -> None:
    screen.draw_arrow("admitted", "gender")
    alert = screen.page.get_by_role("alert")
    expect(alert).to_contain_text("would close a circle")
    expect(screen.arrow("admitted", "gender")).to_have_count(0)
    alert.get_by_role("button", name="Dismiss").click()
    expect(alert).to_have_count(0)
    screen.draw_arrow("admitted", "race")
    expect(alert).to_contain_text("would close a circle")
    screen.draw_arrow("race", "admitted")
    screen.wait(lambda told: ["race", "admitted"] in told["edges"])
    expect(alert).to_have_count(0)


def test_a_refusal_is_heard_and_never_that_the_arrow_was_drawn(screen: Screen) -> None:
    said = screen.page.locator(".said")
    expect(said).to_have_attribute("aria-live", "polite")
    said.evaluate(HEAR)
    screen.draw_arrow("admitted", "gender")
    alert = screen.page.get_by_role("alert")
    expect(alert).to_contain_text("would close a circle")
    expect(screen.page.locator(".react-flow__node.refused")).to_have_count(2)
    screen.round_trip()
    assert "".join(screen.page.evaluate("window.heard")) == ""
    screen.draw_arrow("race", "admitted")
    expect(said).to_have_text("Arrow drawn from race to admitted.")
    expect(alert).to_have_count(0)
    screen.page.keyboard.press("Control+z")
    expect(said).to_have_text("Undone.")


def test_a_refusal_covers_nothing_of_the_drawing(screen: Screen) -> None:
    canvas = screen.page.locator(".canvas")
    before = canvas.bounding_box()
    screen.draw_arrow("admitted", "gender")
    message = screen.page.get_by_role("alert").bounding_box()
    assert before is not None
    assert message is not None
    assert message["y"] >= before["y"] + before["height"] - 1
    assert canvas.bounding_box() == before


@pytest.mark.parametrize("graph", ["five", "thirty"])
def test_a_finger_finds_the_dots(open_screen: Callable[..., Screen], graph: str) -> None:
    screen = open_screen(f"graph={graph}")
    for dot in screen.page.locator(".react-flow__node").first.locator(".start").all():
        box = dot.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24


def test_labels_of_crossing_arrows_stand_apart(screen: Screen) -> None:
    labels = [item.bounding_box() for item in screen.page.locator(".edge-label").all()]
    assert len(labels) == 6
    lines = screen.page.locator(".arrow .shaft")
    for number, box in enumerate(labels):
        crossed = lines.evaluate_all(CROSSED, box)
        assert crossed == [number]


def test_the_thickness_of_arrows_is_explained(open_screen: Callable[..., Screen]) -> None:
    strip = open_screen().page.locator(".strip")
    expect(strip).to_contain_text("thicker: stronger")
    expect(strip).to_contain_text("set by hand")
    strip = open_screen("graph=strange").page.locator(".strip")
    expect(strip).not_to_contain_text("thicker")


def test_a_reversed_arrow_points_the_other_way(screen: Screen) -> None:
    screen.page.locator(".edge-label", has_text="−0.49").click()
    screen.button("Reverse selected arrow").click()
    screen.wait(lambda told: ["LSAT", "gender"] in told["edges"])
    screen.wait(lambda told: "cause='LSAT', effect='gender'" in told["selection"])


def test_the_selection_goes_both_ways(screen: Screen) -> None:
    screen.arrow("race", "UGPA").focus()
    screen.page.keyboard.press("Enter")
    screen.wait(lambda told: "cause='race', effect='UGPA'" in told["selection"])
    for name in ("LSAT", "gender", "race"):  # faster than Python answers
        screen.node(name).click()
    screen.wait(lambda told: "node='race'" in told["selection"])
    screen.button("Select UGPA").click()
    expect(screen.node("UGPA")).to_have_class(re.compile("selected"))
    runs = screen.wait(lambda told: "node='UGPA'" in told["selection"])["runs"]
    screen.round_trip(10)
    assert screen.told()["runs"] <= runs + 12  # they do not answer each other for ever
    expect(screen.page.locator(".react-flow__node.selected")).to_have_count(1)
    screen.node("UGPA").focus()
    screen.page.keyboard.press("Escape")
    screen.wait(lambda told: told["selection"] == "None")


@pytest.mark.parametrize("slow", ["0", "0.25"])
def test_a_burst_loses_and_doubles_nothing(open_screen: Callable[..., Screen], slow: str) -> None:
    screen = open_screen(f"graph=empty&addable=200&slow={slow}")
    screen.button("Add attribute").click()
    choices = "[...document.querySelector('[data-testid=stBidiComponentIsolated]').shadowRoot"
    choices += ".querySelectorAll('.choice')]"
    # Half in one tick, then the rest a few at a time while Python reruns and answers in between.
    screen.page.evaluate(f"{choices}.slice(0, 100).forEach((button) => button.click())")
    for _ in range(20):
        screen.page.evaluate(f"{choices}.slice(0, 5).forEach((button) => button.click())")
        screen.page.evaluate(FRAMES, 3)
    told = screen.wait(lambda told: len(told["nodes"]) >= 200, timeout=30)
    assert sorted(told["nodes"]) == sorted(f"column {number}" for number in range(200))
    assert [seq for _, seq in told["applied"]] == list(range(1, 201))
    expect(screen.page.locator(".react-flow__node")).to_have_count(200)
    screen.round_trip(3)
    assert len(screen.told()["applied"]) == 200


def test_tidying_waits_for_python_and_fits(screen: Screen) -> None:
    screen.button("Tidy up").click()
    screen.wait(lambda told: told["nodes"]["admitted"][1:] == [0, 120])
    canvas = screen.page.locator(".canvas").bounding_box()
    assert canvas is not None
    screen.still()
    for name in ("gender", "race", "LSAT", "UGPA", "admitted"):
        x, y = screen.middle(screen.node(name))
        assert canvas["x"] < x < canvas["x"] + canvas["width"]
        assert canvas["y"] < y < canvas["y"] + canvas["height"]


@pytest.mark.parametrize("graph", ["five", "strange", "thirty", "marks", "unmeasured"])
def test_the_svg_is_well_formed_and_complete(
    open_screen: Callable[..., Screen], graph: str
) -> None:
    screen = open_screen(f"graph={graph}")
    with screen.page.expect_download() as got:
        screen.button("Download SVG").click()
    assert re.fullmatch(r"harness-[0-9a-f]{12}\.svg", got.value.suggested_filename)
    root = ET.fromstring(Path(got.value.path()).read_text(encoding="utf-8"))
    titles = {item.text for item in root.iter("{http://www.w3.org/2000/svg}title")}
    assert titles >= set(screen.told()["nodes"])
    tags = {item.tag.rpartition("}")[2] for item in root.iter()}
    assert tags <= {"svg", "title", "rect", "path", "polygon", "g", "text"}


def test_the_png_is_a_picture(screen: Screen) -> None:
    with screen.page.expect_download() as got:
        screen.button("Download PNG").click()
    content = Path(got.value.path()).read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20]) > 1000


def test_markup_in_names_is_text(open_screen: Callable[..., Screen]) -> None:
    screen = open_screen("graph=strange")
    page = screen.page
    expect(page.locator(".name", has_text="<img src=x")).to_be_visible()
    expect(page.locator(".dag-editor img")).to_have_count(0)
    assert page.evaluate("window.broken") is None
    screen.draw_arrow("quo\"te's", "[x](javascript:alert(1))")
    screen.wait(lambda told: ["quo\"te's", "[x](javascript:alert(1))"] in told["edges"])
    widest = max(item.bounding_box()["width"] for item in page.locator(".node").all())  # type: ignore[index]
    assert widest < 300


def test_thirty_nodes_can_be_edited(open_screen: Callable[..., Screen]) -> None:
    screen = open_screen("graph=thirty&height=700")
    expect(screen.page.locator(".react-flow__node")).to_have_count(30)
    assert screen.page.locator(".react-flow__edge").count() == len(screen.told()["edges"])
    screen.draw_arrow("LSAT 0", "school tier 29")
    screen.wait(lambda told: ["LSAT 0", "school tier 29"] in told["edges"])
    x, y = screen.middle(screen.node("UGPA 9"))
    screen.drag((x, y), (x + 30, y + 30))
    screen.wait(lambda told: len(told["applied"]) == 2)


def test_the_viewport_stays_when_the_graph_changes(screen: Screen) -> None:
    place = screen.page.locator(".react-flow__viewport")
    screen.button("Zoom out").click()
    screen.still()
    before = place.get_attribute("style")
    screen.draw_arrow("gender", "admitted")
    screen.wait(lambda told: ["gender", "admitted"] in told["edges"])
    assert place.get_attribute("style") == before
    canvas = screen.page.locator(".canvas")
    canvas.hover()
    screen.page.mouse.wheel(0, 200)
    screen.still()
    assert place.get_attribute("style") == before


def test_a_read_only_drawing_cannot_be_changed(open_screen: Callable[..., Screen]) -> None:
    screen = open_screen("graph=five&read_only=1")
    expect(screen.button("Add attribute")).to_have_count(0)
    x, y = screen.middle(screen.node("gender"))
    screen.drag((x, y), (x + 60, y + 60))
    screen.node("race").focus()
    for key in ("ArrowRight", "Delete", "F2", "Space"):
        screen.page.keyboard.press(key)
    told = screen.wait(lambda told: "node='race'" in told["selection"])
    assert told["applied"] == []
    assert len(told["nodes"]) == 5
