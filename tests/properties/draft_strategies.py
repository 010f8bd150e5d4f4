"""Drafts and operations on them: few names, so that operations meet, and odd ones among them."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from cst_core.scenario import DecisionPart, ProtectedPart, RelevantPart
from dashboard.draft.document import Draft, DraftRoles, SourcePart
from dashboard.draft.operations import parse_operation
from dashboard.draft.refusals import Operation, Refused

PROTECTED = ("A", "B c")
NUMERIC = ("x", "y", "p:q", "z=1")
NAMES_ONLY = ("colour", "grade")
DECISION = "D"
UNKNOWN = ("u", "v", "x:y", "intercept", '😀 "q"')
NODES = (*PROTECTED, *NUMERIC, *NAMES_ONLY, DECISION, *UNKNOWN)
WORLDS = ("Model 1", "other", "Third")

EMPTY = Draft(
    title="A case",
    source=SourcePart(name="a.csv", sha256="00"),
    roles=DraftRoles(
        protected=tuple(ProtectedPart(column=name, protected=1) for name in PROTECTED),
        relevant=(
            *(RelevantPart(column=name) for name in NUMERIC),
            RelevantPart(column="colour", kind="nominal"),
            RelevantPart(column="grade", kind="ordinal", order=("low", "high")),
        ),
        decision=DecisionPart(column=DECISION, negative=0),
    ),
)

nodes = st.sampled_from(NODES)
terms = st.sampled_from(
    ("intercept", *NODES, "A:x", "x:A", "A:B c", "colour=red", "A:colour=red", "u=1", "nothing")
)
numbers = st.sampled_from([-1.2, 0.0, 0.5, 3.0, float("nan")])
ends = st.none() | st.sampled_from([-1.0, 0.0, 2.5])
places = st.tuples(numbers, numbers)
notes = st.sampled_from(["", "why", "because"])
SHARES = ({"a": 1.0}, {"a": 0.25, "b": 0.75}, {"a": 0.5})
whens = st.dictionaries(st.sampled_from(("A", "colour", "x")), st.sampled_from([1, "1", "red"]))
couplings = st.sampled_from([None, "minimal-change", "independent"])


def _op(op: str, /, **fields: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({"op": st.just(op), **fields})


@cache
def drawing_dicts() -> st.SearchStrategy[dict[str, object]]:
    arrow = {"cause": nodes, "effect": nodes}
    unmeasured = {"one": nodes, "other": nodes}
    return st.one_of(
        _op("add_node", name=nodes, x=numbers, y=ends),
        _op("add_edge", **arrow),
        _op("add_edge", **arrow),
        _op("add_edge", **arrow),
        _op("delete_node", node=nodes),
        _op("delete_edge", **arrow),
        _op("reverse_edge", **arrow),
        _op("rename_node", node=nodes, name=nodes | st.just(" label ")),
        _op("bind_node", node=nodes, column=nodes),
        _op("move_nodes", positions=st.dictionaries(nodes, places, max_size=3)),
        _op("auto_layout"),
        _op("note_node", node=nodes, note=notes),
        _op("note_edge", note=notes, **arrow),
        _op("accept_edge", reason=notes, **arrow),
        _op("take_back_acceptance", **arrow),
        _op("add_bidirected", **unmeasured),
        _op("add_bidirected", **unmeasured),
        _op("delete_bidirected", **unmeasured),
        _op("note_bidirected", note=notes, **unmeasured),
    )


@cache
def equation_dicts() -> st.SearchStrategy[dict[str, object]]:
    return st.one_of(
        _op("set_coefficient", node=nodes, term=terms, value=numbers, note=notes, author=notes),
        _op("reset_coefficient", node=nodes, term=terms),
        _op("reset_equation", node=nodes),
        _op("reset_all"),
        _op(
            "set_link",
            node=nodes,
            link=st.sampled_from(["log", "identity"]),
            drop_by_hand=st.booleans(),
        ),
        _op(
            "set_mechanism",
            node=nodes,
            mechanism=st.sampled_from(["linear", "quantile", "shares", "logit"]),
            drop=st.booleans(),
        ),
        _op("set_shares", node=nodes, when=whens, shares=st.sampled_from(SHARES), note=notes),
        _op("reset_shares", node=nodes, when=whens),
        _op("set_coupling", node=nodes, coupling=couplings),
        _op("set_bounds", node=nodes, low=ends, high=ends),
        _op(
            "set_interactions",
            node=nodes,
            groups=st.lists(st.lists(nodes, min_size=1, max_size=3), max_size=2),
        ),
        _op("note_equation", node=nodes, note=notes),
    )


@cache
def world_dicts() -> st.SearchStrategy[dict[str, object]]:
    worlds = st.sampled_from(WORLDS)
    return st.one_of(
        _op("add_world", name=worlds, copy_of=st.none() | worlds),
        _op("rename_world", world=worlds, name=worlds),
        _op("delete_world", name=worlds),
        _op("switch_world", name=worlds),
        _op("describe_world", name=worlds, description=notes),
        _op("start_drawing", kind=st.sampled_from(["attributes", "usual"])),
    )


@cache
def operations() -> st.SearchStrategy[Operation]:
    return st.one_of(drawing_dicts(), drawing_dicts(), equation_dicts(), world_dicts()).map(
        parse_operation
    )


def run(draft: Draft, steps: list[Operation]) -> Draft:
    """Apply what is not refused."""
    for step in steps:
        try:
            draft = step.apply_to(draft)
        except Refused:
            continue
    return draft


@st.composite
def begun(draw: st.DrawFn) -> Draft:
    """A draft with nodes, arrows and equations, reached by operations."""
    start = [{"op": "start_drawing", "kind": draw(st.sampled_from(["attributes", "usual"]))}]
    start += [{"op": "add_node", "name": name} for name in UNKNOWN if draw(st.booleans())]
    return run(EMPTY, [*map(parse_operation, start), *draw(st.lists(operations(), max_size=12))])
