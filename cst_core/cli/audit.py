"""An audit: the tests of a case, run with one group of settings, ready to print or write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cst_core.causal.model import CausalModel
from cst_core.cli.findings import Asked, Finding
from cst_core.cli.options import SEVERAL, Options
from cst_core.cli.published import published_reports
from cst_core.cli.reports import TestReport, report_of, row_numbers, significant_people
from cst_core.cli.robustness import PARTS
from cst_core.data.dataset import Dataset
from cst_core.decisions.makers import DecisionMaker
from cst_core.results import MultipleResult, SingleResult
from cst_core.robustness.sampling import Result
from cst_core.scenario.case import Case
from cst_core.testing.several import Overlap, has_all, multiple_from, overlap, run_intersectional
from cst_core.testing.single import Progress, run_single


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
                        row_numbers(row) | {"significant_people": significant_people(test, row)}
                        for row in test.rows
                    ],
                    "refused": None
                    if test.parity is None
                    else {
                        "protected": test.parity.refused_protected,
                        "reference": test.parity.refused_reference,
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


def run_audit(
    case: Case, data: Path | None, options: Options, progress: Progress | None = None
) -> Audit:
    """Run the tests; `data` is another file in place of the scenario's."""
    table = case.table(data)
    if options.protocol == "published":
        tests = published_reports(table.frame, options)
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
        result: Result
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
        reports.append(report_of(result, options))
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
