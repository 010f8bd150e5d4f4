"""The test that is shown, in every causal model of the case; what cannot be tested says why."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cst_core.errors import CancelledError, CSTError, CSTWarning
from cst_core.evidence import SETTINGS, Method
from cst_core.results import Result
from cst_core.robustness import RivalWorlds, in_worlds, rival_worlds
from dashboard.draft.conversion import problems as draft_problems
from dashboard.draft.document import Draft
from dashboard.session import background, computing, results
from dashboard.session.background import Tell
from dashboard.session.caches import Cache
from dashboard.shared.choice import Choice

Work = Callable[[Tell], Result]


def _size(thing: Result | str) -> int:
    """Return about how many bytes a test in another world takes: its own curve."""
    if isinstance(thing, str):
        return len(thing)
    return sum(4 * run.n_protected * run.search.max_neighbours for run in thing.runs)


_WORLDS: Cache[Result | str] = Cache(60, size=_size, limit=1_000_000_000)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Worlds:
    """Every world's test, as far as there is one.

    Attributes
    ----------
    results
        By name, the test in this world; the open one among them.
    trouble
        By name of a causal model that cannot be tested: why.
    drawn
        By name of a world, the causal model it was drawn as. Two worlds are drawn alike when they
        differ in the form of an intersectional test.
    """

    results: Mapping[str, Result]
    trouble: Mapping[str, str]
    drawn: Mapping[str, str]

    def compared(self, choice: Choice, method: Method) -> RivalWorlds:
        """Return everyone's verdict in each."""
        return rival_worlds(self.results, settings=choice.settings.uncalibrated, method=method)


def all_worlds(
    draft: Draft, choice: Choice, found: Result, *, both_forms: bool = False
) -> Worlds | None:
    """Return the test in every causal model; while it is made, show how far it is and return None.

    Parameters
    ----------
    draft, choice, found
        The case, what is shown, and its result in the causal model that is open.
    both_forms
        Take each causal model in both forms of an intersectional test.
    """
    test = choice.test
    plans = _plans(draft, test, both_forms=both_forms)
    drawn = {name: one.world.name for name, one in plans.items()}
    trouble = {name: said for name, one in plans.items() if (said := trouble_in(one))}
    open_key = results.key_of(draft, test)
    todo: dict[str, Work] = {}
    known: dict[str, Result | str] = {}
    for name, one in plans.items():
        key = results.key_of(one, test)
        if name in trouble:
            continue
        kept = found if key == open_key else _WORLDS.get(key)
        if kept is not None:
            known[name] = kept
            continue
        try:
            todo[name] = _work(one, found)
        except CSTError as error:
            trouble[name] = str(error)
    if todo:
        keys = {name: results.key_of(plans[name], test) for name in todo}
        made = background.run(
            f"worlds {sorted(keys.values())}",
            "Testing in the other causal models",
            lambda tell: _each(todo, tell),
        )
        if made is None:
            return None
        for name, thing in made.items():
            known[name] = _WORLDS.put(keys[name], thing)
    trouble |= {name: thing for name, thing in known.items() if isinstance(thing, str)}
    return Worlds(
        results={
            name: thing for name in plans if not isinstance(thing := known.get(name, ""), str)
        },
        trouble={name: trouble[name] for name in plans if name in trouble},
        drawn=drawn,
    )


def known_worlds(draft: Draft, choice: Choice, found: Result) -> Worlds | None:
    """Return the test in every causal model if that was worked out before; begins nothing."""
    plans = _plans(draft, choice.test, both_forms=False)
    open_key = results.key_of(draft, choice.test)
    known: dict[str, Result] = {}
    for name, one in plans.items():
        key = results.key_of(one, choice.test)
        kept = found if key == open_key else _WORLDS.get(key)
        if kept is None and not trouble_in(one):
            return None
        if kept is not None and not isinstance(kept, str):
            known[name] = kept
    return Worlds(results=known, trouble={}, drawn={name: name for name in known})


def _plans(draft: Draft, test: str, *, both_forms: bool) -> dict[str, Draft]:
    """Return by world the draft with it open, and in its form."""
    plans: dict[str, Draft] = {}
    crossed = draft.names.test(test).kind == "intersectional"
    for world in draft.worlds:
        here = draft.model_copy(update={"active": world.name})
        if not crossed or not both_forms:
            plans[world.name] = here
            continue
        for form, words in SETTINGS["intersectional_form"].words.items():
            settings = draft.settings.model_copy(update={"intersectional_form": form})
            plans[f"{world.name}, {words.partition(':')[0]}"] = here.model_copy(
                update={"settings": settings}
            )
    return plans


def trouble_in(draft: Draft) -> str:
    """Return why the open causal model of a draft cannot be fitted; empty when it can."""
    found = [item.message for item in draft_problems(draft, draft.world.name)]
    if found:
        return " ".join(found[:3])
    try:
        computing.fit(draft)
    except CSTError as error:
        return str(error)
    return ""


def _work(draft: Draft, found: Result) -> Work:
    """Return the test in the open causal model of a draft, as work that needs no session."""
    people, fit = computing.dataset(draft), computing.fit(draft)
    here = results.open_case(draft, people, fit, found.runs[0].decision_maker)
    if here.test(found.name).kind == "intersectional":  # its form may be another here
        return lambda tell: here.run(found.name, progress=tell)
    name = draft.world.name
    return lambda tell: in_worlds(found, {name: fit.model}, progress=tell)[name]


def _each(todo: Mapping[str, Work], tell: Tell) -> dict[str, Result | str]:
    """Do every world's work; one that cannot be done says why, and the others are done."""
    made: dict[str, Result | str] = {}
    with warnings.catch_warnings(action="ignore", category=CSTWarning):  # the notes say the same
        for place, (name, work) in enumerate(todo.items()):
            if tell(f"Causal model {name}", place, len(todo)) is False:
                raise CancelledError("Cancelled. Nothing was changed.")
            try:
                made[name] = work(tell)
            except CancelledError:
                raise
            except CSTError as error:
                made[name] = str(error)
    return made
