"""Everything wrong with a scenario, at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PureWindowsPath
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from cst_core.causal import MECHANISMS, coefficient_term, graph_problems
from cst_core.data import NOT_COUNTED
from cst_core.errors import DataError, Problem, ScenarioError, SettingsError
from cst_core.learners import not_taken
from cst_core.scenario import document
from cst_core.scenario.conversion import as_protected
from cst_core.scenario.document import (
    SHARES_ERROR,
    ContextPart,
    DecisionMakerPart,
    DecisionPart,
    EquationPart,
    ModelPart,
    ProtectedPart,
    RelevantPart,
    RolesPart,
    Scenario,
    SettingsPart,
    ThresholdPart,
    WorldPart,
)
from cst_core.testing import SEVERAL

MAKERS = ("threshold", "model", "recorded")
MAKER_TYPES = "'threshold', 'model' or 'recorded'"

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
        message = f"expected a file in the scenario's folder, got {_shown(file)}. Give its name "
        problems.append(Problem("data.file", f"{message}without a folder above it."))
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
    elif kind == SHARES_ERROR:  # says itself what came
        message = f"{detail['msg']}."
    elif kind == "model_type":
        message = f"expected {_fields_of(detail)}; got {_shown(came)}."
    elif kind == "dict_type":
        message = f"expected names with values, such as {{name: value}}; got {_shown(came)}."
    elif kind == "model_attributes_type":  # a decision maker that is no document
        message = f"expected {{type: …}} with {MAKER_TYPES}; got {_shown(came)}."
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        message = f"expected type {MAKER_TYPES}."
    else:
        message = f"{detail['msg'][0].lower()}{detail['msg'][1:]}; got {_shown(came)}."
    for word, plain in (("input should be", "expected"), ("a valid tuple", "a list")):
        message = message.replace(word, plain)
    return Problem(place.lstrip("."), message)


def _fields_of(detail: ErrorDetails) -> str:
    """Return the fields of a part that came as something else, those it must have first."""
    name = detail.get("ctx", {}).get("class_name", "")
    kind = getattr(document, name, None)
    if kind is None:
        return "fields with values"
    fields = {field.alias or name: field for name, field in kind.model_fields.items()}
    needed = [one for one, field in fields.items() if field.is_required()]
    others = [one for one in fields if one not in needed]
    if not needed:
        return f"fields with values, some of {', '.join(others)}"
    also = f" (and, if wanted, {', '.join(others)})" if others else ""
    example = ", ".join(f"{one}: …" for one in needed)
    return f"the field{'s' * (len(needed) > 1)} {' and '.join(needed)}{also}, such as {{{example}}}"


def _is_echo(detail: ErrorDetails) -> bool:
    """Return whether this only repeats, for a list, that one of its items is wrong."""
    return detail["type"] == "too_short" and bool(detail["input"])


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _fit_together(content: dict[Any, Any]) -> Iterator[Problem]:
    """Yield what is wrong between the parts, as far as each part can be read."""
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
    if whole:
        yield from _role_problems(whole)
    if roles and maker:
        yield from _maker_problems(roles, maker)
    names = [world.name.lower() for _, world in worlds]
    for position, world in worlds:
        place = f"worlds[{position}]"
        if names.count(world.name.lower()) > 1:
            yield Problem(f"{place}.name", f"two causal models are called '{world.name}'.")
        yield from _world_problems(place, world, roles, maker)


def _settings_problems(raw: object) -> Iterator[Problem]:
    """Yield which settings do not go together."""
    settings = _try(SettingsPart, raw)
    try:
        if settings is not None:
            settings.evidence_settings(settings.k[0])
    except SettingsError as error:
        place, _, message = str(error).partition(": ")
        yield Problem(f"settings.{place}", message)


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
    context = [c for item in items("context") if (c := bare(ContextPart, item))]
    if not protected or not relevant:
        return None
    return RolesPart(
        protected=tuple(protected),
        relevant=tuple(relevant),
        context=tuple(context),
        decision=_try(DecisionPart, decision),
    )


def _listed(roles: RolesPart) -> list[tuple[str, str]]:
    """Return the columns with a role, each after its place."""
    listed = [(f"roles.protected[{i}]", item.column) for i, item in enumerate(roles.protected)]
    listed += [(f"roles.relevant[{i}]", item.column) for i, item in enumerate(roles.relevant)]
    listed += [(f"roles.context[{i}]", item.column) for i, item in enumerate(roles.context)]
    if roles.decision:
        listed.append(("roles.decision", roles.decision.column))
    if roles.id:
        listed.append(("roles.id", roles.id))
    if roles.count not in (None, NOT_COUNTED):
        listed.append(("roles.count", str(roles.count)))
    if roles.weight:
        listed.append(("roles.weight", roles.weight))
    return listed


def _role_problems(roles: RolesPart) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for place, column in _listed(roles):
        if column in seen:
            yield Problem(place, f"column '{column}' already has a role at {seen[column]}.")
        seen.setdefault(column, place)
    for i, item in enumerate(roles.protected):
        place = f"roles.protected[{i}]"
        if item.protected is None and item.reference is None:
            yield Problem(place, "name the protected value, the reference, or both.")
        elif item.protected == item.reference:
            yield Problem(place, "protected and reference are the same value.")
        else:
            yield from _group_problems(place, item)
        if item.column in SEVERAL:
            yield Problem(place, f"'{item.column}' is the name of a test. Rename this column.")
    yield from _order_problems(roles)
    if not any(attribute.weight > 0 for attribute in roles.relevant):
        yield Problem("roles.relevant", "at least one weight must be above 0.")


def _order_problems(roles: RolesPart) -> Iterator[Problem]:
    ordered: list[tuple[str, ContextPart]] = []
    for role in ("relevant", "context"):
        parts = getattr(roles, role)
        ordered += [(f"roles.{role}[{i}].order", item) for i, item in enumerate(parts)]
    for place, attribute in ordered:
        if attribute.order is not None and len(set(attribute.order)) < len(attribute.order):
            yield Problem(place, "a value stands here twice.")
        if attribute.order is not None and attribute.kind != "ordinal":
            yield Problem(place, "only an ordinal attribute has an order.")


def _group_problems(place: str, part: ProtectedPart) -> Iterator[Problem]:
    try:
        as_protected(part)
    except DataError as error:
        yield Problem(place, str(error).removeprefix(f"Protected attribute '{part.column}': "))


def _maker_problems(roles: RolesPart, maker: DecisionMakerPart) -> Iterator[Problem]:
    columns = {item.column: item for item in roles.relevant}
    protected = [item.column for item in roles.protected]
    if not isinstance(maker, ThresholdPart) and roles.decision is None:
        yield Problem(
            "roles.decision",
            "there are no decisions: name the column that records them, or give a threshold rule "
            "as decision_maker.",
        )
    elif isinstance(maker, ModelPart):
        for name in maker.given:
            problem = not_taken(maker.kind, name)
            if problem:
                yield Problem(f"decision_maker.{name}", problem)
        known = [*protected, *columns, *(item.column for item in roles.context)]
        for i, column in enumerate(maker.columns):
            if column not in known:
                yield Problem(
                    f"decision_maker.columns[{i}]",
                    f"'{column}' is neither a protected, a relevant nor a context attribute. "
                    f"Known: {', '.join(known)}.",
                )
    elif isinstance(maker, ThresholdPart):
        recorded = roles.decision.column if roles.decision else None
        others = [*columns, *protected, *(item.column for item in roles.context), roles.id]
        if maker.node is not None and maker.node != recorded and maker.node in others:
            yield Problem("decision_maker.node", f"'{maker.node}' already has another role.")
        for column in maker.weights:
            place = f"decision_maker.weights.{column}"
            if column not in columns:
                relevant = ", ".join(columns)
                yield Problem(place, f"'{column}' is not a relevant attribute. Known: {relevant}.")
            elif _holds_names(columns[column]):
                yield Problem(place, f"'{column}' holds names and cannot be weighed.")


def _holds_names(part: ContextPart) -> bool:
    return part.kind == "nominal" or part.order is not None


def _world_problems(
    place: str,
    world: WorldPart,
    roles: RolesPart | None,
    maker: DecisionMakerPart | None,
) -> Iterator[Problem]:
    decision = "decision"
    if roles and roles.decision:
        decision = roles.decision.column
    if isinstance(maker, ThresholdPart) and maker.node:
        decision = maker.node
    nodes = [node.name for node in world.nodes]
    edges = [(edge.cause, edge.effect) for edge in world.edges]
    protected = [item.column for item in roles.protected] if roles else []
    unmeasured = [arrow.between for arrow in world.bidirected]
    for found in graph_problems(
        nodes, edges, bidirected=unmeasured, protected=protected, decision=decision
    ):
        yield Problem(f"{place}.{found.place}", found.message)
    if roles:
        relevant = {item.column: item for item in (*roles.relevant, *roles.context)}
        known = [*protected, *relevant, decision]
        for i, name in enumerate(nodes):
            if name not in known:
                yield Problem(
                    f"{place}.nodes[{i}]",
                    f"'{name}' is neither a protected, a relevant nor a context attribute, nor the "
                    f"decision. Known: {', '.join(known)}. A column that matters to the causal "
                    "model alone can be listed under roles.context.",
                )
    yield from _equation_problems(place, world, edges)


def _regressor_problems(place: str, equation: EquationPart) -> Iterator[Problem]:
    kind, given = MECHANISMS[equation.mechanism], equation.regressor
    if given is None:
        return
    if not kind.takes_regressor:
        yield Problem(
            f"{place}.regressor",
            f"{kind.title} takes no regressor. Say mechanism: regressor, or remove it.",
        )
    for name in given.given:
        problem = not_taken(given.kind, name)
        if problem:
            yield Problem(f"{place}.regressor.{name}", problem)


def _share_problems(here: str, equation: EquationPart, parents: Sequence[str]) -> Iterator[Problem]:
    takes_shares = MECHANISMS[equation.mechanism].takes_shares
    if equation.shares and (equation.coefficients or not takes_shares):
        yield Problem(
            f"{here}.shares",
            "a table of shares goes with the mechanism 'shares' alone, and without "
            "coefficients. Remove one of them.",
        )
    for j, row in enumerate(equation.shares):
        if parents and set(row.when) != set(parents):
            yield Problem(
                f"{here}.shares[{j}].when",
                f"expected a value of each cause of '{equation.node}' ({', '.join(parents)}), got "
                f"{', '.join(row.when) or 'none'}.",
            )


def _equation_problems(
    place: str, world: WorldPart, edges: Sequence[tuple[str, str]]
) -> Iterator[Problem]:
    for i, equation in enumerate(world.equations):
        here, node = f"{place}.equations[{i}]", equation.node
        parents = [cause for cause, effect in edges if effect == node]
        if node in [other.node for other in world.equations[:i]]:
            yield Problem(here, f"a second equation for '{node}'.")
        if not parents:
            yield Problem(here, f"no arrow leads to '{node}', so it needs no equation.")
        low, high = equation.bounds
        if low is not None and high is not None and not low < high:
            yield Problem(f"{here}.bounds", "the lower bound is not below the upper bound.")
        kind = MECHANISMS[equation.mechanism]
        if not kind.takes_coefficients and (equation.interactions or equation.coefficients):
            yield Problem(
                f"{here}.mechanism",
                f"{kind.title} takes no coefficients or interactions. Remove them, or use the "
                "linear mechanism.",
            )
        yield from _regressor_problems(here, equation)
        yield from _share_problems(here, equation, parents)
        for j, group in enumerate(equation.interactions):
            if len(set(group)) < 2 or any(name not in parents for name in group):
                yield Problem(
                    f"{here}.interactions[{j}]",
                    f"expected two or more different causes of '{node}' ({', '.join(parents)}), "
                    f"got {', '.join(group)}.",
                )
        for term in equation.coefficients:
            if parents and coefficient_term(term, parents)[1] is None:
                yield Problem(
                    f"{here}.coefficients.{term}",
                    f"no such term; the causes of '{node}' are: {', '.join(parents)}. A ':' in a "
                    "name is written '\\:'.",
                )
        for term, item in equation.coefficients.items():
            if item.source == "by hand" and item.value is None:
                yield Problem(
                    f"{here}.coefficients.{term}", "a coefficient set by hand needs a value."
                )
