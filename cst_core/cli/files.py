"""What an audit leaves in a folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal import Coefficient, Equation, FittedCausalModel, diagnose
from cst_core.cli.audit import Audit, overlaps
from cst_core.cli.reports import TestReport, row_numbers
from cst_core.data import Dataset, as_csv, sources
from cst_core.errors import InputError
from cst_core.evidence import in_words
from cst_core.explain import all_slices, describe_groups
from cst_core.results import Result, SingleResult
from cst_core.scenario import Case, Scenario, write_scenario

REFUSED = "decision: refused"


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
    stems = _stems([test.name for test in audit.tests])
    for test in audit.tests:
        tables |= _test_tables(stems[test.name], test, audit)
        if audit.robustness is not None:
            for check, report in audit.robustness[test.name].items():
                for name, table in report.tables().items():
                    tables["_".join(filter(None, [stems[test.name], check, name]))] = table
    for k, found in overlaps(audit).items():
        tables[f"overlap_k{k}"] = found.shares.rename_axis("part")
    written = []
    for name, text in texts.items():
        written.append(protect(folder / name, case, data))
        write_bytes(text.encode(), written[-1])
    for name, table in tables.items():
        written.append(protect(folder / f"{name}.csv", case, data))
        write_csv(table, _sources(audit), written[-1])
    return written


def _sources(audit: Audit) -> dict[str, str]:
    return sources(
        case=audit.scenario,
        data=audit.data_name,
        sha256=audit.data_sha256,
        reading=audit.data_notes,
        causal_model=audit.settings["world"],
        more={
            "k": ", ".join(map(str, audit.options.k)),
            **in_words(audit.settings),
            "Preset": audit.options.preset or "none",
        },
    )


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
    source = data_file_from(data or case.data_path, folder)
    worlds = sorted(scenario.worlds, key=lambda world: world.name != options.world)
    reading = scenario.data if data is None else scenario.data.of_another("-")
    return scenario.model_copy(
        update={
            "data": reading.model_copy(update={"file": source}),
            "worlds": tuple(worlds),
            "settings": options.settings,
        }
    )


def data_file_from(path: Path, folder: Path) -> str:
    """Return how a scenario file in a folder names its data."""
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()


def write_bytes(content: bytes, path: Path) -> None:
    """Write a file."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"Cannot write '{path}' ({_reason(error)}).") from error


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def as_json(content: dict[str, Any]) -> str:
    """Return the content as JSON text."""
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_csv(table: pd.DataFrame, about: Mapping[str, str], path: Path) -> None:
    """Write a table, its index too where that has names, with what it comes from."""
    named = table.index.name or not _is_plain(table.index)
    write_bytes(as_csv(table.reset_index() if named else table, about), path)


def _is_plain(index: pd.Index[Any]) -> bool:
    return isinstance(index, pd.RangeIndex) and index.name is None and index.start == 0


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name).strip("_.") or "test"


def _stems(names: Sequence[str]) -> dict[str, str]:
    """Return by test how its files' names begin, each another way."""
    found: dict[str, str] = {}
    for name in names:
        stem, number = _slug(name), 2
        while stem in found.values():
            stem, number = f"{_slug(name)}-{number}", number + 1
        found[name] = stem
    return found


def _summary_table(audit: Audit) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"test": test.name, "protected": test.protected, **_flat(row_numbers(row, test.chance))}
            for test in audit.tests
            for row in test.rows
        ]
    )


def _flat(numbers: dict[str, Any]) -> dict[str, Any]:
    """Return a row with what is nested in it as columns of their own."""
    flat = {name: value for name, value in numbers.items() if not isinstance(value, dict)}
    for name, inner in numbers.items():
        if isinstance(inner, dict):
            flat |= {f"{name}_{part}": value for part, value in inner.items()}
    return flat


def _test_tables(name: str, test: TestReport, audit: Audit) -> dict[str, pd.DataFrame]:
    tables = {}
    results = () if test.result is None else (test.result,)
    for k, people in test.people.items():
        described = pd.concat([*map(_who, results), people], axis=1)
        tables[f"{name}_k{k}"] = described.rename_axis(str(people.index.name or "id"))
    if test.result is not None and len(test.result.runs) == 1:
        (run,) = test.result.runs
        tables[f"{name}_equations"] = equations_table(run.model, run.dataset)
        tables[f"{name}_groups"] = _group_table(run, audit)
        if run.counterfactuals.states.mixture is not None:
            tables[f"{name}_states"] = _state_table(run)
    return tables


