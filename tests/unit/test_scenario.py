"""Scenario files: what goes round without loss, and everything wrong with a file at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import cst_core
from cst_core.errors import CausalModelError, DataError, InputError, ScenarioError
from cst_core.scenario import (
    Case,
    CoefficientPart,
    DataPart,
    DecisionPart,
    EdgePart,
    EquationPart,
    ModelPart,
    NodePart,
    OutcomesPart,
    ProtectedPart,
    RecordedPart,
    RelevantPart,
    RolesPart,
    Scenario,
    SettingsPart,
    ThresholdPart,
    WorldPart,
    load_scenario,
    read_scenario,
    sample_scenarios,
    write_scenario,
)

RICH = """
format: 1
name: rich
title: "Every field: set"
description: |
  Two lines,
  and a trailing newline.
story: Who, what and why.
origin: made up
data:
  {file: people.csv, delimiter: ";", encoding: cp1252, decimal: ",", sheet: People, missing: drop,
   header: first, missing_values: {income: [-9, "?"]}, real_values: {age: [99]},
   dates: [{column: seen, since: 1990-01-01}],
   rows: [{column: age, at_least: 18}, {column: town, in: [Graz, Wien]}],
   groups: [{column: town, name: Austria, values: [Graz, Wien]}]}
roles:
  id: person
  count: heads
  weight: survey
  protected:
    - {column: sex, protected: f, reference: m, protected_name: women, reference_name: men,
       pronoun: she, note: as recorded}
    - {column: origin, reference: 0, note: every other country}
    - {column: disabled, protected: true}
    - {column: age, protected: ["<= 25", "> 60"], each: true, set_to: rank}
    - {column: faith, protected: [a, 1], reference: [b, false], set_to: 2.5}
  relevant:
    - {column: income, kind: continuous, weight: 2.5, note: in thousands}
    - {column: grade, kind: ordinal, order: [low, mid, "3", 4, 4.5], weight: 0}
    - {column: points, kind: ordinal}
    - {column: town, kind: nominal, note: "Österreich, 北京, 🙂"}
  context:
    - {column: district, kind: ordinal, order: [inner, outer], note: a common cause}
  decision: {column: outcome, negative: -1, note: 1 is yes}
decision_maker:
  type: threshold
  weights: {income: 0.1, points: -3}
  cutoff: 1.5e+3
  inclusive: true
  node: verdict
  note: the bank's letter
outcomes: {negative: turned down, positive: taken}
worlds:
  - name: first
    description: with everything
    nodes:
      - {name: sex, label: Sex at birth, x: 1.5, y: -20, note: a root}
      - {name: town}
      - {name: income, x: 0, y: 0}
      - {name: points}
      - {name: verdict}
    edges:
      - {from: sex, to: income, accepted: a trade-off that law allows, note: the pay gap}
      - {from: town, to: income}
      - {from: income, to: points}
      - {from: sex, to: town}
      - {from: points, to: verdict}
    bidirected: [{between: [town, points], note: where the school is}]
    equations:
      - node: income
        link: log
        mechanism: linear
        interactions: [[sex, town]]
        bounds: [0, null]
        note: never negative
        coefficients:
          sex:
            {value: -0.2, source: by hand, fitted_value: -0.18, standard_error: 0.01,
             classical_error: 0.02, note: me}
          intercept: {value: 3.25, fitted_value: 3.25, standard_error: 0.5}
      - node: points
        bounds: [-1.5, 1.0e+6]
        mechanism: regressor
        regressor: {kind: tree, max_depth: 3, smallest_leaf: 5, seed: 1}
      - node: town
        mechanism: shares
        coupling: independent
        seen_often: 20
        shares:
          - {when: {sex: f}, shares: {north: 0.4, south: 0.6}, source: by hand, people: 12,
             fitted: {north: 0.5, south: 0.5}, note: the census}
  - name: empty
    nodes: [{name: sex}]
settings:
  k: [5, 10]
  tau: 0.05
  alpha: 0.1
  direction: favour
  ties: last
  max_distance: 0.25
  distance: capped
  cap: 0.05
  interval: newcombe
  intersectional_form: full
  correction: by
  tie_robust: true
  balance_radii: true
  calibration: relabelling
  relabellings: 99
  relabelling_seed: 7
  several: intersection-union
