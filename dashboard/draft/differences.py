"""What changed between two versions of a draft, in sentences."""

from __future__ import annotations

from cst_core.evidence import SETTINGS
from cst_core.scenario import DecisionMakerPart, Part, ThresholdPart
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.merging import renamed_worlds
from dashboard.draft.refusals import shown
from dashboard.draft.world_differences import world_sentences

VIEW = {
    "test": "the test shown",
    "method": "the method shown",
    "k": "the number of neighbours shown",
}
MAKERS = {"threshold": "a rule", "model": "a model", "recorded": "recorded decisions"}


def differences(before: Draft, after: Draft) -> list[str]:
    """Return what changed, in short sentences; empty only when nothing did.

    Examples
    --------
    >>> differences(Draft(), Draft(title="Loans"))
    ['Changed the title from Untitled case to Loans']
    """
    found = _case(before, after)
    found += _source(before, after)
    if before.preparation != after.preparation:
        found.append("Changed which rows and values of the data are taken")
    found += _roles(before, after)
    found += _decision_maker(before.decision_maker, after.decision_maker)
    for side in ("negative", "positive"):
        names = getattr(before.outcomes, side), getattr(after.outcomes, side)
        found += _changed(f"the name of the {side} outcome", *names)
    found += _worlds(before, after)
    found += _changed("the number of neighbours k", before.settings.k, after.settings.k)
    for name, one in SETTINGS.items():
        values = getattr(before.settings, name), getattr(after.settings, name)
        said = values if one.bounds else map(one.in_words, values)
        found += _changed(f"the setting “{one.title}”", *said)
    for field, name in VIEW.items():
        found += _changed(name, getattr(before.view, field), getattr(after.view, field))
    found += _bookmarks(before, after)
    if not found and before != after:
        found.append("Changed the order of what is listed")
    return found


def _bookmarks(before: Draft, after: Draft) -> list[str]:
    old = {(item.test, item.person): item.note for item in before.bookmarks}
    new = {(item.test, item.person): item.note for item in after.bookmarks}
    found = [f"Removed the bookmark of {key[1]}" for key in old if key not in new]
    found += [f"Bookmarked {key[1]}" for key in new if key not in old]
    return found + [
        f"Changed the note on {key[1]}" for key in new if key in old and old[key] != new[key]
    ]


def _case(before: Draft, after: Draft) -> list[str]:
    found = _changed("the title", before.title, after.title)
    if before.description != after.description:
        found.append("Changed the description of the case")
    if before.story != after.story:
        found.append("Changed the story of the case")
    if before.origin != after.origin:
        found.append("Changed where the data come from")
    return found


def _source(before: Draft, after: Draft) -> list[str]:
    old, new = before.source, after.source
    if old == new:
        return []
    if old is None or new is None:
        return [f"Added the data {new.name}"] if new else [f"Removed the data {old and old.name}"]
    if old.sha256 != new.sha256:
        return [f"Replaced the data {old.name} by {new.name}"]
    if old.missing != new.missing:
        return [f"Changed what is done about missing values in {new.name}"]
    return [f"Changed how the data {new.name} are read"]


def _roles(before: Draft, after: Draft) -> list[str]:
    old, new = before.roles, after.roles
    found = _changed("the column that names people", old.id, new.id)
    found += _changed("the column that counts people", old.count, new.count)
    found += _changed("the column of survey weights", old.weight, new.weight)
    for kind in ("protected", "relevant", "context"):
        was = {item.column: item for item in getattr(old, kind)}
        now = {item.column: item for item in getattr(new, kind)}
        found += [f"{name} is no longer a {kind} attribute" for name in was if name not in now]
        found += [f"Made {name} a {kind} attribute" for name in now if name not in was]
        for name, part in now.items():
            if name in was:
                found += _fields(was[name], part, f"{{}} of {name}")
    if old.decision and new.decision and old.decision.column == new.decision.column:
        return found + _fields(old.decision, new.decision, f"{{}} of {new.decision.column}")
    return found + _changed(
        "the column of the decisions",
        old.decision and old.decision.column,
        new.decision and new.decision.column,
    )


def _decision_maker(before: DecisionMakerPart, after: DecisionMakerPart) -> list[str]:
    if before.type != after.type:
        return [f"Changed the decision maker from {MAKERS[before.type]} to {MAKERS[after.type]}"]
    found = []
    if isinstance(before, ThresholdPart) and isinstance(after, ThresholdPart):
        for column in dict.fromkeys((*before.weights, *after.weights)):
            found += _changed(
                f"the weight of {column} in the rule",
                before.weights.get(column),
                after.weights.get(column),
            )
    return found + _fields(before, after, "{} of the decision maker", but="weights")


def _worlds(before: Draft, after: Draft) -> list[str]:
    names = renamed_worlds(before, after)
    found = [f"Renamed the causal model {old} to {new}" for old, new in names.items()]
    old = {names.get(world.name, world.name): world for world in before.worlds}
    new = {world.name: world for world in after.worlds}
    found += [f"Deleted the causal model {name}" for name in old if name not in new]
    found += [f"Added the causal model {name}" for name in new if name not in old]
    several = len(after.worlds) > 1
    for name, world in new.items():
        if name in old:
            found += _within(old[name], world, several=several)
    if after.active != names.get(before.active, before.active):
        found.append(f"Opened the causal model {after.active}")
    return found


def _within(before: DraftWorld, after: DraftWorld, *, several: bool) -> list[str]:
    sentences = world_sentences(before, after)
    if not sentences and before.model_copy(update={"name": after.name}) != after:
        sentences = ["Changed the order of what is drawn"]
    return [f"{after.name}: {sentence}" for sentence in sentences] if several else sentences


def _fields(before: Part, after: Part, words: str, *, but: str = "") -> list[str]:
    """Return a sentence for each field in which two parts of one kind differ."""
    found = []
    for field in type(after).model_fields:
        if field == but:
            continue
        what = words.format(_WORDS.get(field, f"the {field.replace('_', ' ')}"))
        old, new = getattr(before, field), getattr(after, field)
        if field == "note" and old != new:
            found.append(f"Changed {what}")
        else:
            found += _changed(what, old, new)
    return found


_WORDS = {
    "protected": "the protected value",
    "reference": "the reference value",
    "each": "whether each value is tested",
    "set_to": "what the number is set to",
    "protected_name": "the name of the protected group",
    "reference_name": "the name of the reference group",
    "pronoun": "how one of the protected group is spoken of",
    "negative": "the negative outcome",
    "max_depth": "the depth",
    "smallest_leaf": "the smallest leaf",
    "trees": "the number of trees",
}


def _changed(what: str, old: object, new: object) -> list[str]:
    return [] if old == new else [f"Changed {what} from {_words(old)} to {_words(new)}"]


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_words(item) for item in value) or "none"
    if isinstance(value, float):
        return shown(value)
    return "none" if value is None or value == "" else str(value)
