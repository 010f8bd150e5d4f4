"""The settings of the evidence: saved, in the link, and never changed by looking."""

from __future__ import annotations

import warnings

import pytest
from app_user import EVERY_PAGE, PAGES, User, read_html

from cst_core import EvidenceSettings, load_scenario, run_single
from cst_core.evidence import SETTINGS
from dashboard.draft.files import export_archive, sample_draft
from dashboard.shared.text import JOINER

EVIDENCE = tuple(path for path in EVERY_PAGE if path not in PAGES)


def text_of(user: User) -> str:
    parts = [item.value for kind in ("markdown", "caption") for item in user.at.get(kind)]
    parts += [read_html(item.proto.body) for item in user.at.get("html")]
    return " ".join(str(part) for part in parts).replace(JOINER, "")


@pytest.fixture(scope="module")
def loan():
    case = load_scenario("loan")
    with warnings.catch_warnings(action="ignore"):
        return run_single(
            case.dataset(),
            case.causal_model(),
            attribute="Gender",
            decision_maker=case.decision_maker(),
        )


def test_looking_at_evidence_changes_nothing(visit):
    user = visit().open_sample("law-school")
    before = user.session.draft
    for path in (*EVIDENCE, *EVIDENCE):
        user.go(path)
        assert user.session.draft == before, path


@pytest.mark.parametrize("k", [1, 15, 60, 500])
def test_the_headline_is_the_librarys(visit, loan, k):
    user = visit().open_sample("loan").go("overview")
    user.at.slider[0].set_value(k)
    user.run()
    found = loan.summary("CST_wo", EvidenceSettings(n_neighbours=k))
    assert user.session.draft.view.k == k
    said = text_of(user)
    assert f"Of {loan.n_protected:,} women, {found.cases:,} (" in said
    assert f"{found.significant:,} of them statistically significant at 5 %" in said


def test_k_typed_and_slid_follow_each_other(visit):
    user = visit().open_sample("loan").go("overview")
    number = next(item for item in user.at.number_input if item.label == "k as a number")
    number.set_value(40)
    user.run()
    assert user.session.draft.view.k == 40
    assert user.at.slider[0].value == 40
    user.at.slider[0].set_value(41)
    user.run()
    number = next(item for item in user.at.number_input if item.label == "k as a number")
    assert (user.session.draft.view.k, number.value) == (41, 41)


def test_settings_are_in_the_link_and_come_back_from_it(visit):
    user = visit().open_sample("loan").go("overview")
    user.at.slider[0].set_value(33)
    user.run()
    assert user.at.query_params["k"] in ("33", ["33"])
    other = visit(user.link)
    other.at.query_params["k"] = "21"
    other.at.query_params["tau"] = "0.1"
    other.go("overview")
    assert (other.session.draft.view.k, other.session.draft.settings.tau) == (21, 0.1)


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("k", "0", "a whole number of 1 or more. 15 is shown instead."),
        ("tau", "nan", "a number from −1 to 1. 0.0 is shown instead."),
        ("alpha", "5", "a number above 0 and below 1. 0.05 is shown instead."),
        ("method", "<b>", "one of CST_wo, ST, CST_w and CF. CST_wo is shown instead."),
        ("direction", "", "one of against and favour. against is shown instead."),
        ("test", "age", "one of Gender."),
    ],
)
def test_what_a_link_cannot_say_is_not_used_and_told(visit, field, value, expected):
    user = visit().open_sample("loan")
    before = user.session.draft
    user.at.query_params[field] = value
    user.at.query_params["k" if field != "k" else "tau"] = "0.1" if field == "k" else "21"
    user.go("overview")
    told = f"The link says {field} = “{value}”, which cannot be used: it must be {expected}"
    assert told in user.text
    other = user.session.draft.settings.tau if field == "k" else user.session.draft.view.k
    assert other == (0.1 if field == "k" else 21)  # the rest of the link counts
    assert getattr(user.session.draft.view, field, None) == getattr(before.view, field, None)
    user.run()
    assert told in user.text
    user.at.slider[0].set_value(33)
    user.run()
    assert "cannot be used" not in user.text


def test_a_setting_moved_by_two_people_is_no_conflict(visit):
    user = visit().open_sample("loan").go("overview")
    other = visit(user.link).go("overview")
    user.at.slider[0].set_value(20)
    user.run()
    other.at.slider[0].set_value(30)
    other.run()
    assert other.session.conflict is None
    assert other.kept.view.k == 30


def test_two_people_who_move_different_settings_keep_both(visit):
    user = visit().open_sample("loan").go("overview")
    other = visit(user.link).go("overview")
    user.at.number_input(key=user.key("set-tau")).set_value(0.05)
    user.run()
    other.at.slider[0].set_value(30)
    other.run()
    assert (other.kept.view.k, other.kept.settings.tau) == (30, 0.05)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("alpha", "0.7"),
        ("alpha", "0.0005"),
        ("alpha", "1e-12"),
        ("alpha", "0.999999"),
        ("tau", "-1"),
        ("tau", "1"),
        ("tau", "0.00001"),
        ("max_distance", "7.5"),
    ],
)
def test_every_value_that_a_case_may_have_can_be_shown(visit, field, value):
    user = visit().open_sample("loan")
    user.at.query_params[field] = value
    user.at.query_params["person"] = "L0015"
    for path in ("overview", "complainant", "robustness"):
        user.go(path)
        assert getattr(user.session.draft.settings, field) == float(value)
    assert "cannot be used" not in user.text
    shown = {"alpha": "set-alpha", "tau": "set-tau", "max_distance": "set-max_distance"}[field]
    assert user.at.number_input(key=user.key(shown)).value == float(value)