"""

MINIMAL = """
format: 1
name: small
data: {file: people.csv}
roles:
  protected: [{column: sex, protected: f, reference: m}]
  relevant: [{column: score}]
  decision: {column: hired, negative: "no"}
worlds: [{name: plain, nodes: [{name: sex}, {name: score}], edges: [{from: sex, to: score}]}]
"""

MODEL = """
decision_maker: {type: model, kind: tree, columns: [score, sex], max_depth: 2, note: a guess}
"""
MODELS = (
    "{type: model, kind: logistic, columns: [score], penalty: 0.5, seed: 3, note: a guess}",
    "{type: model, kind: gradient-boosting, columns: [score], trees: 50, learning_rate: 0.2, "
    "max_depth: 3, smallest_leaf: 9}",
)


def problems(text: str) -> list[str]:
    """Return what is wrong with a text, each problem with its place."""
    with pytest.raises(ScenarioError) as caught:
        read_scenario(text, "my.yaml")
    assert caught.value.source == "my.yaml"
    found = [str(problem) for problem in caught.value.problems]
    message = str(caught.value)
    assert message.startswith(f"my.yaml: {len(found)} problem")
    assert all(problem in message for problem in found)
    return found


def assert_goes_round(scenario: Scenario) -> None:
    text = write_scenario(scenario)
    again = read_scenario(text)
    assert again == scenario
    assert again.model_dump() == scenario.model_dump()
    for here, there in zip(again.roles.protected, scenario.roles.protected, strict=True):
        assert type(here.protected) is type(there.protected)  # 1, 1.0, "1" and true differ
        assert type(here.reference) is type(there.reference)
    assert write_scenario(again) == text


# --------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("name", ["loan", "law-school"])
def test_samples_go_round(name: str) -> None:
    assert_goes_round(load_scenario(name).scenario)


def test_a_rich_scenario_goes_round() -> None:
    scenario = read_scenario(RICH)
    assert_goes_round(scenario)
    assert scenario.description == "Two lines,\nand a trailing newline.\n"
    assert scenario.roles.protected[1].reference == 0
    assert scenario.roles.protected[2].protected is True
    assert scenario.roles.protected[3].protected == ("<= 25", "> 60")
    assert scenario.roles.protected[4].reference == ("b", False)
    assert scenario.roles.relevant[1].order == ("low", "mid", "3", 4, 4.5)
    assert scenario.worlds[0].edges[0].cause == "sex"
    assert scenario.worlds[0].equations[0].coefficients["sex"].source == "by hand"
    assert scenario.worlds[0].equations[0].bounds == (0, None)
    assert scenario.settings.k == (5, 10)


def test_every_field_of_the_rich_scenario_is_set() -> None:
    """So that a field added later is put into the round trip too."""
    scenario = read_scenario(RICH)
    world = scenario.worlds[0]
    parts = [
        *(scenario, scenario.data, scenario.roles, scenario.roles.context[0]),
        *(scenario.roles.decision, scenario.decision_maker, scenario.outcomes, scenario.settings),
        *(world, world.nodes[0], world.edges[0], world.bidirected[0]),
        *(world.equations[0].coefficients["sex"], world.equations[2].shares[0]),
    ]
    said = set().union(*(item.model_fields_set for item in world.equations))
    assert said == set(EquationPart.model_fields)
    for part in parts:
        assert part is not None
        unset = set(type(part).model_fields) - part.model_fields_set
        assert not unset, f"{type(part).__name__}: {unset}"
    said = set().union(*(item.model_fields_set for item in world.equations))
    assert said == set(EquationPart.model_fields)
    models = [read_scenario(f"{MINIMAL}decision_maker: {maker}\n") for maker in MODELS]
    for model in models:
        assert_goes_round(model)
    told = set().union(*(model.decision_maker.model_fields_set for model in models))
    assert told == set(ModelPart.model_fields)
    for listed, kind in (
        (scenario.roles.relevant, RelevantPart),
        (scenario.roles.protected, ProtectedPart),
    ):
        assert set().union(*(item.model_fields_set for item in listed)) == set(kind.model_fields)


def test_a_minimal_scenario_goes_round_and_gets_the_defaults() -> None:
    scenario = read_scenario(MINIMAL)
    assert_goes_round(scenario)
    assert scenario.decision_maker == RecordedPart()
    assert scenario.settings == SettingsPart()
    assert scenario.settings.k == (15, 30, 50, 100, 250)
    assert scenario.data.missing == "refuse"
    assert_goes_round(
        scenario.model_copy(update={"decision_maker": RecordedPart(note="kept for the court")})
    )


WORDS = st.text(min_size=1, max_size=12).filter(lambda word: not any(map(is_surrogate, word)))
CELLS = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8).filter(lambda word: not any(map(is_surrogate, word))),
    st.sampled_from(["yes", "no", "null", "~", "1", "1.0", "1e5", "0x1F", "2020-01-01", " f ", ""]),
)
NUMBERS = st.floats(-1e9, 1e9) | st.sampled_from([1e-300, 1e300, 0.1, 1 / 3])


def is_surrogate(letter: str) -> bool:
    return 0xD800 <= ord(letter) <= 0xDFFF


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Scenarios with odd names, odd cells and odd numbers."""
    names = draw(st.lists(WORDS, min_size=4, max_size=4, unique=True))
    sex, income, points, outcome = names
    values = draw(st.lists(CELLS, min_size=2, max_size=2, unique_by=(str, lambda cell: cell)))
    note = draw(st.text(max_size=30).filter(lambda word: not any(map(is_surrogate, word))))
    number = CoefficientPart(value=draw(NUMBERS), source="by hand", note=note)
    maker = draw(
        st.sampled_from([RecordedPart(note=note)])
        | st.builds(
            ThresholdPart,
            weights=st.fixed_dictionaries({income: NUMBERS}),
            cutoff=NUMBERS,
            inclusive=st.booleans(),
            note=st.just(note),
        )
        | st.builds(
            ModelPart,
            kind=st.sampled_from(["logistic", "tree"]),
            columns=st.sampled_from([(income,), (sex, points)]),
            seed=st.integers(0, 2**32 - 1),
            note=st.just(note),
        )
    )
    return Scenario(
        format=1,
        name=draw(WORDS),
        title=note,
        data=DataPart(file=draw(WORDS), delimiter=draw(st.none() | WORDS)),
        roles=RolesPart(
            protected=(ProtectedPart(column=sex, protected=values[0], reference=values[1]),),
            relevant=(
                RelevantPart(column=income, weight=draw(st.floats(0.1, 1e6))),
                RelevantPart(column=points, kind="nominal", note=note),
            ),
            decision=DecisionPart(column=outcome, negative=draw(CELLS)),
        ),
        decision_maker=maker,
        outcomes=OutcomesPart(negative=note),
        worlds=(
            WorldPart(
                name=draw(WORDS),
                nodes=tuple(NodePart(name=name, x=draw(st.none() | NUMBERS)) for name in names[:3]),
                edges=(EdgePart(cause=sex, effect=income, note=note),),
                equations=(EquationPart(node=income, coefficients={sex: number}),),
            ),
        ),
        settings=SettingsPart(
            tau=draw(st.floats(-1, 1)), alpha=draw(st.floats(0.001, 0.999)), k=(draw(st.just(7)),)
        ),
    )


