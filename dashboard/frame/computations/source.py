"""What a kept computation was computed from, and what of it has changed since."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from cst_core.data import VERSION
from cst_core.evidence import SETTINGS, settings_of
from cst_core.explain import listed
from dashboard.draft.document import Draft
from dashboard.session import computing
from dashboard.shared.choice import Choice

WORDS = {
    "data": "the data or what its columns mean",
    "model": "the causal model",
    "worlds": "one of the causal models",
    "maker": "the decision rule",
    "search": "how the groups are searched for",
    "test": "the protected attribute",
    "method": "the method",
    "settings": "k, τ, α or another setting",
    "program": "the program itself, which is a newer one",
}


def origin_of(draft: Draft, choice: Choice, *, worlds: bool = False) -> str:
    """Return all that the robustness of a choice depends on, as a text to keep and compare.

    With `worlds`, every causal model of the case counts, not only the one that is open.
    """
    search, kind = draft.settings, draft.names.test(choice.test).kind
    searched = {
        one.name: getattr(search, one.name)
        for one in (
            *settings_of("search"),
            *(settings_of("test") if kind == "intersectional" else ()),
        )
    }
    settings = {**asdict(choice.settings), **({} if kind == "multiple" else {"several": ""})}
    parts = {
        "program": VERSION,
        "data": _digest(computing.dataset_key(draft)),
        "maker": _digest(draft.decision_maker.model_dump_json(exclude={"note"})),
        "search": json.dumps(searched, sort_keys=True),
        "test": choice.test,
        "method": choice.method,
        "settings": json.dumps(settings, sort_keys=True),
    }
    if worlds:
        models = sorted(f"{one.name} {computing.model_key(draft, one)}" for one in draft.worlds)
        parts["worlds"] = _digest(" ".join(models))
    else:
        parts["model"] = _digest(computing.model_key(draft))
    return json.dumps(parts, sort_keys=True)


def changes(before: str, now: str) -> list[str]:
    """Return in words what differs between two bases; empty when they are the same."""
    if before == now:
        return []
    old, new = json.loads(before), json.loads(now)
    names = [name for name in WORDS if old.get(name) != new.get(name)]
    if "data" in names:  # everything else follows from them
        names = [name for name in names if name not in ("model", "worlds")]
    said = [words for name in names for words in _what(name, old.get(name), new.get(name))]
    return said or ["something it was computed from"]


def _what(name: str, before: str | None, now: str | None) -> list[str]:
    """Return what changed of a part; of the search, which settings."""
    if name != "search" or not before or not now or not before.startswith("{"):
        return [WORDS[name]]
    old, new = json.loads(before), json.loads(now)
    return [
        f"“{SETTINGS[one].title}”" for one in new if one in SETTINGS and old.get(one) != new[one]
    ] or [WORDS[name]]


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
