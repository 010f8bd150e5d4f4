"""Words: how to read the evidence, what each word means, and what the method cannot show."""

from __future__ import annotations

import streamlit as st

READING = (
    "**Begin with the sentence at the top of Overview.** It says how many people of the protected "
    "group show potential discrimination, and for how many chance is an unlikely explanation.",
    "**Then look at one person.** Her control group are the people of her own group most like "
    "her. Her test group are people of the other group most like *who she would have been*. If "
    "more of the first were refused than of the second, something depends on the group.",
    "**Δp is that difference.** 0.40 means: of ten people like her four more were refused than of "
    "ten people like her counterfactual. Compare it with τ, the difference you accept.",
    "**Look at the interval before you speak of a finding.** If it does not reach down to τ, the "
    "difference is statistically significant: chance alone would rarely look like this.",
    "**Move k.** A finding that is there for k = 15, 30 and 50 is sturdier than one that comes and "
    "goes. Very large k compares her with everyone, which is no longer about her.",
    "**Doubt it.** Robustness changes one assumption at a time and counts the findings that stay; "
    "on her own page “How firm is this?” says what would turn the verdict.",
    "**Read what stands under “Read with care”.** Ties, small groups, values cut off at a limit "
    "and intervals of no width are reasons to say less.",
)

GLOSSARY = {
    "Accepted difference, τ": "How large a difference in refusal rates is still accepted, for "
    "example 0.05 for five percentage points. The law or the court decides, not the program.",
    "Accepted influence": "An arrow of the drawing that is marked as justified, with a reason, "
    "such as a requirement that the job really has: what reaches her along it stays as it is, and "
    "only what reaches her along the other arrows is undone.",
    "Balanced neighbourhoods": "Fewer people are taken from the smaller group, in proportion to "
    "its size, so that both groups are about equally like her.",
    "Calibration": "One more demand on a significant finding: a difference like hers must also be "
    "rare among worlds in which the label means nothing, so that what the sizes and places of the "
    "groups do by themselves is not taken for discrimination.",
    "Causal model": "The drawing of what follows from what. It is an assumption that experts "
    "make and defend; the evidence holds as far as they are right.",
    "CF, counterfactual fairness": "She was refused, and the decision rule would have accepted her "
    "counterfactual. Looks at her alone, so it has no interval of its own: whether a CF case is "
    "significant is read off CST w/ and depends on k.",
    "Bound": "The end of the one-sided interval that is nearest to τ. Beyond τ: significant.",
    "Complainant": "A person with the protected value. Every one of them is tested, whether she "
    "complained or not.",
    "Control group": "The k people most like her who share her protected value; she herself is not "
    "counted.",
    "Correction for many complainants": "Among many tests some succeed by chance. "
    "Benjamini–Hochberg and Benjamini–Yekutieli ask for more, so that of all findings no more than "
    "the share α is expected to be false.",
    "Counterfactual": "Who she would have been, had she belonged to the other group: the protected "
    "attribute is changed, everything that follows from it changes with it, and all that is her "
    "own (U) stays.",
    "Counterfactual state": "One of the people she might have been, where an effect has levels "
    "such as a department: in 76 of 100 she would have applied to D, in 14 to A. Each state has "
    "its own group, and counts by how often it would be hers.",
    "Coupling": "What is assumed about how a person's value here (such as her department) and in "
    "the other world hang together: that she keeps her rank, say, or changes only where she must. "
    "No data can tell; so the range of Δp over all couplings is shown, and whether the finding "
    "holds whatever is assumed (under every coupling).",
    "CST w/o": "The counterfactual test, groups only: she and her counterfactual are not counted "
    "in their groups (“without the search centres”).",
    "CST w/": "The counterfactual test, herself counted in: her own decision joins the control "
    "group, and the decision on her counterfactual the test group (“with the search centres”).",
    "Demographic parity": "The difference in acceptance rates between the two groups as a whole, "
    "whatever the reasons. Without a largest distance ε, Δp comes closer to it as k grows.",
    "Distance": "How unlike two people are in the relevant attributes, from 0 (equal) to 1 (as "
    "different as any two people in the data could be); Gower's distance unless another is chosen. "
    "The protected attribute never takes part.",
    "Δp": "The share refused in the control group minus the share refused in the test group.",
    "Error level, α": "How often, at most, chance alone is meant to look like a "
    "significant difference.",
    "Interval": "The range of differences that go with what was seen. One-sided for the verdict, "
    "two-sided where both ends are shown. Wald's is the paper's; Agresti–Caffo, Newcombe, "
    "Miettinen–Nurminen and the exact one err less with few people.",
    "Intersectional": "The people who share all protected values are compared with everyone else, "
    "as a group of their own.",
    "k": "How many people make up each group.",
    "Largest distance, ε": "People farther away are never called similar; groups may then be "
    "smaller than k.",
    "Multiple": "Each protected attribute is tested on its own, and all of them must show it, each "
    "at α divided by their number (Bonferroni) or, by choice, at α (intersection–union).",
    "Placebo": "The whole test with the protected label dealt out at random. What it still finds "
    "comes from chance and from the sizes of the groups.",
    "Potential, prima facie": "Enough to ask the other side for an explanation; never a proof.",
    "Power": "How often a difference that is really there would be found. With few people in each "
    "group only large differences are.",
    "Preset": "A group of settings with a name: as in the paper, strict (calibrated), or like the "
    "authors' own runs.",
    "Protected attribute": "What the law forbids to decide by, such as gender or race.",
    "Refit": "The causal model fitted again to people drawn at random from the data (bootstrap): "
    "how much of a verdict hangs on who happened to be in the table.",
    "Relabelling": "Who has the protected label is dealt out anew at random among the others, the "
    "causal model fitted to that and her difference computed again, many times over: so it is "
    "known what chance alone does to her.",
    "Rival world": "Another causal model of the same data that could be defended, too.",
    "Reference group": "The people the protected group is compared with.",
    "Relevant attribute": "What people are compared on, such as salary or test result.",
    "Set by hand": "A coefficient, or a row of shares, that an expert gave in place of what the "
    "data say; wherever a person's result rests on one it is told, with the reason.",
    "Significant": "A case whose interval does not reach down to τ; with a correction, whose "
    "adjusted p-value is at most α.",
    "Strict rule": "A finding counts only if a difference like hers is rare where the label means "
    "nothing, by an exact interval, corrected for the number of complainants and however ties are "
    "broken. In simulated tables of one attribute whose label means nothing, it found someone in "
    "at most 2.5 of 100, where α = 5 % allows 5.",
    "ST, situation testing": "The classical test: both groups are people like her as she is. What "
    "the protected attribute has already done to her salary or grades counts as hers.",
    "Test group": "The k people of the other group most like her counterfactual (for ST: most like "
    "her).",
    "Tie": "Several people equally like her, and fewer places left in the group than people. None "
    "is preferred: of three people for the last place each counts for a third of it (they share "
    "the places left), so that nothing depends on the order of the table.",
    "Tipping point, γ": "The share of the assumed effect of the protected attribute below which a "
    "verdict turns. 60 %: the finding needs at least 60 % of the gap to be due to it. Some come "
    "back further down; then every stretch in which the finding holds is given.",
    "U": "What is the person's own: everything about an attribute that its causes in the drawing "
    "do not explain.",
    "Weighted states": "All the counterfactual states of a person together, each counted by how "
    "often it would be hers (its weight); the weights add up to 100 of 100.",
    "World in which the label means nothing": "The same people with the same decisions, but the "
    "protected label dealt out at random (relabelling): whatever is found there is found by "
    "chance.",
}

