"""Everything wrong with a scenario, at once, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PureWindowsPath
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from cst_core.causal.equations import INTERCEPT
from cst_core.causal.graph import graph_problems
from cst_core.errors import Problem, ScenarioError, SettingsError
from cst_core.scenario.document import (
    DecisionMakerPart,
    DecisionPart,
    ModelPart,
    ProtectedPart,
    RecordedPart,
    RelevantPart,
    RolesPart,
    Scenario,
    SettingsPart,
    ThresholdPart,
    WorldPart,
)

RESERVED = ("multiple", "intersectional")
MAKERS = ("threshold", "model", "recorded")

PartT = TypeVar("PartT", bound=BaseModel)


def outside_folder(file: str) -> bool:
    """Return whether a data file's path may lead out of the scenario's folder.

    True for absolute paths, also those of Windows, and for any with ``..`` in it. Only the text is
    looked at, not where a link of that name leads.

    Examples
    --------
    >>> [outside_folder(file) for file in ("a.csv", "data/a.csv", "../a.csv", "C:a.csv", "/a.csv")]
    [False, False, True, True, True]
    """
    path = PureWindowsPath(file)  # takes / and \ for separators, and knows drives
    return bool(path.anchor) or ".." in path.parts


def check(content: object, source: str, *, inside_folder: bool = False) -> Scenario:
    """Return the scenario, or raise with every problem found in it.

    The shape of each part and how the parts fit together are both looked at, so that a file with
    a misspelt field and a cycle hears of both. `inside_folder` refuses a data file outside the
    scenario's folder: for a scenario from someone else.
    """
    if not isinstance(content, dict):
        raise ScenarioError(
            source,
            [Problem("", "expected a document with the fields format, name, data, roles, worlds.")],
        )
    problems: list[Problem] = []
    scenario = None
    try:
        scenario = Scenario.model_validate(content)
    except ValidationError as error:
        problems += [_as_problem(detail) for detail in error.errors() if not _is_echo(detail)]
    problems += _fit_together(content)
    problems += _settings_problems(content.get("settings", {}))
    data = content.get("data")
    file = data.get("file") if isinstance(data, dict) else None
    if inside_folder and isinstance(file, str) and outside_folder(file):
        problems.append(
            Problem(
                "data.file",
                f"expected a file in the scenario's folder, got {_shown(file)}. Give its name "
                "without a folder above it.",
            )
        )
    if problems or scenario is None:
        raise ScenarioError(source, problems)
    return scenario


def _as_problem(detail: ErrorDetails) -> Problem:
    steps = [step for step in detail["loc"] if step not in MAKERS]
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    kind, came = detail["type"], detail["input"]
    if kind == "missing":
        message = "this field is required and missing."
    elif kind == "extra_forbidden":
        message = "there is no such field. Check its spelling."
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        message = "expected type 'threshold', 'model' or 'recorded'."
    else:
        message = f"{detail['msg'][0].lower()}{detail['msg'][1:]}; got {_shown(came)}."
    for word, plain in (("input should be", "expected"), ("a valid tuple", "a list")):
        message = message.replace(word, plain)
    return Problem(place.lstrip("."), message)


def _is_echo(detail: ErrorDetails) -> bool:
    """Return whether this only repeats, for a list, that one of its items is wrong."""
    return detail["type"] == "too_short" and bool(detail["input"])


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _fit_together(content: dict[Any, Any]) -> list[Problem]:
    """Return what is wrong between the parts, as far as each part can be read."""
    whole = _try(RolesPart, content.get("roles"))
    roles = whole or _readable_roles(content.get("roles"))
    maker_raw = content.get("decision_maker", {"type": "recorded"})
    kinds = get_args(DecisionMakerPart)
    maker = next(filter(None, (_try(kind, maker_raw) for kind in kinds)), None)
    raw_worlds = content.get("worlds")
    worlds = [
        (position, world)
        for position, raw in enumerate(raw_worlds if isinstance(raw_worlds, list) else [])
        if (world := _try(WorldPart, raw)) is not None
    ]
    problems = _role_problems(whole) if whole else []
    if roles and maker:
        problems += _maker_problems(roles, maker)
    names = [world.name.lower() for _, world in worlds]
    for position, world in worlds:
        place = f"worlds[{position}]"
        if names.count(world.name.lower()) > 1:
            problems.append(
                Problem(f"{place}.name", f"two causal models are called '{world.name}'.")
            )
        problems += _world_problems(place, world, roles, maker)
    return problems


def _settings_problems(raw: object) -> list[Problem]:
    """Return which settings do not go together."""
    settings = _try(SettingsPart, raw)
    if settings is None:
        return []
    try:
        settings.evidence_settings(settings.k[0])
    except SettingsError as error:
        place, _, message = str(error).partition(": ")
        return [Problem(f"settings.{place}", message)]
    return []


def _try(kind: type[PartT], raw: object) -> PartT | None:
    try:
        return TypeAdapter(kind).validate_python(raw)
    except ValidationError:
        return None


def _readable_roles(raw: object) -> RolesPart | None:
    """Return the roles that can be made out in a part with problems of its own."""
    if not isinstance(raw, dict):
        return None

    def items(field: str) -> list[Any]:
        found = raw.get(field)
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    def bare(kind: type[PartT], item: dict[Any, Any]) -> PartT | None:
        return _try(kind, item) or _try(kind, {"column": item.get("column")})

    decision = raw.get("decision")
    if isinstance(decision, dict) and _try(DecisionPart, decision) is None:
        decision = {"column": decision.get("column"), "negative": ""}
    protected = [p for item in items("protected") if (p := bare(ProtectedPart, item))]
    relevant = [r for item in items("relevant") if (r := bare(RelevantPart, item))]
    if not protected or not relevant:
        return None
    return RolesPart(
        protected=tuple(protected),
        relevant=tuple(relevant),
        decision=_try(DecisionPart, decision),
    )


def _role_problems(roles: RolesPart) -> list[Problem]:
    problems = []
    seen: dict[str, str] = {}
    listed = [(f"roles.protected[{i}]", item.column) for i, item in enumerate(roles.protected)]
    listed += [(f"roles.relevant[{i}]", item.column) for i, item in enumerate(roles.relevant)]
    if roles.decision:
        listed.append(("roles.decision", roles.decision.column))
    if roles.id:
        listed.append(("roles.id", roles.id))
    for place, column in listed:
        if column in seen:
            problems.append(
                Problem(place, f"column '{column}' already has a role at {seen[column]}.")
            )
        seen.setdefault(column, place)
    for i, item in enumerate(roles.protected):
        if item.protected is None and item.reference is None:
            problems.append(
                Problem(
                    f"roles.protected[{i}]", "name the protected value, the reference, or both."
                )
            )
        elif item.protected == item.reference:
            problems.append(
                Problem(f"roles.protected[{i}]", "protected and reference are the same value.")
            )
        if item.column in RESERVED:
            problems.append(
                Problem(
                    f"roles.protected[{i}]",
                    f"'{item.column}' is the name of a test. Rename this column.",
                )
            )
    for i, attribute in enumerate(roles.relevant):
        if attribute.order is not None and len(set(attribute.order)) < len(attribute.order):
            problems.append(Problem(f"roles.relevant[{i}].order", "a value stands here twice."))
        if attribute.order is not None and attribute.kind != "ordinal":
            problems.append(
                Problem(f"roles.relevant[{i}].order", "only an ordinal attribute has an order.")
            )
    if not any(attribute.weight > 0 for attribute in roles.relevant):
        problems.append(Problem("roles.relevant", "at least one weight must be above 0."))
    return problems


def _maker_problems(roles: RolesPart, maker: DecisionMakerPart) -> list[Problem]:
    if not isinstance(maker, ThresholdPart) and roles.decision is None:
        return [
            Problem(
                "roles.decision",
                "there are no decisions: name the column that records them, or give a "
                "threshold rule as decision_maker.",
            )
        ]
    if isinstance(maker, ModelPart):
        known = [item.column for item in roles.protected] + [r.column for r in roles.relevant]
        return [
            Problem(
                f"decision_maker.columns[{i}]",
                f"'{column}' is neither a protected nor a relevant attribute. "
                f"Known: {', '.join(known)}.",
            )
            for i, column in enumerate(maker.columns)
            if column not in known
        ]
    if isinstance(maker, RecordedPart):
        return []
    columns = {item.column: item for item in roles.relevant}
    problems = []
    recorded = roles.decision.column if roles.decision else None
    others = [*columns, *(item.column for item in roles.protected), roles.id]
    if maker.node is not None and maker.node != recorded and maker.node in others:
        problems.append(Problem("decision_maker.node", f"'{maker.node}' already has another role."))
    for column in maker.weights:
        place = f"decision_maker.weights.{column}"
        if column not in columns:
            problems.append(
                Problem(
                    place,
                    f"'{column}' is not a relevant attribute. Known: {', '.join(columns)}.",
                )
            )
        elif columns[column].kind == "nominal" or columns[column].order is not None:
            problems.append(Problem(place, f"'{column}' holds names and cannot be weighed."))
    return problems


def _world_problems(
    place: str,
    world: WorldPart,
    roles: RolesPart | None,
    maker: DecisionMakerPart | None,
) -> list[Problem]:
    decision = "decision"
    if roles and roles.decision:
        decision = roles.decision.column
    if isinstance(maker, ThresholdPart) and maker.node:
        decision = maker.node
    nodes = [node.name for node in world.nodes]
    edges = [(edge.cause, edge.effect) for edge in world.edges]
    protected = [item.column for item in roles.protected] if roles else []
    problems = [
        Problem(f"{place}.{found.place}", found.message)
        for found in graph_problems(nodes, edges, protected=protected, decision=decision)
    ]
    if roles:
        known = [*protected, *(item.column for item in roles.relevant), decision]
        problems += [
            Problem(
                f"{place}.nodes[{i}]",
                f"'{name}' is neither a protected nor a relevant attribute, nor the decision. "
                f"Known: {', '.join(known)}.",
            )
            for i, name in enumerate(nodes)
            if name not in known
        ]
        kinds = {item.column: item for item in roles.relevant}
        problems += [
            Problem(
                f"{place}.edges[{i}]",
                f"'{effect}' has causes but is not numeric: equations for nominal attributes and "
                "ordered names are not available.",
            )
            for i, (_, effect) in enumerate(edges)
            if effect in kinds
            and (kinds[effect].kind == "nominal" or kinds[effect].order is not None)
        ]
    problems += _equation_problems(place, world, edges)
    return problems


def _equation_problems(
    place: str, world: WorldPart, edges: Sequence[tuple[str, str]]
) -> list[Problem]:
    problems = []
    for i, equation in enumerate(world.equations):
        here = f"{place}.equations[{i}]"
        parents = [cause for cause, effect in edges if effect == equation.node]
        if equation.node in [other.node for other in world.equations[:i]]:
            problems.append(Problem(here, f"a second equation for '{equation.node}'."))
        if not parents:
            problems.append(
                Problem(here, f"no arrow leads to '{equation.node}', so it needs no equation.")
            )
        low, high = equation.bounds
        if low is not None and high is not None and not low < high:
            problems.append(
                Problem(f"{here}.bounds", "the lower bound is not below the upper bound.")
            )
        if equation.mechanism == "quantile" and (equation.interactions or equation.coefficients):
            problems.append(
                Problem(
                    f"{here}.mechanism",
                    "quantile transport takes no coefficients or interactions. Remove them, or "
                    "use the linear mechanism.",
                )
            )
        for j, group in enumerate(equation.interactions):
            if len(set(group)) < 2 or any(name not in parents for name in group):
                problems.append(
                    Problem(
                        f"{here}.interactions[{j}]",
                        f"expected two or more different causes of '{equation.node}' "
                        f"({', '.join(parents)}), got {', '.join(group)}.",
                    )
                )
        problems += [
            Problem(
                f"{here}.coefficients.{term}",
                f"no such term; the causes of '{equation.node}' are: {', '.join(parents)}.",
            )
            for term in equation.coefficients
            if parents and not _is_term(term, parents)
        ]
        problems += [
            Problem(f"{here}.coefficients.{term}", "a coefficient set by hand needs a value.")
            for term, item in equation.coefficients.items()
            if item.source == "by hand" and item.value is None
        ]
    return problems


def _is_term(term: str, parents: Sequence[str]) -> bool:
    """Return whether a term may be meant: levels of nominal causes are known only from data."""
    if term == INTERCEPT or term in parents:
        return True
    return all(
        part in parents or any(part.startswith(f"{name}=") for name in parents)
        for part in term.split(":")
    )
