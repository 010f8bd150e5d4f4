"""Whether the findings are more than chance gives: asked once for every k, kept with the case."""

from __future__ import annotations

import os

from cst_core.evidence import INTERVAL_METHODS
from cst_core.results import Result
from cst_core.robustness import Placebo, placebo, usual_repeats
from dashboard.draft.document import Draft
from dashboard.session import results
from dashboard.session.caches import Cache
from dashboard.session.kept_computations import computed, fingerprint, stored
from dashboard.shared.choice import Choice

_CHANCE: Cache[Placebo] = Cache(64)
_REPEATS: Cache[int] = Cache(64)
SEED = 0
ASKED = (5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 250)
"""Beside the case's own k it is asked at these, so that the slider is never far from one."""
MOST_REPEATS = "CST_CHANCE_REPEATS"
"""An environment variable: on a small server labels may be dealt out less often than usual."""


def repeats(draft: Draft, choice: Choice, found: Result) -> int:
    """Return how often labels are dealt out for a test; 0 where it would take minutes."""
    alpha = choice.settings.significance_level
    times = _REPEATS.once(
        f"{results.key_of(draft, found.name)} {alpha}", lambda: usual_repeats(found, alpha) + 1
    )
    return min(times - 1, int(os.environ.get(MOST_REPEATS, times)))


def chance_of(draft: Draft, choice: Choice, found: Result) -> Placebo | None:
    """Return what labels without meaning give; None while that is computed, which is shown."""
    asked = [results.at_k(choice.settings, k) for k in _sizes(draft, choice)]
    times = repeats(draft, choice, found)
    return computed(
        _CHANCE,
        *_kept_as(draft, choice, found),
        "Asking whether chance would find as many",
        lambda tell: placebo(
            found,
            settings=asked,
            methods=found.methods,
            repeats=times,
            seed=SEED,
            progress=tell,
        ),
        read=Placebo.from_json,
        write=Placebo.to_json,
    )


def known_chance(draft: Draft, choice: Choice, found: Result) -> Placebo | None:
    """Return the same if it is there already."""
    name, computed_from = _kept_as(draft, choice, found)
    return _CHANCE.get(computed_from) or stored(name, computed_from, Placebo.from_json)


def _sizes(draft: Draft, choice: Choice) -> list[int]:
    """Return the k at which it is asked.

    Not the one that happens to be shown: one answer is kept for all of them.
    """
    most = results.largest_k(draft, choice.test)
    slow = INTERVAL_METHODS[choice.settings.interval].is_slow
    ks = {*draft.settings.k, *(() if slow else ASKED)}
    return sorted(k for k in ks if k <= most) or [min(choice.k, most)]


def _kept_as(draft: Draft, choice: Choice, found: Result) -> tuple[str, str]:
    settings = str(results.at_k(choice.settings, 1))
    dealt = (repeats(draft, choice, found), SEED)
    return (
        f"chance {fingerprint(choice.test)}",
        fingerprint(results.key_of(draft, choice.test), settings, *dealt, *_sizes(draft, choice)),
    )
