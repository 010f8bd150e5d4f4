"""The published protocol against a slow, obvious loop, and its errors; no files needed."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from cst_core.errors import DataError, SettingsError
from cst_core.replication import METHODS, published_recipe, run_published
from cst_core.replication.people import PublishedPeople
from cst_core.replication.protocol import PublishedNeighbours, shares


def ols(y: pd.Series, *predictors: pd.Series) -> np.ndarray:
    design = np.column_stack([np.ones(len(y)), *predictors])
    return np.linalg.solve(design.T @ design, design.T @ y.to_numpy(float))


def z_scores(column: pd.Series) -> pd.Series:
    centred = column - math.fsum(column) / len(column)
    return centred / math.sqrt(math.fsum(centred**2) / len(column))


def admitted(people: pd.DataFrame) -> pd.Series:
    return 0.6 * people["UGPA"] + 0.4 * people["LSAT"] >= 20.8


def law_case(frame: pd.DataFrame, test: str) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """Factual and counterfactual people with `protected`, `negative`, `x1`, `x2`, `gender`."""
    female, non_white = (frame["gender"] == "female") * 1, (frame["race"] == "non-white") * 1
    flags = {"gender": female, "race": non_white, "intersectional": female * non_white}
    predictors = [female, non_white] if test != "intersectional" else [female * non_white]
    position = {"gender": 1, "race": 2, "intersectional": 1}[test]
    cf = frame.copy()
    for name, low, high in (("LSAT", 10, 48), ("UGPA", 0, 4)):
        y = frame[name].round() if name == "LSAT" else frame[name]
        slope = ols(y, *predictors)[position]
        cf[name] = (y - slope * flags[test]).clip(low, high).round(3)
    for people in (frame, cf):
        people["protected"] = flags[test] == 1
        people["negative"] = ~admitted(people)
    for people in (frame, cf):
        people["x1"], people["x2"] = z_scores(people["LSAT"]), z_scores(people["UGPA"])
    return frame, cf, ["gender"] if test == "race" else []


def loan_case(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    female = frame["Gender"]
    a = ols(frame["AnnualSalary"], female)
    b = ols(frame["AccountBalance"], frame["AnnualSalary"], female)
    u1 = (frame["AnnualSalary"] - a[0] - a[1] * female).round(2)
    u2 = frame["AccountBalance"] - b[0] - b[1] * frame["AnnualSalary"] - b[2] * female
    cf = frame.copy()
    cf["AnnualSalary"] = (a[0] + u1).round(2)
    cf["AccountBalance"] = (b[0] + b[1] * cf["AnnualSalary"] + u2.round(2)).round(2)
    frame["negative"] = frame["LoanApproval"] == -1
    cf["negative"] = cf["AnnualSalary"] + 5 * cf["AccountBalance"] <= 225000
    for people in (frame, cf):
        people["protected"] = female == 1
        people["x1"] = z_scores(people["AnnualSalary"])
        people["x2"] = z_scores(people["AccountBalance"])
    return frame, cf, []


def ranked(centre: pd.Series, space: pd.DataFrame, nominal: list[str]) -> list[int]:
    """Every row of the space, nearest first; of equally distant ones the later first."""
    total = pd.Series(0.0, index=space.index)
    for name in nominal:
        total += (space[name] != centre[name]) * 1.0
    for name in ("x1", "x2"):
        total += (centre[name] - space[name]).abs()
    order = sorted((distance, -row) for row, distance in (total / 3).items())
    return [-row for _, row in order]


def slow(case: tuple, *, k: tuple[int, ...], tau: float, alpha: float, direction: str) -> dict:
    """Rows of the tables by method and k, one complainant after the other."""
    factual, cf, nominal = case
    protected, others = factual[factual["protected"]], factual[~factual["protected"]]
    found: dict[tuple[str, int], list] = {(method, size): [] for method in METHODS for size in k}
    for c in protected.index:
        like_her = ranked(factual.loc[c], protected, nominal)
        others_like_her = ranked(factual.loc[c], others, nominal)
        others_like_cf = ranked(cf.loc[c], others, nominal)
        with_centre = ranked(cf.loc[c], pd.concat([others, cf.loc[[c]]]), nominal)
        for size in k:
            control = like_her[: size + 1]
            without = [row for row in control if row != c]
            for method, ctr, tst, decided in (
                ("CST_wo", without, others_like_cf[:size], factual),
                ("ST", without, others_like_her[:size], factual),
                ("CST_w", control, with_centre[: size + 1], cf),
            ):
                p_c = factual["negative"][ctr].mean()
                p_t = decided["negative"][tst].mean()
                z = round(norm.ppf(1 - alpha), 3)
                w = z * math.sqrt(p_c * (1 - p_c) / len(ctr) + p_t * (1 - p_t) / len(tst))
                if direction == "against":
                    bound = round(p_c - p_t - w, 3)
                    is_case, excluded = round(p_c - p_t, 3) > tau, bound > tau
                    flip = factual["negative"][c] and not cf["negative"][c]
                else:
                    bound = round(p_c - p_t + w, 3)
                    is_case, excluded = round(p_c - p_t, 3) < tau, bound < tau
                    flip = cf["negative"][c] and not factual["negative"][c]
                row = (p_c, len(ctr), p_t, len(tst), p_c - p_t, bound)
                found[method, size].append((*row, is_case, is_case and excluded))
                if method == "CST_w":
                    found["CF", size].append((*row, flip, flip and excluded))
    return found


def law_frame(seed: int, n: int = 70) -> pd.DataFrame:
    """Few distinct values, so that most distances are tied."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "gender": rng.choice(["female", "male"], n),
            "race": rng.choice(["white", "non-white"], n),
            "LSAT": rng.choice([43.0, 45.0, 46.0, 46.5, 47.0], n),
            "UGPA": rng.choice([3.2, 3.6, 3.9, 4.0], n),
        }
    )