@given(scenario=scenarios())
@settings(max_examples=80)
def test_any_scenario_goes_round(scenario: Scenario) -> None:
    assert_goes_round(scenario)


# --------------------------------------------------------------------------- wrong files


def test_settings_that_do_not_go_together_are_a_problem_of_the_file() -> None:
    (found,) = problems(MINIMAL + "settings: {correction: bh}\n")
    assert found.startswith("settings.correction: 'bh' needs p-values")
    assert "agresti-caffo" in found
    fine = read_scenario(MINIMAL + "settings: {correction: bh, interval: score}\n", "my.yaml")
    assert fine.settings.evidence_settings(5).correction == "bh"


def test_many_problems_are_listed_at_once_with_their_places() -> None:
    text = """
format: 1
name: wrong
tittle: misspelt
data: {file: people.csv, missing: maybe}
roles:
  protected:
    - {column: sex}
    - {column: race, protected: b, reference: b}
  relevant:
    - {column: score, kind: number}
    - {column: sex}
decision_maker: {type: threshold, weights: {score: 1}, cutoff: high}
worlds:
  - name: round
    nodes: [{name: sex}, {name: score}, {name: age}]
    edges: [{from: score, to: age}, {from: age, to: score}]
    equations: [{node: sex}, {node: score, bounds: [4, 0]}]
  - name: Round
    nodes: []
settings: {k: [15, 0], tau: 2, alpha: 0}
"""
    found = problems(text)
    expected = [
        "tittle: there is no such field. Check its spelling.",
        "data.missing: expected 'refuse' or 'drop'; got 'maybe'.",
        "roles.relevant[0].kind: expected 'continuous', 'ordinal' or 'nominal'; got 'number'.",
        "decision_maker.cutoff: expected a valid number, unable to parse string as a number; "
        "got 'high'.",
        "settings.k[1]: expected greater than or equal to 1; got 0.",
        "settings.tau: expected less than or equal to 1; got 2.",
        "settings.alpha: expected greater than 0; got 0.",
    ]
    for line in expected:
        assert line in found, found
    places = [line.split(":")[0] for line in found]
    assert "worlds[1].nodes" in places
    assert "worlds[0].edges" in places  # the cycle, although other parts could not be read
    assert any("cycle: score → age → score" in line for line in found)
    assert "worlds[0].equations[0]" in places  # no arrow leads to sex
    assert "worlds[0].equations[1].bounds" in places


