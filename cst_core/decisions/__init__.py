"""Decision makers b(): who decides, from a person's attributes."""

from cst_core.decisions.agreement import ModelAgreement as ModelAgreement
from cst_core.decisions.deciding import HALF as HALF
from cst_core.decisions.deciding import Decisions as Decisions
from cst_core.decisions.deciding import DecisionsThere as DecisionsThere
from cst_core.decisions.deciding import ask as ask
from cst_core.decisions.deciding import decide as decide
from cst_core.decisions.fitting import FittedClassifier as FittedClassifier
from cst_core.decisions.fitting import fit_classifier as fit_classifier
from cst_core.decisions.makers import Approximation as Approximation
from cst_core.decisions.makers import Classifier as Classifier
from cst_core.decisions.makers import DecisionMaker as DecisionMaker
from cst_core.decisions.makers import ThresholdRule as ThresholdRule
from cst_core.decisions.makers import columns_read as columns_read
