"""Which protected attribute weighs most for whom."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.verdicts import GUARD

EQUAL, NO_EVIDENCE = "equal", "no evidence"


def dominant(evidence: MultipleEvidence) -> pd.Series[str]:
    """Return for each person the run with the largest Δp (in favour: the smallest).

    ``"equal"`` where two or more share the first place, ``"no evidence"`` where a run has none.
    """
    names = np.array(list(evidence.runs), dtype=object)
    sign = 1.0 if evidence.settings.direction == "against" else -1.0
    deltas = sign * np.array([run.delta for run in evidence.runs.values()])
    most = deltas.max(axis=0)
    shared = (deltas > most - GUARD).sum(axis=0) > 1
    found = np.where(shared, EQUAL, names[deltas.argmax(axis=0)])
    found = np.where(evidence.has_evidence, found, NO_EVIDENCE)
    return pd.Series(found, index=evidence.index, name="largest difference", dtype=object)
