"""How drawings are arranged."""

from __future__ import annotations

from cst_core.scenario import layered


def test_the_law_school_drawing() -> None:
    edges = [(a, x) for a in ("gender", "race") for x in ("UGPA", "LSAT")]
    edges += [("UGPA", "admission"), ("LSAT", "admission")]
    nodes = ["gender", "race", "UGPA", "LSAT", "admission"]
    assert layered(nodes, edges, ["gender", "race"], "admission") == {
        "gender": (0, 0),
        "race": (0, 120),
        "UGPA": (240, 0),
        "LSAT": (240, 120),
        "admission": (480, 60),
    }


def test_crossings_are_taken_out() -> None:
    nodes = ["a", "b", "c", "x", "y", "z"]
    edges = [("a", "z"), ("b", "y"), ("c", "x")]
    places = layered(nodes, edges, [], None)
    order = sorted(edges, key=lambda edge: places[edge[0]][1])
    assert order == sorted(edges, key=lambda edge: places[edge[1]][1])


def test_an_arrow_past_a_column_goes_between_the_nodes() -> None:
    places = layered(["A", "X", "Y"], [("A", "X"), ("X", "Y"), ("A", "Y")], ["A"], "Y")
    assert places["X"][1] != places["A"][1]


def test_nodes_without_arrows_stand_between_or_below() -> None:
    places = layered(["A", "x", "y", "D"], [], ["A"], "D")
    assert places == {"A": (0, 60), "x": (240, 0), "y": (240, 120), "D": (480, 60)}
    places = layered(["A", "x", "y"], [("A", "x")], ["A"], None)
    assert places["y"] == (240, 120)


def test_many_attributes_become_several_columns() -> None:
    names = [f"x{i}" for i in range(58)]
    edges = [("A", name) for name in names] + [(name, "D") for name in names]
    places = layered(["A", *names, "D"], edges, ["A"], "D")
    assert max(y for _, y in places.values()) < 12 * 120 + 2 * 60
    loose = layered(["A", *names, "D"], [], ["A"], "D")
    assert max(y for _, y in loose.values()) <= 12 * 120
    assert loose["D"][0] == max(x for x, _ in loose.values())


def test_what_cannot_be_drawn_is_passed_over() -> None:
    places = layered(["a", "b"], [("a", "b"), ("b", "a"), ("a", "q"), ("a", "a")], ["b"], "a")
    assert places == {"a": (0, 0), "b": (240, 0)}
    assert layered([], [], [], None) == {}
