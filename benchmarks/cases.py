"""The cases: what is run against what, and the lines it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from benchmarks.check import compare, curves_of
from benchmarks.data import PROTECTED, Shape, rows_label
from benchmarks.measure import Contender, best_of, measure
from benchmarks.table import line, title, verdict

PEERS = ("scipy cKDTree", "sklearn kd_tree", "sklearn brute", "faiss L1")
K = 250
MEMORY_MB = 8_000


def against_loops(
    sample: str,
    attribute: str,
    *,
    complainants: int,
    repeats: int,
    target: float,
    brief: bool = False,
) -> None:
    """Three groups, all k ≤ 500, against plain loops over a sample of complainants."""
    base = {"sample": sample, "attribute": attribute, "complainants": complainants}

    def contender(label: str, way: str, k: int = 0) -> Contender:
        return Contender(
            label=label,
            task="case",
            args={**base, "way": way, "k": k},
            centres=complainants,
            is_ours=way in ("ours", "whole"),
        )

    some = [
        contender("cst_core, three groups, all k", "ours"),
        contender("cst_core, run_single: fit, counterfactuals, groups", "whole"),
        contender(f"pandas loop, k = {K} only", "pandas", K),
        contender(f"numpy loop, k = {K} only", "numpy", K),
        contender("numpy loop, all k", "numpy"),
    ]
    if brief:
        some = [some[0], some[2], some[4]]
    answers = measure(some, repeats)
    everyone = int(some[0].detail)
    for one in some:
        one.scale = 1.0 if one.is_ours else everyone / min(complainants, everyone)
        one.centres = everyone if one.is_ours else min(complainants, everyone)
    title(f"{sample}, {attribute}: three groups of {everyone:,} complainants")
    mine = answers[0]
    for one, theirs in zip(some, answers, strict=True):
        same = ""
        if one is not some[0] and theirs is not None and mine is not None:
            ours = mine["curves"]
            ours = ours[:, :, K - 1 : K] if theirs["curves"].shape[2] == 1 else ours
            same = compare(ours, theirs["curves"])
        wanted = target if one.task == "case" and one.args["way"] == "pandas" else None
        _show(one, some[0], same=same, target=wanted)


def against_libraries(
    shape: Shape,
    *,
    sample: int,
    repeats: int,
    target: float | None = None,
    names: Sequence[str] = PEERS,
    tuning: int = 60,
    whole_runs: int = 3,
) -> None:
    """One test group, k = 500, against libraries on a sample of centres."""
    everyone = round(PROTECTED * shape.n)
    sample = min(sample, everyone)
    scale, form = everyone / sample, asdict(shape)
    first = Contender(
        label="cst_core, same sample",
        task="ours",
        args={"shape": form, "sample": sample},
        centres=sample,
        scale=scale,
        is_ours=True,
    )
    whole = Contender(
        label="cst_core, all centres",
        task="ours",
        args={"shape": form, "sample": None, "keep": False},
        centres=everyone,
        is_ours=True,
        max_runs=whole_runs,
    )
    rivals = [
        Contender(
            label=name,
            task="peer",
            args={"name": name, "shape": form, "sample": sample, "tuning": min(tuning, sample)},
            centres=sample,
            scale=scale,
        )
        for name in names
    ]
    contenders = [first, *rivals, whole]
    answers = measure(contenders, repeats, drop_slow=True)
    title(f"{shape.label}: {everyone:,} complainants, {shape.n - everyone:,} to search")
    best = best_of(rivals)
    for one, found in zip(contenders, answers, strict=True):
        same = ""
        if one in rivals and found is not None and answers[0] is not None:
            theirs, certain = curves_of(**found, is_tied=shape.decimals is not None)
            same = compare(answers[0]["curves"], theirs, certain)
        if one is not whole:
            _show(one, first, same=same, target=target if one is best else None)
    if best is not None:
        whole.label += f", against the best peer ({best.label})"
        _show(best, whole, target=target, shown=whole)


def against_gower(*, n: int, sample: int, repeats: int) -> None:
    """A small subset, since the package computes whole matrix rows in Python loops."""
    shape = Shape(n=n, numeric=5, nominal=3)
    args = {"shape": asdict(shape), "sample": sample}
    contenders = [
        Contender(label="cst_core", task="ours_small", args=args, centres=sample, is_ours=True),
        Contender(label="gower.gower_matrix + sort", task="gower_rows", args=args, centres=sample),
    ]
    mine, theirs = measure(contenders, repeats)
    title(f"{shape.label}: {sample} centres among everyone, nothing scaled")
    same = ""
    if mine is not None and theirs is not None:
        same = compare(
            mine["curves"], *curves_of(theirs["dist"], theirs["near"], theirs["negative"])
        )
    _show(contenders[0], contenders[0])
    _show(contenders[1], contenders[0], same=same)


def growth(shapes: Sequence[tuple[str, dict[str, object]]], sizes: Sequence[int]) -> None:
    """The exponent of cost in n, complainants growing with n, index and search."""
    spread = ", ".join(rows_label(n) for n in sizes)
    title(f"growth: one test group of 30 % complainants, all k ≤ 500, n = {spread}")
    for label, columns in shapes:
        contenders = [
            Contender(
                label=label,
                task="ours",
                args={
                    "shape": asdict(Shape(n=n, **columns)),  # type: ignore[arg-type]
                    "sample": None,
                    "keep": False,
                },
                centres=round(PROTECTED * n),
                is_ours=True,
            )
            for n in sizes
        ]
        measure(contenders, 3)
        cpu = [one.seconds("cpu") for one in contenders]
        slope = np.polyfit(np.log(sizes), np.log(cpu), 1)[0]
        largest = contenders[-1]
        line(
            label=f"{label}: CPU ~ n^{slope:.2f} ({' / '.join(f'{c:.3g}' for c in cpu)} s)",
            centres=largest.centres,
            runs=len(largest.runs),
            cpu=cpu[-1],
            wall=largest.seconds("wall"),
            peak_mb=largest.peak_mb,
        )


def full_run(shape: Shape) -> None:
    one = Contender(
        label="cst_core, run_single on all cores",
        task="full",
        args={"shape": asdict(shape), "protected": PROTECTED},
        centres=round(PROTECTED * shape.n),
        is_ours=True,
    )
    measure([one], 1)
    title(f"{shape.label}: whole test, three groups, all k ≤ 500")
    if one.error:
        line(label=one.label, centres=one.centres, same=one.error)
        return
    _show(one, one, note=verdict(one.peak_mb, MEMORY_MB, at_most=True, unit=" MB"))


def summaries(
    shapes: Sequence[tuple[Shape, float]], repeats: int, methods: Sequence[str] = ("CST_wo",)
) -> None:
    title("one (k, τ, α) answer from curves: SingleResult.summary, each run another k")
    for shape, protected in shapes:
        contenders = [
            Contender(
                label=f"{method}, {shape.label}",
                task="summary",
                args={"shape": asdict(shape), "protected": protected, "method": method},
                centres=round(protected * shape.n),
                is_ours=True,
            )
            for method in methods
        ]
        measure(contenders, repeats)
        for one in contenders:
            note = verdict(1000 * one.seconds("wall"), 5, at_most=True, unit=" ms")
            _show(one, one, note=note)


def _show(
    one: Contender,
    ours: Contender,
    *,
    same: str = "",
    target: float | None = None,
    note: str = "",
    shown: Contender | None = None,
) -> None:
    """Print a contender, or in its place the one that it is compared with."""
    seen = shown or one
    label = f"{seen.label} {seen.detail if seen.task == 'peer' else ''}".rstrip()
    if one.error or ours.error:
        line(label=label, centres=seen.centres, same=one.error or ours.error)
        return
    ratio = one.seconds("cpu") / ours.seconds("cpu")
    line(
        label=label,
        centres=seen.centres,
        runs=len(seen.runs),
        cpu=seen.seconds("cpu"),
        wall=seen.seconds("wall"),
        peak_mb=seen.peak_mb,
        cpu_ratio=None if one is ours else ratio,
        wall_ratio=None if one is ours else one.seconds("wall") / ours.seconds("wall"),
        same=same,
        target=note if target is None else verdict(ratio, target),
    )