def test_how_the_parts_fit_together_is_looked_at_too() -> None:
    text = """
format: 1
name: wrong
data: {file: people.csv}
roles:
  id: score
  protected:
    - {column: sex}
    - {column: race, protected: b, reference: b}
  relevant:
    - {column: score, order: [1, 2]}
    - {column: town, kind: nominal}
    - {column: sex}
decision_maker: {type: threshold, weights: {age: 1, town: 2}, cutoff: 3, node: verdict}
worlds:
  - name: one
    nodes: [{name: sex}, {name: score}, {name: town}, {name: luck}, {name: verdict}, {name: sex}]
    edges:
      - {from: score, to: sex}
      - {from: verdict, to: score}
      - {from: sex, to: town}
      - {from: sex, to: ghost}
      - {from: sex, to: score}
    equations:
      - {node: score, interactions: [[sex, town]], coefficients: {sex: {source: by hand}}}
      - {node: score}
  - name: ONE
    nodes: [{name: sex}]
"""
    found = {}
    for line in problems(text):
        place, message = line.split(": ", 1)
        found.setdefault(place, []).append(message)
    for place, word in {
        "roles.protected[0]": "name the protected value",
        "roles.protected[1]": "the same value",
        "roles.relevant[0].order": "only an ordinal attribute",
        "roles.relevant[2]": "already has a role at roles.protected[0]",
        "roles.id": "already has a role at roles.relevant[0]",
        "decision_maker.weights.age": "not a relevant attribute",
        "decision_maker.weights.town": "holds names and cannot be weighed",
        "worlds[0].nodes[3]": "'luck' is neither",
        "worlds[0].nodes[5]": "listed twice",
        "worlds[0].edges[0]": "ends in the protected attribute 'sex'",
        "worlds[0].edges[1]": "starts from the decision 'verdict'",
        "worlds[0].edges[3]": "'ghost', which is not among the nodes",
        "worlds[0].equations[0].interactions[0]": "two or more different causes of 'score'",
        "worlds[0].equations[0].coefficients.sex": "set by hand needs a value",
        "worlds[0].equations[1]": "a second equation for 'score'",
        "worlds[0].name": "two causal models are called 'one'",
        "worlds[1].name": "two causal models are called 'ONE'",
    }.items():
        assert any(word in message for message in found.get(place, [])), (place, found)


def test_no_decisions_at_all() -> None:
    (line,) = problems(MINIMAL.replace('  decision: {column: hired, negative: "no"}\n', ""))
    assert line.startswith("roles.decision: there are no decisions")


def test_required_fields_that_are_missing() -> None:
    found = problems("format: 1\n")
    assert {line.split(":")[0] for line in found} == {"name", "data", "roles", "worlds"}
    assert all("required and missing" in line for line in found)
    assert any(line.startswith("format: ") for line in problems(MINIMAL.replace("t: 1", "t: 2")))


