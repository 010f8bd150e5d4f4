"""`cst model`: causal models listed, taken in from DAGitty and written out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cst_core import load_scenario
from cst_core.cli import main
from cst_core.scenario import add_dagitty, from_dagitty

DRAWING = """dag {
gender [exposure,pos="0,0"]
"Annual Salary" [pos="1,0"]
LoanApproval [outcome,pos="2,0"]
gender -> "Annual Salary" [beta=-0.2]
"Annual Salary" -> LoanApproval
gender <-> "Annual Salary"
}"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cst(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["cst", "model", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        got = capsys.readouterr()
        return code, got.out, got.err

    return run


@pytest.fixture
def drawing(tmp_path: Path) -> Path:
    path = tmp_path / "rival.dag"
    path.write_text(DRAWING, encoding="utf-8")
    return path


def test_accepted_arrows_are_marked_and_come_back_from_dagitty(cst: Run, tmp_path: Path) -> None:
    worlds = {world.name: world for world in load_scenario("adult").scenario.worlds}
    name, world = next(
        (name, one) for name, one in worlds.items() if any(edge.accepted for edge in one.edges)
    )
    code, out, _ = cst("list", "adult")
    assert code == 0
    said = " ".join(out.split())
    for edge in world.edges:
        if edge.accepted is not None:
            reason = " ".join(edge.accepted.split())
            arrow = f"{edge.cause} → {edge.effect}"
            assert f"{arrow} (accepted as justified: {reason})" in said
    written = tmp_path / "a.dag"
    assert cst("export", "adult", "--world", name, "--out", written)[0] == 0
    back = from_dagitty(written.read_text(encoding="utf-8"))
    assert {(edge.cause, edge.effect): edge.accepted for edge in back.edges} == {
        (edge.cause, edge.effect): edge.accepted for edge in world.edges
    }


def test_a_drawing_becomes_the_last_causal_model_of_a_file(
    cst: Run, drawing: Path, tmp_path: Path
) -> None:
    out = tmp_path / "case.yaml"
    code, said, told = cst("import", drawing, "loan", "-o", out)
    assert (code, said) == (0, "")
    assert "The value beta=-0.2 of the arrow Gender → AnnualSalary was not taken over." in told
    case = load_scenario(out)
    assert case.worlds == ("linear", "rival")
    world = case.world("rival")
    assert [(node.name, node.label) for node in world.nodes] == [
        ("Gender", "gender"),
        ("AnnualSalary", "Annual Salary"),
        ("LoanApproval", ""),
    ]
    assert [arrow.between for arrow in world.bidirected] == [("Gender", "AnnualSalary")]
    assert len(case.dataset()) == 4993  # the data are found from where the file lies
    assert case.causal_model("rival").graph.parents("AnnualSalary") == ("Gender",)
    assert cst("import", drawing, out, "--name", "again", "-o", out)[0] == 0
    assert load_scenario(out).worlds == ("linear", "rival", "again")


def test_without_a_file_the_scenario_is_printed(cst: Run, drawing: Path) -> None:
    code, said, _ = cst("import", drawing, "loan", "--name", "printed")
    assert code == 0
    assert said.startswith("format: 1\nname: loan\n")
    assert "- name: printed\n" in said


def test_what_does_not_fit_is_refused_all_at_once(cst: Run, drawing: Path, tmp_path: Path) -> None:
    drawing.write_text(
        "dag { wealth [latent] wealth -> AccountBalance hours -> AnnualSalary "
        "AnnualSalary -- AccountBalance LoanApproval -> Gender }",
        encoding="utf-8",
    )
    out = tmp_path / "case.yaml"
    code, said, told = cst("import", drawing, "loan", "--name", "Linear", "-o", out)
    assert (code, said) == (2, "")
    head, *problems = told.splitlines()
    assert head == "cst: rival.dag: 4 problems found"
    assert problems[0].startswith("  - The line AnnualSalary -- AccountBalance has no direction.")
    assert problems[1].startswith("  - Not columns with a role: wealth, hours. Known: Gender, ")
    assert "draw a two-headed arrow (A <-> B) between what it moves" in problems[1]
    assert problems[2] == "  - name: two causal models are called 'Linear'."
    assert problems[3].startswith("  - The arrow LoanApproval → Gender ends in the protected")
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dag { A -> ", "cst: Line 1, column 12: expected a name"),
        ("dag { }", "cst: rival.dag: nothing is drawn."),
        ("dag { Gender -> AnnualSalary -> AccountBalance -> AnnualSalary }", "form a cycle"),
    ],
)
def test_what_cannot_be_read_is_refused(cst: Run, drawing: Path, text: str, message: str) -> None:
    drawing.write_text(text, encoding="utf-8")
    code, _, told = cst("import", drawing, "loan")
    assert code == 2
    assert message in told


def test_files_that_cannot_be_read_or_written(cst: Run, drawing: Path, tmp_path: Path) -> None:
    assert "Cannot read" in cst("import", tmp_path / "none.dag", "loan")[2]
    (tmp_path / "latin.dag").write_bytes(b"dag { \xe9 }")
    assert "it is not UTF-8 text" in cst("import", tmp_path / "latin.dag", "loan")[2]
    sample = load_scenario("loan").path
    for target in (sample, load_scenario("loan").data_path):
        code, _, told = cst("import", drawing, "loan", "-o", target)
        assert code == 2
        assert "would overwrite the case's own file" in told
    assert "--name: expected a name" in cst("import", drawing, "loan", "--name", " ")[2]


def test_an_export_comes_back_the_same(cst: Run, drawing: Path, tmp_path: Path) -> None:
    out, text = tmp_path / "case.yaml", tmp_path / "out.dag"
    scenario, _ = add_dagitty(load_scenario("loan").scenario, DRAWING, name="rival")
    assert cst("export", "loan")[1].startswith("dag {\nbb=")
    cst("import", drawing, "loan", "-o", out)
    assert cst("export", out, "--world", "rival", "-o", text)[0] == 0
    found, world = from_dagitty(text.read_text(encoding="utf-8")), scenario.worlds[-1]
    assert (found.nodes, found.edges, found.bidirected) == (
        world.nodes,
        world.edges,
        world.bidirected,
    )
    alone = tmp_path / "alone.yaml"
    assert cst("export", out, "--world", "rival", "--to", "yaml", "-o", alone)[0] == 0
    assert load_scenario(alone).worlds == ("rival",)
    code, said, _ = cst("export", out, "--to", "yaml")
    assert code == 0
    assert said.count("- name: rival") == said.count("- name: linear") == 1


def test_the_list_names_every_arrow(cst: Run, drawing: Path, tmp_path: Path) -> None:
    out = tmp_path / "case.yaml"
    cst("import", drawing, "loan", "-o", out)
    code, said, _ = cst("list", out)
    assert code == 0
    assert "linear: 4 nodes, 5 arrows" in said
    assert "rival: 3 nodes, 2 arrows, 1 two-headed arrow" in said
    assert "Gender ↔ AnnualSalary" in said