def loan_frame(seed: int, n: int = 70) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    gender = rng.integers(0, 2, n)
    salary = rng.choice([70000, 85000, 90000, 100000], n) - 5000 * gender
    balance = np.round(0.3 * salary + rng.normal(0, 2500, n) - 1000 * gender, 2)
    approval = np.where(salary + 5 * balance > 225000, 1.0, -1.0)
    return pd.DataFrame(
        {
            "Gender": gender,
            "AnnualSalary": salary,
            "AccountBalance": balance,
            "LoanApproval": approval,
        }
    )


def assert_same(tables: dict, expected: dict) -> None:
    for (method, k), rows in expected.items():
        table = tables[method][k]
        pd.testing.assert_frame_equal(
            table.reset_index(drop=True),
            pd.DataFrame(rows, columns=table.columns),
            check_dtype=False,
            rtol=0,
            atol=1e-12,
        )


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("direction", ["against", "favour"])
@pytest.mark.parametrize("test", ["Gender", "gender", "race", "intersectional"])
def test_same_as_the_slow_loop(test: str, direction: str, seed: int) -> None:
    recipe = "loan" if test == "Gender" else "law-school"
    frame = loan_frame(seed) if recipe == "loan" else law_frame(seed)
    settings = {"tau": 0.05, "alpha": 0.1, "direction": direction}
    run = run_published(frame, recipe=recipe, test=test, k=[7, 1, 3], **settings)
    case = loan_case(frame.copy()) if recipe == "loan" else law_case(frame.copy(), test)
    assert run.k == (1, 3, 7)
    assert run.complainants.tolist() == case[0].index[case[0]["protected"]].tolist()
    assert run.accepted == int((~case[0]["negative"]).sum())
    assert_same(run.tables, slow(case, k=run.k, **settings))


