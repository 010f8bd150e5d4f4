"""Write ``dowhy_counterfactuals.json``: DoWhy's counterfactuals for a small linear model.

DoWhy is not a dependency of this project. From the root, in an environment of its own::

    python -m venv dowhy-env
    dowhy-env/bin/pip install dowhy==0.14
    dowhy-env/bin/python tests/golden/make_dowhy_counterfactuals.py

The graph is A → X1, A → X2, X1 → X2, X2 → X4, X3 → X4, so X3 is no descendant of A. The noise is
abducted from the observed rows; no random number is drawn after the data are made.
"""

import json
import platform
from importlib.metadata import version
from pathlib import Path

SEED = 20_250
N_ROWS = 60
PARENTS = {"A": [], "X1": ["A"], "X2": ["A", "X1"], "X3": [], "X4": ["X2", "X3"]}
INTERVENTION = {"A": 0}


def make_data():
    """Return the seeded rows, rounded so that the JSON holds exactly what was fitted."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(SEED)
    a = rng.binomial(1, 0.45, size=N_ROWS)
    x1 = np.round(12.75 - 3.4 * a + 2.1 * rng.standard_normal(N_ROWS), 6)
    x2 = np.round(-0.85 + 1.37 * a + 0.62 * x1 + rng.standard_normal(N_ROWS), 6)
    x3 = np.round(rng.gamma(2.3, 1.9, size=N_ROWS), 6)
    x4 = np.round(4.1 - 0.73 * x2 + 1 / 3 * x3 + 0.45 * rng.laplace(size=N_ROWS), 6)
    return pd.DataFrame({"A": a, "X1": x1, "X2": x2, "X3": x3, "X4": x4})


def fit_model(data):
    """Fit one linear additive-noise mechanism a node with parents, by ordinary least squares."""
    import networkx as nx
    from dowhy import gcm

    edges = [(parent, node) for node, parents in PARENTS.items() for parent in parents]
    model = gcm.InvertibleStructuralCausalModel(nx.DiGraph(edges))
    for node, parents in PARENTS.items():
        if parents:
            mechanism = gcm.AdditiveNoiseModel(gcm.ml.create_linear_regressor())
        else:
            mechanism = gcm.EmpiricalDistribution()
        model.set_causal_mechanism(node, mechanism)
    gcm.fit(model, data)
    return model


def fitted_coefficients(model):
    """Return each equation's intercept and coefficients by parent's name."""
    from dowhy.graph import get_ordered_predecessors

    fitted = {}
    for node, parents in PARENTS.items():
        if not parents:
            continue
        regression = model.causal_mechanism(node).prediction_model.sklearn_model
        names = get_ordered_predecessors(model.graph, node)
        coefficients = dict(zip(names, map(float, regression.coef_), strict=True))
        fitted[node] = {
            "intercept": float(regression.intercept_),
            "coefficients": {parent: coefficients[parent] for parent in parents},
        }
    return fitted


def main():
    """Compute do(A := 0) for every row with A = 1 and write the golden file beside this script."""
    from dowhy import gcm

    gcm.config.disable_progress_bars()
    gcm.util.general.set_random_seed(SEED)
    data = make_data()
    model = fit_model(data)
    observed = data[data["A"] == 1]
    interventions = {node: (lambda _, value=value: value) for node, value in INTERVENTION.items()}
    counterfactuals = gcm.counterfactual_samples(
        model, interventions, observed_data=observed.reset_index(drop=True)
    )
    golden = {
        "made_by": "tests/golden/make_dowhy_counterfactuals.py",
        "dowhy": version("dowhy"),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "pandas", "scikit-learn")},
        },
        "seed": SEED,
        "parents": PARENTS,
        "intervention": INTERVENTION,
        "data": {name: data[name].tolist() for name in PARENTS},
        "fitted": fitted_coefficients(model),
        "counterfactuals": {
            "rows": observed.index.tolist(),
            "values": {name: counterfactuals[name].tolist() for name in PARENTS},
        },
    }
    path = Path(__file__).with_name("dowhy_counterfactuals.json")
    path.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
