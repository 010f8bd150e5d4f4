"""What the documents show must work."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pandas as pd

from cst_core.errors import CSTWarning
from cst_core.scenario import Case, read_scenario
from cst_core.testing import run_single

ROOT = Path(__file__).resolve().parents[2]


def _blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


def test_the_guides_scenario_is_a_scenario_and_runs(tmp_path):
    (text,) = _blocks(ROOT / "docs" / "guide" / "your-own-case.md", "yaml")
    scenario = read_scenario(text)
    n = 60
    table = pd.DataFrame(
        {
            "staff_number": [f"S{i}" for i in range(n)],
            "gender": ["female", "male"] * (n // 2),
            "nationality": ["domestic", "domestic", "EU", "other"] * (n // 4),
            "years_of_service": [(i * 7) % 23 + 0.5 for i in range(n)],
            "grade": ["junior", "senior", "lead"] * (n // 3),
            "site": ["north", "south", "west", "east", "north"] * (n // 5),
            "test_score": [40 + (i * 13) % 50 for i in range(n)],
            "age": [18 + (i * 11) % 40 for i in range(n)],
            "district": ["inner", "outer"] * (n // 2),
            "promoted": ["yes" if (i * 13) % 50 > 20 else "no" for i in range(n)],
        }
    )
    table.to_csv(tmp_path / "people.csv", index=False)
    case = Case(scenario=scenario, folder=tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CSTWarning)
        result = run_single(
            case.dataset(),
            case.causal_model(),
            attribute="nationality",
            decision_maker=case.decision_maker(),
        )
    assert result.n_protected == n // 2
    number = result.model.equation("test_score").coefficients["nationality"]
    assert (number.value, number.source) == (-4, "by hand")
    assert number.fitted_value is not None
    # protected = everyone but "domestic": as reference, each would have scored 4 points more
    shift = result.counterfactuals.frame["test_score"] - result.dataset.frame["test_score"]
    assert set(shift[result.is_protected].round(9)) == {4.0}


def test_the_readmes_python_example_runs(capsys):
    (code,) = _blocks(ROOT / "README.md", "python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CSTWarning)
        exec(compile(code, "README.md", "exec"), {})
    assert "Summary(method='CST_wo', k=15" in capsys.readouterr().out
