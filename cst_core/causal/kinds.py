"""The kinds of mechanism that an equation can ask for by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from cst_core.causal.linear import LinearMechanism
from cst_core.causal.logit import LogitMechanism
from cst_core.causal.mechanisms import Mechanism
from cst_core.causal.quantile import QuantileMechanism
from cst_core.causal.regressor import RegressorMechanism
from cst_core.causal.shares import SharesMechanism

MechanismKind = Literal["linear", "quantile", "regressor", "shares", "logit"]
MECHANISMS: Mapping[MechanismKind, type[Mechanism]] = {
    "linear": LinearMechanism,
    "quantile": QuantileMechanism,
    "regressor": RegressorMechanism,
    "shares": SharesMechanism,
    "logit": LogitMechanism,
}


def kind_of(mechanism: Mechanism) -> MechanismKind:
    """Return the name of a mechanism's kind, also where the equation left it open."""
    return next(kind for kind, each in MECHANISMS.items() if type(mechanism) is each)
