"""What an interval can do is said in its entry, and nobody asks for one by name."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from cst_core.evidence import INTERVAL_METHODS, IntervalMethod, interval

ROOT = Path(__file__).resolve().parents[2]
NAMES = rf"[\"'](?:{'|'.join(INTERVAL_METHODS)})[\"']"
ASKED = re.compile(rf"interval *[!=]= *{NAMES}|interval (?:not )?in \([^)]*{NAMES}")


def test_no_one_asks_for_an_interval_by_name() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in ("cst_core", "dashboard")
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if ASKED.search(line)
    ]
    assert not found


@pytest.mark.parametrize("name", INTERVAL_METHODS)
def test_the_entry_says_which_may_have_no_width(name: IntervalMethod) -> None:
    found = interval(8, 8, 0, 8, tail=0.05, method=name)
    assert bool(np.isclose(found.lower, found.upper)) == INTERVAL_METHODS[name].may_have_no_width


def test_a_stand_in_can_serve() -> None:
    for method in INTERVAL_METHODS.values():
        if method.is_slow or method.may_have_no_width:
            assert method.stand_in is not None
            other = INTERVAL_METHODS[method.stand_in]
            assert not other.is_slow
            assert not other.may_have_no_width
