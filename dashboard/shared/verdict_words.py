"""The words of methods and verdicts."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import Method
from cst_core.results import Summary
from cst_core.robustness import RivalWorlds

METHOD_TITLES: dict[Method, str] = {
    "CST_wo": "Counterfactual test, groups only (CST w/o)",
    "ST": "Classical situation test (ST)",
    "CST_w": "Counterfactual test, herself counted in (CST w/)",
    "CF": "Counterfactual fairness, she alone (CF)",
}
"""What the methods are called where there is room."""
METHOD_SENTENCES: dict[Method, str] = {
    "CST_wo": "the counterfactual test, groups only. People of her group like her are compared "
    "with people of the other group like who she would have been. Her own decision is not counted.",
    "ST": "the classical situation test. People of her group like her are compared with people of "
    "the other group like her. What the protected attribute has already done to her salary or "
    "grades is left as it is.",
    "CST_w": "the counterfactual test, herself counted in. As CST w/o, but her own decision joins "
    "the first group, and the decision on her counterfactual the second. Needs a decision rule.",
    "CF": "counterfactual fairness. She was refused, and her counterfactual would have been "
    "accepted. Nobody else is looked at; only whether it is significant is read off CST w/. "
    "Needs a decision rule.",
}
METHOD_KEY = (
    "CST w/o: counterfactual test, groups only. ST: classical situation test. CST w/: "
    "counterfactual test, herself counted in. CF: counterfactual fairness, she alone."
)
"""What the short names in a chart stand for, in a line."""
VERDICTS = ("not possible", "none", "potential", "significant")


def verdict_words(found: RivalWorlds, name: str) -> list[str]:
    """Return everyone's verdict in a world, in a word."""
    one = found.evidence[name]
    place = np.select([one.is_significant, one.is_case, one.has_evidence], [3, 2, 1], 0)
    return [VERDICTS[item] for item in place]


def coupling_columns(summary: Summary) -> dict[str, int]:
    """Return how many findings hold under every coupling; nothing where all have one state."""
    every, sure = summary.cases_every_coupling, summary.significant_every_coupling
    if every is None or sure is None:
        return {}
    return {"cases under every coupling": every, "significant under every coupling": sure}
