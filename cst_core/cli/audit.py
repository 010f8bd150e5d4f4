"""An audit: the tests of a case, run with one group of settings, ready to print or write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from cst_core.causal.model import CausalModel
from cst_core.cli.findings import Asked, Finding
from cst_core.cli.robustness import PARTS
from cst_core.data.dataset import Dataset
from cst_core.data.matching import as_text
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import InputError, SettingsError
from cst_core.evidence.parity import DemographicParity
from cst_core.evidence.presets import preset_of
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.evidence.verdicts import METHOD_NAMES, Method
from cst_core.replication import RECIPE_TESTS, published_recipe, run_published
from cst_core.results import MultipleResult, SingleResult, Summary
from cst_core.scenario.case import Case
from cst_core.testing.several import (
    IntersectionalForm,
    Overlap,
    has_all,
    multiple_from,
    overlap,
    run_intersectional,
)
from cst_core.testing.single import ExecutorChoice, Progress, run_single

Protocol = Literal["ordinary", "published"]
SEVERAL = ("multiple", "intersectional")
CORRECTION_WORDS = {
    "bh": "P-values are adjusted for all complainants with evidence by the same method "
    "(Benjamini and Hochberg, which assumes independent or positively dependent tests).",
    "by": "P-values are adjusted for all complainants with evidence by the same method "
    "(Benjamini and Yekutieli, for any dependence between the tests).",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What was asked for; `evidence.n_neighbours` is unused, `k` lists them all."""

    protocol: Protocol
    tests: tuple[str, ...]
    k: tuple[int, ...]
    evidence: EvidenceSettings
    search: SearchSettings
    world: str
    form: IntersectionalForm
    executor: ExecutorChoice = "local"

    @property
    def preset(self) -> str | None:
        """The preset that the settings equal; None when they equal none."""
        if self.protocol == "published":
            return "published"
        found = preset_of(
            ties=self.search.ties,
            interval=self.evidence.interval,
            correction=self.evidence.correction,
            tie_robust=self.evidence.tie_robust,
            balance_radii=self.evidence.balance_radii,
        )
        return None if found is None else found.name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestReport:
    """One test's numbers.

    `people` holds, by k, one row a complainant; `parity` the refusal rates of both groups; `result`
    is what the library returned, None for the published protocol.
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
    result: SingleResult | MultipleResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSummary:
    """A cell of the published protocol's tables; it has no word on ties."""

    method: Method
    k: int
    cases: int
    significant: int
    mean_delta: float
    tie_dependent: None = None
    cases_hold: None = None
    cases_on_ties: None = None
    significant_hold: None = None
    significant_on_ties: None = None
    k_control: None = None
    k_test: None = None
    family: None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Robustness:
    """What the robustness checks found, by test and part."""

    seed: int
    findings: Mapping[str, Mapping[str, Finding]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Audit:
    """All tests of a case."""

    scenario: str
    data_name: str
    data_sha256: str
    options: Options
    tests: tuple[TestReport, ...]
    robustness: Robustness | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain data, for JSON."""
        options = self.options
        return {
            "scenario": self.scenario,
            "preset": options.preset,
            "version": version("counterfactual-situation-testing"),
            "data": {"file": self.data_name, "sha256": self.data_sha256},
            "settings": {
                "k": list(options.k),
                "tau": options.evidence.accepted_deviation,
                "alpha": options.evidence.significance_level,
                "direction": options.evidence.direction,
                "interval": options.evidence.interval,
                "correction": options.evidence.correction,
                "tie_robust": options.evidence.tie_robust,
                "balance_radii": options.evidence.balance_radii,
                "several": options.evidence.several,
                "ties": options.search.ties if options.protocol == "ordinary" else "last",
                "max_distance": options.search.max_distance,
                "world": options.world if options.protocol == "ordinary" else "published",
                "intersectional_form": options.form,
            },
            "tests": [
                {
                    "test": test.name,
                    "n": test.n,
                    "protected": test.protected,
                    "accepted": test.accepted,
                    "results": [
                        row_numbers(row) | {"significant_people": _significant_people(test, row)}
                        for row in test.rows
                    ],
                    "refused": None
                    if test.parity is None
                    else {
                        "protected": 1 - test.parity.accepted_protected,
                        "reference": 1 - test.parity.accepted_reference,
                    },
                    "unavailable": dict(test.unavailable),
                    "notes": list(test.notes),
                }
                | self._robustness_of(test)
                for test in self.tests
            ],
        }

    def _robustness_of(self, test: TestReport) -> dict[str, Any]:
        if self.robustness is None:
            return {}
        found = self.robustness.findings[test.name]
        return {"robustness": {name: finding.content for name, finding in found.items()}}


def row_numbers(row: Summary | PublishedSummary) -> dict[str, Any]:
    """Return one row of a test's results as plain data."""
    names = (
        *("method", "k", "cases", "significant", "mean_delta", "tie_dependent"),
        *("cases_hold", "cases_on_ties", "significant_hold", "significant_on_ties"),
        *("k_control", "k_test", "family"),
    )
    return {name: getattr(row, name) for name in names}


def _significant_people(
    test: TestReport, row: Summary | PublishedSummary
) -> dict[str, list[Any]] | None:
    """Return who the significant cases are, with their p-values; None where there are none."""
    if isinstance(row, PublishedSummary):
        return None
    people = test.people[row.k]
    prefix = f"{row.method}: "
    chosen = people[people[f"{prefix}is_significant"]]
    names = ("p_value", "adjusted_p", "worst_adjusted_p", "significant_holds")
    return {"id": [as_text(person) for person in chosen.index]} | {
        name: chosen[prefix + name].tolist() for name in names if prefix + name in chosen
    }


def choose_tests(case: Case, wanted: str | None) -> tuple[str, ...]:
    """Return the tests to run: the one named, or all that the case allows."""
    attributes = [item.column for item in case.scenario.roles.protected]
    known = [*attributes, *(SEVERAL if len(attributes) > 1 else ())]
    if wanted is None:
        return tuple(known)
    if wanted in known:
        return (wanted,)
    if wanted in SEVERAL:
        raise InputError(
            f"--test {wanted}: this case has one protected attribute ({attributes[0]}); "
            f"'{wanted}' needs two or more."
        )
    raise InputError(f"--test: expected one of {', '.join(known)}, got '{wanted}'.")


def run_audit(
    case: Case, data: Path | None, options: Options, progress: Progress | None = None
) -> Audit:
    """Run the tests; `data` is another file in place of the scenario's."""
    table = case.table(data)
    if options.protocol == "published":
        tests = _published(table.frame, options)
    else:
        tests = _paper(case, case.check(table.frame, own_table=data is None), options, progress)
    return Audit(
        scenario=case.scenario.name,
        data_name=(data or case.data_path).name,
        data_sha256=table.sha256,
        options=options,
        tests=tests,
    )


def check_robustness(
    audit: Audit,
    case: Case,
    parts: Sequence[str],
    *,
    seed: int,
    repeats: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Return the audit with these robustness checks of every test added."""
    settings = tuple(replace(audit.options.evidence, n_neighbours=k) for k in audit.options.k)
    findings: dict[str, dict[str, Finding]] = {}
    for test in audit.tests:
        assert test.result is not None  # only the published protocol has none
        asked = Asked(
            case=case,
            result=test.result,
            settings=settings,
            seed=seed,
            repeats=repeats,
            progress=progress,
        )
        findings[test.name] = {name: PARTS[name](asked) for name in parts}
    return replace(audit, robustness=Robustness(seed=seed, findings=findings))


def _paper(
    case: Case, dataset: Dataset, options: Options, progress: Progress | None
) -> tuple[TestReport, ...]:
    model = case.causal_model(options.world)
    maker = case.decision_maker(dataset)
    attributes = [item.column for item in dataset.roles.protected]
    singles: dict[str, SingleResult] = {}
    reports: list[TestReport] = []
    skipped: list[str] = []
    for name in options.tests:
        needed = attributes if name == "multiple" else [name] if name in attributes else []
        for attribute in needed:
            if attribute not in singles:
                singles[attribute] = run_single(
                    dataset,
                    model,
                    attribute=attribute,
                    decision_maker=maker,
                    search=options.search,
                    executor=options.executor,
                    progress=progress,
                )
        result: SingleResult | MultipleResult
        if name in SEVERAL and has_all(dataset, attributes).sum() < 2 and len(options.tests) > 1:
            skipped.append(name)
            continue
        if name == "multiple":
            runs = [singles[attribute] for attribute in attributes]
            result = multiple_from(runs, has_all(dataset, attributes))
        elif name == "intersectional":
            result = _intersectional(dataset, model, maker, options, progress)
        else:
            result = singles[name]
        reports.append(_report(result, options))
    if skipped:
        why = f"Not run: {' and '.join(skipped)}; fewer than two people have all protected values."
        reports[-1] = replace(reports[-1], notes=(*reports[-1].notes, why))
    return tuple(reports)


def _intersectional(
    dataset: Dataset,
    model: CausalModel,
    maker: DecisionMaker | None,
    options: Options,
    progress: Progress | None,
) -> SingleResult:
    return run_intersectional(
        dataset,
        model,
        form=options.form,
        decision_maker=maker,
        search=options.search,
        executor=options.executor,
        progress=progress,
    )


def _report(result: SingleResult | MultipleResult, options: Options) -> TestReport:
    rows, people = [], {}
    for method in result.methods:
        for k in options.k:
            rows.append(result.summary(method, replace(options.evidence, n_neighbours=k)))
    for k in options.k:
        settings = replace(options.evidence, n_neighbours=k)
        people[k] = pd.concat(
            [
                result.evidence(method, settings).to_frame().add_prefix(f"{method}: ")
                for method in result.methods
            ],
            axis=1,
        )
    return TestReport(
        name=result.name,
        n=result.n,
        protected=result.n_protected,
        accepted=result.n_accepted,
        rows=tuple(rows),
        unavailable=result.unavailable,
        notes=(*result.notes, *_evidence_notes(rows, options.evidence)),
        people=people,
        parity=result.parity if isinstance(result, SingleResult) else None,
        result=result,
    )


def _evidence_notes(rows: Sequence[Summary], settings: EvidenceSettings) -> list[str]:
    notes = []
    if settings.correction != "none":
        families = [f"{row.family:,} at k = {row.k}" for row in rows if row.method == "CST_wo"]
        notes.append(f"{CORRECTION_WORDS[settings.correction]} Family: {', '.join(families)}.")
    if settings.balance_radii:
        sizes = [
            f"{row.k_control} against {row.k_test} at k = {row.k}"
            for row in rows
            if row.method == "CST_wo"
        ]
        notes.append(f"Radii are balanced; control against test group: {', '.join(sizes)}.")
    for field, words in (
        ("small_groups", "have a group smaller than k; its real size is used"),
        ("no_evidence", "have no neighbours at all, so no evidence is possible for them"),
    ):
        counts = [
            f"{getattr(row, field):,} at k = {row.k}"
            for row in rows
            if row.method == "CST_wo" and getattr(row, field)
        ]
        if counts:
            notes.append(f"Complainants who {words}: {', '.join(counts)}.")
    bare = [
        f"{row.zero_width_significant:,} of {row.significant:,} at k = {row.k}"
        for row in rows
        if row.method == "CST_wo" and row.zero_width_significant and settings.interval == "wald"
    ]
    if bare:
        notes.append(
            "Significant CST w/o cases in which one group was wholly refused and the other wholly "
            "accepted, where the Wald interval has no width and cannot express doubt: "
            f"{', '.join(bare)}."
        )
    return notes


def _published(frame: pd.DataFrame, options: Options) -> tuple[TestReport, ...]:
    recipe = published_recipe([str(column) for column in frame.columns])
    if recipe is None:
        raise SettingsError(
            "--preset published: this protocol is the authors' own for the loan and law-school "
            "data, and the table has other columns. Use --preset paper."
        )
    reports = []
    for name in options.tests:
        if name not in RECIPE_TESTS[recipe]:
            raise SettingsError(
                f"--preset published: no test '{name}' in the authors' {recipe} experiment; it "
                f"has: {', '.join(RECIPE_TESTS[recipe])}."
            )
        run = run_published(
            frame,
            recipe=recipe,
            test=name,
            k=options.k,
            tau=options.evidence.accepted_deviation,
            alpha=options.evidence.significance_level,
            direction=options.evidence.direction,
        )
        rows = []
        for method in METHOD_NAMES:
            for k in options.k:
                counts = run.counts(method, k)
                rows.append(
                    PublishedSummary(
                        method=method,
                        k=k,
                        cases=counts.all,
                        significant=counts.significant,
                        mean_delta=float(run.tables[method][k]["delta"].mean()),
                    )
                )
        reports.append(
            TestReport(
                name=name,
                n=run.n,
                protected=run.protected,
                accepted=run.accepted,
                rows=tuple(rows),
                unavailable={},
                notes=("The authors' own protocol: ties go to the later row.",),
                people={
                    k: pd.concat(
                        [run.tables[m][k].add_prefix(f"{m}: ") for m in METHOD_NAMES], axis=1
                    )
                    for k in options.k
                },
                parity=None,
                result=None,
            )
        )
    return tuple(reports)


def overlaps(audit: Audit) -> dict[int, Overlap]:
    """Return multiple beside intersectional by k, CST w/o, where both were run."""
    results = {test.name: test.result for test in audit.tests}
    multiple, crossed = results.get("multiple"), results.get("intersectional")
    if not isinstance(multiple, MultipleResult) or not isinstance(crossed, SingleResult):
        return {}
    return {
        k: overlap(
            multiple,
            crossed,
            method="CST_wo",
            settings=replace(audit.options.evidence, n_neighbours=k),
        )
        for k in audit.options.k
    }