def test_neighbourhoods_larger_than_the_search_spaces() -> None:
    frame = law_frame(3, n=12)
    settings = {"tau": 0.0, "alpha": 0.05, "direction": "against"}
    run = run_published(frame, recipe="law-school", test="gender", k=[50], **settings)
    assert_same(run.tables, slow(law_case(frame.copy(), "gender"), k=(50,), **settings))


def test_complainant_not_among_her_own_nearest() -> None:
    """Six equal women: of the tied rows the later win, so the first is not among her own three."""
    frame = law_frame(4, n=20)
    frame.loc[:5] = ["female", "non-white", 46.0, 3.9]
    frame.loc[6:, "gender"] = "male"
    run = run_published(frame, recipe="law-school", test="gender", k=[2])
    assert run.tables["CST_wo"][2]["n_control"].tolist() == [3, 3, 3, 2, 2, 2]
    assert run.tables["CST_w"][2]["n_control"].tolist() == [3] * 6
    settings = {"tau": 0.0, "alpha": 0.05, "direction": "against"}
    assert_same(run.tables, slow(law_case(frame.copy(), "gender"), k=(2,), **settings))


def test_later_row_wins_a_tie() -> None:
    """Four men equal to the woman in row 0, the later two refused: at k=2 only those count."""
    frame = pd.DataFrame(
        {
            "Gender": [1, 1, 0, 0, 0, 0],
            "AnnualSalary": [90000] * 6,
            "AccountBalance": [27000.0, 27010.0, 27000.0, 27000.0, 27000.0, 27000.0],
            "LoanApproval": [-1, -1, 1, 1, -1, -1],
        }
    )
    tables = {
        order: run_published(frame.loc[list(order)], recipe="loan", test="Gender", k=[2, 4]).tables[
            "ST"
        ]
        for order in ((0, 1, 2, 3, 4, 5), (0, 1, 4, 5, 2, 3))
    }
    assert [table[2].loc[0, "p_test"] for table in tables.values()] == [1.0, 0.0]
    assert [table[4].loc[0, "p_test"] for table in tables.values()] == [0.5, 0.5]


@pytest.mark.parametrize(("complainant", "k", "share"), [(0, 1, 0.0), (0, 2, 0.0), (0, 3, 0.25)])
@pytest.mark.parametrize("is_last", [False, True])
def test_centre_ranks_by_row_among_test_rows_at_distance_zero(
    complainant: int, k: int, share: float, is_last: bool
) -> None:
    """Three accepted men equal to a refused counterfactual centre: a later row goes before her."""
    who, men = (4, [2, 1, 0]) if is_last else (complainant, [4, 3, 2])
    refused = np.arange(5) == who
    people = PublishedPeople(
        protected=~np.isin(np.arange(5), men),
        x=np.zeros((5, 2)),
        x_cf=np.zeros((5, 2)),
        nominal=None,
        negative=refused,
        negative_cf=refused,
    )
    near = PublishedNeighbours(
        complainants=np.array([who]),
        control=np.flatnonzero(people.protected)[None, :],
        test_st=np.array([men]),
        test_cst=np.array([men]),
        test_cst_at_zero=np.ones((1, 3), dtype=bool),
    )
    _, _, p_test, n_test = shares(people, near, k)["CST_w"]
    assert n_test.tolist() == [k + 1]
    assert p_test.tolist() == [1 / (k + 1) if is_last else share]


def test_multiple_needs_both_attributes() -> None:
    frame = law_frame(5, n=90)
    frame.index = [f"P{i:03d}" for i in range(len(frame))]
    settings = {"k": [3, 5], "recipe": "law-school"}
    run = run_published(frame, test="multiple", alpha=0.2, **settings)
    both = frame.index[(frame["gender"] == "female") & (frame["race"] == "non-white")]
    assert run.complainants.tolist() == both.tolist()
    singles = {
        test: run_published(frame, test=test, alpha=0.1, **settings) for test in ("gender", "race")
    }
    for method in METHODS:
        for k in (3, 5):
            table = run.tables[method][k]
            gender, race = (singles[test].tables[method][k].loc[both] for test in singles)
            pd.testing.assert_frame_equal(run.parts["gender"][method][k], gender)
            pd.testing.assert_frame_equal(run.parts["race"][method][k], race)
            for flag in ("is_case", "is_significant"):
                assert table[flag].tolist() == (gender[flag] & race[flag]).tolist()
            assert table["delta"].tolist() == np.minimum(gender["delta"], race["delta"]).tolist()