@pytest.mark.parametrize("one", SETTINGS.values(), ids=SETTINGS)
def test_every_setting_has_a_field_and_comes_back_from_a_link(visit, one):
    moved = next(name for name in one.words if name != one.default) if one.words else True
    if one.bounds is not None:
        moved = 20 if one.is_whole else 0.3
    user = visit().open_sample("law-school" if one.is_for_several else "loan")
    user.at.query_params[one.name] = str(moved)
    if one.unless is not None:
        user.at.query_params[one.unless[0]] = "score"
    if one.name == "calibration":
        user.at.query_params["relabellings"] = "19"
    user.go("overview")
    assert getattr(user.session.draft.settings, one.name) == moved
    assert user.at.query_params[one.name] in (str(moved), [str(moved)])
    kind = "toggle" if one.is_switch else "selectbox" if one.words else "number_input"
    field = getattr(user.at, kind)(key=user.key(f"set-{one.name}"))
    assert field.value == moved
    assert field.label.startswith(one.title)
    assert "cannot be used" not in user.text


@pytest.mark.parametrize("alpha", [0.7, 0.0005])
def test_an_imported_case_with_an_unusual_level_is_shown(visit, alpha):
    draft, data = sample_draft("loan")
    settings = draft.settings.model_copy(update={"alpha": alpha, "tau": -1.0})
    archive = export_archive(draft.model_copy(update={"settings": settings}), {}, data)
    user = visit()
    user.at.file_uploader(key="scenario-file").upload("case.zip", archive, "application/zip")
    user.run().go("overview")
    assert user.session.draft.settings.alpha == alpha
    assert user.at.number_input(key=user.key("set-alpha")).value == alpha
    assert f"statistically significant at {100 * alpha:g} %" in user.text


@pytest.mark.parametrize(("field", "value"), [("alpha", "0"), ("alpha", "1"), ("tau", "1.01")])
def test_what_no_case_may_have_is_told(visit, field, value):
    user = visit().open_sample("loan")
    user.at.query_params[field] = value
    user.go("overview")
    assert f"The link says {field} = “{value}”, which cannot be used" in user.text


def test_what_this_k_can_show_begins_with_the_test_that_is_shown(visit):
    user = visit().open_sample("law-school")
    user.at.session_state["power"] = True  # the window is open
    user.go("overview")

    def refused():
        return next(item for item in user.at.slider if "Refused" in item.label)

    case = load_scenario("law-school")
    with warnings.catch_warnings(action="ignore"):
        shares = {
            name: 1
            - run_single(
                case.dataset(),
                case.causal_model(),
                attribute=name,
                decision_maker=case.decision_maker(),
            ).parity.accepted_reference
            for name in ("gender", "race")
        }
    assert refused().value == 50
    assert f"{100 * shares['gender']:.0f} % were refused" in user.text
    refused().set_value(20)
    assert refused().value == 20
    assert "With k = 15 and 20% refused in the test group" in user.run().text
    user.choose("set-test", "race")
    assert refused().value == 50
    assert f"{100 * shares['race']:.0f} % were refused" in user.text
    user.choose("set-test", "multiple")
    assert "This is about gender alone, at its own error level 0.025" in user.text


@pytest.mark.parametrize(
    ("name", "value"), [("interval", "score"), ("ties", "all"), ("distance", "rank")]
)
def test_a_setting_that_presets_fix_stays_when_it_is_moved(visit, name, value):
    user = visit().open_sample("loan").go("overview")
    user.choose(f"set-{name}", value)
    for _ in range(3):
        user.run()
        assert getattr(user.session.draft.settings, name) == value
        assert user.at.selectbox(key=user.key("set-preset")).value == "own"
    user.set_number("set-relabellings", 19)
    user.choose("set-preset", "strict")
    user.run()
    assert user.session.draft.settings.interval == "exact-ratio"
    assert user.at.selectbox(key=user.key("set-preset")).value == "strict"


@pytest.mark.parametrize("path", ["overview", "groups", "two-worlds", "complainant"])
def test_a_page_opens_on_the_test_last_chosen_in_the_workspace(visit, path):
    user = visit().open_sample("law-school").go("overview")
    assert user.at.selectbox(key=user.key("set-test")).value == "gender"
    user.choose("set-test", "race")
    other = visit(user.link)  # the link says nothing of a test
    assert "test" not in other.at.query_params
    other.go(path)
    assert other.at.selectbox(key=other.key("set-test")).value == "race"
    later = visit(user.link)
    later.at.query_params["test"] = "gender"
    later.go(path)
    assert later.at.selectbox(key=later.key("set-test")).value == "gender"
    assert user.kept.view.test == "race", "a link moves nobody else's settings"
