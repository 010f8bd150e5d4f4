"""Several causal models in one workspace, and beginning a drawing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_user import User

from cst_core.scenario import to_dagitty

Visit = Callable[..., User]


@pytest.fixture
def law(visit: Visit) -> User:
    return visit().open_sample("law-school")


def names(user: User) -> list[str]:
    return [world.name for world in user.saved.worlds]


def begin(user: User, name: str) -> User:
    return user.submit("Name of the new causal model", name, "Create")


def test_switching_is_saved_and_shows_the_other_equations(law: User) -> None:
    first, second = names(law)
    link = law.saved.worlds[1].equation("LSAT").link
    law.choose("world", second)
    assert law.saved.active == second
    assert law.last_change == f"Opened the causal model {second}"
    law.choose("equation-of-", "LSAT")
    assert law.at.selectbox(key=law.key(f"link-LSAT-{link}")).value == link
    law.press("Undo")
    assert law.at.selectbox(key=law.key("world")).value == first


def test_a_new_one_is_a_copy_or_empty(law: User) -> None:
    original = law.saved.world
    begin(law, "  Third  ")
    assert names(law)[2] == "Third"
    assert law.saved.world.nodes == original.nodes
    assert law.saved.active == "Third"
    law.at.checkbox[0].uncheck()
    begin(law, "Fourth")
    assert law.saved.world.nodes == ()
    assert "This causal model is empty" in law.text


def test_a_name_is_needed_and_must_be_new(law: User) -> None:
    before = names(law)
    begin(law, "   ")
    assert "Give it a name." in law.errors
    begin(law, before[1].upper())
    assert any("is already called" in item for item in law.errors)
    law.type("world-name", before[1])
    assert any("is already called" in item for item in law.errors)
    assert names(law) == before


def test_rename_describe_and_delete(law: User) -> None:
    law.type("world-name", " As the experts say ")
    assert names(law)[0] == "As the experts say"
    law.at.text_area(key=law.key("world-words")).set_value("Both follow from both.")
    law.run()
    assert law.saved.world.description == "Both follow from both."
    law.press("Delete this causal model")
    assert len(names(law)) == 1
    assert law.button("Delete this causal model").disabled
    law.press("Undo")
    assert names(law)[0] == "As the experts say"


def test_comparing_says_what_differs(law: User) -> None:
    law.at.toggle(key="compare-worlds").set_value(True)
    law.run()
    assert any("LSAT" in item.value for item in law.at.markdown)
    begin(law, "Same")
    law.choose("compare-with", names(law)[0])
    assert "The two causal models say the same." in law.text


def test_a_drawing_goes_out_and_comes_in_as_dagitty_text(law: User) -> None:
    drawing = law.saved.world
    area = next(item for item in law.at.text_area if item.label.startswith("Import"))
    area.set_value(to_dagitty(drawing))
    law.press("Import as a new causal model")
    assert len(names(law)) == 3
    assert {(e.cause, e.effect) for e in law.saved.world.edges} == {
        (e.cause, e.effect) for e in drawing.edges
    }
    assert "The drawing is here as a new causal model." in law.text


def test_text_that_is_no_drawing_is_refused(law: User) -> None:
    before = law.saved
    area = next(item for item in law.at.text_area if item.label.startswith("Import"))
    area.set_value("dag { a -> b -> a }")
    law.press("Import as a new causal model")
    assert law.errors
    assert law.saved == before


def test_an_empty_drawing_begins_with_the_attributes(law: User) -> None:
    law.at.checkbox[0].uncheck()
    begin(law, "Fresh")
    law.press("Place the attributes")
    assert {node.name for node in law.saved.world.nodes} >= {"gender", "race", "UGPA", "LSAT"}
    assert law.saved.world.edges == ()
    assert "No attribute has a cause yet" in law.text
