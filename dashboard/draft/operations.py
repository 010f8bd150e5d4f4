"""Everything that can be done to a draft, by its name in what the browser sends."""

from __future__ import annotations

from pydantic import ValidationError

from dashboard.draft import accepting, drawing, equations, mechanisms, shares, unmeasured, worlds
from dashboard.draft.refusals import Operation, Refused

KINDS: dict[str, type[Operation]] = {
    kind.model_fields["op"].default: kind
    for module in (accepting, drawing, equations, mechanisms, shares, unmeasured, worlds)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Operation) and kind is not Operation
}


def parse_operation(raw: object) -> Operation:
    """Return the operation in a dict from the browser.

    Raises
    ------
    Refused
        For anything that is not a known operation with its fields.

    Examples
    --------
    >>> parse_operation({"op": "add_edge", "cause": "gender", "effect": "LSAT"})
    AddEdge(op='add_edge', cause='gender', effect='LSAT')
    """
    op = raw.get("op") if isinstance(raw, dict) else None
    if not isinstance(op, str) or op not in KINDS:
        raise Refused("This change is not known here, so nothing was changed. Reload the page.")
    try:
        return KINDS[op].model_validate(raw)
    except ValidationError as error:
        fields = ", ".join(dict.fromkeys(str(item["loc"][0]) for item in error.errors()))
        words = op.replace("_", " ")
        raise Refused(
            f"The change '{words}' could not be read (check {fields}), so nothing was changed."
        ) from error
