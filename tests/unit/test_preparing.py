"""Which rows and values of a table are taken: what is kept, what is told, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cst_core.data import DateColumn, Preparation, RowCondition, ValueGroup
from cst_core.errors import DataError
from cst_core.scenario import PreparationPart

TABLE = pd.DataFrame(
    {
        "race": ["Black", "White", "Asian", "Other", None],
        "age": [20, 999, 40, 60, 25],
        "born": ["2001-01-01", "1990-12-31", None, "2000-01-11", "1999-12-31"],
    }
)


def prepare(frame: pd.DataFrame = TABLE, **parts: Any) -> tuple[pd.DataFrame, list[str]]:
    before = frame.copy()
    found, notes = PreparationPart(**parts).preparation().apply(frame)
    pd.testing.assert_frame_equal(frame, before)  # the caller's table is never changed
    return found, [note.sentence for note in notes]


def refusal(frame: pd.DataFrame = TABLE, **parts: Any) -> str:
    with pytest.raises(DataError) as caught:
        prepare(frame, **parts)
    return str(caught.value)


def test_nothing_asked_changes_nothing() -> None:
    frame, notes = prepare()
    pd.testing.assert_frame_equal(frame, TABLE)
    assert notes == []


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ({"is": "Black"}, [0]),
        ({"in": ["Black", "White"]}, [0, 1]),
        ({"is_not": "White"}, [0, 2, 3, 4]),  # a missing value is not White
    ],
)
def test_rows_are_kept_by_value(condition: dict[str, Any], kept: list[int]) -> None:
    frame, notes = prepare(rows=[{"column": "race", **condition}])
    assert frame.index.tolist() == kept
    assert notes[0].startswith(f"{len(kept)} of 5 rows kept: those where 'race' is ")


def test_rows_are_kept_by_number_and_all_conditions_must_hold() -> None:
    frame, notes = prepare(
        rows=[
            {"column": "age", "at_least": 20, "at_most": 60},
            {"column": "race", "is_not": "Other"},
        ]
    )
    assert frame.index.tolist() == [0, 2, 4]
    assert notes == [
        "3 of 5 rows kept: those where 'age' is at least 20 and is at most 60, and 'race' is not "
        "'Other'."
    ]


def test_filters_see_values_before_they_are_taken_together() -> None:
    frame, notes = prepare(
        rows=[{"column": "race", "in": ["Asian", "Other", "White"]}],
        groups=[{"column": "race", "name": "neither", "values": ["Asian", "Other"]}],
    )
    assert frame["race"].tolist() == ["White", "neither", "neither"]
    assert notes[1] == "'race' is 'Asian' or 'Other': read as 'neither' (2 row(s))."


def test_numbers_are_taken_together_by_bounds() -> None:
    frame, _ = prepare(
        groups=[
            {"column": "age", "name": "young", "at_most": 25},
            {"column": "age", "name": "older", "at_least": 26, "at_most": 100},
        ]
    )
    assert frame["age"].tolist() == ["young", "999", "older", "older", "young"]
    merged, _ = prepare(groups=[{"column": "age", "name": 20, "values": [20, 25]}])
    assert merged["age"].tolist() == [20, 999, 40, 60, 20]
    assert merged["age"].dtype == np.int64


def test_values_that_mean_unknown_become_missing() -> None:
    frame, notes = prepare(missing_values={"age": [999], "race": ["Other"]})
    assert frame["age"].isna().tolist() == [False, True, False, False, False]
    assert frame["race"].isna().tolist() == [False, False, False, True, True]
    assert notes[0] == "'age': '999' read as missing in 1 row(s)."


def test_dates_become_days_or_years() -> None:
    frame, notes = prepare(dates=[{"column": "born"}])
    assert frame["born"].tolist()[:2] == [366.0, -3288.0]
    assert np.isnan(frame["born"].iloc[2])
    assert notes == ["'born': dates read as days since 2000-01-01."]
    years, _ = prepare(dates=[{"column": "born", "unit": "years", "since": "1990-12-31"}])
    assert years["born"].iloc[0] == pytest.approx(10.0049, abs=1e-3)
    table = pd.DataFrame({"day": ["31/12/2000", "01/01/2000"], "code": [20001231, 20000101]})
    both = [{"column": name, "format": f} for name, f in (("day", "%d/%m/%Y"), ("code", "%Y%m%d"))]
    frame, _ = prepare(table, dates=both)
    assert frame.to_numpy().tolist() == [[365.0, 365.0], [0.0, 0.0]]


def test_values_that_do_not_occur_are_told() -> None:
    _, notes = prepare(
        rows=[{"column": "race", "in": ["Black", "Blakc"]}],
        missing_values={"age": [998, 999]},
        groups=[{"column": "race", "name": "x", "values": ["Martian"]}],
    )
    holds = "It holds: Black, White, Asian, Other."
    assert f"data.rows: 'race' is never 'Blakc'. {holds}" in notes
    assert "data.groups: 'race' is never 'Martian'. It holds: Black." in notes
    assert "data.missing_values: 'age' is never '998'. It holds: 20, 999, 40, 60, 25." in notes


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"rows": [{"column": "rice", "is": 1}]}, ["'rice'", "not in the table", "'race', 'age'"]),
        (
            {"rows": [{"column": "race", "is": "x"}]},
            ["no row is left", "'race' is 'x'"],
        ),
        ({"rows": [{"column": "race", "at_least": 3}]}, ["'race': expected numbers", "Black"]),
        (
            {"groups": [{"column": "age", "name": n, "at_most": 30} for n in "ab"]},
            ["'20' of 'age' stands in two groups", "'b'", "Leave it in one"],
        ),
        (
            {"dates": [{"column": "race"}]},
            ["dates in 'race'", "4 cells", "'Black' (row 1"],
        ),
        ({"dates": [{"column": "age"}]}, ["expected dates in 'age'", "numbers", "%Y%m%d"]),
        ({"dates": [{"column": "born", "since": "then"}]}, ["'since' of 'born'", "'then'"]),
        ({"dates": [{"column": "born", "format": "%Q"}]}, ["expected dates in 'born' (%Q)"]),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(parts: dict[str, Any], words: list[str]) -> None:
    message = refusal(**parts)
    assert all(word in message for word in words), message


CELLS = st.sampled_from(["a", "b", "c", None])


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(CELLS, st.integers(0, 9)), min_size=1, max_size=20),
    st.sampled_from(["a", "b"]),
    st.integers(0, 9),
)
def test_filters_keep_what_pandas_keeps(
    rows: list[tuple[str | None, int]], value: str, low: int
) -> None:
    frame = pd.DataFrame(rows, columns=["x", "n"])
    for condition, expected in (
        (RowCondition(column="x", one_of=(value,)), frame[frame["x"] == value]),
        (RowCondition(column="x", one_of=("a", "b")), frame[frame["x"].isin(["a", "b"])]),
        (RowCondition(column="x", none_of=(value,)), frame[frame["x"] != value]),
        (RowCondition(column="n", at_least=low), frame[frame["n"] >= low]),
        (RowCondition(column="n", at_least=2, at_most=low), frame[frame["n"].between(2, low)]),
    ):
        preparation = Preparation(rows=(condition,))
        if expected.empty:
            with pytest.raises(DataError, match="no row is left"):
                preparation.apply(frame)
        else:
            pd.testing.assert_frame_equal(preparation.apply(frame)[0], expected)


def test_a_preparation_can_be_written_in_python() -> None:
    found, _ = Preparation(
        dates=(DateColumn(column="born"),),
        groups=(ValueGroup(name=1, condition=RowCondition(column="race", one_of=("Black",))),),
    ).apply(TABLE)
    assert found["race"].tolist()[:2] == ["1", "White"]
