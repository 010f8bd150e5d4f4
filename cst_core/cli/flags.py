"""What can be written behind a command: the arguments and options, and how they are read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from cst_core.errors import InputError, SettingsError
from cst_core.evidence import SETTINGS, Setting
from cst_core.robustness import CHECKS

_TESTS = (
    "A protected attribute, or one of its values where each is tested (race=Black); multiple or "
    "intersectional for all attributes; race,sex for multiple and race+sex for intersectional of "
    "some"
)
ScenarioArgument = Annotated[str, typer.Argument(help="A sample's name, or a scenario file.")]
PersonArgument = Annotated[str, typer.Argument(help="The person's id, as in the data.")]
OneTestOption = Annotated[
    str | None,
    typer.Option(help=f"{_TESTS}; the first that the person is in by default."),
]
MethodOption = Annotated[
    str, typer.Option(help="The method whose groups are shown: CST_wo, ST, CST_w or CF.")
]
WorldOption = Annotated[str | None, typer.Option(help="Which of its causal models.")]
DataOption = Annotated[
    Path | None, typer.Option(help="Another file with the same columns, in place of its data.")
]
JsonOption = Annotated[
    str | None, typer.Option("--json", help="Write the numbers as JSON; - is standard output.")
]
TestsOption = Annotated[
    list[str] | None,
    typer.Option("--test", help=f"{_TESTS}; repeatable; all by default."),
]
PresetOption = Annotated[
    str | None,
    typer.Option(
        help="paper, strict, published-like or published; options given beside it win. By default "
        "the scenario's own settings."
    ),
]
SizesOption = Annotated[str | None, typer.Option(help="Group sizes, e.g. 15,30.")]
ClusterOption = Annotated[
    str | None,
    typer.Option(help="Search on the Dask cluster at this address, e.g. tcp://10.0.0.5:8786."),
]
RobustnessOption = Annotated[
    str | None,
    typer.Option(help=f"Also check: {', '.join(CHECKS)}, separated by commas, all or none."),
]
SeedOption = Annotated[
    int, typer.Option(help="Where the random numbers of these start, 0 or more.")
]
RepeatsOption = Annotated[
    int | None, typer.Option(help="How often these repeat; each has a default of its own.")
]
ChanceOption = Annotated[
    int | None,
    typer.Option(
        help="How often the label is dealt out at random, to see whether the counts are more than "
        "chance gives; 0: not at all. 99 by default, less for large tables. Not with calibration, "
        "which asks it of each person.",
        min=0,
    ),
]
HerChanceOption = Annotated[
    int,
    typer.Option(
        help="How often the label is dealt out at random, to see whether as many people "
        "are found by chance; 0, the default: not at all. Not with calibration.",
        min=0,
    ),
]
OutOption = Annotated[Path | None, typer.Option(help="A folder for CSV files and results.")]


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command a flag for each setting of the table; those given come as `asked`, by name.

    All that the command takes but its arguments must be keywords; the flags stand in `asked`'s
    place.
    """

    @wraps(command)
    def run(**given: Any) -> None:
        asked = {name: given.pop(name) for name in SETTINGS}
        command(asked={name: one for name, one in asked.items() if one is not None}, **given)

    signature, parameters = inspect.signature(command, eval_str=True), []
    for parameter in signature.parameters.values():
        if parameter.name == "asked":
            parameters += [_parameter(one) for one in SETTINGS.values()]
        else:
            parameters.append(parameter)
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def _parameter(one: Setting) -> inspect.Parameter:
    number = int if one.is_whole else float
    kind = number if one.bounds else str if one.words else bool
    flag = f"--{one.name.replace('_', '-')}"
    option = typer.Option(f"{flag}/--no-{flag[2:]}" if one.is_switch else flag, help=_help(one))
    return inspect.Parameter(
        one.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )


def _help(one: Setting) -> str:
    if one.is_switch:
        return f"{one.label}. {one.help}"
    if one.bounds:
        return f"{one.title}, {one.expected}."
    options = [
        (said if said.split(":")[0] == name else f"{name}: {said}") + one.remarks.get(name, "")
        for name, said in one.words.items()
    ]
    return f"{one.label}. {'; '.join(options)}." + (
        f" Not with {' '.join(map(str, one.unless))}." if one.unless else ""
    )


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


def parse_checks(text: str) -> tuple[str, ...]:
    """Return the checks named in a list with commas, ``all`` of them, or ``none``.

    Examples
    --------
    >>> parse_checks("placebo, balance")
    ('placebo', 'balance')
    """
    names = [name.strip() for name in text.split(",")]
    if names == ["all"]:
        return tuple(CHECKS)
    if names == ["none"]:
        return ()
    for name in names:
        if name not in CHECKS:
            raise SettingsError(
                f"--robustness: expected some of {', '.join(CHECKS)}, separated by commas, all "
                f"or none; got '{name}'."
            )
    return tuple(dict.fromkeys(names))
