"""Counterfactual situation testing: whether an algorithm may have discriminated against someone.

>>> import cst_core
>>> case = cst_core.load_scenario("loan")
>>> result = case.run("Gender")
>>> settings = cst_core.EvidenceSettings(n_neighbours=15)
>>> summary = result.summary("CST_wo", settings)
>>> summary.cases >= summary.significant
True
"""

from cst_core.causal import (
    CausalGraph,
    CausalModel,
    Coefficient,
    Equation,
    ShareRow,
    counterfactuals,
)
from cst_core.data import (
    ContextAttribute,
    Dataset,
    Decision,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    read_table,
    suggest_roles,
)
from cst_core.decisions import Classifier, ThresholdRule
from cst_core.evidence import EvidenceSettings, SearchSettings
from cst_core.scenario import Case, OpenCase, load_scenario, read_scenario, write_scenario
from cst_core.testing import run_intersectional, run_multiple, run_single

__all__ = [
    "Case",
    "CausalGraph",
    "CausalModel",
    "Classifier",
    "Coefficient",
    "ContextAttribute",
    "Dataset",
    "Decision",
    "Equation",
    "EvidenceSettings",
    "OpenCase",
    "ProtectedAttribute",
    "RelevantAttribute",
    "Roles",
    "SearchSettings",
    "ShareRow",
    "ThresholdRule",
    "counterfactuals",
    "load_scenario",
    "read_scenario",
    "read_table",
    "run_intersectional",
    "run_multiple",
    "run_single",
    "suggest_roles",
    "write_scenario",
]