LIMITS = (
    "It tests whether decisions *differ*, not why. A difference may have a justification that the "
    "law accepts; that is for the other side to show and for the court to weigh.",
    "The counterfactual is as good as the drawing. Other experts, other arrows, other verdicts: "
    "draw the rival models and compare them on Rival worlds. Robustness shows what else a finding "
    "depends on.",
    "What is not in the data cannot be seen: people who never applied, attributes nobody recorded.",
    "With many thousand complainants some differences are significant by chance. If a case was "
    "picked because its difference is the largest, say so. The strict preset corrects for the "
    "number of complainants.",
    "Small groups say little. With k = 15 and half of the test group refused, only differences of "
    "about 0.4 or more are found in most cases: “What can this k show?” under the settings says "
    "it for every k.",
)


def page() -> None:
    """Show the page."""
    st.title("Words and limits")
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.header("How to read the evidence")
        for number, step in enumerate(READING, start=1):
            st.markdown(f"{number}. {step}")
        st.header("What it cannot show")
        for limit in LIMITS:
            st.markdown(f"- {limit}")
        st.caption(
            "The method: Alvarez and Ruggieri, Counterfactual Situation Testing, Journal of "
            "Artificial Intelligence Research 82 (2025)."
        )
    with right:
        st.header("What the words mean")
        wanted = st.text_input("Find a word", key="glossary-search", placeholder="such as interval")
        found = {
            word: meaning
            for word, meaning in GLOSSARY.items()
            if (wanted or "").lower() in f"{word} {meaning}".lower()
        }
        for word, meaning in found.items():
            st.markdown(f"**{word}.** {meaning}")
        if not found:
            st.caption("No word here has that in it.")
