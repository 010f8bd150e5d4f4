"""The robustness checks of an audit: a registry of parts, each with numbers, tables and words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cst_core.cli.findings import METHOD_WORDS, Asked, Finding, Part, plain
from cst_core.cli.model_doubts import bootstrap_part, tipping_part, tornado_part, worlds_part
from cst_core.errors import SettingsError
from cst_core.results import MultipleResult
from cst_core.robustness.balance import TESTS, balance
from cst_core.robustness.placebo import placebo

PERMUTATIONS = 100


def balance_part(asked: Asked) -> Finding:
    """Compare the widths of control and test groups."""
    if isinstance(asked.result, MultipleResult):
        why = "Neighbourhoods belong to one attribute's test: see there."
        return Finding(content={"unavailable": why}, sentences=(why,))
    tables: dict[str, pd.DataFrame] = {}
    rows, overall, sentences = [], [], []
    for settings in asked.settings:
        k = settings.n_neighbours
        found = balance(asked.result, k=k, balance_radii=settings.balance_radii, seed=asked.seed)
        table = found.overall()
        overall.append(table.reset_index().assign(k=k))
        tables[f"k{k}"] = found.to_frame().rename_axis(str(found.index.name or "id"))
        warnings = {name: found.warning(name) for name in TESTS}
        rows.append(
            {
                "k": k,
                "complainants": found.n_complainants,
                "evaluated": len(found.index),
                "groups": plain(table.reset_index()),
                "warnings": warnings,
            }
        )
        sentences.append(
            f"k = {k}: mean distance {_at(table, 'control')} in control groups, "
            f"{_at(table, 'test_st')} in ST's and {_at(table, 'test_cst')} in CST's test groups."
        )
        if found.is_sample:
            sentences.append(
                f"k = {k}: a random sample of {len(found.index):,} of {found.n_complainants:,} "
                "complainants was looked at."
            )
        sentences += [warnings["test_cst"]] if warnings["test_cst"] else []
    tables[""] = pd.concat(overall, ignore_index=True)
    return Finding(
        content={"seed": asked.seed, "results": rows}, tables=tables, sentences=tuple(sentences)
    )


def placebo_part(asked: Asked) -> Finding:
    """Count cases with the label permuted."""
    found = placebo(
        asked.result,
        settings=asked.settings,
        methods=asked.result.methods,
        repeats=PERMUTATIONS if asked.repeats is None else asked.repeats,
        seed=asked.seed,
        progress=asked.progress,
    )
    table = found.to_frame()
    shown = table.drop(
        columns=[
            "tau",
            "alpha",
            "direction",
            "interval",
            "correction",
            "tie_robust",
            "balance_radii",
        ]
    )
    return Finding(
        content={
            "seed": found.seed,
            "repeats": found.repeats,
            "permuted": list(found.permuted),
            "complainants": found.n_complainants,
            "evaluated": found.n_evaluated,
            "results": plain(shown),
            "notes": list(found.notes),
        },
        tables={"": table, "draws": found.draws()},
        sentences=(
            *(
                f"{METHOD_WORDS[item.method]}, k = {item.settings.n_neighbours}: "
                f"{item.observed_significant} significant of {item.observed_cases} cases; with the "
                f"label permuted {item.significant.mean():.1f} of {item.cases.mean():.1f} on "
                f"average (p = {item.p_significant:.3f} and {item.p_cases:.3f})."
                for item in found.counts
            ),
            *found.notes,
        ),
    )


PARTS: dict[str, Part] = {
    "balance": balance_part,
    "placebo": placebo_part,
    "bootstrap": bootstrap_part,
    "tornado": tornado_part,
    "tipping": tipping_part,
    "worlds": worlds_part,
}
"""By the name that `--robustness` takes; more may be added."""
STRICT_PARTS = ("balance", "placebo")
"""What the strict preset reports unless something else is asked for."""


def parse_parts(text: str) -> tuple[str, ...]:
    """Return the parts named in a list with commas, ``all`` of them, or ``none``.

    Examples
    --------
    >>> parse_parts("placebo, balance")
    ('placebo', 'balance')
    """
    names = [name.strip() for name in text.split(",")]
    if names == ["all"]:
        return tuple(PARTS)
    if names == ["none"]:
        return ()
    for name in names:
        if name not in PARTS:
            raise SettingsError(
                f"--robustness: expected some of {', '.join(PARTS)}, separated by commas, all "
                f"or none; got '{name}'."
            )
    return tuple(dict.fromkeys(names))


def _at(table: pd.DataFrame, group: str) -> str:
    value = float(table.loc[group, "mean of mean distance"])  # type: ignore[arg-type]
    return "–" if np.isnan(value) else f"{value:.4f}"
