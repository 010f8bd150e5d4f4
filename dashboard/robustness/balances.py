"""How wide a test's groups are: measured beside the page, once for each k."""

from __future__ import annotations

from cst_core.results import SingleResult
from cst_core.robustness.balance import Balance, balance
from dashboard import background
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.evidence.results import Choice
from dashboard.kept import Kept

_BALANCES: Kept[Balance] = Kept(64)


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
            lambda _: balance(run, k=k, balance_radii=balanced),
        )
        if found is not None:
            _BALANCES.put(key, found)
    return found


def forget_all() -> None:
    """Empty the memory: deleted data must not stay in it."""
    _BALANCES.clear()
