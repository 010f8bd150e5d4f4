"""The page about one person: its numbers against the library, finding her, links and bookmarks."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import numpy as np
import pytest
from app_user import User

from cst_core import (
    EvidenceSettings,
    SearchSettings,
    load_scenario,
    run_intersectional,
    run_multiple,
    run_single,
)
from cst_core.evidence import Method
from cst_core.explain import (
    difference,
    exact,
    explain_person,
    explanation_content,
    headline_lines,
    number,
)
from cst_core.results import SingleResult
from dashboard.draft.document import Draft
from dashboard.draft.files import sample_draft
from dashboard.pages.person.finder import PARAMETER
from dashboard.session.state import store

Visit = Callable[..., User]
K15 = EvidenceSettings(n_neighbours=15)


@pytest.fixture(scope="module")
def loan() -> SingleResult:
    case = load_scenario("loan")
    return run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
    )


@pytest.fixture(scope="module")
def law() -> SingleResult:
    case = load_scenario("law-school")
    return run_single(
        case.dataset(),
        case.causal_model(),
        attribute="gender",
        decision_maker=case.decision_maker(),
    )


def look(user: User, person: str, **settings: str) -> User:
    for name, value in {PARAMETER: person, **settings}.items():
        user.at.query_params[name] = value
    return user.go("complainant")


def open_with(visit: Visit, draft: Draft, data: bytes) -> User:
    here = store()
    assert draft.source is not None
    sha = here.put_blob(data, name="people.csv")
    source = draft.source.model_copy(update={"sha256": sha, "sample": None})
    draft = draft.model_copy(update={"source": source})
    made = here.create(draft.to_json(), title=draft.title, author="", summary="made", blobs=(sha,))
    return visit(made.token)


def check_her(user: User, result: SingleResult, person: object, k: int = 15) -> None:
    settings = EvidenceSettings(n_neighbours=k)
    place = result.index.get_loc(person)
    for method in result.methods:
        if method == "CF":
            continue
        one = result.evidence(method, settings)
        said = (
            f"{difference(one.delta[place])} {difference(one.bound[place])} "
            f"{'a ' if one.is_case[place] else 'no difference to examine'}"
        )
        assert said in user.text, (method, said)


def test_her_numbers_on_the_loan_sample(visit: Visit, loan: SingleResult) -> None:
    user = look(visit().open_sample("loan"), "L0015")
    assert "Person L0015" in user.text
    check_her(user, loan, "L0015")
    row = loan.dataset.index.get_loc("L0015")
    there = loan.counterfactuals.frame.iloc[row]
    here = loan.dataset.frame.iloc[row]
    for column, label in (("AnnualSalary", "Annual salary"), ("AccountBalance", "Account balance")):
        assert f"{label}: {exact(here[column])} → {exact(there[column])}" in user.text
    score = there["AnnualSalary"] + 5 * there["AccountBalance"]
    assert f"= {exact(score)}" in user.text
    salary = number(there["AnnualSalary"] - here["AnnualSalary"], 5)
    assert f"with {salary} more Annual salary" in user.text
    assert "discriminated" not in user.text.lower()


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF"])
def test_her_page_says_what_the_command_says(
    visit: Visit, loan: SingleResult, method: Method
) -> None:
    names = load_scenario("loan").names()
    content = explanation_content(names, explain_person(loan, "L0015", method, K15))
    user = look(visit().open_sample("loan"), "L0015", method=method)
    shown = " ".join(unescape(user.text).split())
    said = content["attributes"][0]["sentences"]
    assert "without a correction" in said["cautions"][-1]
    for sentence in (said["headline"], said["interval"], *said["methods"], *said["cautions"]):
        assert " ".join(sentence.split()) in shown
    for sentence in said["firmness"]:
        assert sentence in shown


def test_her_numbers_on_the_law_school_sample(visit: Visit, law: SingleResult) -> None:
    one = law.evidence("CST_wo", EvidenceSettings(n_neighbours=30))
    person = law.index[int(np.argmax(one.delta))]
    user = look(visit().open_sample("law-school"), str(person), test="gender", k="30")
    check_her(user, law, person, k=30)
    groups = law.groups(person, 30)
    tied = groups.control["weight"] < 1
    assert tied.any()
    assert f"{tied.sum()} people are equally far away" in user.text


def test_what_speaks_against_a_finding_stands_beside_it(visit: Visit, law: SingleResult) -> None:
    case = explain_person(law, 516, "CST_wo", K15).cases[0]
    lines = headline_lines(load_scenario("law-school").names(), case)
    against = [line for mark, line in lines if mark == "Against it:"]
    assert len(against) == 2  # her own decision does not turn, and each group is one profile
    user = look(visit().open_sample("law-school"), "516", test="gender")
    for sentence in against:
        assert f"Against it: {sentence}" in user.text


def test_moving_k_moves_her_numbers(visit: Visit, loan: SingleResult) -> None:
    user = look(visit().open_sample("loan"), "L0015")
    key = next(item.key for item in user.at.slider)
    for k in (40, 120, 300):
        user.at.slider(key=key).set_value(k)
        user.run()
        check_her(user, loan, "L0015", k=k)


def test_nobody_is_chosen_at_first_and_the_first_is_one_click_away(
    visit: Visit, loan: SingleResult
) -> None:
    user = visit().open_sample("loan").go("complainant")
    assert "Choose one of the" in user.text
    user.press("Show the first in the table")
    one = loan.evidence("CST_wo", K15)
    there = loan.counterfactual_negative
    assert there is not None
    turns = loan.refused & ~there[loan.is_protected]
    order = np.lexsort((-one.bound.round(9), one.zero_width, ~turns, ~one.is_significant))
    first, second = loan.index[order[:2]]
    assert f"Person {first}" in user.text
    assert user.at.query_params[PARAMETER] in (first, [first])
    user.press("Next")
    assert f"Person {second}" in user.text
    user.press("Previous")
    assert f"Person {first}" in user.text
    assert user.button("Previous").disabled


def test_search_by_all_and_by_a_part_of_an_id(visit: Visit) -> None:
    user = visit().open_sample("loan").go("complainant")
    user.write("Search by id", "L0057")
    assert "Person L0057" in user.text
    user.write("Search by id", "005")
    assert "of 2,246 women" in user.text
    shown = user.at.dataframe[0].value
    assert len(shown)
    assert all("005" in person for person in shown["Person"])
    user.write("Search by id", "nobody at all")
    assert "Nobody matches." in user.text


@pytest.mark.parametrize(
    "name", ["cases", "significant", "turns", "refused", "differ", "bookmarked"]
)
def test_filters(visit: Visit, loan: SingleResult, name: str) -> None:
    user = visit().open_sample("loan").go("complainant")
    pills = next(item for item in user.at.pills if item.label == "Show only")
    pills.set_value([name])
    user.run()
    one = loan.evidence("CST_wo", K15)
    cases = np.array([loan.evidence(m, K15).is_case for m in loan.methods])
    expected = {
        "cases": one.is_case.sum(),
        "significant": one.is_significant.sum(),
        "refused": loan.refused.sum(),
        "turns": (loan.refused & ~loan.counterfactual_negative[loan.is_protected]).sum(),
        "differ": (cases.any(axis=0) & ~cases.all(axis=0)).sum(),
        "bookmarked": 0,
    }[name]
    assert f"{expected:,} of 2,246 women" in user.text
    assert ("Nobody matches." in user.text) == (expected == 0)


def test_a_person_who_is_not_there(visit: Visit, loan: SingleResult) -> None:
    user = look(visit().open_sample("loan"), "<b>nobody</b>")
    assert "Nobody in the data has the id “<b>nobody</b>”" in user.text
    man = loan.dataset.index[~loan.is_protected][0]
    look(user, man)
    assert f"“{man}” is in the data, but not one of the women" in user.text


def test_a_bookmark_is_saved_with_its_note_and_removed(visit: Visit) -> None:
    user = look(visit().open_sample("loan"), "L0015")
    user.write("Note (optional)", "Ask for her file").press("Bookmark this person")
    mark = user.saved.bookmarks[0]
    assert (mark.test, mark.person, mark.note) == ("Gender", "L0015", "Ask for her file")
    assert user.last_change == "Bookmarked L0015"
    again = look(visit(user.link), "L0015")
    again.press("Remove the bookmark")
    assert again.saved.bookmarks == ()


def test_what_if_is_never_saved(visit: Visit, loan: SingleResult) -> None:
    user = look(visit().open_sample("loan"), "L0015")
    before = user.saved
    user.at.session_state["open-what-if"] = True
    user.run()
    assert "Nothing is changed yet." in user.text
    user.enter("Annual salary", 200_000.0)
    row = loan.dataset.index.get_loc("L0015")
    own, there = (
        frame["AnnualSalary"].iloc[row]
        for frame in (loan.dataset.frame, loan.counterfactuals.frame)
    )
    assert f"Annual salary {exact(own)} 200,000" in user.text
    assert exact(200_000 + there - own) in user.text
    assert "What if (hypothetical)" in user.text
    user.press("Reset")
    assert "Nothing is changed yet." in user.text
    assert user.saved == before


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_multiple_says_each_attribute_and_the_level(visit: Visit) -> None:
    case = load_scenario("law-school")
    found = run_multiple(case.dataset(), case.causal_model(), decision_maker=case.decision_maker())
    evidence = found.evidence("CST_wo", EvidenceSettings(n_neighbours=30))
    place = int(np.argmax(evidence.delta))
    user = look(visit().open_sample("law-school"), str(found.index[place]), test="multiple", k="30")
    assert "0.05 ÷ 2 = 0.025 (Bonferroni)" in user.text
    for run in evidence.runs.values():
        assert f"{difference(run.delta[place])} {difference(run.bound[place])}" in user.text
    assert "97.5 % confidence" in user.text


def test_the_attribute_of_a_multiple_test_is_in_the_link(visit: Visit) -> None:
    user = visit().open_sample("law-school")
    user.at.query_params["test"] = "multiple"
    user.go("complainant").press("Show the first in the table")
    person = user.at.query_params[PARAMETER]
    assert user.at.query_params["by"] in ("gender", ["gender"])
    control = user.at.segmented_control(key=user.key("which-run"))
    control.set_value("race")
    user.run()
    assert user.at.query_params["by"] in ("race", ["race"])
    name = person if isinstance(person, str) else person[0]
    again = look(visit(user.link), name, test="multiple", by="race")
    assert "Control group: non-white people most like her" in again.text
    other = look(visit(user.link), name, test="multiple", by="age")
    assert "The link says by = “age”, which is none of the attributes tested" in other.text
    assert "Control group: women most like her" in other.text


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_intersectional(visit: Visit) -> None:
    case = load_scenario("law-school")
    found = run_intersectional(
        case.dataset(), case.causal_model(), decision_maker=case.decision_maker()
    )
    evidence = found.evidence("CST_wo", K15)
    place = int(np.argmax(evidence.delta))
    user = look(
        visit().open_sample("law-school"), str(found.index[place]), test="intersectional", k="15"
    )
    check_her(user, found, found.index[place])
    assert "[women who are also non-white people]" in user.text


def small_case(visit: Visit, *, with_rule: bool) -> User:
    """Return a case of seven people, so that no group can hold fifteen."""
    draft, _ = sample_draft("loan")
    rows = ["id,Gender,AnnualSalary,AccountBalance,LoanApproval"]
    rows += [f"w{i},1,{1000 * i},{10 * i},{-1 if i < 3 else 1}" for i in range(1, 5)]
    rows += [f"m{i},0,{1200 * i},{12 * i},1" for i in range(1, 4)]
    if not with_rule:
        draft = Draft.model_validate(
            {**draft.model_dump(by_alias=True), "decision_maker": {"type": "recorded"}}
        )
    return open_with(visit, draft, "\n".join(rows).encode())


def test_a_case_of_seven_people(visit: Visit) -> None:
    user = look(small_case(visit, with_rule=True), "w2")
    assert "Person w2" in user.text
    assert "(3 people)" in user.text


@pytest.mark.parametrize("limit", [0.003, 0.0])
def test_groups_smaller_than_k(visit: Visit, limit: float) -> None:
    draft, data = sample_draft("loan")
    settings = draft.settings.model_copy(update={"max_distance": limit})
    user = look(
        open_with(visit, draft.model_copy(update={"settings": settings}), data), "L0015", k="50"
    )
    case = load_scenario("loan")
    found = run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=SearchSettings(max_distance=limit),
    )
    groups = found.groups("L0015", 50)
    for name, members in (("control", groups.control), ("test", groups.test_cst)):
        assert len(members) < 50
        said = f"The {name} group has only {len(members)} people, fewer than k = 50"
        nobody = f"Nobody is in the {name} group"
        assert (said if len(members) else nobody) in user.text
    empty = any(len(one) == 0 for one in (groups.control, groups.test_st, groups.test_cst))
    assert ("no evidence possible" in user.text) == empty


def test_no_decision_maker_says_why(visit: Visit) -> None:
    user = look(small_case(visit, with_rule=False), "w2", method="CF")
    assert "This method is not available" in user.text
    assert "CST w/ and CF: not available" in user.text
    assert "not known: no decision rule" in user.text
    assert "cut-off" not in user.text


def test_names_with_markup_stay_text(visit: Visit) -> None:
    draft, _ = sample_draft("loan")
    bad = "<img src=x onerror=alert(1)>**b**"
    data = f"id,Gender,AnnualSalary,AccountBalance,LoanApproval\n{bad},1,1,1,-1\nb,1,2,2,1\n"
    data += "c,0,3,3,1\nd,0,2,4,1\ne,1,3,5,-1\n"
    user = look(open_with(visit, draft, data.encode()), bad)
    assert "Person <img src=x onerror=alert(1)>" in user.text
    raw = "".join(item.proto.body for item in user.at.get("html"))
    assert "<img src=x" not in raw


@pytest.mark.parametrize(
    ("person", "words", "said", "never"),
    [
        (
            "L0002",
            {"protected": 0, "reference": 1, "protected_name": "men", "reference_name": "women"},
            ("Who he is, and who he would have been", "Of the men most like him"),
            ("she", "her", "hers", "herself"),
        ),
        (
            "L0015",
            {"pronoun": "neutral"},
            ("The people this person is compared with", "women most like this person"),
            ("she", "her", "hers", "herself", "he", "him", "his", "himself"),
        ),
    ],
)
def test_page_and_sheet_speak_of_the_person_as_the_group_is_called(
    visit: Visit,
    person: str,
    words: dict[str, object],
    said: tuple[str, ...],
    never: tuple[str, ...],
) -> None:
    draft, data = sample_draft("loan")
    part = draft.roles.protected[0].model_copy(update=words)
    roles = draft.roles.model_copy(update={"protected": (part,)})
    draft = draft.model_copy(update={"roles": roles, "story": "", "description": ""})
    user = look(open_with(visit, draft, data), person)
    body = " ".join(unescape(user._html()).split())
    assert "cst-sheet" in body
    shown = f"{user.text} {body}"
    assert all(part in shown for part in said)
    assert not re.findall(rf"\b({'|'.join(never)})\b", shown, re.IGNORECASE)
