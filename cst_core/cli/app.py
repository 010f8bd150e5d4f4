"""The commands; `cst --help` lists them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import typer
from rich.markup import escape

from cst_core.causal import counterfactuals
from cst_core.cli import flags, model
from cst_core.cli.audit import check_robustness, run_audit
from cst_core.cli.counterfactuals import about_states, people_there, what_changed
from cst_core.cli.files import as_json, protect, write_audit, write_bytes, write_csv
from cst_core.cli.options import Options, choose_settings, choose_tests
from cst_core.cli.person import parse_method, print_person, report_person
from cst_core.cli.tables import console, print_audit, print_replication, progress_bar
from cst_core.data import sources
from cst_core.errors import InputError, SettingsError
from cst_core.evidence import PRESETS
from cst_core.replication import replicate
from cst_core.robustness import check_seed
from cst_core.scenario import Case, load_scenario, sample_scenarios
from cst_core.similarity import DaskExecutor
from cst_core.testing import value_notes

PUBLISHED_FREE = ("tau", "alpha", "direction")
"""The settings that the authors' own protocol leaves open."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Test whether an algorithm may have discriminated against one person.",
)
app.add_typer(model.app, name="model")


@app.command()
def scenarios() -> None:
    """List the samples."""
    screen = console()
    for name in sample_scenarios():
        scenario = load_scenario(name).scenario
        screen.print(f"[bold]{escape(name)}[/bold]: {escape(scenario.title)}")
        screen.print(f"  {escape(scenario.description)}")


@app.command()
@flags.with_settings
def audit(
    scenario: flags.ScenarioArgument,
    *,
    tests: flags.TestsOption = None,
    preset: flags.PresetOption = None,
    k: flags.SizesOption = None,
    asked: Mapping[str, Any],
    world: flags.WorldOption = None,
    cluster: flags.ClusterOption = None,
    data: flags.DataOption = None,
    robustness: flags.RobustnessOption = None,
    seed: flags.SeedOption = 0,
    repeats: flags.RepeatsOption = None,
    chance: flags.ChanceOption = None,
    out: flags.OutOption = None,
    json: flags.JsonOption = None,
) -> None:
    """Run a case's tests and print the paper's tables for it."""
    case = load_scenario(scenario)
    check_seed(seed)
    parts = None if robustness is None else flags.parse_checks(robustness)
    if preset == "published":
        beside = {"world": world, "cluster": cluster}
        _check_published([*asked, *(name for name, one in beside.items() if one)], parts)
    options = _options(case, tests=tests, preset=preset, k=k, asked=asked, world=world)
    options = replace(options, chance=chance, seed=seed)
    if cluster is not None:
        options = replace(options, executor=DaskExecutor(address=cluster))
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


@app.command()
@flags.with_settings
def person(
    scenario: flags.ScenarioArgument,
    person: flags.PersonArgument,
    *,
    test: flags.OneTestOption = None,
    method: flags.MethodOption = "CST_wo",
    preset: flags.PresetOption = None,
    k: flags.SizesOption = None,
    asked: Mapping[str, Any],
    world: flags.WorldOption = None,
    data: flags.DataOption = None,
    chance: flags.HerChanceOption = 0,
    seed: flags.SeedOption = 0,
    json: flags.JsonOption = None,
) -> None:
    """Explain one person's case: verdict, counterfactual, groups, methods, and what to doubt."""
    case = load_scenario(scenario)
    if preset == "published":
        raise SettingsError(
            "--preset: the published protocol has no page of one person. Use published-like."
        )
    wanted = parse_method(method)
    tests = None if test is None else [test]
    options = _options(case, tests=tests, preset=preset, k=k, asked=asked, world=world)
    check_seed(seed)
    options = replace(options, chance=chance, seed=seed)
    with progress_bar() as tell:
        done = report_person(case, person, data, options, method=wanted, progress=tell)
    if json is not None:
        _write_json(done.to_dict(), json)
    if json != "-":
        print_person(done, console())


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
    read = case.table(data)
    dataset = case.check(read, own_table=data is None)
    fitted = case.causal_model(world).fit(dataset)
    asked = flags.parse_interventions(do)
    for node, value in asked.items():
        if node in dataset.groups:
            dataset.groups[node].refuse_pooled(dataset.frame[node], value)
    found = counterfactuals(fitted, dataset, asked)
    table = people_there(found, case, dataset)
    states = about_states(found, dataset)
    read_as = {} if states is None else {"Rows": states}
    protect(out, case, data)
    if out.suffix.lower() == ".parquet":
        _write_parquet(table, out)
    else:
        about = sources(
            case=case.scenario.name,
            data=(data or case.data_path).name,
            sha256=read.sha256,
            reading=dataset.notes,
            causal_model=fitted.model.name,
            more={"Intervention": ", ".join(do), **read_as},
        )
        write_csv(table, about, out)
    screen = console()
    screen.print(f"{len(dataset):,} people written to {escape(str(out))}")
    if states is not None:
        screen.print(f"  {escape(states)}")
    everyone = np.ones(len(dataset), dtype=bool)
    notes = value_notes(", ".join(do), fitted, found, everyone, dataset)
    for sentence in (*what_changed(found, dataset), *(note for note, _ in notes)):
        screen.print(f"  {escape(sentence)}")


def _options(
    case: Case,
    *,
    tests: Sequence[str] | None,
    preset: str | None,
    k: str | None,
    asked: Mapping[str, Any],
    world: str | None,
) -> Options:
    """Return what was asked for, with the case's own settings beside it."""
    if preset is not None and preset not in (*PRESETS, "published"):
        raise SettingsError(
            f"--preset: expected one of {', '.join(PRESETS)} or published, got '{preset}'."
        )
    return Options(
        protocol="published" if preset == "published" else "ordinary",
        tests=choose_tests(case, tests),
        settings=choose_settings(
            case.scenario.settings,
            "paper" if preset == "published" else preset,
            None if k is None else flags.parse_sizes(k),
            asked,
        ),
        world=case.causal_model(world).name,
    )


def _check_published(given: Sequence[str], parts: Sequence[str] | None) -> None:
    """Raise where something is asked for that the authors' protocol does not leave open."""
    if parts:
        raise SettingsError(
            "--robustness: the published protocol has no such checks. Use --preset published-like."
        )
    fixed = [f"--{name.replace('_', '-')}" for name in given if name not in PUBLISHED_FREE]
    if fixed:
        raise SettingsError(
            f"{', '.join(fixed)}: the published protocol fixes this. Leave it out, or use --preset "
            "paper."
        )


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
    write_bytes(text.encode(), Path(target))


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
