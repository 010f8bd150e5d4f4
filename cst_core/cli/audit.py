"""An audit: the tests of a case, run with one group of settings, ready to print or write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cst_core.cli.chance import ask_chance
from cst_core.cli.options import Options
from cst_core.cli.published import published_reports
from cst_core.cli.reports import TestReport, report_of, row_numbers, significant_people
from cst_core.data import VERSION
from cst_core.explain import CaseNames, unmeasured_headlines
from cst_core.results import Result
from cst_core.robustness import (
    CHECKS,
    CONFOUNDING,
    CheckReport,
    CheckRequest,
    Confounding,
)
from cst_core.scenario import Case, OpenCase
from cst_core.testing import (
    INTERSECTIONAL,
    MULTIPLE,
    Overlap,
    Progress,
    calibrate_result,
    overlap,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Audit:
    """All tests of a case, what its things are called, and what the checks found, by test."""

    scenario: str
    data_name: str
    data_sha256: str
    data_notes: tuple[str, ...]
    options: Options
    tests: tuple[TestReport, ...]
    names: CaseNames | None = None
    robustness: Mapping[str, Mapping[str, CheckReport]] | None = None

    def unmeasured(self, test: TestReport) -> list[str]:
        """Return what of a test's findings may be the doing of something unmeasured."""
        counts = [row.cases for row in test.rows if row.method == "CST_wo"]
        if test.result is None or self.names is None or not any(counts):
            return []
        checked = self.robustness[test.name].get(CONFOUNDING.name) if self.robustness else None
        found = [] if checked is None else checked.results
        known = [one for one in found if isinstance(one, Confounding)]
        return unmeasured_headlines(self.names, test.result, "CST_wo", known)

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain data, for JSON."""
        options = self.options
        return {
            "scenario": self.scenario,
            "preset": options.preset,
            "version": VERSION,
            "data": {"file": self.data_name, "sha256": self.data_sha256},
            "settings": self.settings,
            "tests": [
                {
                    "test": test.name,
                    "n": test.n,
                    "protected": test.protected,
                    "accepted": test.accepted,
                    "results": [
                        row_numbers(row, test.chance)
                        | {"significant_people": significant_people(test, row)}
                        for row in test.rows
                    ],
                    "refused": None
                    if test.parity is None
                    else {
                        "protected": test.parity.refused_protected,
                        "reference": test.parity.refused_reference,
                    },
                    "unmeasured": self.unmeasured(test),
                    "unavailable": dict(test.unavailable),
                    "notes": list(test.notes),
                }
                | self._robustness_of(test)
                for test in self.tests
            ],
        }

    @property
    def settings(self) -> dict[str, Any]:
        """The settings by name, with the causal model, as they were run."""
        if self.options.protocol == "ordinary":
            run = {"world": self.options.world}
        else:
            run = {"world": "published", "ties": "last"}
        return self.options.settings.model_dump(mode="json") | run

    def _robustness_of(self, test: TestReport) -> dict[str, Any]:
        if self.robustness is None:
            return {}
        found = self.robustness[test.name]
        return {"robustness": {name: report.numbers() for name, report in found.items()}}


def run_audit(
    case: Case, data: Path | None, options: Options, progress: Progress | None = None
) -> Audit:
    """Run the tests; `data` is another file in place of the scenario's."""
    table = case.table(data)
    notes: tuple[str, ...] = ()
    if options.protocol == "published":
        tests = published_reports(table.frame, options)
    else:
        people = case.check(table, own_table=data is None)
        notes = people.notes
        opened = case.open(
            people,
            world=options.world,
            settings=options.settings,
            executor=options.executor,
        )
        tests = _paper(opened, options, case.names(options.world), progress)
    return Audit(
        scenario=case.scenario.name,
        data_name=(data or case.data_path).name,
        data_sha256=table.sha256,
        data_notes=notes,
        options=options,
        tests=tests,
        names=None if options.protocol == "published" else case.names(options.world),
    )


def check_robustness(
    audit: Audit,
    case: Case,
    checks: Sequence[str],
    *,
    seed: int,
    repeats: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Return the audit with these robustness checks of every test added."""
    worlds = {}
    if any("several worlds" in CHECKS[name].needs for name in checks):
        worlds = {item.name: case.causal_model(item.name) for item in case.scenario.worlds}
    reports: dict[str, dict[str, CheckReport]] = {}
    for test in audit.tests:
        assert test.result is not None  # only the published protocol has none
        request = CheckRequest(
            result=test.result,
            settings=tuple(audit.options.evidence_settings(test.name, k) for k in audit.options.k),
            worlds=worlds,
            seed=seed,
            repeats=repeats,
            progress=progress,
        )
        reports[test.name] = {name: CHECKS[name].report(request) for name in checks}
    return replace(audit, robustness=reports)


def _paper(
    opened: OpenCase, options: Options, names: CaseNames, progress: Progress | None
) -> tuple[TestReport, ...]:
    results: dict[str, Result] = {}
    skipped: list[str] = []
    for test in options.tests:
        name = test.name
        few = test.kind != "single" and test.complainants(opened.dataset).sum() < 2
        if few and len(options.tests) > 1:
            skipped.append(name)
        else:
            results[name] = opened.run(name, done=results, progress=progress)
    for name, result in results.items():
        asked = [options.evidence_settings(name, k) for k in options.k]
        calibrate_result(result, result.methods, asked, progress=progress)
    reports = [
        report_of(result, options, names, chance=ask_chance(result, options, progress))
        for result in results.values()
    ]
    if skipped:
        why = f"Not run: {' and '.join(skipped)}; fewer than two people have all protected values."
        reports[-1] = replace(reports[-1], notes=(*reports[-1].notes, why))
    return tuple(reports)


def overlaps(audit: Audit) -> dict[int, Overlap]:
    """Return multiple beside intersectional by k, CST w/o, where both were run."""
    results = {test.name: test.result for test in audit.tests}
    multiple, crossed = results.get(MULTIPLE), results.get(INTERSECTIONAL)
    if multiple is None or crossed is None:
        return {}
    return {
        k: overlap(
            multiple,
            crossed,
            method="CST_wo",
            settings=audit.options.evidence_settings(MULTIPLE, k),
        )
        for k in audit.options.k
    }
