"""The authors' tables, number for number.

Most tests need the authors' six files in a folder, and the paper's tables beside that folder as
published_tables.json. CST_AUTHORS_DATA names the folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pandas as pd
import pytest

from cst_core.errors import DataError
from cst_core.replication import (
    METHODS,
    Replication,
    compare,
    load_authors_data,
    replicate,
    run_published,
)
from cst_core.replication import published_numbers as paper

AUTHORS = Path(
    os.environ.get("CST_AUTHORS_DATA")
    or Path(__file__).resolve().parents[2].parent / "shared" / "data" / "authors"
)
PUBLISHED = AUTHORS.parent / "published_tables.json"
needs_authors = pytest.mark.skipif(
    not (AUTHORS.is_dir() and PUBLISHED.is_file()),
    reason=f"the authors' files are not in {AUTHORS}; set CST_AUTHORS_DATA to their folder",
)


@pytest.fixture(scope="module")
def published() -> dict:
    return json.loads(PUBLISHED.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def at_zero() -> Replication:
    return replicate(AUTHORS)


@pytest.fixture(scope="module")
def at_five_percent() -> Replication:
    return replicate(AUTHORS, k=paper.K_TAU_005, tau=0.05)


@needs_authors
def test_counts_at_tau_zero(at_zero: Replication, published: dict) -> None:
    tables = at_zero.to_dict()["tables"]
    unequal = {}
    n_cells = 0
    for name in paper.COUNTS:
        assert set(tables[name]) == set(published[name]["methods"]) == set(METHODS)
        for method, columns in published[name]["methods"].items():
            for kind, numbers in columns.items():
                for k, number in zip(published[name]["k"], numbers, strict=True):
                    n_cells += 1
                    ours = tables[name][method][str(k)][kind]
                    if ours != number:
                        unequal[name, method, k, kind] = (number, ours)
    assert n_cells == 240
    assert unequal == {}


@needs_authors
def test_counts_at_tau_five_percent(at_five_percent: Replication, published: dict) -> None:
    printed = published["tau_0.05_all_cases"]
    cells = [
        (at_five_percent.tables[name][method][k].all, number)
        for name in ("loan_gender", "law_race", "law_gender")
        for method, numbers in printed[name].items()
        for k, number in zip(printed["k"], numbers, strict=True)
    ]
    assert len(cells) == 48
    assert [ours for ours, _ in cells] == [number for _, number in cells]


@needs_authors
def test_compare_lists_what_the_paper_prints(
    at_zero: Replication, at_five_percent: Replication
) -> None:
    for replication, n_cells in ((at_zero, 240), (at_five_percent, 48)):
        cells = compare(replication)
        assert len(cells) == n_cells
        assert all(cell.equal for cell in cells)


@needs_authors
def test_counterfactuals_agree_with_the_authors_files(at_zero: Replication) -> None:
    assert [check.rows for check in at_zero.counterfactual_checks] == [4993, 21790, 21790, 21790]
    for check in at_zero.counterfactual_checks:
        assert check.agreed, check
        assert check.rows_different == 0
        assert check.max_difference < 1e-9


@needs_authors
def test_individuals(at_zero: Replication, published: dict) -> None:
    printed = published["loan_cst_w_individuals_k15"]
    ours = {person.row: person for person in at_zero.individuals}
    assert len(ours) == 10
    for group, is_cf_case in (("also_cf", True), ("not_cf", False)):
        for row, (p_c, p_t, delta, lower, interval) in printed[group].items():
            person = ours[int(row)]
            assert person.is_cf_case is is_cf_case
            mine = (person.p_control, person.p_test, person.delta, person.lower_bound)
            # 0.875 is printed as 0.87 and 0.125 as 0.13: within half a unit, either way
            assert (*mine, *person.interval) == pytest.approx(
                (p_c, p_t, delta, lower, *interval), abs=0.005 + 1e-9
            )


@needs_authors
def test_group_summaries(at_zero: Replication, published: dict) -> None:
    for cases, groups in at_zero.group_summaries.items():
        for group, ours in groups.items():
            printed = published["loan_group_summaries_k15"][cases][group]
            assert ours == pytest.approx(printed, abs=0.005 + 1e-4), (cases, group)


@needs_authors
def test_multiple_against_intersectional_averages(at_zero: Replication, published: dict) -> None:
    """Ten of the twelve printed averages come out; the other two are pinned beside ours."""
    printed = published["law_multiple_vs_intersectional_k15_cst_wo"]
    unequal = {}
    for cases, ours in at_zero.multiple_vs_intersectional.items():
        for column, mine, number in zip(printed["columns"], ours, printed[cases], strict=True):
            if abs(mine - number) > 0.005 + 1e-9:
                unequal[cases, column] = (number, round(mine, 3))
    assert unequal == {
        ("multiple_and_intersectional", "RxG p_c"): (0.66, 0.667),
        ("intersectional_only", "G p_c"): (0.96, 0.934),
    }


@needs_authors
def test_facts(published: dict) -> None:
    data = load_authors_data(AUTHORS)
    loan = run_published(data.loan, recipe="loan", test="Gender", k=[15])
    facts = published["loan_facts"]
    assert (loan.n, loan.protected) == (facts["n_in_file"], facts["females"])
    assert loan.accepted / loan.n == pytest.approx(facts["acceptance_rate"], abs=5e-4)
    law = run_published(data.law, recipe="law-school", test="intersectional", k=[15])
    assert (law.n, law.accepted) == (
        published["law_facts"]["n"],
        published["law_facts"]["accepted"],
    )
    assert law.protected == published["law_intersectional"]["denominator"]


@needs_authors
def test_embedded_numbers_are_the_published_ones(published: dict) -> None:
    for name, methods in paper.COUNTS.items():
        assert tuple(published[name]["k"]) == paper.K
        assert {
            method: {"all": list(everyone), "significant": list(significant)}
            for method, (everyone, significant) in methods.items()
        } == published[name]["methods"]
    tau = published["tau_0.05_all_cases"]
    assert tuple(tau["k"]) == paper.K_TAU_005 == paper.K[: len(tau["k"])]
    embedded = json.loads(json.dumps(paper.COUNTS_TAU_005))
    assert embedded == {name: rows for name, rows in tau.items() if name != "k"}
    people = published["loan_cst_w_individuals_k15"]
    assert json.loads(json.dumps(paper.INDIVIDUALS)) == people["also_cf"] | people["not_cf"]
    assert [str(row) for row in paper.INDIVIDUALS_ALSO_CF] == list(people["also_cf"])
    for constant, key in (
        (paper.GROUP_SUMMARIES, "loan_group_summaries_k15"),
        (paper.MULTIPLE_VS_INTERSECTIONAL, "law_multiple_vs_intersectional_k15_cst_wo"),
    ):
        plain = json.loads(json.dumps(constant))
        assert plain == {name: published[key][name] for name in plain}


@needs_authors
def test_result_is_json_and_progress_is_told() -> None:
    seen: list[tuple[str, int, int]] = []
    small = replicate(AUTHORS, k=[30], tau=0.1, progress=lambda *step: seen.append(step))
    assert [name for name, _, _ in seen] == list(paper.COUNTS)
    assert seen[-1][1:] == (5, 6)
    assert compare(small) == ()
    plain = json.loads(json.dumps(small.to_dict()))
    assert list(plain["tables"]["loan_gender"]["CST_wo"]) == ["30"]
    assert set(plain["tables"]["loan_gender"]["CST_wo"]["30"]) == {"all", "significant"}


def test_missing_file_and_column_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"LoanApplication_v2\.csv: the file is missing.*copy it"):
        load_authors_data(tmp_path)
    without_gender = pd.DataFrame({"AnnualSalary": [90000], "AccountBalance": [27000.0]})
    without_gender.to_csv(tmp_path / "LoanApplication_v2.csv", sep="|", index=False)
    with pytest.raises(DataError, match=r"the column 'Gender' is missing.*as they publish it"):
        load_authors_data(tmp_path)
