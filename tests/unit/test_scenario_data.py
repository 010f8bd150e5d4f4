"""The data part of a scenario: what is taken of the table, in results, files and messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from cst_core.cli.app import app
from cst_core.errors import DataError, ScenarioError
from cst_core.scenario import Case, load_scenario, read_scenario, write_scenario

ROWS = [
    f"{'fm'[i % 2]},{'abc'[i % 3]},{i % 7 + (i % 2)},{'yes' if i % 5 > 1 else 'no'},{20 + i % 50}"
    for i in range(120)
]
TABLE = "sex,town,grade,hired,age\n" + "\n".join(ROWS) + "\n"


def content(**data: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "name": "made",
        "data": {"file": "table.csv", **data},
        "roles": {
            "protected": [{"column": "sex", "protected": "f", "reference": "m"}],
            "relevant": [{"column": "grade"}, {"column": "town", "kind": "nominal"}],
            "decision": {"column": "hired", "negative": "no"},
        },
        "worlds": [
            {
                "name": "one",
                "nodes": [{"name": name} for name in ("sex", "grade", "hired")],
                "edges": [{"from": "sex", "to": "grade"}, {"from": "grade", "to": "hired"}],
            }
        ],
        "settings": {"k": [5]},
    }


def case(folder: Path, table: str = TABLE, **data: Any) -> Case:
    (folder / "table.csv").write_text(table)
    (folder / "scenario.yaml").write_text(yaml.safe_dump(content(**data)))
    return load_scenario(folder)


def test_rows_and_groups_reach_the_results(tmp_path: Path) -> None:
    found = case(
        tmp_path,
        rows=[{"column": "age", "at_least": 30}],
        groups=[{"column": "town", "name": "other", "values": ["b", "c"]}],
    )
    people = found.dataset()
    assert people.frame["town"].unique().tolist() == ["other", "a"]
    kept = sum(20 + i % 50 >= 30 for i in range(120))
    notes = found.run("sex").notes
    assert f"{kept} of 120 rows kept: those where 'age' is at least 30." in notes
    assert any(note.startswith("'town' is 'b' or 'c': read as 'other'") for note in notes)


def test_another_table_is_taken_in_the_same_way(tmp_path: Path) -> None:
    found = case(tmp_path, delimiter=",", rows=[{"column": "age", "at_least": 30}])
    other = tmp_path / "other.csv"
    other.write_text(TABLE.replace(",", ";"))
    assert found.dataset(other).frame.equals(found.dataset().frame)


def test_the_command_tells_and_writes_what_was_taken(tmp_path: Path) -> None:
    case(tmp_path, rows=[{"column": "age", "at_least": 30}])
    out = tmp_path / "out"
    done = CliRunner().invoke(app, ["audit", str(tmp_path), "--test", "sex", "--out", str(out)])
    assert done.exit_code == 0, done.output
    told = "rows kept: those where 'age' is at least 30."
    assert told in " ".join(done.output.split())
    assert f"# How the table was read: 90 of 120 {told}" in (out / "sex_k5.csv").read_text(
        encoding="utf-8-sig"
    )
    used = load_scenario(out / "scenario-used.yaml")
    assert len(used.dataset()) == 90


def test_a_scenario_keeps_what_it_says(tmp_path: Path) -> None:
    scenario = case(
        tmp_path,
        header="first",
        missing_values={"grade": [-9, "?"]},
        dates=[{"column": "seen", "unit": "years", "since": "1990-01-01", "format": "%d.%m.%Y"}],
        rows=[{"column": "town", "is": "a"}, {"column": "age", "at_most": 3.5}],
        groups=[{"column": "town", "name": True, "values": ["x", 1]}],
    ).scenario
    text = write_scenario(scenario)
    assert read_scenario(text) == scenario
    assert text.index("file:") < text.index("rows:")


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ({"rows": [{"column": "age"}]}, "data.rows[0]", "expected one of is, is_not, in"),
        ({"rows": [{"column": "age", "is": 1, "at_most": 2}]}, "data.rows[0]", "expected one of"),
        ({"groups": [{"column": "age", "name": "x"}]}, "data.groups[0]", "expected values, or"),
        ({"rows": [{"column": "age", "above": 2}]}, "data.rows[0].above", "no such field"),
        ({"dates": [{"column": "age", "unit": "weeks"}]}, "data.dates[0].unit", "'days' or"),
        ({"header": "maybe"}, "data.header", "'first' or 'none'"),
        ({"missing_values": {"age": 9}}, "data.missing_values.age", "expected a list"),
    ],
)
def test_faults_are_placed(tmp_path: Path, data: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        case(tmp_path, **data)
    assert any(p.place == place and words in p.message for p in caught.value.problems), caught.value


def test_a_bare_yaml_day_is_a_day() -> None:
    text = yaml.safe_dump(content()).replace(
        "file: table.csv", "file: table.csv\n  dates: [{column: seen, since: 1990-01-01}]"
    )
    assert read_scenario(text).data.dates[0].since == "1990-01-01"


def test_no_row_left_is_a_sentence_of_the_command(tmp_path: Path) -> None:
    found = case(tmp_path, rows=[{"column": "town", "is": "z"}])
    with pytest.raises(DataError, match=r"no row is left where 'town' is 'z'. It holds: a, b, c"):
        found.dataset()
