"""YAML in and out: safe, without aliases or doubled keys, and lossless for scenarios."""

from __future__ import annotations

from typing import Any

import yaml

from cst_core.errors import Problem, ScenarioError
from cst_core.scenario.document import Scenario

MAX_BYTES = 5_000_000
_LINE_ENDS = ("\r", "\x85", "\u2028", "\u2029", "\ufeff")


class _Loader(yaml.SafeLoader):
    """A safe loader that also refuses aliases (they can blow up) and doubled keys."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.constructor.ConstructorError(
                problem="aliases (*name) are not allowed",
                problem_mark=self.peek_event().start_mark,  # type: ignore[no-untyped-call]
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str | int | float | bool):
                raise yaml.constructor.ConstructorError(
                    None, None, "a field's name must be plain text", key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the field '{key}' stands here twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def parse(text: str, source: str) -> object:
    """Return the document's content; a ScenarioError says what line is wrong."""
    if len(text.encode()) > MAX_BYTES:
        raise ScenarioError(source, [Problem("", "the file is larger than 5 MB.")])
    try:
        return yaml.load(text, Loader=_Loader)  # a SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        message = f"not readable as YAML: {error.problem or error}."
        raise ScenarioError(source, [Problem(place, message)]) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        kind = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ScenarioError(source, [Problem("", f"not readable as YAML: {kind}.")]) from error


class _Dumper(yaml.SafeDumper):
    """A safe dumper that spells out characters which YAML would take for line ends."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if any(mark in text for mark in _LINE_ENDS) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def write_scenario(scenario: Scenario) -> str:
    """Return the scenario as YAML text; `read_scenario` gives it back unchanged."""
    content = scenario.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    maker = scenario.decision_maker.model_dump(mode="json", exclude_defaults=True)
    if "decision_maker" in content:  # the tag is a default value, and the reader needs it
        content["decision_maker"] = {"type": scenario.decision_maker.type, **maker}
    text: str = yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return text
