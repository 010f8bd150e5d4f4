"""Readable tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from cst_core.cli.audit import Audit, overlaps
from cst_core.cli.options import Options
from cst_core.cli.reports import TestReport
from cst_core.evidence import METHOD_LABELS, METHOD_NAMES, SETTINGS
from cst_core.explain import (
    MEANINGLESS,
    MEANINGLESS_WORDS,
    chance_cell,
    chance_sentence,
    is_an_objection,
)
from cst_core.replication import Replication, compare
from cst_core.results import Summary
from cst_core.testing import Progress as Tell

WIDTH_IN_A_PIPE = 120
ELSEWHERE = ("tau", "alpha", "direction")
"""The settings that the first line says in words of its own."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that does not squeeze tables when written to a file."""
    screen = Console(stderr=stderr, highlight=False)
    if not screen.is_terminal:
        screen = Console(stderr=stderr, highlight=False, width=WIDTH_IN_A_PIPE)
    return screen


@contextmanager
def progress_bar() -> Iterator[Tell]:
    """Show on a terminal what is being done, and how far it is."""
    screen = console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    ) as bar:
        tasks: dict[str, int] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(escape(what), total=total)
            bar.update(tasks[what], completed=done)  # type: ignore[arg-type]

        yield tell


def print_audit(audit: Audit, screen: Console) -> None:
    """Print one table a test, as in the paper, with what a reader must know below it."""
    options = audit.options
    settings = options.settings
    screen.print(f"[bold]{escape(audit.scenario)}[/bold], {escape(settings_line(options))}")
    how = "more" if settings.direction == "against" else "less"
    for test in audit.tests:
        screen.print()
        screen.print(
            f"[bold]{escape(test.name)}[/bold]: {test.protected:,} people of the protected group "
            f"among {test.n:,} people, of whom {test.accepted:,} were accepted"
        )
        if test.parity is not None:
            screen.print(
                f"Refused: {test.parity.refused_protected:.1%} of these, "
                f"{test.parity.refused_reference:.1%} of the others."
            )
        for said in (*audit.unmeasured(test), *_no_more_than_chance(test, options.k)):
            screen.print(f"[bold]{escape(said)}[/bold]")
        screen.print(_audit_table(test, options.k))
        for why in dict.fromkeys(test.unavailable.values()):
            names = [
                METHOD_LABELS[name] for name, reason in test.unavailable.items() if reason == why
            ]
            screen.print(f"  Not available: {' and '.join(names)}; {escape(why)}")
        for note in test.notes:
            screen.print(f"  Note: {escape(note)}")
        if audit.robustness is not None:
            for name, report in audit.robustness[test.name].items():
                seed = "" if report.seed is None else f" (seed {report.seed})"
                screen.print(f"  [bold]{name.capitalize()}[/bold]{seed}")
                for sentence in report.summary():
                    screen.print(f"    {escape(sentence)}")
    for k, found in overlaps(audit).items():
        counts = found.parts.value_counts()
        both, crossed, several = (
            int(counts.get(part, 0)) for part in ("both", "intersectional only", "multiple only")
        )
        screen.print()
        screen.print(
            f"Multiple beside intersectional, CST w/o, k = {k}: {both} in both, {crossed} "
            f"intersectional only, {several} multiple only."
        )
    screen.print()
    screen.print(
        "A case is a difference to examine (“potential discrimination” in the paper): people like "
        f"the person are refused {how} often than people like the person's counterfactual. "
        "CST w/o and w/: without and with the person and the "
        f"counterfactual counted in. Significant: {_significant_words(options)}."
        f"{_chance_words(audit)} Mean Δp is over "
        "everyone with the protected value. Depend on ties: another way to rank equally distant "
        "people would change whether there is a case; … hold however ties are broken: no way would "
        f"undo the finding.{_coupling_words(audit)}"
    )


def _no_more_than_chance(test: TestReport, k: tuple[int, ...]) -> list[str]:
    """Return at which k the findings of CST w/o are not shown to be more than chance gives."""
    if test.chance is None:
        return []
    found = [test.chance.of("CST_wo", size) for size in k]
    return [
        f"CST w/o, k = {one.settings.n_neighbours}: {chance_sentence(one)}"
        for one in found
        if is_an_objection(one)
    ]


def _coupling_words(audit: Audit) -> str:
    """Return what a coupling is, where the tables speak of one."""
    rows = [row for test in audit.tests for row in test.rows if isinstance(row, Summary)]
    if all(row.cases_every_coupling is None for row in rows):
        return ""
    return (
        " … hold under every coupling: whatever is assumed about which levels each would have had "
        "in the other world, which no data can tell, the finding stays."
    )


def settings_line(options: Options) -> str:
    """Return under which settings something was found."""
    settings = options.settings
    world = f", causal model {options.world}" if options.protocol == "ordinary" else ""
    way = "to the disadvantage" if settings.direction == "against" else "in favour"
    return (
        f"{_settings_words(options)}{world}, differences {way}, "
        f"τ = {settings.tau:g}, α = {settings.alpha:g}"
    )


