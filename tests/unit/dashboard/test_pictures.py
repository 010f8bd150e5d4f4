"""The small drawings of causal models on the first page."""

from __future__ import annotations

import base64
from xml.etree import ElementTree

import pytest

from cst_core.scenario import Scenario, load_scenario, sample_scenarios
from dashboard.shared.colours import LIGHT
from dashboard.shared.model_picture import model_picture

SVG = "{http://www.w3.org/2000/svg}"


def picture_of(scenario: Scenario) -> str | None:
    protected = [item.column for item in scenario.roles.protected]
    return model_picture(scenario.worlds[0], protected, scenario.decision_node, LIGHT)


def drawn(scenario: Scenario) -> ElementTree.Element:
    """Return the drawing as parsed SVG."""
    found = picture_of(scenario)
    assert found is not None
    return ElementTree.fromstring(base64.b64decode(found.split("base64,")[1].rstrip('">')))


@pytest.mark.parametrize("sample", sample_scenarios())
def test_every_node_and_every_arrow_of_a_sample_is_drawn_within_the_picture(sample: str) -> None:
    scenario = load_scenario(sample).scenario
    world, picture = scenario.worlds[0], drawn(scenario)
    left, top, width, height = map(float, picture.attrib["viewBox"].split())
    nodes, arrows = picture.findall(f"{SVG}rect"), picture.findall(f"{SVG}line")
    assert (len(nodes), len(arrows)) == (len(world.nodes), len(world.edges))
    for node in nodes:
        x, y, wide, high = (float(node.attrib[name]) for name in ("x", "y", "width", "height"))
        assert left <= x <= x + wide <= left + width
        assert top <= y <= y + high <= top + height
    words = [item.text for item in picture.findall(f"{SVG}text")]
    assert words == [node.label or node.name for node in world.nodes]


def test_accepted_and_two_headed_arrows_are_drawn_apart() -> None:
    berkeley = load_scenario("berkeley").scenario
    plain, accepted, doubted = (
        drawn(berkeley.model_copy(update={"worlds": (world,)})).findall(f"{SVG}line")
        for world in berkeley.worlds
    )
    assert not any("stroke-dasharray" in arrow.attrib for arrow in plain)
    assert ["stroke-dasharray" in arrow.attrib for arrow in accepted] == [True, False]
    assert ["marker-start" in arrow.attrib for arrow in doubted] == [False, False, True]


def test_names_cannot_become_markup_and_without_places_there_is_no_picture() -> None:
    scenario = load_scenario("loan").scenario
    world = scenario.worlds[0]
    evil = world.nodes[0].model_copy(update={"label": '"><b>'})
    named = world.model_copy(update={"nodes": (evil, *world.nodes[1:])})
    found = picture_of(scenario.model_copy(update={"worlds": (named,)}))
    assert found is not None
    assert "<b>" not in found
    lost = world.nodes[0].model_copy(update={"x": None})
    nowhere = world.model_copy(update={"nodes": (lost, *world.nodes[1:])})
    assert picture_of(scenario.model_copy(update={"worlds": (nowhere,)})) is None
