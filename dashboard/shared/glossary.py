"""What the words mean: as a list, and in place where a sentence uses one."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dashboard.shared.text import markup

GLOSSARY = {
    "Accepted difference, τ": "How large a difference in refusal rates is still accepted, for "
    "example 0.05 for five percentage points. The law or the court decides, not the program.",
    "Accepted influence": "An arrow of the drawing that is marked as justified, with a reason, "
    "such as a requirement that the job really has: what reaches the person along it stays, and "
    "only what comes along the other arrows is undone.",
    "Balanced neighbourhoods": "Fewer people are taken from the smaller group, in proportion to "
    "its size, so that both groups are about equally alike.",
    "Calibration": "One more demand on a significant finding: a difference like this must also be "
    "rare among worlds in which the label means nothing, so that what the sizes and places of the "
    "groups do by themselves is not taken for discrimination.",
    "Causal model": "The drawing of what follows from what. It is an assumption that experts "
    "make and defend; the evidence holds as far as they are right.",
    "CF, counterfactual fairness": "The person alone: refused, and the decision rule would have "
    "accepted the counterfactual. Looks at nobody else, so it has no interval of its own: whether "
    "a CF case is significant is read off CST w/ and depends on k.",
    "Bound": "The end of the one-sided interval that is nearest to τ. Beyond τ: significant.",
    "Control group": "The k people most like the person who share the protected value; the person "
    "is not counted.",
    "Correction for many people tested": "Among many tests some succeed by chance. "
    "Benjamini–Hochberg and Benjamini–Yekutieli ask for more, so that of all findings no more than "
    "the share α is expected to be false.",
    "Counterfactual": "Who a person would have been in the other group: the protected "
    "attribute is changed, everything that follows from it changes with it, and all that is the "
    "person's own (U) stays.",
    "Counterfactual state": "One of the people someone might have been, where an effect has levels "
    "such as a department: in 76 of 100 a woman would have applied to D, in 14 to A. Each state "
    "has its own group, and counts by how often it would be the one.",
    "Coupling": "What is assumed about how a person's value here (such as a department) and in the "
    "other world hang together: that the rank is kept, say, or that it changes only where it must. "
    "No data can tell; so the range of Δp over all couplings is shown, and whether the finding "
    "holds whatever is assumed (under every coupling).",
    "CST w/o": "Compared with counterfactual people: the counterfactual test, in which the person "
    "and the counterfactual are not counted in their groups (“without the search centres”).",
    "CST w/": "As CST w/o, the person counted in: the person's own decision joins the control "
    "group, and the decision on the counterfactual the test group (“with the search centres”).",
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
    "Potential discrimination": "The paper's term for a difference beyond τ. Here it is called a "
    "difference to examine: it says that decisions differ, neither why nor that it is unlawful.",
    "Prima facie evidence": "Facts from which a court may presume discrimination, so that the "
    "other side has to show that there was none (Art. 8 of Directive 2000/43/EC, Art. 10 of "
    "Directive 2000/78/EC, Art. 19 of Directive 2006/54/EC). Whether a finding is that is for the "
    "court; the question is put only where a difference is significant and firm.",
    "Power": "How often a difference that is really there would be found. With few people in each "
    "group only large differences are.",
    "Preset": "A group of settings with a name: as in the paper, strict (calibrated), or like the "
    "authors' own runs.",
    "Profile": "People who are alike in every relevant attribute are one profile. Many of them say "
    "little more than one of them would.",
    "Protected attribute": "What the law forbids to decide by, such as gender or race.",
    "Refit": "The causal model fitted again to people drawn at random from the data (bootstrap), "
    "which varies the equations' numbers only: who is tested and compared with whom are the people "
    "in the table, and the drawing stays as it is.",
    "Relabelling": "Who has the protected label is dealt out anew at random among the others, the "
    "causal model fitted to that and the difference computed again, many times over: so it is "
    "known what chance alone does.",
    "Rival world": "Another causal model of the same data that could be defended, too.",
    "Reference group": "The people the protected group is compared with.",
    "Relevant attribute": "What people are compared on, such as salary or test result.",
    "Set by hand": "A coefficient, or a row of shares, that an expert gave in place of what the "
    "data say; wherever a person's result rests on one it is told, with the reason.",
    "Significant": "A case whose interval does not reach down to τ; with a correction, whose "
    "adjusted p-value is at most α.",
    "Strict rule": "A finding counts only if a difference like it is rare where the label means "
    "nothing, by an exact interval, corrected for the number of people tested and however ties are "
    "broken. In simulated tables of one attribute whose label means nothing, it found someone in "
    "at most 2.5 of 100, where α = 5 % allows 5.",
    "ST, situation testing": "Compared with people alike as they are: the classical test. What "
    "the protected attribute has already done to salary or grades counts as the person's own.",
    "Test group": "The k people of the other group most like the counterfactual (for ST: most like "
    "the person).",
    "Tie": "Several people equally alike, and fewer places left in the group than people. None "
    "is preferred: of three people for the last place each counts for a third of it (they share "
    "the places left), so that nothing depends on the order of the table.",
    "Tipping point, γ": "The share of the assumed effect of the protected attribute below which a "
    "verdict turns. 60 %: the finding needs at least 60 % of the gap to be due to it. Some come "
    "back further down; then every stretch in which the finding holds is given.",
    "U": "What is the person's own: everything about an attribute that its causes in the drawing "
    "do not explain.",
    "Weighted states": "All the counterfactual states of a person together, each counted by how "
    "often it would be the one (its weight); the weights add up to 100 of 100.",
    "World in which the label means nothing": "The same people with the same decisions, but the "
    "protected label dealt out at random (relabelling): whatever is found there is found by "
    "chance.",
}

IN_PLACE: Mapping[str, str] = {
    "Δp": "Δp",
    "statistically significant": "Significant",
    "counterfactual": "Counterfactual",
    "control group": "Control group",
    "test group": "Test group",
    "interval": "Interval",
    "accepted difference": "Accepted difference, τ",
    "profile": "Profile",
    "profiles": "Profile",
    "correction": "Correction for many people tested",
    "group sizes k": "k",
    "prima facie": "Prima facie evidence",
}
"""By the word in a sentence, the entry that explains it."""
_WORDS = re.compile(r"(?<!\w)(" + "|".join(sorted(IN_PLACE, key=len, reverse=True)) + r")(?!\w)")


def explained(text: object) -> str:
    """Return text for an HTML place in which words of the list say what they mean when touched.

    Each is marked where it stands first.

    Examples
    --------
    >>> explained("Δp & more")[:50]
    '<span class="cst-term" tabindex="0" role="note" ar'
    >>> explained("no such word")
    'no such word'
    """
    seen: set[str] = set()

    def mark(found: re.Match[str]) -> str:
        word, entry = found.group(0), IN_PLACE[found.group(0)]
        if entry in seen:
            return word
        seen.add(entry)
        meaning = markup(GLOSSARY[entry])
        return (
            f'<span class="cst-term" tabindex="0" role="note" aria-label="{word}: {meaning}" '
            f'data-meaning="{meaning}">{word}</span>'
        )

    return _WORDS.sub(mark, markup(text))