@pytest.mark.parametrize("maker", ["{type: oracle}", "{weights: {score: 1}, cutoff: 2}"])
def test_an_unknown_type_of_decision_maker(maker: str) -> None:
    found = problems(MINIMAL + f"decision_maker: {maker}\n")
    assert "decision_maker: expected type 'threshold', 'model' or 'recorded'." in found


def test_what_is_wrong_with_a_model_of_the_decisions() -> None:
    text = MODEL.replace("sex", "hired").replace("score", "colour")
    assert [line.split(":")[0] for line in problems(MINIMAL + text)] == [
        "decision_maker.columns[0]",
        "decision_maker.columns[1]",
    ]
    for old, new in (
        *(("[score, sex]", "[]"), ("[score, sex]", "score")),
        *(("max_depth: 2", "max_depth: 0"), ("kind: tree", "kind: forest")),
        *(("max_depth: 2", "penalty: 2"), ("max_depth: 2", "seed: -1")),
    ):
        (line,) = problems(MINIMAL + MODEL.replace(old, new))
        place = new.split(":")[0] if ":" in new else "columns"
        assert line.startswith(f"decision_maker.{place}: ")
    undecided = MINIMAL.replace('  decision: {column: hired, negative: "no"}\n', "")
    (line,) = problems(undecided + MODEL)
    assert line.startswith("roles.decision: there are no decisions")


@pytest.mark.parametrize("cell", [".nan", ".inf", "-.inf", "[[f]]", "{a: 1}"])
def test_a_value_that_no_column_holds_is_one_problem_with_its_place(cell: str) -> None:
    for old, new, place in (
        ("protected: f,", f"protected: {cell},", "roles.protected[0].protected"),
        ('negative: "no"', f"negative: {cell}", "roles.decision.negative"),
        (
            "{column: score}",
            f"{{column: score, kind: ordinal, order: [1, {cell}]}}",
            "roles.relevant[0].order[1]",
        ),
    ):
        (line,) = problems(MINIMAL.replace(old, new))
        assert line.startswith(f"{place}: expected text, a finite number, true or false; got ")


@pytest.mark.parametrize(
    "file", ["../people.csv", "a/../../b.csv", "/etc/passwd", "C:/b.csv", "..\\\\b.csv", "C:b.csv"]
)
def test_a_scenario_from_someone_else_reads_only_in_its_folder(file: str) -> None:
    text = MINIMAL.replace("file: people.csv", f'file: "{file}"')
    assert read_scenario(text).data.file  # one's own scenario may read anything
    with pytest.raises(ScenarioError) as caught:
        read_scenario(text, inside_folder=True)
    (problem,) = caught.value.problems
    assert problem.place == "data.file"
    assert "in the scenario's folder" in problem.message


def test_files_in_the_folder_are_inside_it() -> None:
    for file in ("people.csv", "data/people.csv", "a..b.csv", "...csv"):
        text = MINIMAL.replace("people.csv", file)
        assert read_scenario(text, inside_folder=True).data.file == file


@pytest.mark.parametrize("text", ["", "[1, 2]", "just words", "42", "null", "# only a comment"])
def test_what_is_no_mapping(text: str) -> None:
    (line,) = problems(text)
    assert "expected a document with the fields format, name, data, roles, worlds" in line


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: &x [1]\nb: *x\n", "line 2, column 4", "aliases (*name) are not allowed"),
        ("name: a\nname: b\n", "line 2, column 1", "the field 'name' stands here twice"),
        ("data: {file: a, file: b}\n", "line 1, column 17", "'file' stands here twice"),
        ("a: [1, 2\nb: 3\n", "line 2", "not readable as YAML"),
        ("a: !!python/object:os.system {}\n", "line 1, column 4", "could not determine"),
        ("a: !!python/object/apply:os.system [echo]\n", "line 1", "could not determine"),
        ("? [1, 2]\n: 3\n", "line 1", "a field's name must be plain text"),
        ("? {a: 1}\n: 3\n", "line 1", "a field's name must be plain text"),
        ("a: 'open\n", "line", "not readable as YAML"),
        ("a: 1\n---\nb: 2\n", "line 2", "not readable as YAML"),
    ],
)
def test_text_that_is_no_sound_yaml(text: str, place: str, words: str) -> None:
    (line,) = problems(text)
    assert line.startswith(place)
    assert words in line


