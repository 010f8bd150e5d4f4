"""Words: how to read the evidence, what each word means, and what the method cannot show."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.glossary import GLOSSARY

READING = (
    "**Begin with the sentence at the top of Overview.** It says how many people of the protected "
    "group show a difference to examine, and for how many chance is an unlikely explanation.",
    "**Then look at one person.** The control group are the people of the same group most like "
    "the person. The test group are people of the other group most like *who the person would have "
    "been*. If more of the first were refused than of the second, something depends on the group.",
    "**Δp is that difference.** 0.40 means: of ten people like the person four more were refused "
    "than of ten people like the counterfactual. Compare it with τ, the difference you accept.",
    "**Look at the interval before you speak of a finding.** If it does not reach down to τ, the "
    "difference is statistically significant: chance alone would rarely look like this.",
    "**Move k.** A finding that is there for k = 15, 30 and 50 is sturdier than one that comes and "
    "goes. Very large k compares the person with everyone, which is no longer about one person.",
    "**Doubt it.** Robustness changes one assumption at a time and counts the findings that stay; "
    "on a person's own page “How firm is this?” says what would turn the verdict.",
    "**Read what stands under “Read with care”.** Ties, small groups, values cut off at a limit "
    "and intervals of no width are reasons to say less.",
)

LIMITS = (
    "It tests whether decisions *differ*, not why. A difference may have a justification that the "
    "law accepts; that is for the other side to show and for the court to weigh.",
    "The counterfactual is as good as the drawing. Other experts, other arrows, other verdicts: "
    "draw the rival models and compare them under Doubts. Robustness shows what else a finding "
    "depends on.",
    "What is not in the data cannot be seen: people who never applied, attributes nobody recorded.",
    "Among many thousand people some differences are significant by chance. If a case was "
    "picked because its difference is the largest, say so. The strict preset corrects for the "
    "number of people tested.",
    "Small groups say little. With k = 15 and half of the test group refused, only differences of "
    "about 0.4 or more are found in most cases: “What can this k show?” under the settings says "
    "it for every k.",
)


def page() -> None:
    """Show the page."""
    st.title("Words")
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
