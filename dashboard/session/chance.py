"""Whether the findings are more than chance gives: asked once for every k, kept with the case."""

from __future__ import annotations

import os

from cst_core.evidence import INTERVAL_METHODS
from cst_core.results import Result
from cst_core.robustness import Placebo, PlaceboCounts, placebo, usual_repeats
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


def repeats(draft: Draft, found: Result) -> int:
    """Return how often labels are dealt out for a test; 0 where it would take minutes."""
    times = _REPEATS.once(results.key_of(draft, found.name), lambda: usual_repeats(found) + 1)
    return min(times - 1, int(os.environ.get(MOST_REPEATS, times)))


def chance_of(draft: Draft, choice: Choice, found: Result) -> Placebo | None:
    """Return what labels without meaning give; None while that is computed, which is shown."""
    settings, most = choice.settings, results.largest_k(draft, choice.test)
    ks = {*draft.settings.k, choice.k}
    if not INTERVAL_METHODS[settings.interval].is_slow:
        ks |= {*ASKED}
    asked = [results.at_k(settings, k) for k in sorted(ks) if k <= most]
    times = repeats(draft, found)
    return computed(
        _CHANCE,
        *_kept_as(draft, choice),
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


def known_chance(draft: Draft, choice: Choice) -> Placebo | None:
    """Return the same if it is there already."""
    name, computed_from = _kept_as(draft, choice)
    return _CHANCE.get(computed_from) or stored(name, computed_from, Placebo.from_json)


def nearest(found: Placebo, choice: Choice) -> PlaceboCounts:
    """Return the counts by the method shown at the k that was asked nearest to the one shown."""
    ks = {one.settings.n_neighbours for one in found.counts}
    return found.of(choice.method, min(ks, key=lambda k: (abs(k - choice.k), k)))


def _kept_as(draft: Draft, choice: Choice) -> tuple[str, str]:
    settings = str(results.at_k(choice.settings, 1))
    return (
        f"chance {fingerprint(choice.test)}",
        fingerprint(results.key_of(draft, choice.test), settings, *draft.settings.k),
    )