def test_nesting_without_end_and_files_without_measure() -> None:
    (line,) = problems("[" * 100_000)
    assert "nested too deeply" in line
    (line,) = problems("# " + "x" * 5_000_001)
    assert "larger than 5 MB" in line


def test_control_letters_are_refused_not_raised() -> None:
    (line,) = problems("name: a\x00b\n")
    assert "not readable as YAML" in line


@given(st.text(max_size=60) | st.text(alphabet="{}[]:,-&*!|>'\"%@` \n#?ab1~", max_size=60))
def test_any_text_is_a_scenario_error(text: str) -> None:
    """Nothing this short is a scenario, and nothing but a ScenarioError comes out."""
    problems(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=6,
    ),
    st.sampled_from(["format", "name", "data", "roles", "worlds", "settings", "decision_maker"]),
)
def test_any_content_in_any_field_is_read_or_refused(content: Any, field: str) -> None:
    document = yaml.safe_load(MINIMAL)
    document[field] = content
    try:
        scenario = read_scenario(yaml.safe_dump(document))
    except ScenarioError:
        return
    assert_goes_round(scenario)


# --------------------------------------------------------------------------- opening


def test_the_samples_are_found() -> None:
    assert {"loan", "law-school"} <= set(sample_scenarios())


def test_a_missing_file_lists_the_samples(tmp_path: Path) -> None:
    for source in ("no-such-case", tmp_path / "gone.yaml", tmp_path, ""):
        with pytest.raises(InputError, match=r"No scenario .*law-school, loan"):
            load_scenario(source)


def test_a_file_a_folder_and_a_mark_at_the_beginning(tmp_path: Path) -> None:
    (tmp_path / "scenario.yaml").write_text(MINIMAL, encoding="utf-8-sig")
    (tmp_path / "people.csv").write_text("sex,score,hired\nf,1,no\nf,2,yes\nm,3,yes\n")
    for source in (tmp_path, tmp_path / "scenario.yaml", str(tmp_path)):
        case = load_scenario(source)
        assert case.scenario == read_scenario(MINIMAL)
        assert case.folder == tmp_path
        assert len(case.dataset()) == 3
        assert case.decision_maker() is None


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(ScenarioError, match="not readable as text"):
        load_scenario(path)


def test_the_data_file_is_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "scenario.yaml").write_text(MINIMAL, encoding="utf-8")
    with pytest.raises(DataError, match=r"people\.csv"):
        load_scenario(tmp_path).dataset()


def test_other_data_in_place_of_the_scenarios(tmp_path: Path) -> None:
    case = load_scenario("loan")
    head = case.table().frame.head(40)
    assert len(case.dataset(head)) == 40
    assert case.dataset(head).index.tolist() == head["id"].tolist()
    without_ids = tmp_path / "other.csv"
    head.drop(columns="id").to_csv(without_ids, index=False)
    assert case.dataset(without_ids).index.tolist() == list(range(40))


# --------------------------------------------------------------------------- what it opens to


@pytest.fixture(scope="module")
def rich() -> Case:
    return Case(scenario=read_scenario(RICH), folder=Path())


def test_worlds_by_name_beginning_and_default() -> None:
    case = load_scenario("law-school")
    assert case.worlds == ("linear", "log-link")
    assert case.causal_model().name == "linear"
    for name, wanted in (
        *(("linear", "linear"), ("LINEAR", "linear"), ("li", "linear")),
        *(("log", "log-link"), (" Log-Link ", "log-link")),
    ):
        assert case.causal_model(name).name == wanted
    for name in ("l", "", " ", "linear2", "quadratic"):
        with pytest.raises(CausalModelError, match=r"world: expected one of linear, log-link, got"):
            case.causal_model(name)


def test_a_name_that_begins_another_is_itself() -> None:
    worlds = MINIMAL.split("worlds: [")[1].rstrip().removesuffix("]")
    text = MINIMAL.rstrip().removesuffix("]") + ", " + worlds.replace("plain", "plain-2") + "]\n"
    case = Case(scenario=read_scenario(text), folder=Path())
    assert case.causal_model("plain").name == "plain"
    assert case.causal_model("plain-").name == "plain-2"
    with pytest.raises(CausalModelError, match="plain, plain-2"):
        case.causal_model("pl")


