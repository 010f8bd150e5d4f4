"""Counterfactual situation testing: whether an algorithm may have discriminated against someone.

>>> import cst_core
>>> case = cst_core.load_scenario("loan")
>>> result = cst_core.run_single(case.dataset(), case.causal_model(), attribute="Gender",
...                              decision_maker=case.decision_maker())
>>> settings = cst_core.EvidenceSettings(n_neighbours=15)
>>> summary = result.summary("CST_wo", settings)
>>> summary.cases >= summary.significant
True
"""

from cst_core.causal.counterfactuals import counterfactuals
from cst_core.causal.equations import Coefficient, Equation
from cst_core.causal.graph import CausalGraph
from cst_core.causal.model import CausalModel
from cst_core.data.dataset import Dataset
from cst_core.data.reading import read_table
from cst_core.data.roles import Decision, ProtectedAttribute, RelevantAttribute, Roles
from cst_core.data.suggesting import suggest_roles
from cst_core.decisions.makers import Classifier, ThresholdRule
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.scenario.case import load_scenario
from cst_core.testing.several import run_intersectional, run_multiple
from cst_core.testing.single import run_single

__all__ = [
    "CausalGraph",
    "CausalModel",
    "Classifier",
    "Coefficient",
    "Dataset",
    "Decision",
    "Equation",
    "EvidenceSettings",
    "ProtectedAttribute",
    "RelevantAttribute",
    "Roles",
    "SearchSettings",
    "ThresholdRule",
    "counterfactuals",
    "load_scenario",
    "read_table",
    "run_intersectional",
    "run_multiple",
    "run_single",
    "suggest_roles",
]
