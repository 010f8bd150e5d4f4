"""Effects with levels against the slow oracle, person by person."""

from __future__ import annotations

from typing import Any

import discrete_cases as cases
import numpy as np
import pytest
from discrete_cases import FIELDS, FLAGS, assert_same
from discrete_oracle import Elsewhere, Node, counted, in_order, softmax
from oracle import Attribute

import cst_core

# --------------------------------------------------------------------------- Berkeley


@pytest.mark.parametrize("coupling", ["minimal-change", "independent"])
def test_berkeley_woman_by_woman(coupling: Any) -> None:
    result = cst_core.run_single(
        cases.berkeley(), cases.berkeley_model(coupling=coupling), attribute="gender"
    )
    settings = cst_core.EvidenceSettings(n_neighbours=15)
    found = result.evidence("CST_wo", settings).to_frame()
    slow = cases.berkeley_oracle(coupling)
    women = result.dataset.frame[result.is_protected]
    for (dept, admitted), alike in women.groupby(["dept", "admitted"]):
        expected = slow.finding(int(alike.index[0]), "CST_wo", 15)
        rows = found.loc[alike.index]
        for name in FIELDS:
            np.testing.assert_allclose(
                rows[name].astype(float), expected[name], atol=1e-9, err_msg=f"{dept} {admitted}"
            )
        for name in FLAGS:
            assert (rows[name] == expected[name]).all(), (dept, admitted, name)


def test_berkeley_in_one_sentence() -> None:
    settings = cst_core.EvidenceSettings(n_neighbours=15)
    means = []
    for coupling in ("minimal-change", "independent"):
        result = cst_core.run_single(
            cases.berkeley(), cases.berkeley_model(coupling=coupling), attribute="gender"
        )
        found = result.evidence("CST_wo", settings)
        means.append(float(found.delta.mean()))
        assert found.coupling_lowest is not None
        assert found.coupling_highest is not None
        assert int((found.coupling_lowest > 1e-9).sum()) == 341
        assert int((found.coupling_highest <= 1e-9).sum()) == 133
    assert means[0] == pytest.approx(means[1], abs=1e-9)
    assert means[0] == pytest.approx(0.142, abs=5e-4)


# --------------------------------------------------------------------------- a made table


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF", "ST"])
def test_every_scale_in_one_chain(method: str) -> None:
    settings = cst_core.EvidenceSettings(n_neighbours=10, accepted_deviation=0.05)
    assert_same(cases.made_result(), cases.made_oracle(), method, settings)


@pytest.mark.parametrize("method", ["CST_wo", "CF"])
def test_in_favour(method: str) -> None:
    settings = cst_core.EvidenceSettings(n_neighbours=7, direction="favour")
    assert_same(cases.made_result(), cases.made_oracle(), method, settings, every=3)


def test_log_odds_set_by_hand_and_other_couplings() -> None:
    by_hand = {
        "school": {"low | middle": -0.4, "middle | high": 1.1, "sex": -0.7, "employed=yes": 0.9},
        "job": {
            "sales ~ intercept": 0.2,
            "sales ~ school=low": -0.3,
            "sales ~ school=middle": 0.4,
            "technician ~ intercept": 0.8,
            "technician ~ school=low": -1.5,
            "technician ~ school=middle": -0.5,
        },
    }
    couplings = {"school": "independent", "job": "minimal-change"}
    model = cases.made_model(
        *(
            cst_core.Equation(
                node=node,
                mechanism="logit",
                coupling=couplings[node],  # type: ignore[arg-type]
                coefficients={
                    name: cst_core.Coefficient(value=value, source="by hand")
                    for name, value in numbers.items()
                },
            )
            for node, numbers in by_hand.items()
        )
    )
    school, job = by_hand["school"], by_hand["job"]

    def schooling(row: Any) -> float:
        return school["sex"] * (row["sex"] == "f") + school["employed=yes"] * (
            row["employed"] == "yes"
        )

    def odds(name: str) -> Any:
        return lambda row: (
            job[f"{name} ~ intercept"] + job.get(f"{name} ~ school={row['school']}", 0.0)
        )

    slow = cases.made_oracle(
        nodes=[
            Node(
                name="school",
                parents=("sex", "employed"),
                levels=cases.ORDER,
                chances=in_order([school["low | middle"], school["middle | high"]], schooling),
                coupling="independent",
            ),
            Node(
                name="job",
                parents=("school",),
                levels=cases.JOBS,
                chances=softmax([odds("sales"), odds("technician")]),
                coupling="minimal-change",
            ),
        ]
    )
    settings = cst_core.EvidenceSettings(n_neighbours=10)
    assert_same(cases.made_result(model), slow, "CST_wo", settings, every=3)


@pytest.mark.parametrize(
    "accepted",
    [
        [("sex", "employed")],
        [("sex", "school"), ("sex", "pay")],
        [("employed", "school"), ("job", "pay")],
        [("school", "job")],
    ],
    ids=str,
)
def test_along_an_accepted_arrow_the_factual_value_is_passed_on(accepted: Any) -> None:
    model = cases.made_model(accepted=dict.fromkeys(accepted, "a requirement of the job"))
    settings = cst_core.EvidenceSettings(n_neighbours=10)
    slow = cases.made_oracle(accepted=accepted)
    assert_same(cases.made_result(model), slow, "CST_w", settings, every=4)


def test_who_is_in_neither_group_takes_part_in_fitting_only() -> None:
    random = np.random.default_rng(8)
    frame = cases.people()
    frame["origin"] = random.choice(["x", "y", "z"], len(frame), p=[0.4, 0.35, 0.25])
    late = frame["origin"] == "z"
    frame.loc[late, "job"] = random.choice(cases.JOBS, int(late.sum()), p=[0.7, 0.2, 0.1])
    data = cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="origin", protected="x", reference="y"),),
            relevant=(
                cst_core.RelevantAttribute(column="school", kind="ordinal", order=cases.ORDER),
                cst_core.RelevantAttribute(column="job", kind="nominal"),
            ),
            decision=cst_core.Decision(column="employed", negative="no"),
        ),
    )
    model = cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("origin", "school", "job"),
            edges=(("origin", "school"), ("origin", "job"), ("school", "job")),
            protected=("origin",),
        ),
        equations={
            node: cst_core.Equation(node=node, mechanism="shares") for node in ("school", "job")
        },
    )
    rows: Any = frame.to_dict("records")
    slow = Elsewhere(
        rows,
        [
            Node(
                name=name,
                parents=parents,
                levels=levels,
                chances=counted(rows, name, parents, levels),
                coupling=coupling,
            )
            for name, parents, levels, coupling in (
                ("school", ("origin",), cases.ORDER, "rank-preserving"),
                ("job", ("origin", "school"), cases.JOBS, "minimal-change"),
            )
        ],
        {"origin": "y"},
        [Attribute("school", "ordinal", cases.ORDER), Attribute("job", "nominal")],
        protected=[row["origin"] == "x" for row in rows],
        reference=[row["origin"] == "y" for row in rows],
        negative=[row["employed"] == "no" for row in rows],
    )
    result = cst_core.run_single(data, model, attribute="origin")
    assert_same(result, slow, "CST_wo", cst_core.EvidenceSettings(n_neighbours=9), every=2)
