"""The commands; `cst --help` lists them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import pyarrow as pa
import typer
from rich.markup import escape

from cst_core.causal.counterfactuals import counterfactuals
from cst_core.cli.audit import Options, check_robustness, choose_tests, run_audit
from cst_core.cli.files import as_json, protect, write_audit, write_csv, write_text
from cst_core.cli.robustness import PARTS, STRICT_PARTS, parse_parts
from cst_core.cli.tables import console, print_audit, print_replication, progress_bar
from cst_core.data.dataset import Dataset
from cst_core.errors import InputError, SettingsError
from cst_core.evidence.intervals import METHODS
from cst_core.evidence.presets import PRESETS
from cst_core.evidence.settings import SearchSettings
from cst_core.replication import replicate
from cst_core.scenario.case import Case, load_scenario, sample_scenarios
from cst_core.scenario.document import SettingsPart
from cst_core.similarity.executors import DaskExecutor

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Test whether an algorithm discriminated against one person.",
)

ScenarioArgument = Annotated[str, typer.Argument(help="A sample's name, or a scenario file.")]
WorldOption = Annotated[str | None, typer.Option(help="Which of its causal models.")]
DataOption = Annotated[
    Path | None, typer.Option(help="Another file with the same columns, in place of its data.")
]
JsonOption = Annotated[
    str | None, typer.Option("--json", help="Write the numbers as JSON; - is standard output.")
]


@app.command()
def scenarios() -> None:
    """List the samples."""
    screen = console()
    for name in sample_scenarios():
        scenario = load_scenario(name).scenario
        screen.print(f"[bold]{escape(name)}[/bold]: {escape(scenario.title)}")
        screen.print(f"  {escape(scenario.description)}")


@app.command()
def audit(  # noqa: PLR0917 typer makes them options
    scenario: ScenarioArgument,
    test: Annotated[
        str | None,
        typer.Option(help="A protected attribute, multiple or intersectional; all by default."),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="paper, strict, published-like or published; options given beside it win. By "
            "default the scenario's own settings."
        ),
    ] = None,
    k: Annotated[str | None, typer.Option(help="Group sizes, e.g. 15,30.")] = None,
    tau: Annotated[float | None, typer.Option(help="Accepted deviation τ, -1 to 1.")] = None,
    alpha: Annotated[float | None, typer.Option(help="Significance level α.")] = None,
    direction: Annotated[str | None, typer.Option(help="against or favour.")] = None,
    ties: Annotated[str | None, typer.Option(help="expected, first or last.")] = None,
    interval: Annotated[str | None, typer.Option(help=f"{', '.join(METHODS)}.")] = None,
    correction: Annotated[
        str | None, typer.Option(help="For many complainants: none, bh or by; not with wald.")
    ] = None,
    tie_robust: Annotated[
        bool | None,
        typer.Option(
            "--tie-robust/--no-tie-robust", help="Only verdicts that hold however ties are broken."
        ),
    ] = None,
    balance_radii: Annotated[
        bool | None,
        typer.Option(
            "--balance-radii/--no-balance-radii",
            help="Take fewer people from the smaller search space, in proportion to its size.",
        ),
    ] = None,
    several: Annotated[
        str | None,
        typer.Option(help="Multiple: bonferroni (α ÷ number each) or intersection-union (α each)."),
    ] = None,
    max_distance: Annotated[
        float | None, typer.Option(help="Only people at most this far, ε; no limit by default.")
    ] = None,
    world: WorldOption = None,
    form: Annotated[
        str | None,
        typer.Option("--intersectional-form", help="paper (A* alone) or full (all interactions)."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Search on the Dask cluster at this address, e.g. tcp://10.0.0.5:8786."),
    ] = None,
    data: DataOption = None,
    robustness: Annotated[
        str | None,
        typer.Option(
            help=f"Also check: {', '.join(PARTS)}, separated by commas, all or none. With the "
            f"strict preset {' and '.join(STRICT_PARTS)} unless said otherwise."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Where the random numbers of these start.")] = 0,
    repeats: Annotated[
        int | None, typer.Option(help="How often these repeat; each has a default of its own.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for CSV files and results.")] = None,
    json: JsonOption = None,
) -> None:
    """Run a case's tests and print the paper's tables for it."""
    case = load_scenario(scenario)
    parts = None if robustness is None else parse_parts(robustness)
    if parts and preset == "published":
        raise SettingsError(
            "--robustness: the published protocol has no such checks. Use --preset published-like."
        )
    if preset == "published":
        fixed = {"--ties": ties, "--max-distance": max_distance, "--world": world}
        fixed |= {"--intersectional-form": form, "--cluster": cluster, "--interval": interval}
        fixed |= {"--correction": correction, "--tie-robust": tie_robust, "--several": several}
        fixed |= {"--balance-radii": balance_radii}
        given = [flag for flag, value in fixed.items() if value is not None]
        if given:
            raise SettingsError(
                f"{', '.join(given)}: the published protocol fixes this. Leave it out, or use "
                "--preset paper."
            )
    elif preset is not None and preset not in PRESETS:
        raise SettingsError(
            f"--preset: expected one of {', '.join(PRESETS)} or published, got '{preset}'."
        )
    saved = _with_preset(case.scenario.settings, "paper" if preset == "published" else preset)
    asked = {
        "tau": tau,
        "alpha": alpha,
        "direction": direction,
        "ties": ties,
        "max_distance": max_distance,
        "interval": interval,
        "correction": correction,
        "tie_robust": tie_robust,
        "balance_radii": balance_radii,
        "several": several,
    }
    used = saved.model_copy(update={n: value for n, value in asked.items() if value is not None})
    sizes = _parse_sizes(k) if k is not None else saved.k
    options = Options(
        protocol="published" if preset == "published" else "ordinary",
        tests=choose_tests(case, test),
        k=sizes,
        evidence=used.evidence_settings(sizes[0]),
        search=SearchSettings(
            max_neighbours=max(sizes), ties=used.ties, max_distance=used.max_distance
        ),
        world=case.causal_model(world).name,
        form=form or saved.intersectional_form,  # type: ignore[arg-type]
        executor="local" if cluster is None else DaskExecutor(address=cluster),
    )
    if parts is None:
        parts = STRICT_PARTS if options.preset == "strict" else ()
    with progress_bar() as tell:
        done = run_audit(case, data, options, tell)
        if parts:
            done = check_robustness(done, case, parts, seed=seed, repeats=repeats, progress=tell)
    if json is not None:
        _write_json(done.to_dict(), json)
    if out is not None:
        written = write_audit(done, case, data, out)
        console(stderr=True).print(f"{len(written)} files written to {escape(str(out))}")
    if json != "-":
        print_audit(done, console())


@app.command(name="counterfactuals")
def counterfactuals_command(
    scenario: ScenarioArgument,
    do: Annotated[list[str], typer.Option(help="An intervention, e.g. gender=male; repeatable.")],
    out: Annotated[Path, typer.Option(help="The file to write: .csv or .parquet.")],
    world: WorldOption = None,
    data: DataOption = None,
) -> None:
    """Write what everyone's attributes would have been under an intervention."""
    if out.suffix.lower() not in (".csv", ".parquet"):
        raise InputError(f"--out: expected a file ending in .csv or .parquet, got '{out}'.")
    case = load_scenario(scenario)
    dataset = case.dataset(data)
    fitted = case.causal_model(world).fit(dataset)
    found = counterfactuals(fitted, dataset, _parse_interventions(do))
    table = _with_decisions(found.frame, case, dataset)
    protect(out, case, data)
    if out.suffix.lower() == ".parquet":
        _write_parquet(table, out)
    else:
        write_csv(table, out)
    screen = console()
    screen.print(f"{len(table):,} people written to {escape(str(out))}")
    for node in found.changed:
        if node in found.noise:
            shift = (table[node] - dataset.frame[node]).to_numpy(dtype=float)
            moved = shift != 0
            mean = shift[moved].mean() if moved.any() else 0.0
            clipped = found.clip_counts()[node]
            screen.print(
                f"  {escape(node)}: {moved.sum():,} people change, by {mean:+.4g} on average; "
                f"{clipped:,} clipped to its bounds"
            )


