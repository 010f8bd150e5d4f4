"""Cases for the evidence pages, and the same ones for the library alone."""

from __future__ import annotations

import io
import warnings
from functools import cache

import numpy as np
import pandas as pd

from cst_core import SearchSettings, load_scenario, run_intersectional, run_multiple, run_single
from cst_core.data import Dataset
from cst_core.errors import CSTWarning
from cst_core.results import MultipleResult, SingleResult
from cst_core.scenario import (
    DecisionPart,
    EdgePart,
    NodePart,
    OutcomesPart,
    ProtectedPart,
    RelevantPart,
    RolesPart,
    SettingsPart,
    WorldPart,
    as_causal_model,
    as_roles,
)
from dashboard.draft.document import Draft, DraftRoles, DraftWorld, SourcePart

MOST = 500
SCRIPT = "<img src=x onerror=alert(1)>"
PICTURE = "![a](http://x.invalid/a)"
FORMULA = "=1+1"
RIGHT_TO_LEFT = (
    "\u202e\u0645\u0642\u062f\u0645\u0629 \u0627\u0644\u0637\u0644\u0628\u202c"
    " \U0001f469\U0001f3fd\u200d\u2696\ufe0f"
)
"""A name that asks for the other direction, in Arabic, and a judge."""
LONG = "Wohnungsgeberbestaetigung" * 8
HOSTILE_IDS = (SCRIPT, PICTURE, FORMULA, RIGHT_TO_LEFT, LONG)


@cache
def sample_run(sample: str, attribute: str) -> SingleResult:
    """Return a sample's test of one attribute."""
    case = load_scenario(sample)
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        return run_single(
            case.dataset(),
            case.causal_model(),
            attribute=attribute,
            decision_maker=case.decision_maker(),
            search=SearchSettings(max_neighbours=MOST),
        )


@cache
def law_school_both() -> tuple[MultipleResult, SingleResult]:
    """Return the law school's multiple and intersectional tests."""
    case = load_scenario("law-school")
    people, maker, search = (
        case.dataset(),
        case.decision_maker(),
        SearchSettings(max_neighbours=MOST),
    )
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        return (
            run_multiple(people, case.causal_model(), decision_maker=maker, search=search),
            run_intersectional(people, case.causal_model(), decision_maker=maker, search=search),
        )


def few_people() -> tuple[Draft, bytes]:
    """Return forty people, twelve of them protected, who are similar only when very near.

    Names, labels and values are such that a page may take them for something else.
    """
    random = np.random.default_rng(40)
    ids = [*HOSTILE_IDS, *(f"P{row:02d}" for row in range(len(HOSTILE_IDS), 40))]
    group = np.where(np.arange(40) < 12, SCRIPT, LONG)
    other = np.where(np.arange(40) % 3 == 0, PICTURE, "none")
    grade = (random.normal(60, 12, 40) - 8 * (np.arange(40) < 12)).round(1)
    town = random.choice([SCRIPT, RIGHT_TO_LEFT, LONG], 40)
    hired = np.where(grade + random.normal(0, 6, 40) > 58, "yes", "no")
    table = pd.DataFrame(
        {
            "id": ids,
            "<b>group</b>": group,
            "other": other,
            "grade": grade,
            LONG: town,
            "hired": hired,
        }
    )
    draft = Draft(
        title=f"{SCRIPT} {RIGHT_TO_LEFT} {LONG}",
        source=SourcePart(name="people.csv", sha256="-"),
        roles=DraftRoles(
            id="id",
            protected=(
                ProtectedPart(
                    column="<b>group</b>",
                    protected=SCRIPT,
                    reference=LONG,
                    protected_name=SCRIPT,
                    reference_name=LONG,
                ),
                ProtectedPart(
                    column="other",
                    protected=PICTURE,
                    reference="none",
                    protected_name=PICTURE,
                    reference_name=RIGHT_TO_LEFT,
                ),
            ),
            relevant=(RelevantPart(column="grade"), RelevantPart(column=LONG, kind="nominal")),
            decision=DecisionPart(column="hired", negative="no"),
        ),
        outcomes=OutcomesPart(negative=PICTURE, positive=RIGHT_TO_LEFT),
        worlds=(
            DraftWorld(
                name=f"{SCRIPT} {LONG}",
                nodes=(
                    NodePart(name="<b>group</b>", label=SCRIPT),
                    NodePart(name="other", label=PICTURE),
                    NodePart(name="grade", label=RIGHT_TO_LEFT),
                    NodePart(name=LONG, label=LONG),
                    NodePart(name="hired"),
                ),
                edges=(
                    EdgePart(cause="<b>group</b>", effect="grade"),
                    EdgePart(cause="other", effect="grade"),
                ),
            ),
        ),
        active=f"{SCRIPT} {LONG}",
        settings=SettingsPart(max_distance=0.05),
    )
    return draft, table.to_csv(index=False).encode()


def few_people_run(draft: Draft, data: bytes) -> SingleResult:
    """Return the test of the forty people by their first protected attribute."""
    roles, world = draft.roles, draft.world
    part = RolesPart(
        id=roles.id,
        protected=roles.protected,
        relevant=roles.relevant,
        decision=DecisionPart(column="hired", negative="no"),
    )
    people = Dataset.from_frame(
        pd.read_csv(io.BytesIO(data), keep_default_na=False), as_roles(part)
    )
    model = as_causal_model(
        WorldPart(name="few", nodes=world.nodes, edges=world.edges, equations=world.equations),
        part,
        draft.decision_node,
    )
    search = SearchSettings(max_neighbours=MOST, max_distance=draft.settings.max_distance)
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        return run_single(people, model, attribute="<b>group</b>", search=search)
