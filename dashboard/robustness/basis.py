"""What a kept computation was computed from, and what of it has changed since."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from dashboard import compute
from dashboard.draft.document import Draft
from dashboard.evidence.exports import VERSION
from dashboard.evidence.results import INTERSECTIONAL, MULTIPLE, Choice
from dashboard.text import listed

WORDS = {
    "data": "the data or what its columns mean",
    "model": "the causal model",
    "worlds": "one of the causal models",
    "maker": "the decision rule",
    "search": "how ties are broken, or the largest distance ε",
    "test": "the protected attribute",
    "method": "the method",
    "settings": "k, τ, α or another setting",
    "program": "the program itself, which is a newer one",
}


def basis_of(draft: Draft, choice: Choice, *, worlds: bool = False) -> str:
    """Return all that the robustness of a choice depends on, as a text to keep and compare.

    With `worlds`, every causal model of the case counts, not only the one that is open.
    """
    search, several = draft.settings, choice.test == MULTIPLE
    form = search.intersectional_form if choice.test == INTERSECTIONAL else ""
    settings = {**asdict(choice.settings), **({} if several else {"several": ""})}
    parts = {
        "program": VERSION,
        "data": _digest(compute.dataset_key(draft)),
        "maker": _digest(draft.decision_maker.model_dump_json(exclude={"note"})),
        "search": f"{search.ties} {search.max_distance} {form}",
        "test": choice.test,
        "method": choice.method,
        "settings": json.dumps(settings, sort_keys=True),
    }
    if worlds:
        models = sorted(f"{one.name} {compute.model_key(draft, one)}" for one in draft.worlds)
        parts["worlds"] = _digest(" ".join(models))
    else:
        parts["model"] = _digest(compute.model_key(draft))
    return json.dumps(parts, sort_keys=True)


def changes(before: str, now: str) -> list[str]:
    """Return in words what differs between two bases; empty when they are the same."""
    if before == now:
        return []
    old, new = json.loads(before), json.loads(now)
    names = [name for name in WORDS if old.get(name) != new.get(name)]
    if "data" in names:  # everything else follows from them
        names = [name for name in names if name not in ("model", "worlds")]
    return [WORDS[name] for name in names] or ["something it was computed from"]


def stale_sentence(before: str, now: str) -> str:
    """Return what to say of a computation that no longer fits; empty when it does."""
    found = changes(before, now)
    if not found:
        return ""
    said = listed(found)
    return (
        f"Computed before something changed: {said}. It is shown as it was then. Compute it "
        "again to see it for the case as it is."
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
