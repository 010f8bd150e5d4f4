"""What can be written behind a command: the arguments and options, and how they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cst_core.cli.robustness import PARTS, STRICT_PARTS
from cst_core.errors import InputError, SettingsError
from cst_core.evidence.intervals import METHODS

ScenarioArgument = Annotated[str, typer.Argument(help="A sample's name, or a scenario file.")]
WorldOption = Annotated[str | None, typer.Option(help="Which of its causal models.")]
DataOption = Annotated[
    Path | None, typer.Option(help="Another file with the same columns, in place of its data.")
]
JsonOption = Annotated[
    str | None, typer.Option("--json", help="Write the numbers as JSON; - is standard output.")
]
TestOption = Annotated[
    str | None,
    typer.Option(help="A protected attribute, multiple or intersectional; all by default."),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        help="paper, strict, published-like or published; options given beside it win. By default "
        "the scenario's own settings."
    ),
]
SizesOption = Annotated[str | None, typer.Option(help="Group sizes, e.g. 15,30.")]
TauOption = Annotated[float | None, typer.Option(help="Accepted deviation τ, -1 to 1.")]
AlphaOption = Annotated[float | None, typer.Option(help="Significance level α.")]
DirectionOption = Annotated[str | None, typer.Option(help="against or favour.")]
TiesOption = Annotated[str | None, typer.Option(help="expected, first or last.")]
IntervalOption = Annotated[str | None, typer.Option(help=f"{', '.join(METHODS)}.")]
CorrectionOption = Annotated[
    str | None, typer.Option(help="For many complainants: none, bh or by; not with wald.")
]
TieRobustOption = Annotated[
    bool | None,
    typer.Option(
        "--tie-robust/--no-tie-robust", help="Only verdicts that hold however ties are broken."
    ),
]
BalanceRadiiOption = Annotated[
    bool | None,
    typer.Option(
        "--balance-radii/--no-balance-radii",
        help="Take fewer people from the smaller search space, in proportion to its size.",
    ),
]
SeveralOption = Annotated[
    str | None,
    typer.Option(help="Multiple: bonferroni (α ÷ number each) or intersection-union (α each)."),
]
MaxDistanceOption = Annotated[
    float | None, typer.Option(help="Only people at most this far, ε; no limit by default.")
]
FormOption = Annotated[
    str | None,
    typer.Option("--intersectional-form", help="paper (A* alone) or full (all interactions)."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(help="Search on the Dask cluster at this address, e.g. tcp://10.0.0.5:8786."),
]
RobustnessOption = Annotated[
    str | None,
    typer.Option(
        help=f"Also check: {', '.join(PARTS)}, separated by commas, all or none. With the strict "
        f"preset {' and '.join(STRICT_PARTS)} unless said otherwise."
    ),
]
SeedOption = Annotated[
    int, typer.Option(help="Where the random numbers of these start, 0 or more.")
]
RepeatsOption = Annotated[
    int | None, typer.Option(help="How often these repeat; each has a default of its own.")
]
OutOption = Annotated[Path | None, typer.Option(help="A folder for CSV files and results.")]


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the group sizes of a list with commas, each once.

    Examples
    --------
    >>> parse_sizes("15,30,15")
    (15, 30)
    """
    try:
        sizes = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        sizes = ()
    if not sizes or min(sizes) < 1:
        raise SettingsError(
            f"--k: expected whole numbers of 1 or more, separated by commas, got '{text}'."
        )
    return sizes


def parse_interventions(texts: list[str]) -> dict[str, str]:
    """Return the value that each attribute is set to.

    Examples
    --------
    >>> parse_interventions(["gender = male"])
    {'gender': 'male'}
    """
    do: dict[str, str] = {}
    for text in texts:
        node, mark, value = text.partition("=")
        if not mark or not node.strip() or not value.strip():
            raise InputError(f"--do: expected attribute=value, e.g. gender=male, got '{text}'.")
        if node.strip() in do:
            raise InputError(f"--do: '{node.strip()}' is set twice. Give it one value.")
        do[node.strip()] = value.strip()
    return do
