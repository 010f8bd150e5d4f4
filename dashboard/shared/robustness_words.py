"""Robustness in plain sentences; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cst_core.explain import count, number, percent
from cst_core.robustness import NEAR, WIDE, Balance, StandingCount
from cst_core.testing import INTERSECTIONAL
from dashboard.draft.document import Draft
from dashboard.shared.choice import Choice
from dashboard.shared.tables import table

MULTIPLICITY = (
    "Each person is a test, and among many tests some succeed by chance. "
    "Benjamini–Hochberg keeps the expected share of false findings at α if the tests lean the "
    "same way (as those of neighbours do); Benjamini–Yekutieli does so whatever their "
    "dependence, and finds less."
)


def standing_headline(draft: Draft, choice: Choice, checks: Sequence[StandingCount]) -> str:
    """Return how firm the findings are, in a sentence."""
    findings = checks[0].of if checks else 0
    who = draft.names.complainants(choice.test)
    if not findings:
        return f"There is no significant finding about {who} under these settings to be doubted."
    known = [check for check in checks if check.of]  # a sample may hold none of the findings
    weakest = min(known, key=lambda check: check.stand / check.of)
    strongest = sum(check.stand == check.of for check in known)
    are = "is" if findings == 1 else "are"
    said = (
        f"There {are} {count(findings, 'significant finding')} about {who}. "
        f"{_all_stand(strongest, len(known), findings)}"
    )
    if weakest.stand < weakest.of and findings > 1:
        said += (
            f" The smallest part stands here: “{_lower(weakest.what)}”, {weakest.stand:,} of "
            f"{weakest.of:,}."
        )
    elif weakest.stand < weakest.of:
        lost = [_lower(check.what) for check in known if check.stand < check.of]
        said += f" It is lost here: {'; '.join(f'“{what}”' for what in lost)}."
    return said


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _all_stand(strongest: int, checks: int, findings: int) -> str:
    one = findings == 1
    if strongest == checks:
        below = "the check" if checks == 1 else f"each of the {checks} checks"
        return f"{'It stands' if one else 'All of them stand'} under {below} below."
    if not strongest:
        below = "the check" if checks == 1 else f"each of the {checks} checks"
        return f"Under {below} below {'it is' if one else 'some are'} lost."
    stand = "it stands" if one else "all of them stand"
    return f"Under {strongest} of the {checks} checks below {stand}."


def balance_sentences(found: Balance, method_test: str) -> list[str]:
    """Return how alike the people in the groups are, and what to make of it."""
    test = "test_st" if method_test == "ST" else "test_cst"
    other = getattr(found, test)
    known = ~(np.isnan(found.control.mean) | np.isnan(other.mean))
    if not known.any():
        return ["Nobody has both groups."]
    wide = found.is_wide(test)  # type: ignore[arg-type]
    said = [
        f"Mean distance over {_whose(found)}: "
        f"{number(float(found.control.mean[known].mean()), 3)} in the control groups, "
        f"{number(float(other.mean[known].mean()), 3)} in the test groups (0: equal people; 1: as "
        "different as can be).",
        f"For {int(wide.sum()):,} of {len(wide):,} ({percent(float(wide.mean()))}) {WIDE_WORDS}.",
    ]
    warning = found.warning(test)  # type: ignore[arg-type]
    return [*said, warning] if warning else said


WIDE_WORDS = (
    f"the control group is {number(WIDE)} times as wide as the test group or wider, and its people "
    f"are {number(NEAR)} away or more"
)


def _whose(found: Balance) -> str:
    """Return whose groups were looked at: in a multiple test, each attribute's own complainants."""
    test = "of the intersectional test" if found.name == INTERSECTIONAL else f"by {found.name}"
    people = f"the {count(found.n_complainants, 'person', 'people')} {test}"
    if found.is_sample:
        return f"a random sample of {len(found.index):,} of {people}"
    return people


def balance_table(found: Balance) -> str:
    """Return how far away the people of each group are, as a table."""
    overall: Any = found.overall().to_dict("index")
    rows = []
    for name, label in (
        ("control", "Control group"),
        ("test_st", "Test group, ST"),
        ("test_cst", "Test group, CST"),
    ):
        mean = number(overall[name]["mean of mean distance"], 3)
        far = number(overall[name]["mean of largest distance"], 3)
        times = wide = "–"
        if name != "control":
            times = number(overall[name]["control / test"], 3)
            wide = percent(overall[name]["share with a wide control group"])
        rows.append([label, mean, far, times, wide])
    heads = [
        f"Average over {_whose(found)}",
        "Mean distance",
        "Farthest person",
        "Control is so many times as wide",
        f"{number(WIDE)} times or more, and {number(NEAR)} away or more, for",
    ]
    return table(heads, rows)
