"""The page of two worlds: its numbers against the library, and what it says without b()."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from app_user import User
from own_cases import library, open_link

from cst_core import counterfactuals, load_scenario
from cst_core.decisions import ask
from cst_core.explain import number

Visit = Callable[..., User]


@pytest.mark.parametrize(
    ("sample", "test", "who", "rest"),
    [
        ("loan", "Gender", "women", "men"),
        ("law-school", "gender", "women", "men"),
        ("law-school", "race", "non-white people", "white people"),
    ],
)
def test_the_shifts_and_turned_decisions_are_the_librarys(
    visit: Visit, sample: str, test: str, who: str, rest: str
) -> None:
    user = visit().open_sample(sample)
    user.at.query_params["test"] = test
    user.go("two-worlds")
    case = load_scenario(sample)
    data = case.dataset()
    inside = data.is_protected(test)
    fitted = case.causal_model().fit(data)
    reference = data.roles.protected_attribute(test).reference_label
    other = counterfactuals(fitted, data, {test: reference})
    for attribute in data.roles.relevant:
        before = data.frame[attribute.column].to_numpy(dtype=float)
        after = other.frame[attribute.column].to_numpy(dtype=float)[inside]
        shift = after.mean() - before[inside].mean()
        assert f"{number(abs(shift), 3)} {'higher' if shift > 0 else 'lower'}" in user.text
        assert f"Among {rest} it is {number(before[~inside].mean())}." in user.text
        lower, median, upper = np.quantile(after, [0.25, 0.5, 0.75])
        row = f"{number(after.mean())} {number(lower)} {number(median)} {number(upper)}"
        assert f"{who}, counterfactual {row}" in user.text
    maker = case.decision_maker()
    assert maker is not None
    recorded = data.recorded_negative()
    here = ask(maker, data.frame) if recorded is None else recorded
    there = ask(maker, other.frame)[inside]
    turned = int((here[inside] & ~there).sum())
    back = int((~here[inside] & there).sum())
    assert f"Of {inside.sum():,} {who}, {turned:,} were refused and would be" in user.text
    assert f"For the other {inside.sum() - turned - back:,} the decision stays" in user.text
    assert "discriminated" not in user.text


def test_without_a_decision_maker_it_says_why(visit: Visit) -> None:
    user = visit(open_link(1)).go("two-worlds")
    assert "Which decisions would turn cannot be said" in user.text
    assert user.button("Give a decision maker")
    data, model = library(1)
    other = counterfactuals(model.fit(data), data, {"sex": "no"})
    inside = data.is_protected("sex")
    shift = (other.frame["income"] - data.frame["income"])[inside].mean()
    assert f"on average {number(shift, 3)} higher" in user.text


def test_names_stay_text_and_are_counted(visit: Visit) -> None:
    user = visit(open_link(1)).go("two-worlds")
    assert "<b>town</b> stays as it is" in user.text
    assert not any("<b>town" in text for text in user.shown_as_markdown())


def test_multiple_discrimination_asks_which_run(visit: Visit) -> None:
    user = visit().open_sample("law-school")
    user.at.query_params["test"] = "multiple"
    user.go("two-worlds")
    assert "Of 9,537 women" in user.text
    user.at.segmented_control(key=user.key("which-run")).set_value("race")
    user.run()
    assert "Of 3,506 non-white people" in user.text


def test_intersectional_discrimination_has_two_worlds_too(visit: Visit) -> None:
    user = visit().open_sample("law-school")
    user.at.query_params["test"] = "intersectional"
    user.go("two-worlds")
    assert "had they been none of these groups" in user.text
    assert "Of 1,833 women who are also non-white people" in user.text


def test_every_table_can_be_taken_along(visit: Visit) -> None:
    user = visit().open_sample("loan").go("two-worlds")
    assert {"CSV", "XLSX"} <= user.downloads


def test_without_a_workspace_the_pages_lead_to_one(visit: Visit) -> None:
    user = visit()
    for path in ("two-worlds", "groups", "several"):
        user.go(path)
        assert "No workspace is open" in user.text
