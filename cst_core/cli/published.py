"""The authors' own protocol as an audit."""

from __future__ import annotations

import pandas as pd

from cst_core.cli.options import Options
from cst_core.cli.reports import PublishedSummary, TestReport
from cst_core.errors import SettingsError
from cst_core.evidence import METHOD_NAMES
from cst_core.replication import RECIPE_TESTS, published_recipe, run_published


def published_reports(frame: pd.DataFrame, options: Options) -> tuple[TestReport, ...]:
    """Run the authors' own protocol on a table with their columns."""
    recipe = published_recipe([str(column) for column in frame.columns])
    if recipe is None:
        raise SettingsError(
            "--preset published: this protocol is the authors' own for the loan and law-school "
            "data, and the table has other columns. Use --preset paper."
        )
    reports = []
    for name in (test.name for test in options.tests):
        if name not in RECIPE_TESTS[recipe]:
            raise SettingsError(
                f"--preset published: no test '{name}' in the authors' {recipe} experiment; it "
                f"has: {', '.join(RECIPE_TESTS[recipe])}."
            )
        run = run_published(
            frame,
            recipe=recipe,
            test=name,
            k=options.k,
            tau=options.settings.tau,
            alpha=options.settings.alpha,
            direction=options.settings.direction,
        )
        rows = []
        for method in METHOD_NAMES:
            for k in options.k:
                counts = run.counts(method, k)
                rows.append(
                    PublishedSummary(
                        method=method,
                        k=k,
                        cases=counts.all,
                        significant=counts.significant,
                        mean_delta=float(run.tables[method][k]["delta"].mean()),
                    )
                )
        reports.append(
            TestReport(
                name=name,
                n=run.n,
                protected=run.protected,
                accepted=run.accepted,
                rows=tuple(rows),
                unavailable={},
                notes=("The authors' own protocol: ties go to the later row.",),
                people={
                    k: pd.concat(
                        [run.tables[m][k].add_prefix(f"{m}: ") for m in METHOD_NAMES], axis=1
                    )
                    for k in options.k
                },
                parity=None,
                result=None,
            )
        )
    return tuple(reports)
