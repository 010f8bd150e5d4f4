"""The commands; `cst --help` lists them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import pyarrow as pa
import typer
from rich.markup import escape

from cst_core.causal.counterfactuals import counterfactuals
from cst_core.cli import flags
from cst_core.cli.audit import check_robustness, run_audit
from cst_core.cli.files import as_json, protect, write_audit, write_csv, write_text
from cst_core.cli.options import Options, choose_settings, choose_tests
from cst_core.cli.robustness import STRICT_PARTS, parse_parts
from cst_core.cli.tables import console, print_audit, print_replication, progress_bar
from cst_core.data.dataset import Dataset
from cst_core.errors import InputError, SettingsError
from cst_core.evidence.presets import PRESETS
from cst_core.replication import replicate
from cst_core.robustness.sampling import check_seed
from cst_core.scenario.case import Case, load_scenario, sample_scenarios
from cst_core.similarity.executors import DaskExecutor

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Test whether an algorithm may have discriminated against one person.",
)


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
    scenario: flags.ScenarioArgument,
    test: flags.TestOption = None,
    preset: flags.PresetOption = None,
    k: flags.SizesOption = None,
    tau: flags.TauOption = None,
    alpha: flags.AlphaOption = None,
    direction: flags.DirectionOption = None,
    ties: flags.TiesOption = None,
    interval: flags.IntervalOption = None,
    correction: flags.CorrectionOption = None,
    tie_robust: flags.TieRobustOption = None,
    balance_radii: flags.BalanceRadiiOption = None,
    several: flags.SeveralOption = None,
    max_distance: flags.MaxDistanceOption = None,
    world: flags.WorldOption = None,
    form: flags.FormOption = None,
    cluster: flags.ClusterOption = None,
    data: flags.DataOption = None,
    robustness: flags.RobustnessOption = None,
    seed: flags.SeedOption = 0,
    repeats: flags.RepeatsOption = None,
    out: flags.OutOption = None,
    json: flags.JsonOption = None,
) -> None:
    """Run a case's tests and print the paper's tables for it."""
    case = load_scenario(scenario)
    check_seed(seed)
    parts = None if robustness is None else parse_parts(robustness)
    free: dict[str, object] = {"tau": tau, "alpha": alpha, "direction": direction}
    fixed: dict[str, object] = {
        "ties": ties,
        "max_distance": max_distance,
        "interval": interval,
        "correction": correction,
        "tie_robust": tie_robust,
        "several": several,
        "balance_radii": balance_radii,
    }
    if preset == "published":
        beside: dict[str, object] = {
            "world": world,
            "intersectional_form": form,
            "cluster": cluster,
        }
        _check_published(fixed | beside, parts)
    elif preset is not None and preset not in PRESETS:
        raise SettingsError(
            f"--preset: expected one of {', '.join(PRESETS)} or published, got '{preset}'."
        )
    sizes = flags.parse_sizes(k) if k is not None else case.scenario.settings.k
    evidence, search = choose_settings(
        case, "paper" if preset == "published" else preset, sizes, free | fixed
    )
    options = Options(
        protocol="published" if preset == "published" else "ordinary",
        tests=choose_tests(case, test),
        k=sizes,
        evidence=evidence,
        search=search,
        world=case.causal_model(world).name,
        form=form or case.scenario.settings.intersectional_form,  # type: ignore[arg-type]
        executor="local" if cluster is None else DaskExecutor(address=cluster),
    )
    if parts is None:
        parts = STRICT_PARTS if "strict" in (preset, options.preset) else ()
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
    scenario: flags.ScenarioArgument,
    do: Annotated[list[str], typer.Option(help="An intervention, e.g. gender=male; repeatable.")],
    out: Annotated[Path, typer.Option(help="The file to write: .csv or .parquet.")],
    world: flags.WorldOption = None,
    data: flags.DataOption = None,
) -> None:
    """Write what everyone's attributes would have been under an intervention."""
    if out.suffix.lower() not in (".csv", ".parquet"):
        raise InputError(f"--out: expected a file ending in .csv or .parquet, got '{out}'.")
    case = load_scenario(scenario)
    dataset = case.dataset(data)
    fitted = case.causal_model(world).fit(dataset)
    found = counterfactuals(fitted, dataset, flags.parse_interventions(do))
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


def _check_published(fixed: Mapping[str, object], parts: Sequence[str] | None) -> None:
    """Raise where something is asked for that the authors' protocol does not leave open."""
    if parts:
        raise SettingsError(
            "--robustness: the published protocol has no such checks. Use --preset published-like."
        )
    given = [name.replace("_", "-") for name, value in fixed.items() if value is not None]
    if given:
        raise SettingsError(
            f"{', '.join(f'--{name}' for name in given)}: the published protocol fixes this. Leave "
            "it out, or use --preset paper."
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
    json: flags.JsonOption = None,
) -> None:
    """Recompute the paper's tables from the authors' files, beside the published numbers."""
    with progress_bar() as tell:
        done = replicate(authors_data, k=flags.parse_sizes(k), tau=tau, progress=tell)
    if json is not None:
        _write_json(done.to_dict(), json)
    if json != "-":
        print_replication(done, console())


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