def test_the_parts_become_the_objects_they_describe(rich: Case) -> None:
    roles = rich.roles()
    assert roles.id_column == "person"
    columns = ["sex", "origin", "disabled", "age", "faith"]
    assert [item.column for item in roles.protected] == columns
    assert roles.tests[3:] == (("age=<= 25", "age=> 60"), ("faith",))
    assert (roles.protected[3].set_to, roles.protected[4].set_to) == ("rank", 2.5)
    assert roles.context == (
        cst_core.data.ContextAttribute(column="district", kind="ordinal", order=("inner", "outer")),
    )
    assert roles.protected[1].protected is None
    assert roles.protected[1].reference == 0
    assert [item.kind for item in roles.relevant] == [
        *("continuous", "ordinal", "ordinal", "nominal"),
    ]
    assert roles.relevant[0].weight == 2.5
    assert roles.relevant[1].order == ("low", "mid", "3", 4, 4.5)
    assert roles.decision == cst_core.Decision(column="outcome", negative=-1)
    assert rich.decision_maker() == cst_core.ThresholdRule(
        weights={"income": 0.1, "points": -3}, cutoff=1500, inclusive=True
    )
    assert rich.scenario.settings.search_settings() == cst_core.SearchSettings(
        max_neighbours=10, ties="last", max_distance=0.25, distance="capped", cap=0.05
    )
    wanted = cst_core.EvidenceSettings(
        n_neighbours=5,
        accepted_deviation=0.05,
        significance_level=0.1,
        direction="favour",
        interval="newcombe",
        correction="by",
        tie_robust=True,
        balance_radii=True,
        calibration="relabelling",
        relabellings=99,
        relabelling_seed=7,
        several="intersection-union",
    )
    assert rich.evidence_settings() == wanted
    assert rich.evidence_settings(10).n_neighbours == 10


def test_the_world_becomes_the_causal_model_it_describes(rich: Case) -> None:
    model = rich.causal_model("first")
    assert model.graph.nodes == ("sex", "town", "income", "points", "verdict")
    assert model.graph.edges == (
        *(("sex", "income"), ("town", "income"), ("income", "points")),
        *(("sex", "town"), ("points", "verdict")),
    )
    assert model.graph.accepted == {("sex", "income"): "a trade-off that law allows"}
    assert model.equation("town").coupling == "independent"
    assert model.equation("town").shares[0].shares == {"north": 0.4, "south": 0.6}
    assert model.graph.protected == ("sex", "origin", "disabled", "age", "faith")
    assert model.graph.decision == "verdict"
    assert model.graph.equation_nodes() == ("town", "income", "points")
    income = model.equation("income")
    assert (income.link, income.bounds, income.note) == ("log", (0, None), "never negative")
    assert income.interactions == (("sex", "town"),)
    assert income.coefficients["sex"] == cst_core.Coefficient(
        value=-0.2,
        source="by hand",
        fitted_value=-0.18,
        standard_error=0.01,
        classical_error=0.02,
        note="me",
    )
    assert income.coefficients["intercept"].source == "fitted"
    assert model.equation("points").bounds == (-1.5, 1e6)


@pytest.mark.parametrize(
    ("place", "came", "said"),
    [
        (
            ("roles", "decision"),
            "decision",
            "roles.decision: expected the fields column and negative (and, if wanted, note), such "
            "as {column: …, negative: …}; got 'decision'.",
        ),
        (("data",), "people.csv", "data: expected the field file (and, if wanted, delimiter,"),
        (("worlds", 0), "x", "worlds[0]: expected the fields name and nodes (and, if wanted, "),
        (("settings",), "strict", "settings: expected fields with values, some of k, tau, alpha,"),
        (("decision_maker",), "recorded", "decision_maker: expected {type: …} with 'threshold', "),
    ],
)
def test_a_part_that_came_as_something_else_names_its_fields(place, came, said) -> None:
    content = yaml.safe_load(RICH)
    inside = content
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = came
    with pytest.raises(ScenarioError) as caught:
        read_scenario(yaml.safe_dump(content))
    assert said in str(caught.value)
    assert "instance of" not in str(caught.value)
