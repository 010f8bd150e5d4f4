"""Everything about a test in one archive: the scenario, the counts, every complainant, and why."""

from __future__ import annotations

import pandas as pd

from cst_core.data import as_csv
from cst_core.evidence import METHOD_LABELS
from cst_core.results import Result
from dashboard.draft.files import as_archive
from dashboard.shared.choice import Choice

NAMES = {"CST_wo": "cst-without", "ST": "st", "CST_w": "cst-with", "CF": "cf"}


def bundle(
    choice: Choice, found: Result, counts: pd.DataFrame, *, scenario: str, about: dict[str, str]
) -> bytes:
    """Return the archive; each table says what it was computed from."""
    files: dict[str, str | bytes] = {
        "scenario.yaml": scenario,
        "about.txt": "".join(f"{name}: {value}\n" for name, value in about.items()),
        "counts.csv": as_csv(counts, about),
        "notes.txt": "".join(f"{note}\n" for note in found.notes),
    }
    for method in found.methods:
        evidence = found.evidence(method, choice.settings)
        people = evidence.to_frame().reset_index(names="person")
        told = {**about, "Method": METHOD_LABELS[method]}
        files[f"people-{NAMES[method]}.csv"] = as_csv(people, told)
    return as_archive(files)