def _with_decisions(frame: pd.DataFrame, case: Case, dataset: Dataset) -> pd.DataFrame:
    """Return the counterfactual people with b()'s decision on them, and the recorded one named so.

    People without an id get their row number.
    """
    table, decision, maker = frame, dataset.roles.decision, case.decision_maker(dataset)
    if decision is not None:
        table = table.rename(columns={decision.column: f"recorded {decision.column}"})
    if maker is not None:
        table = table.assign(**{"counterfactual refused": maker.is_negative(frame)})
    return table if table.index.name else table.rename_axis("row")


@app.command(name="replicate")
def replicate_command(
    authors_data: Annotated[Path, typer.Option(help="The folder with the authors' files.")],
    k: Annotated[str, typer.Option(help="Group sizes.")] = "15,30,50,100,250",
    tau: Annotated[float, typer.Option(help="Accepted deviation τ.")] = 0.0,
    json: JsonOption = None,
) -> None:
    """Recompute the paper's tables from the authors' files, beside the published numbers."""
    with progress_bar() as tell:
        done = replicate(authors_data, k=_parse_sizes(k), tau=tau, progress=tell)
    if json is not None:
        _write_json(done.to_dict(), json)
    if json != "-":
        print_replication(done, console())


def _with_preset(settings: SettingsPart, name: str | None) -> SettingsPart:
    """Return the settings with what a preset fixes."""
    if name is None:
        return settings
    chosen = PRESETS[name]
    return settings.model_copy(
        update={
            "ties": chosen.ties,
            "interval": chosen.interval,
            "correction": chosen.correction,
            "tie_robust": chosen.tie_robust,
            "balance_radii": False,
        }
    )


