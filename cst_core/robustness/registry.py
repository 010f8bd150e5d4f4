"""Every robustness check, by name: what `--robustness` takes and the dashboard shows.

A new check is its own module, with a result, a function and a `Check`; a line here; and a figure in
the dashboard, where there is something to draw.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cst_core.robustness.accepted_arrows import ARROWS
from cst_core.robustness.balance import BALANCE
from cst_core.robustness.bootstrap import BOOTSTRAP
from cst_core.robustness.check import Check
from cst_core.robustness.confounding import CONFOUNDING
from cst_core.robustness.distances import OTHER_DISTANCES
from cst_core.robustness.placebo import PLACEBO
from cst_core.robustness.rival_worlds import WORLDS
from cst_core.robustness.standing import STANDING
from cst_core.robustness.tipping import TIPPING
from cst_core.robustness.tornado import TORNADO

CHECKS: Mapping[str, Check[Any]] = {
    check.name: check
    for check in (
        BALANCE,
        PLACEBO,
        STANDING,
        BOOTSTRAP,
        TIPPING,
        TORNADO,
        ARROWS,
        CONFOUNDING,
        OTHER_DISTANCES,
        WORLDS,
    )
}
