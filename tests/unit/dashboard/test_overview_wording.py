"""What the Overview says a case is, in both directions and whatever τ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cst_core.evidence import DemographicParity, EvidenceSettings
from cst_core.explain import crowd_caution, evidence_cautions
from cst_core.results import Summary
from cst_core.robustness import placebo
from cst_core.scenario import load_scenario
from cst_core.testing import INTERSECTIONAL, MULTIPLE
from dashboard.draft.files import sample_draft
from dashboard.pages.findings.overview.words import (
    count_table,
    counts_frame,
    how_it_was_compared,
    parity_sentence,
    what_significant_means,
)


@pytest.mark.parametrize(
    ("direction", "tau", "words"),
    [
        ("against", 0.0, "a larger share was refused than of the 15 men most like her."),
        ("against", 0.05, "a larger share was refused than of the 15 men most like her, by more"),
        ("against", -0.05, "the share refused was not 5 points or more below that of the 15 men"),
        ("favour", 0.0, "a smaller share was refused than of the 15 men most like her."),
        ("favour", -0.05, "a smaller share was refused than of the 15 men most like her, by more"),
        ("favour", 0.05, "the share refused was not 5 points or more above that of the 15 men"),
    ],
)
def test_the_words_follow_direction_and_deviation(direction, tau, words) -> None:
    draft, _ = sample_draft("law-school")
    settings = EvidenceSettings(direction=direction, accepted_deviation=tau)
    assert words in how_it_was_compared(draft, "gender", "ST", settings)


def test_counterfactual_fairness_turns_with_the_direction() -> None:
    draft, _ = sample_draft("law-school")
    against, favour = (
        how_it_was_compared(draft, "gender", "CF", EvidenceSettings(direction=way))
        for way in ("against", "favour")
    )
    assert "she was refused, and as one of the men she would not have been." in against
    assert "she was not refused, and as one of the men she would have been." in favour


def test_several_attributes_are_said_as_they_are_tested() -> None:
    draft, _ = sample_draft("law-school")
    settings = EvidenceSettings()
    each = how_it_was_compared(draft, MULTIPLE, "CST_wo", settings)
    assert each.startswith("A case, by each of gender and race alone: of the 15 people in her")
    joined = how_it_was_compared(draft, INTERSECTIONAL, "CST_wo", settings)
    assert "15 people with the same protected values most like her" in joined


def test_balanced_neighbourhoods_are_said_by_their_sizes() -> None:
    draft, _ = sample_draft("law-school")
    settings = EvidenceSettings(n_neighbours=50, balance_radii=True)
    single = how_it_was_compared(draft, "race", "CST_wo", settings, (10, 50))
    assert "of the 10 non-white people most like this person" in single
    assert "of the 50 white people most like" in single
    each = how_it_was_compared(draft, MULTIPLE, "CST_wo", settings)
    assert "of the people in her group most like her" in each
    assert "the larger group gives k = 50, the smaller one fewer" in each


def test_one_person_is_one_person() -> None:
    summary = Summary(
        method="CST_wo",
        k=1,
        cases=1,
        significant=1,
        mean_delta=1.0,
        no_evidence=0,
        small_groups=1,
        tie_dependent=0,
        zero_width=3,
        zero_width_significant=1,
        refused_cases=1,
        cases_hold=1,
        cases_on_ties=0,
        significant_hold=1,
        significant_on_ties=0,
        k_control=1,
        k_test=1,
        family=3,
    )
    small, alike = evidence_cautions([summary], EvidenceSettings(), "expected")
    assert "1 person has a group smaller than asked for by k = 1" in small
    assert "a certainty that groups of up to 1 person cannot give" in alike
    asked = EvidenceSettings(interval="newcombe", correction="bh", balance_radii=True)
    family, sizes, small, alike = evidence_cautions(
        [summary, replace(summary, k=2, small_groups=5, zero_width=0)], asked, "expected"
    )
    assert "Benjamini and Hochberg" in family
    assert family.endswith("Family: 3 (k = 1), 3 (k = 2).")
    assert sizes.endswith("1 against 1 (k = 1), 1 against 1 (k = 2).")
    assert small.startswith("1 (k = 1), 5 (k = 2) people have groups smaller than asked for by k,")
    assert alike.startswith("For 3 (k = 1) people everyone or nobody was refused")
    assert alike.endswith("Significant cases that rest on that: 1 of 1 (k = 1).")


def test_significance_of_counterfactual_fairness_is_said_to_depend_on_k() -> None:
    draft, _ = sample_draft("law-school")
    own = what_significant_means(draft, "gender", "CST_wo", EvidenceSettings())
    assert "lies wholly above the accepted difference (τ = 0)" in own
    alone = what_significant_means(draft, "gender", "CF", EvidenceSettings(direction="favour"))
    assert "one of CST w/ is used" in alone
    assert "as many cases for every k, but not as many significant ones" in alone
    assert "wholly below" in alone
    each = what_significant_means(draft, MULTIPLE, "ST", EvidenceSettings())
    assert "by each of the 2 attributes. It is meant to be so by chance alone in no more " in each
    assert "than 2.5 % of such tests; with Wald's interval (the paper's) it can be far more" in each
    strict = EvidenceSettings(
        interval="agresti-caffo", correction="bh", tie_robust=True, several="intersection-union"
    )
    said = what_significant_means(draft, MULTIPLE, "ST", strict)
    assert "in no more than 5 % of such tests; in small groups it can be a little more" in said
    assert "(Benjamini–Hochberg)" in said
    assert "however equally distant people are chosen" in said


def test_with_a_largest_distance_nothing_tends_to_demographic_parity() -> None:
    draft, _ = sample_draft("loan")
    parity = DemographicParity(accepted_protected=0.4, accepted_reference=0.6)
    free = parity_sentence(draft, "Gender", parity)
    assert "Δp would be that gap, 0.2" in free
    settings = draft.settings.model_copy(update={"max_distance": 0.05})
    near = parity_sentence(draft.model_copy(update={"settings": settings}), "Gender", parity)
    assert "need not come close to it" in near
    assert "ε = 0.05" in near
    assert "closer Δp" not in near


def test_a_group_of_nearly_everyone_is_pointed_out() -> None:
    assert crowd_caution(19, 100) == []
    assert "holds 36 % of all the people it is taken from (42)" in crowd_caution(15, 42)[0]
    assert "holds 100 % of" in crowd_caution(500, 42)[0]


def test_the_counts_have_what_chance_gives_beside_them() -> None:
    loan = load_scenario("loan").run("Gender")
    settings = [EvidenceSettings(n_neighbours=k) for k in (15, 30)]
    cells = {"CST_wo": [loan.summary("CST_wo", one) for one in settings]}
    dealt = placebo(loan, settings=settings[0], methods=["CST_wo"], repeats=9, seed=1)
    frame = counts_frame(cells, loan.n_protected, dealt)
    assert frame["by chance, p"].tolist()[0] == dealt.counts[0].p_significant
    assert frame["by chance, answer"].tolist()[0] == "too few deals"  # nine cannot tell at 5 %
    assert frame["by chance, p"].isna().tolist() == [False, True]  # k = 30 was not asked
    assert not [name for name in counts_frame(cells, loan.n_protected) if "chance" in name]
    others = dict.fromkeys(("ST", "CST_w", "CF"), "not asked here")
    said = count_table(cells, [15, 30], loan.n_protected, others, ("CST_wo", 15), chance=dealt)
    assert "… a label without meaning finds as many: p" in said
    assert "0.1 (too few deals to tell)" in said
    assert "does not rule out an unmeasured common cause" in said
