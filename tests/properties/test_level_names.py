"""Odd names of levels: a fit, its scenario file, and the file read again give the same numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import example, given
from hypothesis import strategies as st

import cst_core
from cst_core.causal import Term, join_name, split_name
from cst_core.scenario import as_causal_model, check, read_scenario, write_scenario

ODD = st.text(alphabet=":=\\ ab1é", min_size=1, max_size=6).filter(
    lambda name: name == name.strip()
)
THREE = st.lists(ODD, min_size=3, max_size=3, unique=True)


@given(st.lists(st.text(alphabet=":=\\ a", max_size=5), min_size=1, max_size=4))
@example(["12:30"])
@example(["a\\", ":b"])
@example(["\\:\\"])
def test_a_product_s_name_can_be_taken_apart(factors: list[str]) -> None:
    assert split_name(join_name(factors)) == factors


@given(THREE)
@example(["12:30", "EU: north", "a=b"])
@example(["x:sex", "x", "x\\"])
def test_a_fit_survives_its_file(levels: list[str]) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "sex": np.tile(["f", "m"], 30),
            "shift": np.repeat(levels, 20),
            "pay": random.normal(size=60),
        }
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(
            cst_core.RelevantAttribute(column="shift", kind="nominal"),
            cst_core.RelevantAttribute(column="pay"),
        ),
    )
    data = cst_core.Dataset.from_frame(frame, roles)
    graph = cst_core.CausalGraph(
        nodes=("sex", "shift", "pay"),
        edges=(("sex", "pay"), ("shift", "pay")),
        protected=("sex",),
    )
    plain = cst_core.Equation(node="pay", interactions=(("sex", "shift"),))
    fitted = cst_core.CausalModel(graph=graph, equations={"pay": plain}).fit(data)
    names = list(fitted.equation("pay").coefficients)
    others = sorted(levels)[1:]
    wanted = [(), (("sex", None),), *((("shift", level),) for level in others)]
    wanted += [(("sex", None), ("shift", level)) for level in others]
    assert [Term.parse(name, ("sex", "shift")) for name in names] == [Term(item) for item in wanted]

    written = {
        name: {"value": item.value, "source": "by hand"}
        for name, item in fitted.equation("pay").coefficients.items()
    }
    scenario = check(content_of(written), "odd")
    again = read_scenario(write_scenario(scenario))
    model = as_causal_model(again.worlds[0], again.roles, again.decision_node)
    set_by_hand = model.fit(data)
    for name, item in set_by_hand.equation("pay").coefficients.items():
        assert item.value == fitted.equation("pay").coefficients[name].value
    here, there = (
        cst_core.counterfactuals(one, data, {"sex": "m"}).frame["pay"].tolist()
        for one in (fitted, set_by_hand)
    )
    assert here == there


def content_of(coefficients: dict[str, object]) -> dict[str, object]:
    return {
        "format": 1,
        "name": "odd",
        "data": {"file": "odd.csv"},
        "roles": {
            "protected": [{"column": "sex", "protected": "f", "reference": "m"}],
            "relevant": [{"column": "shift", "kind": "nominal"}, {"column": "pay"}],
            "decision": {"column": "decision", "negative": "no"},
        },
        "worlds": [
            {
                "name": "drawn",
                "nodes": [{"name": "sex"}, {"name": "shift"}, {"name": "pay"}],
                "edges": [{"from": "sex", "to": "pay"}, {"from": "shift", "to": "pay"}],
                "equations": [
                    {
                        "node": "pay",
                        "interactions": [["sex", "shift"]],
                        "coefficients": coefficients,
                    }
                ],
            }
        ],
    }
