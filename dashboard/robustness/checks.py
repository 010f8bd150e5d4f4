"""How many findings stand when one thing about the judgement is changed; nothing is searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import BoolArray, Method
from cst_core.results import MultipleResult, SingleResult
from dashboard.robustness.reports import BootstrapReport, EffectReport
from dashboard.setting_words import CORRECTIONS, INTERVALS

QUICK = ("wald", "agresti-caffo", "newcombe", "score")
SHARE = 0.95
"""In so many refits a verdict must come out to be called firm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was changed, and how many of the findings are still there.

    Attributes
    ----------
    what
        What was changed, in words.
    stand, of
        Findings that are still there, of so many.
    more
        Findings there now that were none before; None when that was not looked at.
    """

    what: str
    stand: int
    of: int
    more: int | None = None


def quick_checks(
    found: SingleResult | MultipleResult, method: Method, settings: EvidenceSettings
) -> list[Check]:
    """Return the checks that need neither a search nor a fit.

    A finding is a significant case under the settings in use.
    """
    here = found.evidence(method, settings)
    findings = here.is_significant
    changed: dict[str, BoolArray] = {}
    if not settings.tie_robust:
        changed["However ties are broken"] = _found(
            found, method, replace(settings, tie_robust=True)
        )
    for name in QUICK:
        if name != settings.interval:
            other = _with_interval(settings, name)
            label = f"With {INTERVALS[name]} intervals"
            if other.correction != settings.correction:
                label += ", which allow no correction"
            changed[label] = _found(found, method, other)
    honest = settings.interval if settings.interval != "wald" else "agresti-caffo"
    for name in ("bh", "by"):
        if name != settings.correction:
            other = replace(settings, interval=honest, correction=name)
            words = f"Corrected for many complainants ({CORRECTIONS[name]}"
            words += ")" if honest == settings.interval else f", {INTERVALS[honest]} intervals)"
            changed[words] = _found(found, method, other)
    if not settings.balance_radii and method != "CF":
        other = replace(settings, balance_radii=True)
        changed["With balanced neighbourhoods"] = _found(found, method, other)
    return [
        Check(
            what=what,
            stand=int((findings & other).sum()),
            of=int(findings.sum()),
            more=int((other & ~findings).sum()),
        )
        for what, other in changed.items()
    ]


def kept_checks(
    bootstrap: BootstrapReport | None,
    effect: EffectReport | None,
    worlds: Mapping[str, BoolArray] | None,
) -> list[Check]:
    """Return the checks that were computed before, as far as they were."""
    checks = []
    some = ", in a sample of the complainants"
    if bootstrap is not None:
        findings = np.array(bootstrap.is_significant, dtype=bool)
        firm = findings & (np.array(bootstrap.share_significant) >= SHARE - 1e-12)
        checks.append(
            Check(
                what=f"In {SHARE:.0%} of {bootstrap.refits - bootstrap.failed} refits of the "
                f"causal model{some if bootstrap.is_sample else ''}",
                stand=int(firm.sum()),
                of=int(findings.sum()),
            )
        )
    if effect is not None:
        findings = np.array(effect.is_significant, dtype=bool)
        turns = np.array([np.nan if item is None else item for item in effect.below])
        for share in (0.5, 0.0):
            stays = ~(turns >= share)  # no tipping point between there and 1
            words = (
                "If only half of the assumed effect is there"
                if share
                else "Without any effect of the attribute"
            )
            checks.append(
                Check(
                    what=f"{words}{some if effect.is_sample else ''}",
                    stand=int((findings & stays).sum()),
                    of=int(findings.sum()),
                )
            )
    if worlds:
        table = np.array(list(worlds.values()))
        checks.append(
            Check(
                what=f"In every one of the {len(table)} causal models",
                stand=int(table.all(axis=0).sum()),
                of=int(table[0].sum()),
                more=int((table.any(axis=0) & ~table[0]).sum()),
            )
        )
    return checks


def _with_interval(settings: EvidenceSettings, name: str) -> EvidenceSettings:
    correction = "none" if name == "wald" else settings.correction
    return replace(settings, interval=name, correction=correction)


def _found(
    found: SingleResult | MultipleResult, method: Method, settings: EvidenceSettings
) -> BoolArray:
    return found.evidence(method, settings).is_significant
