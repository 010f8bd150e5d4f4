"""How wide a test's groups are: measured beside the page, once for each k."""

from __future__ import annotations

from cst_core.results import SingleResult
from cst_core.robustness import BALANCE, Balance, CheckRequest
from dashboard.draft.document import Draft
from dashboard.session import background, results
from dashboard.session.caches import Cache
from dashboard.shared.choice import Choice

_BALANCES: Cache[Balance] = Cache(64)


def balance_of(draft: Draft, choice: Choice, run: SingleResult) -> Balance | None:
    """Return how wide a run's groups are; while it is measured, show that and return None."""
    settings = choice.settings
    k, balanced = settings.n_neighbours, settings.balance_radii
    key = f"balance {k} {balanced} {results.key_of(draft, run.name)}"
    found = _BALANCES.get(key)
    if found is None:
        found = background.run(
            key,
            "Measuring how near the groups are",
            lambda _: BALANCE.result(CheckRequest(result=run, settings=(settings,))),
        )
        if found is not None:
            _BALANCES.put(key, found)
    return found
