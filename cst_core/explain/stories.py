"""Three stories behind a finding: her decision turns, it stays, or it was never against her.

A finding compares people like her with others like her counterfactual. What was decided about
herself, and what the decision maker would have said to her counterfactual, is another matter; so
every count of findings is told apart by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from cst_core.data import BoolArray
from cst_core.evidence import Direction
from cst_core.explain.names import CaseNames
from cst_core.results import Result, SingleResult

Story = Literal["turns", "unknown", "stays", "spared"]
"""Her decision was adverse and turns; adverse, what it would be is not known; adverse, and stays
so; it was not adverse."""
STORIES: tuple[Story, ...] = get_args(Story)
TURNS, UNKNOWN, STAYS, SPARED = range(4)


def stories(result: Result, direction: Direction) -> npt.NDArray[np.int8]:
    """Return each protected person's story, as a place in `STORIES`.

    With several attributes her decision turns when it does by every one of them.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> found = stories(result, "against")
    >>> [int((found == story).sum()) for story in range(len(STORIES))]
    [455, 0, 922, 869]
    """
    each = np.stack([_of_run(run, direction) for run in result.runs])
    found: npt.NDArray[np.int8] = np.where(
        (each == SPARED).any(axis=0), SPARED, each.max(axis=0)
    ).astype(np.int8)
    return found[result.is_protected]


def story_of(run: SingleResult, direction: Direction, row: int) -> int:
    """Return the story of the person in a row of the data, by one run."""
    return int(_of_run(run, direction)[row])


def _of_run(run: SingleResult, direction: Direction) -> npt.NDArray[np.int8]:
    adverse = direction == "against"
    own, centre = run.decisions.negative == adverse, run.decisions.centre == adverse
    found = np.full(len(own), UNKNOWN, dtype=np.int8)
    if run.counterfactual_negative is not None:
        turns = centre & (run.counterfactual_negative != adverse)
        found = np.where(turns, TURNS, STAYS).astype(np.int8)
    found[~own] = SPARED
    return found


def story_counts(found: npt.NDArray[np.int8], among: BoolArray) -> dict[Story, int]:
    """Return how many of some people have which story; only those that somebody has."""
    counts = np.bincount(found[among], minlength=len(STORIES)).tolist()
    return {story: many for story, many in zip(STORIES, counts, strict=True) if many}


def story_words(names: CaseNames, test: str, direction: Direction) -> Mapping[Story, str]:
    """Return each story in words that follow a number of people."""
    adverse = direction == "against"
    bad, good = names.outcome(refused=adverse), names.outcome(refused=not adverse)
    there = names.the_others(test)
    as_them = f"as {there}" if there != "others" else "in the other group"
    return {
        "turns": f"{bad}, and would have been {good} {as_them}",
        "unknown": f"{bad}; what they would have been {as_them} is not known (no decision rule)",
        "stays": f"{bad}, and would have been {bad} {as_them} too",
        "spared": f"themselves {good}",
    }


def stories_sentence(
    names: CaseNames, test: str, direction: Direction, counts: Mapping[Story, int]
) -> str:
    """Return how findings are told apart, in a sentence; "" where there are none."""
    words = story_words(names, test, direction)
    told = [f"{many:,} {words[story]}" for story, many in counts.items()]
    if not told:
        return ""
    whole = sum(counts.values())
    if len(told) == 1:
        (story,) = counts
        who = "This person was" if whole == 1 else f"All {whole:,} were"
        return f"{who} {words[story].replace('themselves ', '')}."
    return f"Of these, {'; '.join(told)}."
