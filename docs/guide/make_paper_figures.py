# ruff: noqa: E501  (prose)
"""Write paper-figures.md: the paper's figures and tables beside what the screens show.

Every number of ours is computed here, by the library and on the samples, as the screens do. The
published ones are those of `cst_core.replication.published_numbers` and, for four summary tables
that are not kept there, of the paper's text. Run it with
`.venv/bin/python docs/guide/make_paper_figures.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from cst_core import EvidenceSettings, SearchSettings, load_scenario
from cst_core.evidence import METHOD_NAMES, Method
from cst_core.explain import all_slices, centre_slices, describe_groups
from cst_core.replication.published_numbers import (
    COUNTS,
    COUNTS_TAU_005,
    GROUP_SUMMARIES,
    INDIVIDUALS,
    INDIVIDUALS_ALSO_CF,
    K_TAU_005,
    MULTIPLE_VS_INTERSECTIONAL,
    K,
)
from cst_core.results import MultipleResult, SingleResult, compare_worlds
from cst_core.testing import overlap, run_intersectional, run_multiple, run_single

HERE = Path(__file__).parent
LABELS: dict[Method, str] = {"CST_wo": "CST w/o", "ST": "ST", "CST_w": "CST w/", "CF": "CF"}
K15 = EvidenceSettings(n_neighbours=15)
SEARCH = SearchSettings(max_neighbours=500)
ROWS = (
    "refused, people",
    "refused, share",
    "salary, mean",
    "salary, spread",
    "balance, mean",
    "balance, spread",
)
STATISTICS = (
    "negatives",
    "share of negatives",
    "mean AnnualSalary",
    "spread AnnualSalary",
    "mean AccountBalance",
    "spread AccountBalance",
)
#: The paper's summary tables that `published_numbers` does not hold: control group, CST test group.
SUMMARIES = {
    "CST w/ and CF": (
        (15.46, 1.03, 83281.25, 1410.97, 23752.64, 449.85),
        (5.75, 0.38, 94323.46, 1564.37, 27762.60, 550.18),
    ),
    "CST w/ only": (
        (5.23, 0.35, 92892.05, 1592.33, 26890.63, 509.61),
        (0.00, 0.00, 104541.25, 1434.18, 31161.38, 545.73),
    ),
    "not significant": (
        (3.94, 0.26, 92808.34, 1919.18, 25923.28, 652.67),
        (2.62, 0.17, 104750.00, 1182.73, 30121.55, 290.97),
    ),
    "significant": (
        (13.32, 0.89, 87577.21, 1525.77, 24938.92, 487.52),
        (0.51, 0.03, 98392.16, 323.69, 28888.21, 185.18),
    ),
    "CST w/ not significant": (
        (14.72, 0.92, 78240.29, 1331.29, 22503.79, 422.47),
        (13.66, 0.86, 89308.43, 1672.54, 26478.22, 554.67),
    ),
    "CST w/ significant": (
        (14.21, 0.89, 87578.81, 1483.66, 24939.78, 474.41),
        (0.51, 0.03, 98705.10, 1484.45, 29011.26, 547.02),
    ),
}

INTRODUCTION = """\
# The paper's figures and tables on our screens

Alvarez and Ruggieri, *Counterfactual Situation Testing*, JAIR 82 (2025): every figure and table of the
experiments, which screen shows it, with which settings, and our numbers beside the published ones. This page is
written by [make_paper_figures.py](make_paper_figures.py), which computes our numbers on the samples with the
library, as the screens do; "published" numbers are copied from the paper. Numbers of figures and tables follow the
order of the paper's LaTeX source.

Links are given from the page's name on: open a sample, and put the part after the question mark behind the address
of that page (`…/overview?w=TOKEN&test=Gender&k=15`). τ = 0, α = 0.05 and the direction against the protected group
unless said otherwise.

## Why our numbers are not the published ones

