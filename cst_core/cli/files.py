"""What an audit leaves in a folder."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from cst_core.causal.diagnostics import diagnose
from cst_core.causal.model import FittedCausalModel
from cst_core.cli.audit import Audit, TestReport
from cst_core.data.dataset import Dataset
from cst_core.errors import InputError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.results import MultipleResult, SingleResult
from cst_core.scenario.case import Case, write_scenario
from cst_core.testing.group_summaries import SLICES, describe_groups, slice_cases
from cst_core.testing.several import overlap

_FORMULA = re.compile(r"^[=+\-@\t\r]")


def write_audit(audit: Audit, case: Case, folder: Path) -> list[Path]:
    """Write the scenario, the numbers and one row a complainant; return the files written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out: cannot use '{folder}' as a folder ({error.strerror}).") from error
    written = [folder / "scenario.yaml", folder / "results.json"]
    written[0].write_text(write_scenario(case.scenario), encoding="utf-8")
    written[1].write_text(as_json(audit.to_dict()), encoding="utf-8")
    tables: dict[str, pd.DataFrame] = {"summary": _summary_table(audit)}
    for test in audit.tests:
        tables |= _test_tables(test, audit)
    multiple, crossed = _by_name(audit, "multiple"), _by_name(audit, "intersectional")
    if isinstance(multiple, MultipleResult) and isinstance(crossed, SingleResult):
        for k in audit.options.k:
            settings = replace(audit.options.evidence, n_neighbours=k)
            found = overlap(multiple, crossed, method="CST_wo", settings=settings)
            tables[f"overlap_k{k}"] = found.shares.rename_axis("part")
    for name, table in tables.items():
        path = folder / f"{name}.csv"
        write_csv(table, path)
        written.append(path)
    return written


def as_json(content: dict[str, Any]) -> str:
    """Return the content as JSON text."""
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table so that no spreadsheet takes a cell of it for a formula."""
    flat = table.reset_index() if table.index.name or not _is_plain(table.index) else table.copy()
    flat.columns = pd.Index([safe_cell(name) for name in flat.columns])
    for position, dtype in enumerate(flat.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype):
            flat.isetitem(position, flat.iloc[:, position].map(safe_cell).array)
    try:
        flat.to_csv(path, index=False)
    except OSError as error:
        raise InputError(f"Cannot write '{path}' ({error.strerror}).") from error


def safe_cell(value: object) -> object:
    """Put an apostrophe before text that a spreadsheet would run.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("Ann"), safe_cell(-1)
    ("'=1+1", 'Ann', -1)
    """
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _is_plain(index: pd.Index[Any]) -> bool:
    return isinstance(index, pd.RangeIndex) and index.name is None and index.start == 0


def _by_name(audit: Audit, name: str) -> SingleResult | MultipleResult | None:
    return next((test.result for test in audit.tests if test.name == name), None)


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name).strip("_.") or "test"


def _summary_table(audit: Audit) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "test": test.name,
                "protected": test.protected,
                "method": row.method,
                "k": row.k,
                "cases": row.cases,
                "significant": row.significant,
                "mean_delta": row.mean_delta,
                "tie_dependent": row.tie_dependent,
            }
            for test in audit.tests
            for row in test.rows
        ]
    )


def _test_tables(test: TestReport, audit: Audit) -> dict[str, pd.DataFrame]:
    name = _slug(test.name)
    tables = {}
    for k, people in test.people.items():
        described = people
        if isinstance(test.result, SingleResult):
            described = pd.concat([_who(test.result), people], axis=1)
        tables[f"{name}_k{k}"] = described.rename_axis(str(people.index.name or "id"))
    if isinstance(test.result, SingleResult):
        tables[f"{name}_equations"] = equations_table(test.result.model, test.result.dataset)
        tables[f"{name}_groups"] = _group_table(test.result, audit)
    return tables


def _who(result: SingleResult) -> pd.DataFrame:
    """Return each complainant's attributes, decision and counterfactual."""
    columns = [attribute.column for attribute in result.dataset.roles.relevant]
    inside = result.is_protected
    factual = result.dataset.frame.loc[inside, columns]
    other = result.counterfactuals.frame.loc[inside, columns].add_prefix("counterfactual ")
    decided = pd.Series(result.decisions.negative[inside], index=factual.index, name="refused")
    parts: list[pd.DataFrame | pd.Series[Any]] = [factual, decided, other]
    if result.counterfactual_negative is not None:
        there = result.counterfactual_negative[inside]
        parts.append(pd.Series(there, index=factual.index, name="counterfactual refused"))
    return pd.concat(parts, axis=1)


def _group_table(result: SingleResult, audit: Audit) -> pd.DataFrame:
    rows = []
    for k in audit.options.k:
        settings: EvidenceSettings = replace(audit.options.evidence, n_neighbours=k)
        slices = {which: slice_cases(result, which, settings) for which in SLICES}
        everyone = result.index[
            result.index.isin(slices["ST and CST w/o"].union(slices["CST w/o only"]))
        ]
        described = describe_groups(result, everyone, k=k)
        for which, people in slices.items():
            averages = {group: table.loc[people].mean() for group, table in described.items()}
            for statistic in described["control"].columns if len(people) else ():
                rows.append(
                    {"k": k, "cases": which, "people": len(people), "average of": statistic}
                    | {group: float(means[statistic]) for group, means in averages.items()}
                )
    return pd.DataFrame(rows)


def equations_table(fitted: FittedCausalModel, dataset: Dataset) -> pd.DataFrame:
    """Return every coefficient with its source and error, and each equation's diagnostics."""
    rows = []
    for found in diagnose(fitted, dataset):
        equation = fitted.equation(found.node)
        for term, number in equation.coefficients.items():
            row: dict[str, object] = {
                "node": found.node,
                "link": equation.link,
                "term": term,
                "value": number.value,
                "source": number.source,
                "fitted_value": number.fitted_value,
                "standard_error": number.standard_error,
                "r_squared": found.r_squared,
            }
            for group in found.by_group:
                row |= {
                    f"noise mean, {group.attribute} protected": group.mean_protected,
                    f"noise mean, {group.attribute} reference": group.mean_reference,
                    f"noise spread, {group.attribute} protected": group.spread_protected,
                    f"noise spread, {group.attribute} reference": group.spread_reference,
                    f"equal spread p, {group.attribute}": group.equal_spread_p,
                }
            rows.append(row)
    return pd.DataFrame(rows)
