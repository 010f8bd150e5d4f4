"""The two questions: how often is a finding false, and how many of the true ones are found?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks.simulation.people import Rule, World, run, simulate
from cst_core.evidence import EvidenceSettings
from cst_core.robustness import balance

SHARES = (0.05, 0.2, 0.5)
SIZES = (15, 50, 100)
RULES: tuple[Rule, ...] = ("threshold", "logistic")
EFFECT = -0.5
"""By how much A lowers each attribute directly, in units of its noise's spread."""
TOLERATED = 0.1
"""τ for the logistic rule, under which every effect, however small, moves Δ* a little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way to judge: an interval, with balanced radii or without."""

    name: str
    settings: EvidenceSettings


def ways(k: int, tau: float = 0.0) -> tuple[Way, ...]:
    """Return the ways that are compared."""
    plain = EvidenceSettings(n_neighbours=k, accepted_deviation=tau)
    caffo = replace(plain, interval="agresti-caffo")
    return (
        Way(name="wald", settings=plain),
        Way(name="wald, balanced", settings=replace(plain, balance_radii=True)),
        Way(name="agresti-caffo", settings=caffo),
        Way(name="agresti-caffo, balanced", settings=replace(caffo, balance_radii=True)),
    )


def false_findings(
    *,
    n: int,
    repeats: int,
    seed: int,
    shares: Iterable[float] = SHARES,
    sizes: Iterable[int] = SIZES,
    rules: Iterable[Rule] = RULES,
) -> pd.DataFrame:
    """Return the share of complainants flagged by CST w/o in worlds where A has no effect at all.

    A row a rule, share of protected people and k; the mean over `repeats` datasets of n people.
    """
    sizes = tuple(sizes)
    rows = []
    for rule in rules:
        for share in shares:
            streams = np.random.SeedSequence(seed).spawn(repeats)
            drawn = [
                run(
                    simulate(World(share=share, rule=rule), n, np.random.default_rng(stream)),
                    max(sizes),
                )
                for stream in streams
            ]
            for k in sizes:
                row: dict[str, object] = {"rule": rule, "protected": share, "k": k}
                widths = [balance(result, EvidenceSettings(n_neighbours=k)) for result in drawn]
                row["control / test"] = float(np.mean([width.ratio() for width in widths]))
                for way in ways(k):
                    found = [result.evidence("CST_wo", way.settings) for result in drawn]
                    if way.settings.interval == "wald":
                        row[f"cases, {way.name}"] = _mean([item.is_case for item in found])
                    row[f"significant, {way.name}"] = _mean([item.is_significant for item in found])
                rows.append(row)
    return pd.DataFrame(rows)


def true_findings(
    *,
    n: int,
    repeats: int,
    seed: int,
    shares: Iterable[float] = SHARES,
    sizes: Iterable[int] = SIZES,
    rules: Iterable[Rule] = RULES,
    direct: float = 0.0,
) -> pd.DataFrame:
    """Return recall and precision against the truth, in worlds where A has a known effect.

    A complainant is truly disadvantaged when Δ* > τ; see `Simulated`. τ is 0 for the threshold
    rule, where Δ* is 0 or 1, and `TOLERATED` for the logistic one. A row a rule, share of
    protected people and k; counts are summed over `repeats` datasets of n people.
    """
    sizes = tuple(sizes)
    rows = []
    for rule in rules:
        tau = 0.0 if rule == "threshold" else TOLERATED
        for share in shares:
            world = World(share=share, effect=EFFECT, direct=direct, rule=rule)
            streams = np.random.SeedSequence(seed).spawn(repeats)
            people = [simulate(world, n, np.random.default_rng(stream)) for stream in streams]
            results = [run(drawn, max(sizes)) for drawn in people]
            truth = np.concatenate([drawn.true_delta > tau for drawn in people])
            for k in sizes:
                row: dict[str, object] = {"rule": rule, "tau": tau, "protected": share, "k": k}
                row["truly disadvantaged"] = float(truth.mean())
                plain, _, _, strict = ways(k, tau)
                for name, method, way, field in (
                    ("CST w/o, cases", "CST_wo", plain, "is_case"),
                    ("CST w/o, significant", "CST_wo", plain, "is_significant"),
                    (f"CST w/o, {strict.name}", "CST_wo", strict, "is_significant"),
                    ("ST, significant", "ST", plain, "is_significant"),
                ):
                    flagged = np.concatenate(
                        [
                            getattr(result.evidence(method, way.settings), field)
                            for result in results
                        ]
                    )
                    row |= _agreement(name, flagged, truth)
                rows.append(row)
    return pd.DataFrame(rows)


def _agreement(
    name: str, flagged: npt.NDArray[np.bool_], truth: npt.NDArray[np.bool_]
) -> dict[str, float | None]:
    """Return the share of the true ones that were flagged, and of the flagged that are true."""
    hits, found, true = int((flagged & truth).sum()), int(flagged.sum()), int(truth.sum())
    return {
        f"{name}: recall": hits / true if true else None,
        f"{name}: precision": hits / found if found else None,
    }


def _mean(flags: list[npt.NDArray[np.bool_]]) -> float:
    return float(np.mean([flag.mean() for flag in flags]))
