"""Confounding: how strong something unseen would have to be to undo the findings."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import EvidenceSettings
from cst_core.results import Result
from cst_core.robustness.check import Check, CheckRequest
from cst_core.robustness.confounding_found import Confounding
from cst_core.robustness.other_model import CausalMethod, prepare
from cst_core.robustness.robustness_values import arrow_strengths
from cst_core.robustness.sampling import MAX_COMPLAINANTS
from cst_core.robustness.shrinking import STEPS, Scan
from cst_core.robustness.tipping import tipping
from cst_core.robustness.unmeasured import unmeasured_arrows
from cst_core.robustness.unseen_odds import odds_of
from cst_core.testing import Progress

SHARES = 21
"""Shares of all assumed effects that are looked at, from none to all."""
LEFT = (
    "What is left of an attribute is what the other causes in its equation do not explain of its "
    "differences between people. The unseen cause is taken to be tied equally to both ends "
    "(robustness value, Cinelli and Hazlett 2020), with classical standard errors."
)
ALIKE = (
    "Looked at are a cause behind each arrow alone, the others kept, and one behind all of them; "
    "the weakest that ends a finding counts, to the middle between two of {0} steps. Arrows "
    "without a robustness value are kept as they are."
)
ODDS = (
    "The odds (Γ, Rosenbaum 2002) are by the one-sided exact test at α, each person alone: without "
    "a correction for many people tested and without τ. Parts of people are counted against the "
    "finding."
)
NO_DATA_SHOWS = (
    "What no data can show: a common cause of the protected attribute and of the rest that was "
    "never measured looks exactly like an effect of the attribute. No check here can see it, and "
    "no figure rules it out; the figures only say how strong it would have to be. Whether there is "
    "one that strong is a question to people who know the matter, not to the data."
)


def confounding(
    result: Result,
    *,
    settings: EvidenceSettings,
    method: CausalMethod = "CST_wo",
    seed: int = 0,
    max_complainants: int = MAX_COMPLAINANTS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Confounding:
    """Say how strong something unseen would have to be to undo each finding.

    Parameters
    ----------
    result, settings, method, seed, max_complainants, workers, progress
        As in `tipping`, which finds at what share of the assumed effects each finding ends.

    Notes
    -----
    Each arrow out of the protected attribute is shrunk alone until the finding ends, at the share
    γ; the robustness value for that γ (`robustness_value`) is how much of what is left of both ends
    an unseen common cause would have to explain. Then one cause is put behind all these arrows,
    which leaves a weak effect a smaller share than a strong one. The weakest cause of these counts:
    effects may work against each other, and then shrinking one of them ends a finding sooner than
    shrinking both. Beside it Γ for everyone (`unseen_odds`), and which findings rest on an arrow
    that a two-headed arrow of the drawing touches (`unmeasured_arrows`).

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> found = confounding(result, settings=EvidenceSettings(n_neighbours=15))
    >>> [(each.arrow, round(each.value(), 2)) for each in found.arrows]
    [('Gender → AnnualSalary', 0.21), ('Gender → AccountBalance', 0.19)]
    """
    turned = tipping(
        result,
        settings=settings,
        method=method,
        grid=np.linspace(0.0, 1.0, SHARES),
        seed=seed,
        max_complainants=max_complainants,
        workers=workers,
        progress=progress,
    )
    finding = turned.is_significant[turned.place_of_origin]
    ends = finding & ~np.isnan(turned.significant_below)
    chosen = result.index.isin(turned.index)
    arrows = tuple(arrow for run in result.runs for arrow in arrow_strengths(run))
    known = [arrow for arrow in arrows if not arrow.undefined]
    scan = Scan(
        around=prepare(
            result,
            method=method,
            settings=settings,
            chosen=result.runs[0].dataset.index.isin(turned.index),
        ),
        fitted=result.runs[0].model,
        workers=workers,
        progress=progress,
    )
    nobody = np.full(len(turned.index), np.nan)
    alone = [nobody if arrow.undefined else scan.ends_alone(arrow.edge) for arrow in arrows]
    return Confounding(
        name=result.name,
        method=method,
        settings=settings,
        arrows=arrows,
        unmeasured=unmeasured_arrows(result.runs, method),
        index=turned.index,
        n_complainants=result.n_protected,
        is_significant=finding,
        effect_needed=np.where(ends, turned.significant_below, np.nan),
        for_lack=ends & turned.for_lack("significant", up=False),
        alone=np.array(alone).reshape(len(arrows), len(turned.index)),
        together=scan.ends_together(known) if known else nobody,
        odds=odds_of(result, method, settings)[chosen],
        seed=seed,
        notes=(LEFT, ALIKE.format(STEPS), ODDS, *turned.notes, NO_DATA_SHOWS),
    )


def _run(request: CheckRequest) -> list[Confounding]:
    return [
        confounding(request.result, settings=each, **request.common) for each in request.settings
    ]


CONFOUNDING = Check(
    name="confounding",
    kind=Confounding,
    run=_run,
    needs=("causal method", "seed"),
    title="What if something that was not measured is behind it?",
    doing="Weighing unseen causes",
    takes="Each arrow out of the protected attribute, from none of its effect to all of it.",
)