def _who(result: Result) -> pd.DataFrame:
    """Return each complainant's attributes and decision; where there is one run, also both there.

    Several runs have a counterfactual each.
    """
    run, inside = result.runs[0], result.is_protected
    columns = [attribute.column for attribute in run.dataset.roles.relevant]
    factual = run.dataset.frame.loc[inside]
    protected = [
        column for column in factual.columns if column not in columns and column != _decided(run)
    ]
    who = factual[protected + columns].add_prefix("attribute: ")
    if len(result.runs) == 1:
        several = run.counterfactuals.states.mixture is not None
        head = "likeliest counterfactual: " if several else "counterfactual: "
        other = run.counterfactuals.frame.loc[inside, columns].add_prefix(head)
        who = pd.concat([who, other], axis=1)
    who[REFUSED] = run.decisions.negative[inside]
    if run.decisions.approximate:
        who["decision: refused by the model"] = run.decisions.centre[inside]
    if len(result.runs) == 1 and run.counterfactual_negative is not None:
        who["decision: counterfactual refused"] = run.counterfactual_negative[inside]
        if run.there is not None and run.there.mixture is not None:
            who["decision: counterfactual refused, share"] = run.there.share
    return who


def _decided(result: SingleResult) -> str | None:
    decision = result.dataset.roles.decision
    return None if decision is None else decision.column


def _group_table(result: SingleResult, audit: Audit) -> pd.DataFrame:
    rows = []
    for k in audit.options.k:
        settings = audit.options.evidence_settings(result.name, k)
        slices = all_slices(result, settings)
        everyone = result.index[
            result.index.isin(slices["ST and CST w/o"].union(slices["CST w/o only"]))
        ]
        described = describe_groups(result, everyone, settings)
        for which, people in slices.items():
            averages = {group: table.loc[people].mean() for group, table in described.items()}
            for statistic in described["control"].columns if len(people) else ():
                rows.append(
                    {"k": k, "cases": which, "people": len(people), "average of": statistic}
                    | {group: float(means[statistic]) for group, means in averages.items()}
                )
    return pd.DataFrame(rows)


def _state_table(result: SingleResult) -> pd.DataFrame:
    """Return a row a counterfactual state of a complainant, with its weight."""
    parts = []
    for person, row in zip(result.index, np.flatnonzero(result.is_protected), strict=True):
        states, weights = result.states_of(int(row))
        columns = [attribute.column for attribute in result.dataset.roles.relevant]
        part = states[columns].add_prefix("counterfactual: ")
        part.insert(0, "weight", weights)
        parts.append(part.set_axis([person] * len(part)))
    return pd.concat(parts).rename_axis(str(result.index.name or "id"))


def _numbers(equation: Equation) -> dict[str, Coefficient]:
    """Return an equation's coefficients; of a table of shares, one a share."""
    shares = {
        f"{level} | {', '.join(f'{name} = {value}' for name, value in row.when.items())}": (
            Coefficient(
                value=share,
                source=row.source,
                fitted_value=None if row.fitted is None else row.fitted.get(level),
                note=row.note,
            )
        )
        for row in equation.shares
        for level, share in row.shares.items()
    }
    return {**equation.coefficients, **shares}


def equations_table(fitted: FittedCausalModel, dataset: Dataset) -> pd.DataFrame:
    """Return every coefficient and share with its source, and each equation's diagnostics."""
    rows = []
    for found in diagnose(fitted, dataset):
        equation = fitted.equation(found.node)
        for term, number in (_numbers(equation) or {"": Coefficient()}).items():
            row: dict[str, object] = {
                "node": found.node,
                "link": equation.link,
                "term": term,
                "value": number.value,
                "source": number.source,
                "fitted_value": number.fitted_value,
                "standard_error": number.standard_error,
                "classical_error": number.classical_error,
                "r_squared": found.r_squared,
                "unseen_r_squared": found.unseen_r_squared,
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
