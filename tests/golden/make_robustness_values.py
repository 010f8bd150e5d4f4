"""Write what PySensemakr gives for its published example, and its function over a grid.

PySensemakr is no dependency of the project. In an environment of its own::

    pip install PySensemakr
    python tests/golden/make_robustness_values.py

Only numbers are kept: the coefficients' t and degrees of freedom in its example (Darfur; Cinelli
and Hazlett 2020, section 2), and robustness values.
"""

import json
from importlib.metadata import version
from itertools import product
from pathlib import Path

import statsmodels.formula.api as smf

FORMULA = (
    "peacefactor ~ directlyharmed + age + farmer_dar + herder_dar + pastvoted + hhsize_darfur + "
    "female + village"
)
GRID = {
    "t": (-48.7105, -1.5, 0.0, 0.4, 2.0, 4.18445, 12.0, 300.0),
    "df": (5, 40, 783, 21787),
    "remaining": (0.0, 0.25, 0.6, 0.99),
    "alpha": (None, 0.05, 0.001),
}


def value(t: float, df: int, remaining: float, alpha: float | None) -> float:
    """Return PySensemakr's value; its q is 1 − γ, and its α of 1 means none."""
    import sensemakr

    return float(
        sensemakr.robustness_value(
            t_statistic=t, dof=df, q=1 - remaining, alpha=1.0 if alpha is None else alpha
        ).iloc[0]
    )


def main() -> None:
    """Write the file beside this script."""
    import sensemakr

    fitted = smf.ols(FORMULA, data=sensemakr.load_darfur()).fit()
    example = [
        {
            "covariate": name,
            "estimate": float(fitted.params[name]),
            "standard_error": float(fitted.bse[name]),
            "t": float(fitted.tvalues[name]),
            "df": float(fitted.df_resid),
            "partial_r2": float(
                sensemakr.partial_r2(t_statistic=fitted.tvalues[name], dof=fitted.df_resid)
            ),
            "values": [
                {
                    "remaining": remaining,
                    "alpha": alpha,
                    "value": value(
                        float(fitted.tvalues[name]), int(fitted.df_resid), remaining, alpha
                    ),
                }
                for remaining, alpha in product((0.0, 0.5), (None, 0.05))
            ],
        }
        for name in ("directlyharmed", "female", "age")
    ]
    grid = [
        {**dict(zip(GRID, row, strict=True)), "value": value(*row)}
        for row in product(*GRID.values())
    ]
    found = {
        "made_by": {
            "PySensemakr": version("PySensemakr"),
            "statsmodels": version("statsmodels"),
        },
        "darfur": example,
        "grid": grid,
    }
    path = Path(__file__).with_name("robustness_values.json")
    parts = [
        f'"made_by": {json.dumps(found["made_by"])}',
        *(
            f'"{name}": [\n' + ",\n".join(map(json.dumps, found[name])) + "\n]"
            for name in ("darfur", "grid")
        ),
    ]
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