| what | the screens (preset `paper`) | the authors' runs | touches |
| --- | --- | --- | --- |
| loan data | generated anew from the paper's description: {loan_n:,} people, {loan_f:,} women | the authors' file: 4,993 people, 1,712 women | every loan number; not comparable one by one |
| law-school data | the public source: {law_n:,} people, {law_f:,} women, {law_r:,} non-white | the same people | nothing |
| distance | each attribute divided by its range, one range for both worlds (the paper's equation) | each column z-scored, factual and counterfactual by their own mean and spread | who is called similar |
| ties | share the places left (`expected`); the order of rows does not matter | the later row wins | law-school most: LSAT and UGPA repeat a lot |
| law-school race runs | relevant attributes only | gender is part of the distance | Tables 10, 12, 14, 17 |
| control group | the complainant is left out first, then the k nearest are taken | the k + 1 nearest, then she is taken out if she is among them | heavily tied data |
| law-school equations | linear, or as drawn by the user; unrounded | LSAT rounded before fitting, results rounded and cut off at limits | counterfactuals at the edge of b() |
| CST w/ | recorded decisions in both groups; b() decides on the counterfactual centre alone | all decisions of the test group are read from the counterfactual data | CST w/ and the significance of CF: Tables 1, 6, 7, 9 |
| rounding | full precision, guarded by 1e-9 | Δp, bounds and z rounded to three decimals before comparing | cases at the border |

The authors' protocol itself is in `cst_core.replication`. With their files it gives all 240 cells of the six
count tables and all 48 cells at τ = 0.05 (`tests/golden/test_replication.py`); their files are not part of this
repository, so no screen uses them. What does not depend on similarity agrees exactly on the law-school sample: CF
finds 231, 56, 5 and 113 cases, as published.
"""


def count_rows(
    name: str,
    found: SingleResult | MultipleResult,
    published: dict[Method, tuple[Sequence[int], Sequence[int] | None]],
    ks: Sequence[int] = K,
    **settings: object,
) -> str:
    """Return a count table: ours, then the published number, for all and significant cases."""
    lines = [
        f"| {name}: ours / published | {' | '.join(f'k = {k}' for k in ks)} |",
        "| --- |" + " ---: |" * len(ks),
    ]
    for method in METHOD_NAMES:
        ours = [found.summary(method, EvidenceSettings(n_neighbours=k, **settings)) for k in ks]  # type: ignore[arg-type]
        whole, sure = published[method]
        cells = [f"{one.cases:,} / {other:,}" for one, other in zip(ours, whole, strict=True)]
        lines.append(f"| {LABELS[method]} | {' | '.join(cells)} |")
        if sure is not None:
            cells = [
                f"{one.significant:,} / {other:,}" for one, other in zip(ours, sure, strict=True)
            ]
            lines.append(f"| … significant | {' | '.join(cells)} |")
    return "\n".join(lines)


def curve_rows(found: SingleResult | MultipleResult, methods: Sequence[Method]) -> str:
    """Return mean Δp of some methods at some k."""
    ks = (15, 50, 100, 250, 500)
    lines = [
        f"| mean Δp, ours | {' | '.join(f'k = {k}' for k in ks)} |",
        "| --- |" + " ---: |" * len(ks),
    ]
    for method in methods:
        cells = [
            f"{found.summary(method, EvidenceSettings(n_neighbours=k)).mean_delta:.4f}" for k in ks
        ]
        lines.append(f"| {LABELS[method]} | {' | '.join(cells)} |")
    return "\n".join(lines)


def summary_rows(
    run: SingleResult, people: pd.Index, published: dict[str, Sequence[float]], *, centres: bool
) -> str:
    """Return a summary table of groups: ours, then the published number."""
    described = describe_groups(
        run, people, EvidenceSettings(n_neighbours=15), with_centres=centres
    )
    ours = pd.DataFrame({group: table.mean() for group, table in described.items()})
    words = {"control": "control", "test_st": "ST test", "test_cst": "CST test"}
    lines = [
        f"| {len(people):,} cases: ours / published | "
        f"{' | '.join(words[group] for group in published)} |",
        "| --- |" + " ---: |" * len(published),
    ]
    for place, (words_of, statistic) in enumerate(zip(ROWS, STATISTICS, strict=True)):
        cells = [
            f"{ours.loc[statistic, group]:,.2f} / {numbers[place]:,.2f}"
            for group, numbers in published.items()
        ]
        lines.append(f"| {words_of} | {' | '.join(cells)} |")
    return "\n".join(lines)


def people_rows(run: SingleResult) -> str:
    """Return the first five cases of CST w/ that CF finds too, and the first five it does not."""
    slices = centre_slices(run, K15)
    evidence = run.evidence("CST_w", K15)
    lines = [
        "| our person | p_c | p_t | Δp | one-sided | two-sided |",
        "| --- | ---: | ---: | ---: | --- | --- |",
    ]
    for which in ("CST w/ and CF", "CST w/ only"):
        for person in slices[which][:5]:
            place = run.index.get_loc(person)
            star = "*" if evidence.is_significant[place] else ""
            lines.append(
                f"| {person} ({'also CF' if which.endswith('CF') else 'not CF'}) "
                f"| {evidence.p_control[place]:.2f} | {evidence.p_test[place]:.2f} "
                f"| {evidence.delta[place]:.2f}{star} | [{evidence.bound[place]:.2f}, ∞) "
                f"| [{evidence.lower[place]:.2f}, {evidence.upper[place]:.2f}] |"
            )
    lines += [
        "",
        "| published, row of the authors' file | p_c | p_t | Δp | one-sided | two-sided |",
        "| --- | ---: | ---: | ---: | --- | --- |",
    ]
    for row, (p_c, p_t, delta, bound, (low, high)) in INDIVIDUALS.items():
        also = "also CF" if row in INDIVIDUALS_ALSO_CF else "not CF"
        lines.append(
            f"| {row} ({also}) | {p_c:.2f} | {p_t:.2f} | {delta:.2f}{'*' if bound > 0 else ''} "
            f"| [{bound:.2f}, ∞) | [{low:.2f}, {high:.2f}] |"
        )
    return "\n".join(lines)


def shift_rows(run: SingleResult) -> str:
    """Return the means of every attribute in both worlds."""
    lines = ["| mean, ours | women | their counterfactuals | men |", "| --- | ---: | ---: | ---: |"]
    for item in compare_worlds(run):
        assert item.factual is not None
        assert item.counterfactual is not None
        assert item.reference is not None
        lines.append(
            f"| {item.column} | {item.factual.mean:,.0f} | {item.counterfactual.mean:,.0f} "
            f"| {item.reference.mean:,.0f} |"
        )
    return "\n".join(lines)


def overlap_rows(multiple: MultipleResult, crossed: SingleResult) -> str:
    """Return mean p_c and p_t by test, for people found by both and by the intersection only."""
    found = overlap(multiple, crossed, method="CST_wo", settings=K15, significant=False)
    heads = ("G p_c", "G p_t", "R p_c", "R p_t", "R×G p_c", "R×G p_t")
    lines = [
        f"| k = 15, CST w/o: ours / published | people, ours | {' | '.join(heads)} |",
        "| --- |" + " ---: |" * 7,
    ]
    for part, name in (
        ("both", "multiple_and_intersectional"),
        ("intersectional only", "intersectional_only"),
    ):
        row = found.shares.loc[part]
        ours = [
            row[f"{run}: {which}"]
            for run in ("gender", "race", crossed.name)
            for which in ("p_control", "p_test")
        ]
        cells = [
            f"{float(mine):.2f} / {other:.2f}"
            for mine, other in zip(ours, MULTIPLE_VS_INTERSECTIONAL[name], strict=True)
        ]
        lines.append(f"| {part} | {int(row['people']):,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Compute everything and write the page."""
    loan_case, law_case = load_scenario("loan"), load_scenario("law-school")
    loan_people, law_people = loan_case.dataset(), law_case.dataset()
    loan = run_single(
        loan_people,
        loan_case.causal_model(),
        attribute="Gender",
        decision_maker=loan_case.decision_maker(),
        search=SEARCH,
    )
    given = {"decision_maker": law_case.decision_maker(), "search": SEARCH}
    multiple = run_multiple(law_people, law_case.causal_model(), **given)
    gender, race = (
        next(run for run in multiple.runs if run.name == name) for name in ("gender", "race")
    )
    crossed = run_intersectional(law_people, law_case.causal_model(), form="paper", **given)
    law_parity, loan_parity = gender.parity, loan.parity
    joint = [
        float(np.mean(inside & ~loan.decisions.negative))
        for inside in (loan.is_protected, loan.is_reference)
    ]

    def counts(table: str) -> dict[Method, tuple[Sequence[int], Sequence[int] | None]]:
        return dict(COUNTS[table])

    def at_005(table: str) -> dict[Method, tuple[Sequence[int], Sequence[int] | None]]:
        return {method: (cells, None) for method, cells in COUNTS_TAU_005[table].items()}

    def two(which: str) -> dict[str, Sequence[float]]:
        return dict(zip(("control", "test_cst"), SUMMARIES[which], strict=True))

    def three(which: str) -> dict[str, Sequence[float]]:
        return dict(
            zip(("control", "test_st", "test_cst"), GROUP_SUMMARIES[which].values(), strict=True)
        )

    centre = centre_slices(loan, K15)
    parts: list[tuple[str, str, str, str]] = [
        (
            "Figure 1: causal model of the loan example",
            "Causal model, sample *Loan applications*: gender → salary, gender → balance, salary → "
            "balance; the equations below the drawing.",
            "causal-model",
            "The graph is the paper's. Coefficients are fitted to our generated data.",
        ),
        (
            "Figure 2: salary and balance in both worlds",
            "Both worlds, sample *Loan applications*: the same histograms, with the men behind them.",
            "two-worlds?test=Gender",
            shift_rows(loan),
        ),
        (
            "Demographic parity of the loan example (text of section 5.1)",
            "Overview, beside the curves of mean Δp.",
            "overview?test=Gender",
            f"Accepted: {100 * loan_parity.accepted_protected:.1f} % of women and "
            f"{100 * loan_parity.accepted_reference:.1f} % of men. The paper prints 13.5 % and 40 %, "
            "which are shares of all applicants; in those terms ours are "
            f"{100 * joint[0]:.1f} % and {100 * joint[1]:.1f} %.",
        ),
        (
            "Table 1: cases of the loan example",
            "Overview, *The same in numbers*: the count table.",
            "overview?test=Gender&method=CST_wo&k=15",
            count_rows("Loan, gender", loan, counts("loan_gender")),
        ),
        (
            "Table 2: groups of cases found by ST and CST w/o",
            "Groups, *On average*: “Found by ST and CST”.",
            "groups?test=Gender&k=15",
            summary_rows(
                loan,
                all_slices(loan, K15)["ST and CST w/o"],
                three("ST_and_CST_wo_cases"),
                centres=False,
            ),
        ),
        (
            "Table 3: groups of cases found by CST w/o only",
            "Groups, *On average*: “Found by CST only” (the screen averages 50 of them drawn at "
            "random; here all).",
            "groups?test=Gender&k=15",
            summary_rows(
                loan,
                all_slices(loan, K15)["CST w/o only"],
                three("CST_wo_only_cases"),
                centres=False,
            ),
        ),
        (
            "Figure 3: boxplots of five cases",
            "Groups, *A handful of cases*: “Found by ST and CST, at random”; *Show other ones* draws "
            "others.",
            "groups?test=Gender&k=15",
            "The picture is of people, so it shows others here. The pattern is the paper's: the CST "
            "test group lies above the ST test group in both attributes (Table 2).",
        ),
        (
            "Figure 4: CST w/o, ST, CST w/ and CF against k (loan)",
            "Overview: both charts, *All cases* or *Significant only*.",
            "overview?test=Gender",
            "Cases at five k are in Table 1.\n\n" + curve_rows(loan, ("CST_wo", "ST", "CST_w")),
        ),
        (
            "Tables 4 and 5: single cases of CST w/, found by CF or not",
            "One person, method CST w/; find people with *Methods disagree* and *Cases only*.",
            f"complainant?test=Gender&method=CST_w&k=15&person={centre['CST w/ and CF'][0]}",
            people_rows(loan),
        ),
        (
            "Table 6: groups of cases found by CF and CST w/",
            "Groups: “Cases of CST w/ and CF”, “Found by CST w/ and CF”.",
            "groups?test=Gender&k=15",
            summary_rows(loan, centre["CST w/ and CF"], two("CST w/ and CF"), centres=True)
            + "\n\nThe paper's share of 1.03 divides by k where the group holds k + 1 people; ours "
            "divides by the real size.",
        ),
        (
            "Table 7: groups of cases found by CST w/ and not by CF",
            "Groups: “Found by CST w/, not by CF”.",
            "groups?test=Gender&k=15",
            summary_rows(loan, centre["CST w/ only"], two("CST w/ only"), centres=True),
        ),
        (
            "Table 8: groups of CST w/o cases, not significant and significant",
            "Groups, *On average*: “Not significant”, “Significant”.",
            "groups?test=Gender&k=15",
            "\n\n".join(
                summary_rows(loan, all_slices(loan, K15)[which], two(which), centres=False)
                for which in ("not significant", "significant")
            ),
        ),
        (
            "Table 9: groups of CST w/ cases, not significant and significant",
            "Groups: “Not significant by CST w/”, “Significant by CST w/”.",
            "groups?test=Gender&k=15",
            "\n\n".join(
                summary_rows(loan, centre[which], two(which), centres=True)
                for which in ("CST w/ not significant", "CST w/ significant")
            ),
        ),
        (
            "Figure 5: CST w/o and CST w/ against k (loan)",
            "Overview: both charts.",
            "overview?test=Gender",
            "As Figure 4.",
        ),
        (
            "Figure 6: causal model of the law school",
            "Causal model, sample *Law school admissions*.",
            "causal-model",
            "The graph is the paper's. The paper writes the LSAT equation with a logarithm; the "
            "authors' runs use linear ones. The sample has both causal models: `linear`, which is open "
            "at first and which all law-school numbers below are from, and `log-link`.",
        ),
        (
            "Table 10: cases by race",
            "Overview, protected attribute race.",
            "overview?test=race&k=15",
            count_rows("Law school, race", race, counts("law_race"))
            + "\n\nThe authors have gender in the distance of these runs; we do not.",
        ),
        (
            "Table 11: cases by gender",
            "Overview, protected attribute gender.",
            "overview?test=gender&k=15",
            count_rows("Law school, gender", gender, counts("law_gender"))
            + f"\n\nAdmitted: {100 * law_parity.accepted_protected:.1f} % of women, "
            f"{100 * law_parity.accepted_reference:.1f} % of men.",
        ),
        (
            "Figure 7: law school by race and by gender against k",
            "Overview, for each attribute.",
            "overview?test=race",
            "Race:\n\n"
            + curve_rows(race, ("CST_wo", "ST", "CST_w"))
            + "\n\nGender:\n\n"
            + curve_rows(gender, ("CST_wo", "ST", "CST_w")),
        ),
        (
            "Table 12: multiple discrimination",
            "Several attributes, or Overview with *all of them (multiple)*.",
            "overview?test=multiple&k=15",
            count_rows("Law school, multiple", multiple, counts("law_multiple")),
        ),
        (
            "Table 13: intersectional discrimination",
            "Several attributes, or Overview with *together (intersectional)*.",
            "overview?test=intersectional&k=15",
            count_rows("Law school, intersectional", crossed, counts("law_intersectional")),
        ),
        (
            "Figure 8: multiple and intersectional discrimination against k",
            "Several attributes, *For other group sizes k*, by the method of the settings; Overview "
            "for mean Δp of the intersection.",
            "several?k=15",
            "Intersectional:\n\n" + curve_rows(crossed, ("CST_wo", "ST", "CST_w")),
        ),
        (
            "Table 14: p_c and p_t of people found by both, and by the intersection only",
            "Several attributes, *Who is found by which test*.",
            "several?k=15&method=CST_wo",
            overlap_rows(multiple, crossed),
        ),
        (
            "Table 15: positive discrimination (loan)",
            "Overview, *Settings*, *More settings*, direction *in its favour*.",
            "overview?test=Gender&direction=favour",
            count_rows("Loan, in favour", loan, counts("loan_gender_positive"), direction="favour"),
        ),
        *(
            (
                f"Table {place}: τ = 0.05, {words}",
                "Overview, accepted difference 0.05.",
                f"overview?test={run.name}&tau=0.05",
                count_rows(words, run, at_005(table), K_TAU_005, accepted_deviation=0.05),
            )
            for place, table, words, run in (
                (16, "loan_gender", "loan, gender", loan),
                (17, "law_race", "race", race),
                (18, "law_gender", "law school, gender", gender),
            )
        ),
    ]
    page = [
        INTRODUCTION.format(
            loan_n=loan.n,
            loan_f=loan.n_protected,
            law_n=gender.n,
            law_f=gender.n_protected,
            law_r=race.n_protected,
        )
    ]
    for title, screen, link, body in parts:
        page.append(f"## {title}\n\n{screen} Link: `{link}`\n\n{body}\n")
    (HERE / "paper-figures.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
