"""One test of an audit: its numbers, its people and what a reader must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from cst_core.cli.chance import AskedChance
from cst_core.cli.options import Options
from cst_core.data import as_text
from cst_core.evidence import DemographicParity, Direction, Method
from cst_core.explain import (
    NOT_ASKED,
    CaseNames,
    borrowing_note,
    calibration_notes,
    chance_numbers,
    everyone_over_couplings,
    evidence_cautions,
    jump_sentence,
    record_split_sentence,
    strict_beside_paper,
)
from cst_core.results import Result, Summary
from cst_core.robustness import Placebo


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSummary:
    """A cell of the published protocol's tables; it has no word on ties."""

    method: Method
    k: int
    cases: int
    significant: int
    mean_delta: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestReport:
    """One test's numbers.

    `people` holds, by k, one row a complainant; `parity` the refusal rates of both groups; `result`
    is what the library returned, None for the published protocol; `chance` how many findings a
    label without meaning gives, where that was asked.
    """

    __test__ = False  # not a pytest class

    name: str
    n: int
    protected: int
    accepted: int
    rows: tuple[Summary | PublishedSummary, ...]
    unavailable: Mapping[Method, str]
    notes: tuple[str, ...]
    people: Mapping[int, pd.DataFrame]
    parity: DemographicParity | None
    result: Result | None
    chance: Placebo | None = None


def row_numbers(row: Summary | PublishedSummary, chance: Placebo | None) -> dict[str, Any]:
    """Return one row of a test's results as plain data; None for what it has no word on."""
    dealt = None if chance is None else chance_numbers(chance.of(row.method, row.k))
    names = (
        *("method", "k", "cases", "refused_cases", "significant", "mean_delta", "tie_dependent"),
        *("cases_hold", "cases_on_ties", "significant_hold", "significant_on_ties"),
        *("k_control", "k_test", "family"),
    )
    return (
        {name: getattr(row, name, None) for name in names}
        | {
            name: held
            for name in (
                *("cases_every_coupling", "significant_every_coupling"),
                *("never_cases", "mean_lowest", "mean_highest"),
            )
            if (held := getattr(row, name, None)) is not None
        }
        | {"by_chance": dealt}
    )


def significant_people(
    test: TestReport, row: Summary | PublishedSummary
) -> dict[str, list[Any]] | None:
    """Return who the significant cases are, with their p-values; None where there are none."""
    if isinstance(row, PublishedSummary):
        return None
    people = test.people[row.k]
    prefix = f"{row.method}: "
    chosen = people[people[f"{prefix}is_significant"]]
    names = (
        *("p_value", "calibrated_p", "adjusted_p", "worst_adjusted_p", "selected_bound"),
        "significant_holds",
        *("coupling_lowest", "coupling_highest", "significant_every_coupling"),
    )
    return {"id": [as_text(person) for person in chosen.index]} | {
        name: chosen[prefix + name].tolist() for name in names if prefix + name in chosen
    }


def report_of(
    result: Result, options: Options, names: CaseNames, *, chance: AskedChance
) -> TestReport:
    """Return one test's numbers at every k."""
    rows, people = [], {}
    for method in result.methods:
        for k in options.k:
            rows.append(result.summary(method, options.evidence_settings(result.name, k)))
    for k in options.k:
        settings = options.evidence_settings(result.name, k)
        people[k] = pd.concat(
            [
                result.evidence(method, settings).to_frame().add_prefix(f"{method}: ")
                for method in result.methods
            ],
            axis=1,
        )
    borrowed = borrowing_note(result, [options.settings.evidence_settings(k) for k in options.k])
    return TestReport(
        name=result.name,
        n=result.n,
        protected=result.n_protected,
        accepted=result.n_accepted,
        rows=tuple(rows),
        unavailable=result.unavailable,
        notes=(
            *result.notes,
            *_record_notes(result, rows, options.settings.direction),
            *_level_notes(result.name, options),
            *([borrowed] if borrowed else []),
            *_jump_notes(result, rows, names, options),
            *_coupling_notes(result, rows, names),
            *evidence_cautions(
                [row for row in rows if row.method == "CST_wo"],
                options.evidence_settings(result.name, options.k[0]),
                options.settings.ties,
            ),
            *calibration_notes(
                result, result.methods, options.evidence_settings(result.name, options.k[0])
            ),
            *_rule_notes(result, options),
            *_chance_notes(chance, options),
        ),
        people=people,
        parity=result.parity,
        result=result,
        chance=chance.found,
    )


def _rule_notes(result: Result, options: Options) -> list[str]:
    """Return what the paper's rule finds beside the strict one, where that was made."""
    if options.preset != "strict":
        return []
    settings = {k: options.evidence_settings(result.name, k) for k in options.k}
    return [
        f"CST w/o, k = {k}. {strict_beside_paper(result, 'CST_wo', one)}"
        for k, one in settings.items()
    ]


def _chance_notes(chance: AskedChance, options: Options) -> list[str]:
    """Return what the p-values of the counts are, or why there are none."""
    found = chance.found
    if found is not None:
        said = f"By chance: {found.repeats:,} deals of the label, seed {found.seed}."
        return [*found.notes, said]
    if chance.why_not:
        return [chance.why_not]
    calibrated = options.settings.calibration != "none"
    return [] if calibrated or options.chance == 0 else [NOT_ASKED]


def _coupling_notes(result: Result, rows: Sequence[Summary], names: CaseNames) -> list[str]:
    """Return how many findings hold whatever is assumed about people's counterfactual levels."""
    return [
        f"CST w/o, k = {row.k}. {said}"
        for row in rows
        if row.method == "CST_wo" and (said := everyone_over_couplings(names, result, row))
    ]


def _jump_notes(
    result: Result, rows: Sequence[Summary], names: CaseNames, options: Options
) -> list[str]:
    """Return where many equal people turn together from one k that was asked for to the next."""
    settings = options.evidence_settings(result.name, options.k[0])
    counts = sorted((row.k, row.significant) for row in rows if row.method == "CST_wo")
    said = jump_sentence(names, result, "CST_wo", settings, counts)
    return [said] if said else []


def _record_notes(result: Result, rows: Sequence[Summary], direction: Direction) -> list[str]:
    """Return what the record says of the cases of CF, which are the same at every k."""
    said = (record_split_sentence(result, row, direction) for row in rows)
    return list(dict.fromkeys(one for one in said if one))


def _level_notes(name: str, options: Options) -> list[str]:
    """Return how the test was corrected across the levels of an attribute."""
    levels = next(test.n_levels for test in options.tests if test.name == name)
    level = options.evidence_settings(name, options.k[0]).significance_level
    if levels == 1:
        return []
    return [
        f"'{name}' is one of {levels} tests beside each other, one a protected value. Corrected "
        f"across levels: each is judged at α ÷ {levels} = {level:g}."
    ]
