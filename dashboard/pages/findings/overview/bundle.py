"""Everything about a case in one archive: the scenario, and every test's counts and people."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from cst_core.data import as_csv
from cst_core.evidence import METHOD_LABELS, EvidenceSettings
from cst_core.results import Result
from dashboard.draft.files import as_archive
from dashboard.pages.findings.overview.words import counts_frame

NAMES = {"CST_wo": "cst-without", "ST": "st", "CST_w": "cst-with", "CF": "cf"}
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9]+")
LATER = (
    "{0}: the strict rule was not computed for this test yet, so its findings are those without "
    "calibration. Open the test on Findings under the strict rule, and save everything again.\n"
)


def bundle(
    run: Callable[[str], Result],
    asked: Mapping[str, EvidenceSettings],
    ks: Mapping[str, list[int]],
    *,
    shown: Result,
    scenario: str,
    about: dict[str, str],
) -> bytes:
    """Return the archive, a folder for each test; each table says what it was computed from.

    Parameters
    ----------
    run
        Makes a test's result where it is not the one shown.
    asked, ks
        By test, the settings of its people and the k of its counts.
    shown
        The result on the page.
    """
    files: dict[str, str | bytes] = {
        "scenario.yaml": scenario,
        "about.txt": "".join(f"{name}: {value}\n" for name, value in about.items()),
    }
    for place, (test, wanted) in enumerate(asked.items(), start=1):
        found, notes, settings = (shown if test == shown.name else run(test)), "", wanted
        if settings.calibration != "none" and test != shown.name:
            settings, notes = settings.uncalibrated, LATER.format(test)
        folder, told = f"{place}-{_NOT_IN_NAMES.sub('-', test)[:40]}", about | {"Test": test}
        counts = {
            method: [found.summary(method, replace(settings, n_neighbours=k)) for k in ks[test]]
            for method in found.methods
        }
        files[f"{folder}/counts.csv"] = as_csv(counts_frame(counts, found.n_protected), told)
        files[f"{folder}/notes.txt"] = notes + "".join(f"{note}\n" for note in found.notes)
        for method in found.methods:
            people = found.evidence(method, settings).to_frame().reset_index(names="person")
            named = told | {"Method": METHOD_LABELS[method]}
            files[f"{folder}/people-{NAMES[method]}.csv"] = as_csv(people, named)
    return as_archive(files)
