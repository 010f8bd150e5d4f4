"""The words of methods and verdicts."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import Method
from cst_core.results import Summary
from cst_core.robustness import RivalWorlds

METHOD_SENTENCES: dict[Method, str] = {
    "CST_wo": "compared with counterfactual people. People of the same group like the person are "
    "compared with people of the other group like who the person would have been. The person's own "
    "decision is not counted.",
    "ST": "compared with people alike as they are, the classical situation test. Both groups are "
    "people like the person. What the protected attribute has already done to salary or grades is "
    "left as it is.",
    "CST_w": "as CST w/o, but the person's own decision joins the first group, and the decision on "
    "the counterfactual the second. Needs a decision rule.",
    "CF": "the person alone (counterfactual fairness). The person was refused, and the "
    "counterfactual would have been accepted. Nobody else is looked at; only whether it is "
    "significant is read off CST w/. Needs a decision rule.",
}
METHOD_KEY = (
    "CST w/o: compared with counterfactual people. ST: compared with people alike as they are. "
    "CST w/: as CST w/o, the person counted in. CF: the person alone."
)
"""What the short names in a chart stand for, in a line."""
VERDICTS = ("not possible", "none", "to examine", "significant")


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
