"""Cases with lists, thresholds, levels and context: every page opens, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from app_user import User

from cst_core.scenario import (
    ContextPart,
    DecisionPart,
    EdgePart,
    NodePart,
    ProtectedPart,
    RelevantPart,
)
from dashboard.draft.document import Draft, DraftRoles, DraftWorld, SourcePart
from dashboard.session.state import store

Visit = Callable[..., User]
PAGES = (
    *("data", "causal-model", "overview", "complainant", "two-worlds", "groups"),
    *("several", "robustness", "rival-worlds", "words", "history"),
)
LISTS = (
    ProtectedPart(column="race", protected="Black", reference=("Asian", "White")),
    ProtectedPart(column="age", protected="<= 25", reference="> 40"),
)
LEVELS = (
    ProtectedPart(column="race", protected=("Black", "Asian"), reference="White", each=True),
    ProtectedPart(column="age", protected="<= 25", set_to="rank"),
)


def table() -> pd.DataFrame:
    random, n = np.random.default_rng(2), 240
    race = np.array(["Black", "White", "Asian", "Red"])[random.integers(0, 4, n)]
    age = random.integers(18, 60, n)
    region = np.array(["north", "south"])[random.integers(0, 2, n)]
    pay = np.round(40 - 5 * (race == "Black") + age / 8 + random.normal(0, 4, n), 1)
    hired = np.where(pay > 43, "yes", "no")
    return pd.DataFrame({"race": race, "age": age, "region": region, "pay": pay, "hired": hired})


def draft(protected: tuple[ProtectedPart, ...]) -> Draft:
    sha = store().put_blob(table().to_csv(index=False).encode(), name="people.csv")
    causes = ("race", "age", "region")
    return Draft(
        title="Many values",
        source=SourcePart(name="people.csv", sha256=sha),
        roles=DraftRoles(
            protected=protected,
            relevant=(RelevantPart(column="pay"),),
            context=(ContextPart(column="region", kind="nominal"),),
            decision=DecisionPart(column="hired", negative="no"),
        ),
        worlds=(
            DraftWorld(
                name="Model 1",
                nodes=tuple(NodePart(name=name) for name in (*causes, "pay", "hired")),
                edges=tuple(EdgePart(cause=name, effect="pay") for name in causes),
            ),
        ),
    )


@pytest.mark.parametrize("protected", [LISTS, LEVELS], ids=["lists", "levels"])
def test_every_page_opens_and_nothing_is_lost(
    visit: Visit, protected: tuple[ProtectedPart, ...]
) -> None:
    case = draft(protected)
    made = store().create(
        case.to_json(), title=case.title, author="", summary="made", blobs=(case.source.sha256,)
    )
    user = visit(made.token)
    for page in PAGES:
        user.go(page)
        assert not user.errors, (page, user.errors)
        assert not user.at.exception, page
    assert user.saved.roles == case.roles
    if protected is LEVELS:
        assert "each value of an attribute is tested by itself" in user.go("several").text
        assert "people with race = Black" in user.go("overview").text
        assert "2.5 %" in user.text  # α of each of the two values
