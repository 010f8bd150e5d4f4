"""The Data page: what its widgets say is what the store holds, one revision a change."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from app_user import User

from cst_core.explain import percent
from cst_core.scenario import ModelPart, RecordedPart, ThresholdPart, load_scenario
from dashboard.store import Store

Visit = Callable[..., User]
SMALL = "sex,grade,town,ok\n" + "".join(
    f"{'fm'[i % 2]},{'' if i in (3, 4) else i % 9},{'abc'[i % 3]},{'yes' if i % 9 > 3 else 'no'}\n"
    for i in range(60)
)


@pytest.fixture
def loan(visit: Visit) -> User:
    return visit().open_sample("loan").go("data")


@pytest.fixture
def own(visit: Visit) -> User:
    user = visit()
    user.at.file_uploader(key="own-data").upload("people.csv", SMALL.encode(), "text/csv")
    return user.run()


def test_a_role_is_saved_with_a_revision_and_a_sentence(loan: User) -> None:
    before = loan.revisions
    loan.choose("role-AccountBalance", "ignore")
    assert loan.saved.relevant_columns == ("AnnualSalary",)
    assert loan.revisions == before + 1
    assert loan.last_change == "Made AccountBalance unused"
    loan.choose("role-AccountBalance", "relevant")
    assert loan.saved.relevant_columns == ("AnnualSalary", "AccountBalance")
    assert loan.revisions == before + 2
    loan.press("Undo")
    assert loan.at.selectbox(key=loan.key("role-AccountBalance")).value == "ignore"
    assert loan.saved.relevant_columns == ("AnnualSalary",)


def test_a_second_decision_takes_the_place_of_the_first(loan: User) -> None:
    loan.choose("role-AccountBalance", "decision")
    assert loan.saved.roles.decision is not None
    assert loan.saved.roles.decision.column == "AccountBalance"
    assert loan.at.selectbox(key=loan.key("role-LoanApproval")).value == "ignore"


def test_kind_and_weight(loan: User) -> None:
    loan.choose("kind-AnnualSalary", "ordinal")
    loan.at.number_input(key=loan.key("weight-AnnualSalary")).set_value(2.5)
    loan.run()
    part = loan.saved.roles.relevant[0]
    assert (part.column, part.kind, part.weight) == ("AnnualSalary", "ordinal", 2.5)
    assert loan.last_change == "Changed how AnnualSalary is compared"


def test_groups_by_value_and_name(loan: User) -> None:
    loan.choose("protected-Gender", 0)
    loan.choose("reference-Gender", 1)
    loan.type("protected-name-Gender", "men")
    part = loan.saved.roles.protected[0]
    assert (part.protected, part.reference, part.protected_name) == (0, 1, "men")
    said = "Changed the name of the protected group of Gender from women to men"
    assert loan.last_change == said


def test_outcomes_by_value_and_name(loan: User) -> None:
    loan.choose("negative", 1)
    loan.type("negative-name", "granted")
    assert loan.saved.roles.decision is not None
    assert loan.saved.roles.decision.negative == 1
    assert loan.saved.outcomes.negative == "granted"


def test_title_and_description(loan: User) -> None:
    loan.type("case-title", "  Case 7  ")
    assert loan.saved.title == "Case 7"
    assert loan.workspace.title == "Case 7"
    loan.type("case-title", "   ")
    assert loan.saved.title == "Case 7", "a case keeps a title"
    loan.at.text_area(key=loan.key("case-story")).set_value("A woman was refused.")
    loan.run()
    assert loan.saved.story == "A woman was refused."


def test_a_rule_agrees_as_the_library_says(loan: User) -> None:
    loan.at.number_input(key=loan.key("rule-cutoff")).set_value(200_000.0)
    loan.run()
    maker = loan.saved.decision_maker
    assert isinstance(maker, ThresholdPart)
    assert maker.cutoff == 200_000
    assert loan.last_change == "Changed the rule: AnnualSalary + 5 × AccountBalance > 200,000"
    assert "Accepted when AnnualSalary + 5 × AccountBalance > 200,000" in loan.text
    people = load_scenario("loan").dataset()
    accepted = (people.frame["AnnualSalary"] + 5 * people.frame["AccountBalance"]) > 200_000
    recorded = people.recorded_negative()
    assert recorded is not None
    agree = float(np.mean(accepted.to_numpy() == ~recorded))
    assert agree < 1
    assert f"accepts {percent(float(accepted.mean()), 1)} of 4,993 people" in loan.text
    assert f"recorded decision for {percent(agree, 1)}" in loan.text
    wrongly = int((accepted.to_numpy() & recorded).sum())
    assert f"accepts {wrongly:,} who were refused" in loan.text


def test_a_rule_needs_a_weight(loan: User) -> None:
    before = loan.saved
    for column in ("AnnualSalary", "AccountBalance"):
        loan.at.number_input(key=loan.key(f"rule-{column}")).set_value(0.0)
    loan.run()
    assert "Give at least one attribute a weight other than 0." in loan.errors
    assert loan.saved == before


def test_the_kinds_of_decision_maker(loan: User) -> None:
    loan.at.radio(key=loan.key("maker-type")).set_value("recorded")
    loan.run()
    assert isinstance(loan.saved.decision_maker, RecordedPart)
    assert "50.5 % of 4,993 decisions are positive" in loan.text
    loan.at.radio(key=loan.key("maker-type")).set_value("model")
    loan.run()
    assert isinstance(loan.saved.decision_maker, ModelPart)
    loan.choose("model-kind", "tree")
    loan.set_number("model-tree-max_depth", 2)
    loan.at.multiselect(key=loan.key("model-columns")).set_value(["AccountBalance", "Gender"])
    loan.run()
    part = loan.saved.decision_maker
    assert isinstance(part, ModelPart)
    assert (part.kind, part.max_depth) == ("tree", 2)
    assert part.columns == ("AccountBalance", "Gender")
    assert "The model looks at Gender itself" in loan.text
    assert "of people it had not seen (5 folds, seed 0)" in loan.text
    loan.choose("model-kind", "random-forest")
    loan.run()
    loan.set_number("model-random-forest-trees", 5)
    loan.run()
    part = loan.saved.decision_maker
    assert isinstance(part, ModelPart)
    assert (part.kind, part.given) == ("random-forest", {"max_depth": 2, "trees": 5})
    loan.at.radio(key=loan.key("maker-type")).set_value("threshold")
    loan.run()
    assert isinstance(loan.saved.decision_maker, ModelPart), "nothing counts before it is said"
    assert "Until then the case stays as it was" in loan.text
    loan.set_number("rule-AccountBalance", 2.0)
    loan.set_number("rule-cutoff-new", 50_000.0)
    maker = loan.saved.decision_maker
    assert isinstance(maker, ThresholdPart)
    assert (maker.weights, maker.cutoff) == ({"AccountBalance": 2.0}, 50_000.0)


def test_own_data_from_nothing_to_ready(own: User, store: Store) -> None:
    assert own.saved.source is not None
    assert own.saved.source.name == "people.csv"
    assert store.get_blob(own.workspace.id, own.saved.source.sha256) == SMALL.encode()
    assert "No column has a role yet" in own.text
    own.press("Take all suggestions")
    own.choose("role-sex", "protected").choose("role-grade", "relevant").choose(
        "role-ok", "decision"
    )
    own.choose("role-town", "ignore")
    decision = own.saved.roles.decision
    assert decision is not None
    assert decision.negative is None, "nothing counts before it is chosen"
    assert own.text.count("Say which outcome in 'ok' is the negative one.") == 2, "and in the list"
    assert own.errors == []
    own.choose("negative", "no")
    assert "Values are missing in grade (2): 2 people of 60 lack at least one." in own.text
    assert "Say who is compared in 'sex'" in own.text
    own.choose("protected-sex", "f").choose("reference-sex", "m")
    assert own.errors == []
    assert "1 thing is left to settle before a test can run:" in own.text
    assert "Leave the 2 people out" in own.text
    own.at.radio(key=own.key("missing")).set_value("drop")
    own.run()
    assert own.saved.source.missing == "drop"
    assert own.last_change == "Left people with missing values out"
    assert "The data are ready." in own.text, own.text
    own.press("Go on to the causal model")
    assert "This causal model is empty" in own.text
    own.press("Draw the usual arrows")
    assert {(e.cause, e.effect) for e in own.saved.world.edges} == {
        ("sex", "grade"),
        ("grade", "ok"),
    }
    assert "On average, all 29 people" in own.text


def test_values_that_a_new_table_lacks_are_not_changed_by_looking(loan: User) -> None:
    other = "Gender,AnnualSalary,AccountBalance,LoanApproval\n" + "".join(
        f"{'xy'[i % 2]},{i},{i * 3 % 11},{'ab'[i % 2]}\n" for i in range(40)
    )
    roles = loan.saved.roles
    loan.at.file_uploader(key=loan.key("data-upload")).upload("o.csv", other.encode(), "text/csv")
    loan.run()
    assert loan.last_change == "Uploaded o.csv"
    assert loan.saved.roles == roles
    assert loan.at.error, "that the values are not there is said"


def test_a_step_that_nobody_is_on_stays_in_the_scale(own: User) -> None:
    own.choose("role-town", "relevant").choose("kind-town", "ordinal")
    own.at.multiselect(key=own.key("order-town")).set_value(["c", "a", "b"])
    own.run()
    assert own.saved.roles.relevant[0].order == ("c", "a", "b")
    fewer = SMALL.replace(",a,", ",b,")
    own.at.file_uploader(key=own.key("data-upload")).upload("f.csv", fewer.encode(), "text/csv")
    own.run()
    assert own.saved.roles.relevant[0].order == ("c", "a", "b")


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02\x03" * 50, b"only one line"])
def test_a_file_that_is_no_table_changes_nothing(loan: User, content: bytes) -> None:
    before = loan.saved
    loan.at.file_uploader(key=loan.key("data-upload")).upload("x.csv", content, "text/csv")
    loan.run()
    assert loan.at.error
    assert loan.saved == before


def test_how_the_file_is_read(own: User) -> None:
    own.choose("delimiter", ";")
    assert own.saved.source is not None
    assert own.saved.source.delimiter == ";"
    assert own.last_change == "Changed how the file is read"
    own.choose("delimiter", ",").choose("encoding", "utf-16")
    assert own.saved.source.encoding != "utf-16"
    assert "The table is still read as before." in own.text


def test_a_role_for_a_column_that_is_gone(loan: User) -> None:
    loan.at.file_uploader(key=loan.key("data-upload")).upload("s.csv", SMALL.encode(), "text/csv")
    loan.run()
    assert any("The table has no column" in item for item in loan.errors)
    loan.press("Take these roles away")
    assert loan.saved.roles.protected == ()
    assert loan.saved.roles.relevant == ()
    assert loan.saved.roles.decision is None
