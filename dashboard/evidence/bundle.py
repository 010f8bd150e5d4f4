"""Everything about a test in one archive: the scenario, the counts, every complainant, and why."""

from __future__ import annotations

import pandas as pd

from cst_core.results import MultipleResult, SingleResult
from dashboard.draft.document import Draft
from dashboard.evidence.exports import as_archive, as_csv
from dashboard.evidence.results import Choice
from dashboard.wording import METHOD_LABELS

NAMES = {"CST_wo": "cst-without", "ST": "st", "CST_w": "cst-with", "CF": "cf"}


def bundle(
    draft: Draft,
    choice: Choice,
    found: SingleResult | MultipleResult,
    counts: pd.DataFrame,
    *,
    scenario: str,
    about: dict[str, str],
) -> bytes:
    """Return the archive; each table says what it was computed from."""
    files = {
        "scenario.yaml": scenario.encode(),
        "about.txt": "".join(f"{name}: {value}\n" for name, value in about.items()).encode(),
        "counts.csv": as_csv(counts, about),
        "notes.txt": "".join(f"{note}\n" for note in found.notes).encode(),
    }
    for method in found.methods:
        evidence = found.evidence(method, choice.settings)
        people = evidence.to_frame().reset_index(names="person")
        told = {**about, "Method": METHOD_LABELS[method]}
        files[f"people-{NAMES[method]}.csv"] = as_csv(people, told)
    return as_archive(files)
