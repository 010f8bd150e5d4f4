"""Who is compared with whom, on the Data page: every way a scenario file has, with its counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from app_user import User

from cst_core import load_scenario
from cst_core.data import Dataset
from cst_core.scenario import ContextPart, DecisionPart, ProtectedPart, RelevantPart, as_roles
from dashboard.draft.document import Draft, DraftRoles, SourcePart
from dashboard.pages.case.data.group_fields import LIMIT, SEVERAL, UNSET
from dashboard.session.state import store

Visit = Callable[..., User]


def table() -> pd.DataFrame:
    random, n = np.random.default_rng(2), 240
    race = np.array(["Black", "White", "Asian", "Red"])[random.integers(0, 4, n)]
    age = random.integers(18, 60, n)
    pay = np.round(40 - 5 * (race == "Black") + age / 8 + random.normal(0, 4, n), 1)
    return pd.DataFrame(
        {"race": race, "age": age, "pay": pay, "hired": np.where(pay > 43, "yes", "no")}
    )


def open_page(visit: Visit, *protected: ProtectedPart) -> User:
    sha = store().put_blob(table().to_csv(index=False).encode(), name="people.csv")
    draft = Draft(
        title="Groups",
        source=SourcePart(name="people.csv", sha256=sha),
        roles=DraftRoles(
            protected=protected,
            relevant=(RelevantPart(column="pay"),),
            context=() if len(protected) > 1 else (ContextPart(column="age"),),
            decision=DecisionPart(column="hired", negative="no"),
        ),
    )
    made = store().create(draft.to_json(), title="Groups", author="", summary="made", blobs=(sha,))
    return visit(made.token).go("data")


def pick(user: User, name: str, values: list[Any]) -> User:
    user.at.multiselect(key=user.key(name)).set_value(values)
    return user.run()


def part(user: User, position: int = 0) -> ProtectedPart:
    return user.saved.roles.protected[position]


def people(user: User) -> Dataset:
    """Return the data as the library takes them, under the roles that were saved."""
    return Dataset.from_frame(table(), as_roles(user.saved.roles.complete()))


def counted(user: User, column: str) -> str:
    """Return the beginning of the sentence that the library's counts make."""
    data = people(user)
    own, other = data.is_protected(column), data.is_reference(column)
    neither = int((~own & ~other).sum())
    if not neither:
        tail = "Everyone is in one of the two."
    else:
        tail = f"{neither} people are in neither group"
    assert f"Of 240 people {own.sum()} are in the protected group" in user.text
    assert f"and {other.sum()} in the reference group" in user.text
    return tail


def test_several_values_against_several(visit: Visit) -> None:
    user = open_page(visit, ProtectedPart(column="race", protected="Black", reference="White"))
    assert counted(user, "race") in user.text
    assert "in neither group (race Asian and Red)" in user.text
    user.choose("protected-race", SEVERAL)
    assert part(user).protected == "Black", "the value chosen before is kept"
    pick(user, "protected-values-race", ["Black", "Red"])
    user.choose("reference-race", SEVERAL)
    pick(user, "reference-values-race", ["White", "Asian"])
    found = part(user)
    assert found.protected == ("Black", "Red")
    assert found.reference == ("White", "Asian")
    assert not user.errors
    assert counted(user, "race") in user.text
    assert "Changed the reference value of race from White to White, Asian" in user.last_change
    user.choose("reference-race", UNSET)
    assert part(user).reference is None
    assert counted(user, "race") in user.text


def test_each_value_by_itself(visit: Visit) -> None:
    user = open_page(
        visit, ProtectedPart(column="race", protected=("Black", "Asian"), reference="White")
    )
    user.at.checkbox(key=user.key("each-race")).check()
    user.run()
    assert part(user).tests == ("race=Black", "race=Asian")
    data = people(user)
    sizes = {name: int(data.is_protected(f"race={name}").sum()) for name in ("Black", "Asian")}
    said = " and ".join(f"people with race = {name} ({n})" for name, n in sizes.items())
    level = "at the error level 2.5 %, which is α = 5 % divided by 2."
    assert f"Each is tested by itself: {said}; {level}" in user.text


def test_pages_open_after_the_tests_of_a_case_change(visit: Visit) -> None:
    user = visit().open_sample("german-credit").go("overview").go("data")
    user.choose("protected-age", SEVERAL)
    pick(user, "protected-values-age", [23, 24])
    user.choose("reference-age", UNSET)
    user.at.checkbox(key=user.key("each-age")).check()
    user.run()
    assert "people with age = 23" in user.go("overview").text
    user.go("data").at.checkbox(key=user.key("each-age")).uncheck()
    user.run()
    assert part(user).each is False
    assert not user.go("overview").errors


def test_everyone_but_the_reference(visit: Visit) -> None:
    user = open_page(visit, ProtectedPart(column="race", protected="Black", reference="White"))
    user.choose("protected-race", UNSET)
    assert part(user).protected is None
    box = user.at.selectbox(key=user.key("protected-race"))
    assert box.options[0] == "Everyone but the reference group"
    assert counted(user, "race") in user.text
    assert not user.errors


