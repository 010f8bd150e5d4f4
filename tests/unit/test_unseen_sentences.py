"""What was not measured, for one person: the words follow the numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from robust_cases import ASKED, GRAPH, LINEAR, run

import cst_core
from cst_core.explain import (
    PRONOUNS,
    CaseNames,
    GroupNames,
    PersonCase,
    Subject,
    explain_person,
    explanation_content,
    needed_sentence,
    objections,
    odds_sentence,
    strengths_sentence,
    unmeasured_headlines,
    unseen_sentences,
)
from cst_core.results import SingleResult
from cst_core.robustness import (
    NO_DATA_SHOWS,
    NeededStrength,
    PersonConfounding,
    UnmeasuredArrow,
    arrow_strengths,
    confounding,
    evidence_odds,
)

ABOUT = Subject(finding="finding", case="a significant case", cause="sex", who=PRONOUNS["she"])
NAMES = CaseNames(
    groups={"sex": GroupNames(protected="women", reference="men", people=("women", "men"))},
    attributes=("age", "pay", "saved"),
    labels={"pay": "Pay"},
    negative="refused",
    positive="granted",
)


def case_of(result: SingleResult, odds: str = "above", method: str = "CST_wo") -> PersonCase:
    """Return someone whose Γ is above 1, or 1."""
    found = evidence_odds(result.evidence(method, ASKED))  # type: ignore[arg-type]
    place = int(np.flatnonzero(found > 1 if odds == "above" else found == 1)[0])
    who = result.index[place]
    return explain_person(result, who, method, ASKED).cases[0]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def plain() -> SingleResult:
    return run()


def test_odds_in_words(plain: SingleResult) -> None:
    said = odds_sentence(NAMES, case_of(plain))
    assert said.startswith(
        "If, for reasons unseen, the women of her control group were refused at "
    )
    assert said.endswith(
        " times the odds of the men of her test group, this difference would not be significant "
        "(exact test, α = 0.05)."
    )
    equal = case_of(plain, "equal")
    assert "not significant even at equal odds" in odds_sentence(NAMES, equal)
    nothing = replace(equal, findings={"CST_wo": replace(equal.finding, has_evidence=False)})
    assert odds_sentence(NAMES, nothing).startswith("Nothing can be compared")


def test_strengths_in_words(plain: SingleResult) -> None:
    case = case_of(plain)
    pay, saved = arrow_strengths(plain)
    assert strengths_sentence(NAMES, case).startswith(
        f"An unseen common cause would have to explain {pay.value():.0%}".replace("%", " %")
        + " of what is left of both sex and Pay and "
        + f"{saved.value():.0%} of what is left of both sex and saved".replace("%", " %")
    )
    assert strengths_sentence(NAMES, case_of(plain, method="ST")) == ""
    assert len(unseen_sentences(NAMES, case)) == 2


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_what_is_drawn_comes_first() -> None:
    model = replace(LINEAR, graph=replace(GRAPH, bidirected=(("sex", "pay"), ("sex", "age"))))
    result = run(model)
    said = unseen_sentences(NAMES, case_of(result))
    assert said[0] == (
        "What moves both sex and Pay, unmeasured, touches sex → Pay, on which this result rests."
    )
    assert len(said) == 3  # sex ↔ age touches nothing
    case = case_of(result)
    whole = explain_person(result, case.person, "CST_wo", ASKED)
    content = explanation_content(NAMES, whole)["attributes"][0]
    assert content["unseen"]["unmeasured"] == ["sex ↔ pay"]
    assert content["unseen"]["odds"] > 1
    assert [arrow["effect"] for arrow in content["unseen"]["arrows"]] == ["pay", "saved"]
    assert content["sentences"]["unseen"] == [*said, NO_DATA_SHOWS]


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_what_is_drawn_is_the_first_objection_to_a_finding() -> None:
    drawn = replace(LINEAR, graph=replace(GRAPH, bidirected=(("sex", "pay"), ("sex", "age"))))
    first = (
        "The drawing says that something unmeasured moves both sex and Pay. Part or all of this "
        "difference may be its doing; no data here can tell."
    )
    result = run(drawn)
    case = case_of(result)
    assert case.finding.is_case
    assert objections(NAMES, case)[0] == first
    whole = explanation_content(NAMES, explain_person(result, case.person, "CST_wo", ASKED))
    assert first in whole["attributes"][0]["sentences"]["against"]
    assert first not in objections(NAMES, case_of(run()))
    nothing = replace(case, findings={"CST_wo": replace(case.finding, is_case=False)})
    assert objections(NAMES, nothing) == []


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_beside_the_headline_stands_what_findings_rest_on() -> None:
    result = run(replace(LINEAR, graph=replace(GRAPH, bidirected=(("sex", "pay"),))))
    assert unmeasured_headlines(NAMES, result, "CST_wo") == [
        "Findings that rest on sex → Pay may be the doing of something unmeasured, which the "
        "drawing says moves both sex and Pay. No data here can tell."
    ]
    checked = confounding(result, settings=ASKED)
    resting = int(checked.resting_on(checked.unmeasured[0]).sum())
    (said,) = unmeasured_headlines(NAMES, result, "CST_wo", [checked])
    assert said.startswith(
        f"{resting:,} of {int(checked.is_significant.sum()):,} findings by CST w/o at "
        f"k = {ASKED.n_neighbours} rest on sex → Pay, and the drawing says"
    )
    (other,) = unmeasured_headlines(NAMES, result, "CST_w", [checked])
    assert other.startswith("Findings that rest on")
    assert unmeasured_headlines(NAMES, result, "ST") == []
    assert unmeasured_headlines(NAMES, run(), "CST_wo") == []


PAY = NeededStrength(cause="sex", effect="pay", remaining=0.4, value=0.12)
SAVED = NeededStrength(cause="sex", effect="saved", remaining=None, value=None)
HERS = PersonConfounding(
    is_significant=True,
    effect_needed=0.5,
    for_lack=False,
    needed=(PAY,),
    together=0.12,
    odds=2.2,
    unmeasured=(),
)


@pytest.mark.parametrize(
    ("hers", "said"),
    [
        (
            HERS,
            "To take this finding away, an unseen common cause would have to explain 12 % of what "
            "is left of both sex and pay.",
        ),
        (
            replace(HERS, needed=(PAY, SAVED), together=0.09),
            "To take this finding away, an unseen common cause would have to explain 9 % of what "
            "is left of sex and of each of pay and saved (behind all of them), or 12 % of what is "
            "left of both sex and pay (behind that arrow alone). Without sex → saved alone it "
            "stays.",
        ),
        (
            replace(HERS, needed=(replace(PAY, value=None, remaining=None),), together=None),
            "The finding stays even if an unseen common cause explains away all of sex → pay, each "
            "alone or all at once: it does not rest on these effects.",
        ),
        (
            replace(HERS, needed=(), together=None),
            "No arrow out of the protected attribute has a robustness value, so how strong an "
            "unseen common cause would have to be cannot be said.",
        ),
        (
            replace(HERS, is_significant=False, needed=(), together=None),
            "There is no significant finding that an unseen cause could take away.",
        ),
    ],
)
def test_needed_in_words(hers: PersonConfounding, said: str) -> None:
    assert needed_sentence(ABOUT, hers) == said


def test_a_touch_is_told() -> None:
    both = UnmeasuredArrow(ends="sex ↔ pay", arrows=("sex → pay",), comparison=True)
    assert both.touches
    assert not replace(both, arrows=(), comparison=False).touches


def test_a_favour_is_the_other_way_round(plain: SingleResult) -> None:
    case = case_of(plain)
    turned = replace(
        case,
        settings=replace(case.settings, direction="favour"),
        findings={
            "CST_wo": replace(
                case.finding,
                p_control=case.finding.p_test,
                p_test=case.finding.p_control,
            )
        },
    )
    assert "the men of her test group were refused at" in odds_sentence(NAMES, turned)
    assert isinstance(turned.settings, cst_core.EvidenceSettings)
