"""An attribute with levels on the Causal model page: its table of shares, log-odds and coupling."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_user import User
from own_cases import draft, table

from cst_core import Dataset
from cst_core.explain import number
from cst_core.scenario import EdgePart, as_causal_model, as_roles
from dashboard.dag_editor import SelectedNode
from dashboard.draft.equation_parts import rows_by_hand
from dashboard.draft.files import export_archive, import_file
from dashboard.session.state import store

Visit = Callable[..., User]
TOWN = "<b>town</b>"
NORTH, EAST, SOUTH = "north, of 100", r"\<i>east\</i>, of 100", "south, of 100"


@pytest.fixture
def town(visit: Visit) -> User:
    data = table(1).to_csv(index=False).encode()
    case = draft(1, data)
    edges = (*case.world.edges, EdgePart(cause="sex", effect=TOWN))
    case = case.redrawn(edges=edges)
    assert case.source is not None
    made = store().create(
        case.to_json(), title=case.title, author="", summary="made", blobs=(case.source.sha256,)
    )
    user = visit(link=made.token, browser="a" * 32).go("causal-model")
    user.at.text_input(key="author-name").set_value("Ada")
    user.session.selection = SelectedNode(node=TOWN)
    return user.run()


def seen(group: str, place: str) -> float:
    frame = table(1)
    return float((frame.loc[frame["sex"] == group, TOWN] == place).mean())


def typed(user: User, **values: float) -> User:
    for level, value in values.items():
        label = {"north": NORTH, "east": EAST, "south": SOUTH}[level]
        user.enter(label, value)
    return user


def set_row(user: User) -> User:
    return typed(user, north=12, east=31, south=57).press("Set this row")


def test_the_table_has_what_was_counted(town: User) -> None:
    shown = " ".join(
        number(100 * seen("no", place), 3) for place in ("<i>east</i>", "north", "south")
    )
    assert shown in town.text
    assert "fitted" in town.text
    assert "They add up to 100." in town.text
    here, there = (number(100 * seen(group, "north")) for group in ("yes", "no"))
    assert f": north, of 100 {here} {there}" in town.text  # what the whole group would have
    assert "one of its values, as often as among people with the same sex" in town.text


def test_a_row_is_set_by_hand_felt_told_undone_and_exported(town: User) -> None:
    typed(town, north=12, east=31)
    before = town.saved
    town.press("Set this row")
    assert any("must add up to 100" in item for item in town.errors)
    assert town.saved == before
    assert town.field(NORTH).value == 12  # nothing typed is lost
    town.enter(SOUTH, 57)
    town.press("Set this row")
    (row,) = town.saved.world.equation(TOWN).shares
    assert row.shares == pytest.approx({"<i>east</i>": 0.31, "north": 0.12, "south": 0.57})
    assert (row.source, row.note) == ("by hand", "Set by Ada.")
    assert town.last_change.startswith(f"Set the shares of {TOWN} for sex = ")
    assert "by hand" in town.text
    drawn = town.saved
    roles = drawn.roles.complete()
    model = as_causal_model(drawn.world, roles, drawn.decision_node)
    fitted = {drawn.world.name: model.fit(Dataset.from_frame(table(1), as_roles(roles)))}
    archive = export_archive(drawn, fitted, table(1).to_csv(index=False).encode())
    back = import_file("case.zip", archive).draft.world.equation(TOWN)
    (again,) = rows_by_hand(back)
    assert again.shares == pytest.approx(row.shares)
    assert (again.note, back.mechanism) == (row.note, "linear")
    town.press("Undo")
    assert town.saved.world.equation(TOWN).shares == ()
    town.press("Redo")
    town.press("Reset this row")
    assert town.saved.world.equation(TOWN).shares == ()


def test_log_odds_and_the_coupling_are_chosen_where_they_fit(town: User) -> None:
    kinds = town.at.selectbox(key=town.key(f"mechanism-{TOWN}-shares")).options
    assert [words.split(":")[0] for words in kinds] == ["By shares", "By log-odds"]
    couplings = town.at.selectbox(key=town.key(f"coupling-{TOWN}-minimal-change")).options
    assert couplings == [
        "The value changes only where it must",
        "The value here says nothing about the value there",
    ]
    town.choose(f"coupling-{TOWN}-minimal-change", "independent")
    assert town.saved.world.equation(TOWN).coupling == "independent"
    set_row(town)
    town.choose(f"mechanism-{TOWN}-shares", "logit")
    assert "would mean nothing and be dropped: the shares for sex" in town.text
    town.press("Take log-odds and drop them")
    part = town.saved.world.equation(TOWN)
    assert (part.mechanism, part.shares) == ("logit", ())
    assert "Each value is compared with <i>east</i>" in town.text
    assert "north: Starting value" in town.text
    assert "south: Starting value" not in town.text
    town.choose(f"odds-of-{TOWN}", "south")
    assert "south: Starting value" in town.text
    town.choose(f"odds-of-{TOWN}", "north")
    town.enter(r"Coefficient of north ~ sex in \<b>town\</b>", 0.25)
    part = town.saved.world.equation(TOWN)
    assert part.coefficients["north ~ sex"].value == 0.25
    assert town.last_change == f"Set the coefficient of north ~ sex in {TOWN} to 0.25 by hand"


def test_a_number_is_offered_what_fits_numbers(town: User) -> None:
    town.session.selection = SelectedNode(node="income")
    town.run()
    kinds = town.at.selectbox(key=town.key("mechanism-income-linear")).options
    assert [words.split(":")[0] for words in kinds] == ["By a sum", "By rank", "By a regressor"]
