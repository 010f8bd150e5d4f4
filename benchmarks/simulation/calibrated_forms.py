"""Calibrated verdicts in tests and models of other forms, where the label means nothing.

`calibrated` asks what `strict` promises of one attribute with numbers below it. Here the same is
asked of multiple tests (someone must be a finding by each of two attributes) and of models in
which what follows from the label has levels. Nobody should be found. What was found in each dataset
stands in ``calibrated_forms.csv`` beside this module; datasets that are there are not drawn again::

    python -m benchmarks.simulation.calibrated_forms --datasets 200   # draw what is missing
    python -m benchmarks.simulation.calibrated_forms --tables         # print the document's table
    python -m benchmarks.simulation.calibrated_forms --check 2        # draw some of them again
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import beta

import cst_core
from cst_core.causal import MechanismKind
from cst_core.evidence import PRESETS, EvidenceSettings, preset_settings
from cst_core.results import Result

TABLE = Path(__file__).with_suffix(".csv")
PLACE = ["world", "dataset", "k"]
SIZES = (15, 50)
PEOPLE = 600
DEALS = 499
RULES = ("paper", "strict")
JOBS = ("clerk", "driver", "nurse", "teacher", "welder")
WORTH = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
SHARES = np.array([0.3, 0.25, 0.2, 0.15, 0.1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A test and a model; the first label never means anything.

    Attributes
    ----------
    protected
        The share of people with the label, and with the other one.
    rule
        Whether decisions follow a score by chance (noisy) or by a line (sharp).
    mechanism
        How a job follows from the label; None: two numbers follow from two labels instead, and
        the test is multiple.
    related
        How often the other label is taken from the first.
    effect
        What the other label adds to both numbers: then it means something, and the first does not.
    """

    name: str
    protected: float
    rule: str
    mechanism: MechanismKind | None = None
    related: float = 0.0
    effect: float = 0.0


FORMS = (
    Form(name="multiple, two unrelated labels, sharp", protected=0.4, rule="sharp"),
    Form(
        name="multiple, one of two labels has an effect, sharp",
        protected=0.4,
        rule="sharp",
        effect=-0.5,
    ),
    Form(name="multiple, labels that go together, sharp", protected=0.4, rule="sharp", related=0.7),
    Form(name="levels by shares, sharp", protected=0.2, rule="sharp", mechanism="shares"),
    Form(name="levels by shares, noisy", protected=0.2, rule="noisy", mechanism="shares"),
    Form(name="levels by log-odds, sharp", protected=0.2, rule="sharp", mechanism="logit"),
)


def draw(form: Form, number: int) -> Result:
    """Return a test of people of whom the label says nothing."""
    random = np.random.default_rng([number, *map(ord, form.name)])
    first = random.permutation(PEOPLE) < round(form.protected * PEOPLE)
    other = np.where(random.random(PEOPLE) < form.related, first, random.permutation(first))
    x = random.standard_normal((PEOPLE, 2))
    job = random.choice(len(JOBS), PEOPLE, p=SHARES)
    if form.mechanism is None:
        x += form.effect * other[:, None]
        x[:, 1] += 0.6 * x[:, 0]
        score = x.sum(axis=1) - 0.8
        relevant = tuple(cst_core.RelevantAttribute(column=name) for name in ("x1", "x2"))
        labels: tuple[str, ...] = ("first", "other")
        edges = [*product(labels, ("x1", "x2")), ("x1", "x2")]
        equations = {}
    else:
        score = x[:, 0] + WORTH[job] - 0.5
        relevant = (
            cst_core.RelevantAttribute(column="x1"),
            cst_core.RelevantAttribute(column="job", kind="nominal"),
        )
        labels = ("first",)
        edges = [("first", "job")]
        equations = {"job": cst_core.Equation(node="job", mechanism=form.mechanism)}
    refused = score < 0 if form.rule == "sharp" else random.random(PEOPLE) < expit(-1.5 * score)
    names = tuple(item.column for item in relevant)
    frame = pd.DataFrame(
        {
            "first": np.where(first, "yes", "no"),
            "other": np.where(other, "yes", "no"),
            "x1": x[:, 0],
            "x2": x[:, 1],
            "job": np.array(JOBS)[job],
            "decision": np.where(refused, "refused", "accepted"),
        }
    )
    roles = cst_core.Roles(
        protected=tuple(
            cst_core.ProtectedAttribute(column=label, protected="yes") for label in labels
        ),
        relevant=relevant,
        decision=cst_core.Decision(column="decision", negative="refused"),
    )
    model = cst_core.CausalModel(
        graph=cst_core.CausalGraph(nodes=(*labels, *names), edges=tuple(edges), protected=labels),
        equations=equations,
    )
    people = cst_core.Dataset.from_frame(frame, roles)
    search = cst_core.SearchSettings(max_neighbours=max(SIZES))
    if form.mechanism is None:
        return cst_core.run_multiple(people, model, search=search)
    return cst_core.run_single(people, model, attribute="first", search=search)


