"""The robustness parts that doubt the causal model: bootstrap, tornado, tipping points, worlds.

All of them judge by CST w/o, which every case supports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from cst_core.cli.findings import Asked, Finding, plain
from cst_core.robustness.bootstrap import bootstrap
from cst_core.robustness.reasons import reasons
from cst_core.robustness.rival_worlds import in_worlds, rival_worlds
from cst_core.robustness.sampling import Result
from cst_core.robustness.tipping import tipping
from cst_core.robustness.tornado import tornado

REFITS = 200
SCALES = (0.0, 0.5, 1.0, 1.5, 2.0)
"""γ for which the counts are printed."""


def bootstrap_part(asked: Asked) -> Finding:
    """Fit the causal model to people drawn anew."""
    rows, tables, sentences = [], {}, []
    for settings in asked.settings:
        k = settings.n_neighbours
        found = bootstrap(
            asked.result,
            settings=settings,
            refits=REFITS if asked.repeats is None else asked.repeats,
            seed=asked.seed,
            progress=asked.progress,
        )
        tables[f"k{k}"] = _named(found.to_frame())
        low, high = found.count_interval()
        standing = int(found.standing().sum())
        rows.append(
            {
                "k": k,
                "method": found.method,
                "refits": found.n_refits,
                "failed": found.n_failed,
                "evaluated": len(found.index),
                "cases": int(found.is_case.sum()),
                "significant": int(found.is_significant.sum()),
                "significant_mean": float(found.significant.mean()),
                "significant_low": low,
                "significant_high": high,
                "standing": standing,
                "notes": list(found.notes),
            }
        )
        sentences.append(
            f"k = {k}: {standing} of {int(found.is_significant.sum())} significant cases stand in "
            f"at least 95 % of {len(found.cases)} refits of the causal model; their number lies "
            f"between {low:.0f} and {high:.0f} in {1 - settings.significance_level:.0%} of them."
        )
        sentences += found.notes
    return Finding(
        content={"seed": asked.seed, "results": rows}, tables=tables, sentences=tuple(sentences)
    )


def tornado_part(asked: Asked) -> Finding:
    """Move each coefficient by two standard errors."""
    rows: list[dict[str, Any]] = []
    tables, sentences = [], []
    for settings in asked.settings:
        k = settings.n_neighbours
        found = tornado(asked.result, settings=settings, seed=asked.seed, progress=asked.progress)
        table = found.to_frame()
        tables.append(table.assign(k=k))
        rows.append(
            {
                "k": k,
                "method": found.method,
                "cases": found.observed.cases,
                "significant": found.observed.significant,
                "bars": plain(table),
                "notes": list(found.notes),
            }
        )
        if found.bars:
            widest = found.bars[0]
            sentences.append(
                f"k = {k}: {widest.term} → {widest.node} matters most: {widest.at_low.significant} "
                f"significant cases at {widest.low:.4g}, {widest.at_high.significant} at "
                f"{widest.high:.4g} (two standard errors below and above {widest.value:.4g})."
            )
        else:
            sentences.append(f"k = {k}: no fitted coefficient matters for the counterfactuals.")
        sentences += found.notes
    return Finding(
        content={"seed": asked.seed, "results": rows},
        tables={"": pd.concat(tables, ignore_index=True)},
        sentences=tuple(sentences),
    )


def tipping_part(asked: Asked) -> Finding:
    """Scale the effect of the protected attribute."""
    rows, sentences = [], []
    tables: dict[str, pd.DataFrame] = {}
    counted = []
    for settings in asked.settings:
        k = settings.n_neighbours
        found = tipping(asked.result, settings=settings, seed=asked.seed, progress=asked.progress)
        people = found.to_frame()
        counts = found.counts().rename_axis("effect_scale").reset_index()
        tables[f"k{k}"] = _named(people)
        counted.append(counts.assign(k=k))
        held = people[people["is_significant"]]
        ends = held.dropna(subset=["significant_below"])
        below = ends.loc[~ends["significant_below_for_lack"], "significant_below"]
        lacking = len(ends) - len(below)
        rows.append(
            {
                "k": k,
                "method": found.method,
                "evaluated": len(people),
                "significant": len(held),
                "disappear_below": len(below),
                "lack_people_below": lacking,
                "median_below": float(below.median()) if len(below) else None,
                "counts": plain(counts),
                "notes": list(found.notes),
            }
        )
        at = counts.set_index("effect_scale")["significant"]
        steps = ", ".join(f"{at[scale]} at {scale:g}" for scale in SCALES if scale in at.index)
        sentences.append(f"k = {k}: significant cases with the effect scaled by γ: {steps}.")
        if len(below):
            sentences.append(
                f"k = {k}: {len(below)} of {len(held)} findings disappear with a smaller effect; "
                f"half of these only when less than {below.median():.0%} of it is real."
            )
        if lacking:
            sentences.append(
                f"k = {k}: {lacking} of {len(held)} findings end with a smaller effect for lack of "
                "people within the maximum distance, whatever Δp would be."
            )
        sentences += found.notes
    tables[""] = pd.concat(counted, ignore_index=True)
    return Finding(
        content={"seed": asked.seed, "results": rows}, tables=tables, sentences=tuple(sentences)
    )


def worlds_part(asked: Asked) -> Finding:
    """Test in every causal model of the scenario."""
    names = [world.name for world in asked.case.scenario.worlds]
    if len(names) < 2:
        why = "The scenario has one causal model only: there is nothing to compare it with."
        return Finding(content={"unavailable": why}, sentences=(why,))
    results = in_worlds(
        asked.result,
        {name: asked.case.causal_model(name) for name in names},
        progress=asked.progress,
    )
    rows, sentences = [], []
    tables: dict[str, pd.DataFrame] = {}
    for settings in asked.settings:
        k = settings.n_neighbours
        found = rival_worlds(results, settings=settings)
        flagged, pairs = found.flagged(), found.pairs()
        people = pd.concat(
            [
                found.verdicts().add_suffix(": is_significant"),
                found.verdicts(significant=False).add_suffix(": is_case"),
                found.deltas().add_suffix(": delta"),
                flagged,
            ],
            axis=1,
        )
        tables[f"k{k}"] = _named(people)
        counts = found.counts().rename_axis("world").reset_index()
        spread = {word: int((flagged == word).sum()) for word in ("all", "some", "none")}
        rows.append(
            {
                "k": k,
                "method": found.method,
                "worlds": plain(counts),
                "flagged": spread,
                "pairs": plain(pairs),
                "reasons": _reasons(results, asked, k),
            }
        )
        each = ", ".join(f"{row.significant} in {row.world}" for row in counts.itertuples())
        sentences.append(
            f"k = {k}: significant cases: {each}; {spread['all']} people are flagged in every "
            f"world, {spread['some']} in some, {spread['none']} in none."
        )
    return Finding(content={"results": rows}, tables=tables, sentences=tuple(sentences))


def _reasons(results: Mapping[str, Result], asked: Asked, k: int) -> list[dict[str, Any]]:
    """Return why each other world disagrees with the first."""
    settings = next(item for item in asked.settings if item.n_neighbours == k)
    first, *others = results
    found = []
    for name in others:
        why = reasons(results[first], results[name], settings=settings, names=(first, name))
        found.append(
            {
                "first": first,
                "second": name,
                "changed": len(why.index),
                "because_of": {str(key): int(n) for key, n in why.counts().items()},
                "differences": {node: list(text) for node, text in why.differences.items()},
                "impossible": dict(why.impossible),
            }
        )
    return found


def _named(table: pd.DataFrame) -> pd.DataFrame:
    return table.rename_axis(str(table.index.name or "id"))
