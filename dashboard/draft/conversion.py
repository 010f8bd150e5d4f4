"""A draft as a scenario and back, and what still stands between the two."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from cst_core.errors import Problem, ScenarioError
from cst_core.scenario import PreparationPart, Scenario, ThresholdPart, check
from dashboard.draft.document import Draft, DraftRoles, DraftWorld, SourcePart

READING = ("delimiter", "encoding", "decimal", "sheet", "header", "missing")
PREPARING = tuple(PreparationPart.model_fields)
SHARED = ("title", "description", "story", "origin", "decision_maker", "outcomes", "settings")


def to_scenario(draft: Draft, *, data_file: str, world: str | None = None) -> Scenario:
    """Return the scenario that a complete draft describes, or one causal model of it alone.

    Parameters
    ----------
    data_file
        Where the table will lie, relative to the scenario file.

    Raises
    ------
    ScenarioError
        Listing everything that is missing or wrong, each with its place in the draft.
    """
    scenario, found = _examine(draft, data_file, world)
    if scenario is None or found:
        raise ScenarioError(draft.title or "case", found)
    return scenario


def problems(draft: Draft, world: str | None = None) -> list[Problem]:
    """Return everything that stands between a draft and a scenario that can be run.

    With `world`, only what a run of this causal model needs. Places are such as ``source``,
    ``roles.protected``, ``worlds[0].nodes[2]``.
    """
    return _examine(draft, "data", world)[1]


def from_scenario(scenario: Scenario, source: SourcePart, *, active: str | None = None) -> Draft:
    """Return a scenario as a draft, with the first causal model open unless another is said.

    `source` is where its table is kept; how to read it is taken from the scenario.
    """
    reading = {
        field: getattr(scenario.data, field)
        for field in READING
        if getattr(scenario.data, field) is not None
    }
    worlds = tuple(DraftWorld.model_validate(dict(item)) for item in scenario.worlds)
    shared = {field: getattr(scenario, field) for field in SHARED}
    return Draft(
        **shared | {"title": scenario.title or scenario.name},
        source=source.model_copy(update=reading),
        preparation=PreparationPart(**{name: getattr(scenario.data, name) for name in PREPARING}),
        roles=DraftRoles.model_validate(dict(scenario.roles)),
        worlds=worlds,
        active=worlds[0].name if active is None else active,
    )


def slug(title: str) -> str:
    """Return a title as a name for files: small letters, digits and hyphens.

    Examples
    --------
    >>> slug("Prêt bancaire: été 2024"), slug("案件")
    ('pret-bancaire-ete-2024', 'case')
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or "case"


def _examine(
    draft: Draft, data_file: str, world: str | None
) -> tuple[Scenario | None, list[Problem]]:
    """Return the scenario, if it can be read as one, and what is wrong in the draft's terms."""
    chosen = [i for i, item in enumerate(draft.worlds) if world is None or item.name == world]
    missing = [*_missing(draft, chosen)]
    if world is not None and not chosen:
        missing.append(Problem("worlds", f"There is no causal model called '{world}'."))
    scenario, found = None, []
    try:
        scenario = check(_content(draft, data_file, chosen), draft.title or "case")
    except ScenarioError as error:
        found = [_in_draft(draft, chosen, problem) for problem in error.problems]
    told = {problem.place for problem in missing}
    missing += [problem for problem in found if problem.place not in told]
    return scenario, missing


def _content(draft: Draft, data_file: str, chosen: list[int]) -> dict[str, Any]:
    """Return the scenario's content, as if it came from a file."""
    whole = draft.model_dump(mode="json", by_alias=True)
    content = {field: whole[field] for field in ("format", "roles", *SHARED)}
    if draft.roles.decision and draft.roles.decision.negative is None:
        content["roles"] = {**content["roles"], "decision": None}  # said to be missing
    content |= {"name": slug(draft.title), "worlds": [whole["worlds"][i] for i in chosen]}
    if draft.source is not None:
        reading = {key: whole["source"][key] for key in READING}
        content["data"] = {"file": data_file, **reading, **whole["preparation"]}
    return content


def _missing(draft: Draft, chosen: list[int]) -> list[Problem]:
    """Return what was not said yet, in sentences for the one who has to say it."""
    said, roles = {}, draft.roles
    if draft.source is None:
        said["source"] = "There are no data yet. Upload a table or open a sample."
    if not roles.protected:
        said["roles.protected"] = (
            "No protected attribute is named yet. Say which column holds it, such as gender."
        )
    for i, part in enumerate(roles.protected):
        if part.protected is None and part.reference is None:
            said[f"roles.protected[{i}]"] = (
                f"Say who is compared in '{part.column}': its protected value, its reference, or "
                "both."
            )
    if not roles.relevant:
        said["roles.relevant"] = (
            "No relevant attribute is named yet. Say which columns may justify the decision."
        )
    if roles.decision and roles.decision.negative is None:
        said["roles.decision"] = (
            f"Say which outcome in '{roles.decision.column}' is the negative one."
        )
    if roles.decision is None and not isinstance(draft.decision_maker, ThresholdPart):
        said["roles.decision"] = (
            "There are no decisions yet. Name the column that records them, or describe the "
            "decision maker as a rule."
        )
    found = [Problem(place, message) for place, message in said.items()]
    for i in chosen:
        found += _missing_in_world(draft, draft.worlds[i], f"worlds[{i}]")
    return found


def _missing_in_world(draft: Draft, world: DraftWorld, place: str) -> list[Problem]:
    if not world.nodes:
        return [
            Problem(
                f"{place}.nodes",
                f"The causal model '{world.name}' is still empty. Draw at least one attribute.",
            )
        ]
    found = [
        Problem(
            f"{place}.nodes[{i}]",
            f"The node '{node.name}' stands for no column with a role. Match it with a column, "
            "or delete it.",
        )
        for i, node in enumerate(world.nodes)
        if draft.role_of(node.name) == "unknown"
    ]
    return found + [
        Problem(
            f"{place}.equations[{i}]",
            f"'{item.node}' is the decision: it follows from the decision maker and has no "
            "equation. Remove its equation.",
        )
        for i, item in enumerate(world.equations)
        if item.node == draft.decision_node
    ]


def _in_draft(draft: Draft, chosen: list[int], problem: Problem) -> Problem:
    """Return a scenario's problem with its place in the draft, saying what it is about."""
    place, message = problem
    prepared = rf"^data(?=\.({'|'.join(PREPARING)})\b)"
    place = re.sub(r"^data\b", "source", re.sub(prepared, "preparation", place))
    place = re.sub(r"^worlds\[(\d+)\]", lambda hit: f"worlds[{chosen[int(hit[1])]}]", place)
    subject = _subject(draft, place)
    message = message[0].upper() + message[1:] if message else message
    if subject and subject not in message:
        message = f"'{subject}': {message[0].lower()}{message[1:]}"
    return Problem(place, message)


def _subject(draft: Draft, place: str) -> str | None:
    """Return the column or node that a place is about."""
    if hit := re.match(r"roles\.(protected|relevant|context)\[(\d+)\]", place):
        return str(getattr(draft.roles, hit[1])[int(hit[2])].column)
    if hit := re.match(r"worlds\[(\d+)\]\.equations\[(\d+)\]", place):
        return draft.worlds[int(hit[1])].equations[int(hit[2])].node
    return None