def _settings_words(options: Options) -> str:
    preset, parts = options.preset, []
    for name, one in SETTINGS.items():
        if name not in ELSEWHERE and not (preset and one.is_in_presets):
            parts.append(one.in_short(getattr(options.settings, name)))
    return ", ".join(filter(None, [f"preset {preset}" if preset else "", *parts]))


def _chance_words(audit: Audit) -> str:
    if all(test.chance is None for test in audit.tests):
        return ""
    return f" {MEANINGLESS[:1].upper()}{MEANINGLESS[1:]}: {MEANINGLESS_WORDS}"


def _significant_words(options: Options) -> str:
    rare = ", and a difference like this is as rare where the label means nothing"
    rare = "" if options.settings.calibration == "none" else rare
    if options.settings.correction == "none":
        return f"the interval at α excludes τ{rare}"
    return f"the p-value, adjusted for the number of people tested, is at most α{rare}"


def _audit_table(test: TestReport, k: tuple[int, ...]) -> Table:
    table = _method_table(k)
    cells = {(row.method, row.k): row for row in test.rows}
    for method in METHOD_NAMES:
        rows = [cells[method, size] for size in k if (method, size) in cells]
        if not rows:
            continue
        share = [f"{row.cases} ({_percent(row.cases, test.protected)})" for row in rows]
        table.add_row(METHOD_LABELS[method], "cases", *share)
        ours = [row for row in rows if isinstance(row, Summary)]  # not the published protocol's
        if ours:
            asked = test.result is not None and test.result.runs[0].decisions.approximate
            refused = [str(row.refused_cases) for row in ours]
            table.add_row("", f"… refused themselves{' on record' if asked else ''}", *refused)
        stars = [f"{row.significant} ({_percent(row.significant, test.protected)})" for row in rows]
        table.add_row("", "significant", *stars)
        if test.chance is not None and ours:
            dealt = [test.chance.of(method, row.k) for row in ours]
            table.add_row("", f"… {MEANINGLESS}", *map(chance_cell, dealt))
        if any(row.cases_on_ties or row.significant_on_ties for row in ours):
            hold = [f"{row.cases_hold}, {row.significant_hold}" for row in ours]
            table.add_row("", "… hold however ties are broken", *hold)
        if any(row.cases_every_coupling is not None for row in ours):
            hold = [f"{row.cases_every_coupling}, {row.significant_every_coupling}" for row in ours]
            table.add_row("", "… hold under every coupling", *hold)
        if method == "CF":
            continue
        table.add_row(
            "",
            "mean Δp",
            *("–" if row.mean_delta is None else f"{row.mean_delta:z.3f}" for row in rows),
        )
        ties = [row.tie_dependent for row in ours]
        if any(ties):
            table.add_row("", "depend on ties", *(str(count) for count in ties))
        table.add_section()
    return table


def _method_table(sizes: Iterable[int], title: str | None = None) -> Table:
    """Return a table without rows: the method, what is counted, and a column a k."""
    table = Table("Method", "", title=title, title_justify="left")
    for k in sizes:
        table.add_column(f"k = {k}", justify="right")
    return table


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def print_replication(replication: Replication, screen: Console) -> None:
    """Print our numbers beside the published ones."""
    cells = {(cell.table, cell.method, cell.k, cell.kind): cell for cell in compare(replication)}
    for name, methods in replication.to_dict()["tables"].items():
        sizes = sorted({int(k) for counts in methods.values() for k in counts})
        table = _method_table(sizes, title=name)
        for method, counts in methods.items():
            for what in ("all", "significant"):
                shown = []
                for k in sizes:
                    ours = counts[str(k)][what]
                    cell = cells.get((name, method, k, what))
                    if cell is None:
                        shown.append(str(ours))
                    elif cell.equal:
                        shown.append(f"{ours} = {cell.published}")
                    else:
                        shown.append(f"[bold]{ours} ≠ {cell.published}[/bold]")
                table.add_row(METHOD_LABELS[method] if what == "all" else "", what, *shown)
            table.add_section()
        screen.print(table)
        screen.print()
    for check in replication.counterfactual_checks:
        verdict = "agree" if check.agreed else f"DIFFER in {check.rows_different} rows"
        screen.print(
            f"Counterfactuals, {check.file}: {verdict} over {check.rows} rows "
            f"(largest difference {check.max_difference:.2g})"
        )
    if replication.individuals:
        screen.print()
        screen.print(_individuals(replication))
    equal = sum(cell.equal for cell in cells.values())
    if cells:
        screen.print(f"{equal} of {len(cells)} cells equal the published ones (ours = published).")
    else:
        screen.print("No published table has these settings; nothing to compare with.")


def _individuals(replication: Replication) -> Table:
    table = Table(title="Ten people of the loan data, CST w/, k = 15", title_justify="left")
    for name in ("Row", "p_c", "p_t", "Δp", "one-sided", "two-sided"):
        table.add_column(name, justify="right")
    for person in replication.individuals:
        low, high = person.interval
        table.add_row(
            str(person.row),
            f"{person.p_control:.2f}",
            f"{person.p_test:.2f}",
            f"{person.delta:.2f}",
            f"[{person.lower_bound:.2f}, ∞)",
            escape(f"[{low:.2f}, {high:.2f}]"),
        )
    return table