def study(form: Form, number: int) -> list[dict[str, object]]:
    """Return what each rule finds in one dataset, a row a k."""
    result = draw(form, number)
    rows = []
    for k in SIZES:
        row: dict[str, object] = {"world": form.name, "dataset": number, "k": k}
        row["people"] = result.n_protected
        for rule in RULES:
            settings = EvidenceSettings(n_neighbours=k, relabellings=DEALS)
            found = result.evidence("CST_wo", preset_settings(PRESETS[rule], settings))
            row[rule] = int(found.significant_found.sum())
        rows.append(row)
    return rows


def known() -> pd.DataFrame:
    """Return what was found so far."""
    return pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=PLACE)


def draw_all(wanted: Iterable[tuple[Form, int]]) -> pd.DataFrame:
    """Return what is found in datasets, drawn two at a time."""
    with ProcessPoolExecutor(2) as pool:
        waiting = [pool.submit(study, form, number) for form, number in wanted]
        rows = [row for done in as_completed(waiting) for row in done.result()]
    return pd.DataFrame(rows, columns=[*PLACE, "people", *RULES])


def table(found: pd.DataFrame) -> str:
    """Return the document's table as Markdown."""
    lines = ["| test and model | k | datasets | paper | strict | strict, 95 % interval |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | --- |")
    for form, k in product(FORMS, SIZES):
        some = found[(found["world"] == form.name) & (found["k"] == k)]
        if some.empty:
            continue
        shares = {rule: some[rule] / some["people"] for rule in RULES}
        cells = [
            f"{100 * (share > 0).mean():.1f} / {100 * share.mean():.2f}"
            for share in shares.values()
        ]
        n, hit = len(some), int((some["strict"] > 0).sum())
        low = beta.ppf(0.025, hit, n - hit + 1) if hit else 0.0
        high = beta.ppf(0.975, hit + 1, n - hit) if hit < n else 1.0
        cells.append(f"{100 * low:.1f}–{100 * high:.1f}")
        lines.append(f"| {form.name} | {k} | {n} | {' | '.join(cells)} |")
    return "\n".join(lines)


def check(datasets: int) -> None:
    """Draw the first datasets again; exit unless the same is found in them."""
    again = draw_all(product(FORMS, range(datasets))).set_index(PLACE).sort_index()
    before = known().set_index(PLACE).loc[again.index]
    differs = again[(again != before).any(axis=1)]
    print(f"{len(again)} cells drawn again, {len(differs)} of them differ from {TABLE.name}.")
    if len(differs):
        print(differs.to_string())
        raise SystemExit(1)


def main() -> None:
    """Draw, print or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--datasets", type=int, default=200)
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--check", type=int, help="draw the first so many again, and compare")
    options = parser.parse_args()
    if options.check:
        check(options.check)
        return
    if not options.tables:
        done = set(zip(known()["world"], known()["dataset"], strict=True))
        for start in range(0, options.datasets, 20):  # what is drawn is kept every now and then
            numbers = range(start, min(start + 20, options.datasets))
            wanted = [
                (form, number)
                for form, number in product(FORMS, numbers)
                if (form.name, number) not in done
            ]
            if wanted:
                both = pd.concat([known(), draw_all(wanted)]).sort_values(PLACE)
                both.to_csv(TABLE, index=False)
    print(table(known()))


if __name__ == "__main__":
    main()