def test_favour_mirrors_against_in_the_counts() -> None:
    frame = loan_frame(6)
    against, favour = (
        run_published(frame, recipe="loan", test="Gender", k=[5], direction=direction)
        for direction in ("against", "favour")
    )
    assert (against.tables["ST"][5]["delta"] == favour.tables["ST"][5]["delta"]).all()
    assert favour.counts("ST", 5).all == int((against.tables["ST"][5]["delta"].round(3) < 0).sum())
    assert not (favour.tables["ST"][5]["is_case"] & against.tables["ST"][5]["is_case"]).any()


def test_labels_come_back_and_the_frame_is_not_changed() -> None:
    frame = law_frame(7).rename(index=lambda i: f"P{i}")
    before = frame.copy()
    run = run_published(frame, recipe="law-school", test="gender", k=[3])
    pd.testing.assert_frame_equal(frame, before)
    assert run.complainants.tolist() == frame.index[frame["gender"] == "female"].tolist()
    assert run.tables["CF"][3].index.tolist() == run.complainants.tolist()


def test_recipe_by_columns() -> None:
    assert published_recipe(loan_frame(0).columns) == "loan"
    assert published_recipe(["id", *law_frame(0).columns]) == "law-school"
    assert published_recipe(["gender", "LSAT"]) is None


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        (
            "gender",
            "other",
            r"'gender': expected 1 or female or 0 or male in every row, but 1 of 70",
        ),
        ("gender", None, r"'gender'.*row 3 of the data, counted from 1"),
        ("race", "Asian", r"'race': expected non-white or white .*'Asian' in row 3 of the data"),
        ("LSAT", float("nan"), r"'LSAT': expected a number in every row, but 1 of 70"),
        ("UGPA", "high", r"'UGPA': expected a number .*'high' in row 3 of the data"),
    ],
)
def test_bad_values(column: str, value: object, sentence: str) -> None:
    frame = law_frame(0).astype(object)
    frame.loc[2, column] = value
    with pytest.raises(DataError, match=sentence):
        run_published(frame, recipe="law-school", test="gender", k=[3])


def test_everything_wrong_is_said_at_once() -> None:
    frame = law_frame(0).astype(object).drop(columns="race")
    frame.loc[2, ["LSAT", "UGPA"]] = "high"
    with pytest.raises(DataError, match="3 problems in the data") as refused:
        run_published(frame, recipe="law-school", test="gender", k=[3])
    assert [problem.place for problem in refused.value.problems] == ["race", "LSAT", "UGPA"]


def test_bad_frames() -> None:
    with pytest.raises(DataError, match=r"'LoanApproval' is missing.*rename your columns"):
        run_published(loan_frame(0).drop(columns="LoanApproval"), recipe="loan", test="Gender")
    with pytest.raises(DataError, match="at least two people with the protected value"):
        run_published(law_frame(0).assign(gender="male"), recipe="law-school", test="gender")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"recipe": "german"}, "recipe: .* loan or law-school, got 'german'"),
        ({"test": "race"}, "test: .* Gender for loan, got 'race'"),
        ({"k": []}, "k: .* whole numbers from 1"),
        ({"k": [0]}, "k: .* whole numbers from 1"),
        ({"tau": 2.0}, "tau: .* between -1 and 1"),
        ({"alpha": 1.0}, "alpha: .* between 0 and 1"),
        ({"direction": "for"}, "direction: .* against or favour"),
    ],
)
def test_bad_settings(setting: dict, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        run_published(loan_frame(0), **{"recipe": "loan", "test": "Gender", "k": [3], **setting})