def _parse_sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        sizes = ()
    if not sizes or min(sizes) < 1:
        raise SettingsError(
            f"--k: expected whole numbers of 1 or more, separated by commas, got '{text}'."
        )
    return sizes


def _parse_interventions(texts: list[str]) -> dict[str, str]:
    do: dict[str, str] = {}
    for text in texts:
        node, mark, value = text.partition("=")
        if not mark or not node.strip() or not value.strip():
            raise InputError(f"--do: expected attribute=value, e.g. gender=male, got '{text}'.")
        if node.strip() in do:
            raise InputError(f"--do: '{node.strip()}' is set twice. Give it one value.")
        do[node.strip()] = value.strip()
    return do


def _write_json(content: dict[str, Any], target: str) -> None:
    text = as_json(content)
    if target == "-":
        sys.stdout.write(text)
        return
    write_text(text, Path(target))


def _write_parquet(table: pd.DataFrame, path: Path) -> None:
    try:
        table.to_parquet(path)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"--out: cannot write '{path}' ({error}).") from error


@app.command()
def dashboard(
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8501,
    store: Annotated[
        str | None,
        typer.Option(
            help="Where workspaces are kept: sqlite:///file or postgresql://… By default a file in "
            "your own data folder."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open a browser window.")] = True,
) -> None:
    """Open the dashboard in the browser, until it is stopped with Ctrl+C."""
    command = [sys.executable, "-m", "dashboard", "--port", str(port)]
    command += ["--store", store] if store else []
    command += [] if browser else ["--no-browser"]
    # a process of its own: the library never imports the screens
    raise typer.Exit(subprocess.call(command))