def test_a_limit_on_a_number(visit: Visit) -> None:
    user = open_page(
        visit,
        ProtectedPart(column="age"),
        ProtectedPart(column="race", protected="Black"),
    )
    assert not user.errors, "nothing is wrong before someone acted"
    assert "Say who is compared in 'age'" in user.text
    user.choose("protected-age", LIMIT)
    assert part(user).protected is None
    user.set_number("protected-number-age", 25)
    assert part(user).protected == "<= 25"
    assert not user.errors
    assert counted(user, "age") in user.text
    user.choose("reference-age", LIMIT)
    assert part(user).reference == "> 25", "at first the other side"
    user.set_number("reference-number-age", 40.5)
    user.choose("reference-sign-age", ">=")
    assert part(user).reference == ">= 40.5"
    assert counted(user, "age") in user.text
    assert "(age 26 to 40)" in user.text
    user.set_number("reference-number-age", 20)
    assert any("in both groups" in message for message in user.errors)
    user.set_number("reference-number-age", 99)
    assert any("nobody has the reference condition '>= 99'" in text for text in user.errors)


def test_a_number_in_the_equations(visit: Visit) -> None:
    user = open_page(
        visit,
        ProtectedPart(column="age", protected="<= 25", reference="> 40"),
        ProtectedPart(column="race", protected="Black"),
    )
    user.choose("set-to-age", "rank")
    assert part(user).set_to == "rank"
    assert "that the reference group has at the same rank" in user.text
    user.choose("set-to-age", "number")
    older = np.sort(table()["age"][table()["age"] > 40])
    assert part(user).set_to == older[(len(older) - 1) // 2]
    user.set_number("set-to-number-age", 45.5)
    assert part(user).set_to == 45.5
    assert "In the other world every protected person has age 45.5." in user.text
    user.choose("set-to-age", "groups")
    assert part(user).set_to is None


def test_a_column_of_names_offers_no_limit_and_two_values_no_list(visit: Visit) -> None:
    user = open_page(visit, ProtectedPart(column="race", protected="Black"))
    options = user.at.selectbox(key=user.key("protected-race")).options
    assert "Several values …" in options
    assert "A limit on the number …" not in options
    assert not [item for item in user.at.selectbox if item.key == user.key("set-to-race")]
    loan = visit().open_sample("loan").go("data")
    options = loan.at.selectbox(key=loan.key("protected-Gender")).options
    assert len(options) == 3


@pytest.mark.parametrize(
    "given",
    [
        ProtectedPart(column="age", protected=("<= 25", "> 55"), reference=">30", each=True),
        ProtectedPart(column="age", protected="<=25", set_to=40),
        ProtectedPart(column="age", protected=(18, 19), reference=(30, "> 40"), set_to="rank"),
        ProtectedPart(column="race", reference=("White", "Asian")),
        ProtectedPart(column="race", protected="Black", each=True),
    ],
)
def test_what_a_file_says_is_shown_and_not_changed(visit: Visit, given: ProtectedPart) -> None:
    other = ProtectedPart(column="race" if given.column == "age" else "age", protected="<= 25")
    user = open_page(visit, given, other)
    before = user.revisions
    user.run()
    assert user.revisions == before
    assert part(user) == given
    if isinstance(given.protected, tuple):
        shown = user.at.multiselect(key=user.key(f"protected-values-{given.column}")).value
        assert tuple(shown) == given.protected


def test_age_in_the_german_sample(visit: Visit) -> None:
    user = visit().open_sample("german-credit").go("data")
    data = load_scenario("german-credit").dataset()
    own = int(data.is_protected("age").sum())
    assert f"Of 1,000 people {own} are in the protected group (people of 25 or younger)" in (
        user.text
    )
    assert user.at.number_input(key=user.key("protected-number-age")).value == 25
    user.set_number("protected-number-age", 30)
    age = data.frame["age"]
    both = int(((age <= 30) & (age > 25)).sum())
    assert any(f"{both} row(s) are in both groups" in message for message in user.errors)
    user.set_number("reference-number-age", 30)
    assert f"Of 1,000 people {int((age <= 30).sum())} are in the protected" in user.text


def test_an_empty_limit_is_told_by_its_field(visit: Visit) -> None:
    user = open_page(visit, ProtectedPart(column="age"))
    user.choose("protected-age", LIMIT)
    ages = table()["age"]
    asked = (
        "The protected group of age: the field “Limit” is empty. Type a number into it (the column "
        f"holds {ages.min()} to {ages.max()}), or choose another way to say who is in the group."
    )
    assert user.errors == [asked], "and no general sentence beside it"
    assert user.text.count(asked) == 2, "beside the field, and in the list of what is left"
    assert "got neither" not in user.text
    user.set_number("protected-number-age", 25)
    assert not user.errors
    user.choose("protected-age", 18)
    user.choose("reference-age", LIMIT)
    assert part(user).reference is None
    (said,) = user.errors
    assert said.startswith("The reference group of age: the field “Limit” is empty.")
    assert said.endswith("Until then everyone else is in it.")


def test_no_value_of_several_is_told_by_its_field(visit: Visit) -> None:
    user = open_page(visit, ProtectedPart(column="race"))
    user.choose("protected-race", SEVERAL)
    assert user.errors == [
        "The protected group of race: the field “Values …” is empty. Choose at least one value in "
        "it, or choose another way to say who is in the group."
    ]


def test_how_one_of_them_is_spoken_of(visit: Visit) -> None:
    user = open_page(visit, ProtectedPart(column="race", protected="Black", reference="White"))
    assert part(user).pronoun is None
    user.choose("pronoun-race", "he")
    assert part(user).pronoun == "he"
    assert "how one of the protected group is spoken of" in user.last_change
    user.choose("pronoun-race", "")
    assert part(user).pronoun is None
