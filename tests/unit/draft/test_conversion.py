"""A draft becomes a scenario, and says in sentences what it still lacks."""

from __future__ import annotations

import pytest

from cst_core.errors import ScenarioError
from cst_core.scenario import (
    DecisionPart,
    EdgePart,
    EquationPart,
    NodePart,
    PreparationPart,
    ProtectedPart,
    RelevantPart,
    load_scenario,
    read_scenario,
    write_scenario,
)
from dashboard.draft.conversion import from_scenario, problems, slug, to_scenario
from dashboard.draft.document import Draft, DraftRoles, DraftWorld, SourcePart
from dashboard.draft.drawing import AddNode
from dashboard.draft.equations import SetBounds
from dashboard.draft.worlds import AddWorld, StartDrawing

PREPARATION = PreparationPart.model_validate(
    {
        "missing_values": {"LSAT": [-9, "?"]},
        "dates": [{"column": "seen", "unit": "years", "since": "1990-01-01", "format": "%Y"}],
        "rows": [{"column": "LSAT", "at_least": 10}, {"column": "UGPA", "in": [1, 2.5]}],
        "groups": [{"column": "gender", "name": "f", "values": ["f", "w"]}],
    }
)
SOURCE = SourcePart(name="a.csv", sha256="00", delimiter=";", header="first", missing="drop")
COMPLETE = StartDrawing(kind="usual").apply_to(
    Draft(
        title="Law school: 2024",
        source=SOURCE,
        preparation=PREPARATION,
        roles=DraftRoles(
            protected=(ProtectedPart(column="gender", protected="f"),),
            relevant=(RelevantPart(column="LSAT"), RelevantPart(column="UGPA")),
            decision=DecisionPart(column="admitted", negative=0),
        ),
    )
)


def sentences(draft: Draft, world: str | None = None) -> dict[str, str]:
    return dict(problems(draft, world))


@pytest.mark.parametrize("name", ["law-school", "loan"])
def test_the_samples_come_and_go_unchanged(name: str) -> None:
    scenario = load_scenario(name).scenario
    draft = from_scenario(scenario, SourcePart(name=scenario.data.file, sha256="0", sample=name))
    assert problems(draft) == []
    back = to_scenario(draft, data_file=scenario.data.file)
    assert back.model_copy(update={"name": scenario.name}) == scenario
    assert draft.source is not None
    assert from_scenario(back, draft.source) == draft
    assert Draft.from_json(draft.to_json()) == draft


def test_a_complete_draft_is_a_scenario() -> None:
    scenario = to_scenario(COMPLETE, data_file="table.csv")
    assert scenario.name == "law-school-2024"
    assert (scenario.data.file, scenario.data.delimiter) == ("table.csv", ";")
    assert scenario.data.missing == "drop"
    assert scenario.data.preparation() == PREPARATION.preparation()
    assert read_scenario(write_scenario(scenario)) == scenario
    assert Draft.from_json(COMPLETE.to_json()) == COMPLETE
    bare = SourcePart(name="a.csv", sha256="00")
    assert from_scenario(scenario, bare) == COMPLETE
    untitled = scenario.model_copy(update={"title": ""})
    assert from_scenario(untitled, SOURCE).title == "law-school-2024"


def test_an_empty_draft_says_what_it_lacks() -> None:
    assert sentences(Draft()) == {
        "source": "There are no data yet. Upload a table or open a sample.",
        "roles.protected": "No protected attribute is named yet. Say which column holds it, such "
        "as gender.",
        "roles.relevant": "No relevant attribute is named yet. Say which columns may justify the "
        "decision.",
        "roles.decision": "There are no decisions yet. Name the column that records them, or "
        "describe the decision maker as a rule.",
        "worlds[0].nodes": "The causal model 'Model 1' is still empty. Draw at least one "
        "attribute.",
    }
    with pytest.raises(ScenarioError) as caught:
        to_scenario(Draft(), data_file="a.csv")
    assert len(caught.value.problems) == 5


def test_a_node_that_stands_for_nothing() -> None:
    draft = AddNode(name="effort").apply_to(COMPLETE)
    assert sentences(draft) == {
        "worlds[0].nodes[4]": "The node 'effort' stands for no column with a role. Match it with a "
        "column, or delete it."
    }


def test_only_the_chosen_world_matters_for_a_run() -> None:
    draft = AddWorld(name="empty").apply_to(COMPLETE)
    assert list(sentences(draft)) == ["worlds[1].nodes"]
    assert sentences(draft, "Model 1") == {}
    assert list(sentences(draft, "empty")) == ["worlds[1].nodes"]
    assert sentences(draft, "gone") == {"worlds": "There is no causal model called 'gone'."}
    scenario = to_scenario(draft, data_file="a.csv", world="Model 1")
    assert [world.name for world in scenario.worlds] == ["Model 1"]


def test_sentences_say_what_they_are_about() -> None:
    roles = DraftRoles(
        protected=(ProtectedPart(column="gender", protected="f", reference="f"),),
        relevant=(RelevantPart(column="LSAT"), RelevantPart(column="gender", weight=0)),
        decision=DecisionPart(column="admitted", negative=0),
    )
    world = DraftWorld(
        name="m",
        nodes=tuple(NodePart(name=name) for name in ("gender", "LSAT", "admitted")),
        edges=(
            EdgePart(cause="LSAT", effect="gender"),
            EdgePart(cause="gender", effect="LSAT"),
            EdgePart(cause="LSAT", effect="admitted"),
        ),
        equations=(
            EquationPart(node="LSAT", bounds=(2, 1)),
            EquationPart(node="admitted", bounds=(0, 1)),
        ),
    )
    draft = Draft(source=SOURCE, roles=roles, worlds=(DraftWorld(name="e"), world), active="m")
    found = sentences(draft, "m")
    assert found["roles.protected[0]"] == ("'gender': protected and reference are the same value.")
    assert found["roles.relevant[1]"] == (
        "Column 'gender' already has a role at roles.protected[0]."
    )
    assert found["worlds[1].edges[0]"].startswith("The arrow LSAT → gender ends in")
    assert found["worlds[1].equations[0].bounds"] == (
        "'LSAT': the lower bound is not below the upper bound."
    )
    assert found["worlds[1].equations[1]"].startswith("'admitted' is the decision")


def test_equations_travel() -> None:
    draft = SetBounds(node="LSAT", low=10, high=48).apply_to(COMPLETE)
    scenario = to_scenario(draft, data_file="a.csv")
    assert scenario.worlds[0].equations == (EquationPart(node="LSAT", bounds=(10, 48)),)


def test_names_for_files() -> None:
    assert slug("  Loan applications (2025)!") == "loan-applications-2025"
    assert slug("x" * 200) == "x" * 60
    assert slug("") == "case"
