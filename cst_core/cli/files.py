"""What an audit leaves in a folder."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from cst_core.causal.diagnostics import diagnose
from cst_core.causal.model import FittedCausalModel
from cst_core.cli.audit import Audit, overlaps
from cst_core.cli.reports import TestReport, row_numbers
from cst_core.data.dataset import Dataset
from cst_core.errors import InputError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.results import MultipleResult, SingleResult
from cst_core.scenario.case import Case, write_scenario
from cst_core.scenario.document import DataPart, Scenario, SettingsPart
from cst_core.testing.group_summaries import SLICES, describe_groups, slice_cases

REFUSED = "decision: refused"
_FORMULA = re.compile(r"^[=+\-@\t\r]")


def write_audit(audit: Audit, case: Case, data: Path | None, folder: Path) -> list[Path]:
    """Write the numbers, one row a complainant, and a scenario that repeats them.

    Returns the files written. `data` is the file that stood in for the scenario's.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out: cannot use '{folder}' as a folder ({_reason(error)}).") from error
    texts = {
        "results.json": as_json(audit.to_dict()),
        "scenario-used.yaml": write_scenario(_as_used(audit, case, data, folder)),
    }
    tables: dict[str, pd.DataFrame] = {"summary": _summary_table(audit)}
    for test in audit.tests:
        tables |= _test_tables(test, audit)
        if audit.robustness is not None:
            for part, finding in audit.robustness.findings[test.name].items():
                for name, table in finding.tables.items():
                    tables["_".join(filter(None, [_slug(test.name), part, name]))] = table
    for k, found in overlaps(audit).items():
        tables[f"overlap_k{k}"] = found.shares.rename_axis("part")
    written = []
    for name, text in texts.items():
        written.append(protect(folder / name, case, data))
        write_text(text, written[-1])
    for name, table in tables.items():
        written.append(protect(folder / f"{name}.csv", case, data))
        write_csv(table, written[-1])
    return written


def protect(target: Path, case: Case, data: Path | None) -> Path:
    """Return the target, unless writing it would destroy the case's own files."""
    for own in (case.path, case.data_path, data):
        if own is not None and target.exists() and own.exists() and target.samefile(own):
            raise InputError(
                f"--out: writing '{target}' would overwrite the case's own file. Choose another."
            )
    return target


def _as_used(audit: Audit, case: Case, data: Path | None, folder: Path) -> Scenario:
    """Return the scenario with the data, causal model and settings that were used."""
    options, scenario = audit.options, case.scenario
    source = os.path.relpath((data or case.data_path).resolve(), folder.resolve())
    worlds = sorted(scenario.worlds, key=lambda world: world.name != options.world)
    reading = scenario.data if data is None else DataPart(file="-", missing=scenario.data.missing)
    return scenario.model_copy(
        update={
            "data": reading.model_copy(update={"file": Path(source).as_posix()}),
            "worlds": tuple(worlds),
            "settings": SettingsPart(
                k=options.k,
                tau=options.evidence.accepted_deviation,
                alpha=options.evidence.significance_level,
                direction=options.evidence.direction,
                ties=options.search.ties,
                max_distance=options.search.max_distance,
                interval=options.evidence.interval,
                intersectional_form=options.form,
                correction=options.evidence.correction,
                tie_robust=options.evidence.tie_robust,
                balance_radii=options.evidence.balance_radii,
                several=options.evidence.several,
            ),
        }
    )


def write_text(text: str, path: Path) -> None:
    """Write a text file."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"Cannot write '{path}' ({_reason(error)}).") from error


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


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
    write_text(flat.to_csv(index=False), path)


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


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name).strip("_.") or "test"


def _summary_table(audit: Audit) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"test": test.name, "protected": test.protected, **row_numbers(row)}
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
        elif isinstance(test.result, MultipleResult):
            who = _who(test.result.runs[0]).loc[people.index]
            kept = [name for name in who if str(name).startswith("attribute: ") or name == REFUSED]
            described = pd.concat([who[kept], people], axis=1)
        tables[f"{name}_k{k}"] = described.rename_axis(str(people.index.name or "id"))
    if isinstance(test.result, SingleResult):
        tables[f"{name}_equations"] = equations_table(test.result.model, test.result.dataset)
        tables[f"{name}_groups"] = _group_table(test.result, audit)
    return tables


def _who(result: SingleResult) -> pd.DataFrame:
    """Return each complainant's attributes, decision and counterfactual."""
    columns = [attribute.column for attribute in result.dataset.roles.relevant]
    inside = result.is_protected
    factual = result.dataset.frame.loc[inside]
    protected = [
        column for column in factual.columns if column not in columns and column != _decided(result)
    ]
    other = result.counterfactuals.frame.loc[inside, columns].add_prefix("counterfactual: ")
    who = pd.concat([factual[protected + columns].add_prefix("attribute: "), other], axis=1)
    who[REFUSED] = result.decisions.negative[inside]
    if result.counterfactual_negative is not None:
        who["decision: counterfactual refused"] = result.counterfactual_negative[inside]
    return who


def _decided(result: SingleResult) -> str | None:
    decision = result.dataset.roles.decision
    return None if decision is None else decision.column


def _group_table(result: SingleResult, audit: Audit) -> pd.DataFrame:
    rows = []
    for k in audit.options.k:
        settings: EvidenceSettings = replace(audit.options.evidence, n_neighbours=k)
        slices = {which: slice_cases(result, which, settings) for which in SLICES}
        everyone = result.index[
            result.index.isin(slices["ST and CST w/o"].union(slices["CST w/o only"]))
        ]
        described = describe_groups(result, everyone, k=k, balance_radii=settings.balance_radii)
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
