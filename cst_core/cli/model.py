"""The commands about causal models: `cst model list`, `import` and `export`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape

from cst_core.cli import flags
from cst_core.cli.files import data_file_from, protect, write_bytes
from cst_core.cli.tables import console
from cst_core.errors import InputError
from cst_core.scenario import (
    Case,
    Scenario,
    WorldPart,
    add_dagitty,
    load_scenario,
    sample_scenarios,
    to_dagitty,
    write_scenario,
)

MOST_CHARACTERS = 1_000_000

app = typer.Typer(no_args_is_help=True, help="List a case's causal models; take them in and out.")

TargetOption = Annotated[
    Path | None, typer.Option("--out", "-o", help="The file to write; standard output by default.")
]


@app.command(name="list")
def list_command(scenario: flags.ScenarioArgument) -> None:
    """List the causal models of a case."""
    screen = console()
    for world in load_scenario(scenario).scenario.worlds:
        screen.print(f"[bold]{escape(world.name)}[/bold]: {_counts(world)}")
        if world.description:
            screen.print(f"  {escape(world.description)}")
        arrows = [
            f"{edge.cause} → {edge.effect}"
            + ("" if edge.accepted is None else f" (accepted as justified: {edge.accepted})")
            for edge in world.edges
        ]
        arrows += [" ↔ ".join(arrow.between) for arrow in world.bidirected]
        for arrow in arrows:
            screen.print(f"  {escape(arrow)}")


@app.command(name="import")
def import_command(
    file: Annotated[Path, typer.Argument(help="A text of dagitty.net or of R's dagitty.")],
    scenario: flags.ScenarioArgument,
    name: Annotated[
        str | None,
        typer.Option(help="What to call the causal model; by default as the file is called."),
    ] = None,
    out: TargetOption = None,
) -> None:
    """Add a drawing from DAGitty to a case, as one more causal model.

    Writes the scenario file with it: to --out, which may be the case's own file.
    """
    case = load_scenario(scenario)
    called = (file.stem if name is None else name).strip()
    if not called:
        raise InputError("--name: expected a name for the causal model, got an empty text.")
    whole, notes = add_dagitty(case.scenario, _text_of(file), name=called, source=file.name)
    _write_scenario(whole, case, out)
    screen = console(stderr=True)
    for note in notes:
        screen.print(escape(note))
    if out is not None:
        screen.print(
            f"The causal model {escape(called)} is the last of {len(whole.worlds)} in "
            f"{escape(str(out))}"
        )


@app.command(name="export")
def export_command(
    scenario: flags.ScenarioArgument,
    world: flags.WorldOption = None,
    to: Annotated[
        Literal["dagitty", "yaml"],
        typer.Option(
            help="dagitty: the text of a drawing, by default of the first causal model. yaml: a "
            "scenario file, by default with all of them."
        ),
    ] = "dagitty",
    out: TargetOption = None,
) -> None:
    """Write a causal model as text for dagitty.net, or as a scenario file."""
    case = load_scenario(scenario)
    chosen = case.world(world)
    if to == "yaml":
        worlds = case.scenario.worlds if world is None else (chosen,)
        _write_scenario(case.scenario.model_copy(update={"worlds": worlds}), case, out)
        return
    roles = case.scenario.roles
    protected = [item.column for item in roles.protected]
    text = to_dagitty(chosen, protected=protected, decision=case.scenario.decision_node)
    _write(f"{text}\n", None if out is None else protect(out, case, None))


def _counts(world: WorldPart) -> str:
    counts = [(len(world.nodes), "node"), (len(world.edges), "arrow")]
    counts += [(len(world.bidirected), "two-headed arrow")] if world.bidirected else []
    return ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts)


def _text_of(file: Path) -> str:
    try:
        with file.open(encoding="utf-8-sig") as opened:
            return opened.read(MOST_CHARACTERS)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"Cannot read '{file}' ({reason}).") from error


def _write_scenario(scenario: Scenario, case: Case, out: Path | None) -> None:
    """Write a scenario file whose data are found from where it lies."""
    own = case.path is not None and case.path not in sample_scenarios().values()
    if out is not None and not (own and out.exists() and case.path and out.samefile(case.path)):
        protect(out, case, None)
    folder = Path() if out is None else out.parent
    data = scenario.data.model_copy(update={"file": data_file_from(case.data_path, folder)})
    _write(write_scenario(scenario.model_copy(update={"data": data})), out)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
    else:
        write_bytes(text.encode(), out)
