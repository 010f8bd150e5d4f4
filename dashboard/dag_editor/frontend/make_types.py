"""Write the browser's types of what it and Python say to each other, from `protocol.py`.

Runs whenever the editor is bundled, with nothing but the standard library.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Mapping
from dataclasses import is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

FOLDER = Path(__file__).parent
SOURCE = FOLDER.parent / "protocol.py"
TARGET = FOLDER / "src" / "generated" / "protocol.ts"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}


def types_of(source: Path) -> str:
    """Return a module's dataclasses, literals and unions as TypeScript."""
    module = runpy.run_path(str(source), run_name=source.stem)
    parts = [f"/** Made from {source.name}; change it there. */"]
    for name, kind in module.items():
        if is_dataclass(kind):
            hints = get_type_hints(kind, globalns=module).items()
            lines = [f"  readonly {field}: {_type(hint)};" for field, hint in hints]
            parts.append("\n".join([f"export interface {name} {{", *lines, "}"]))
        elif get_origin(kind) is Literal or isinstance(kind, UnionType):
            parts.append(f"export type {name} = {_type(kind)};")
    return "\n\n".join(parts) + "\n"


def _type(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if hint in PLAIN or is_dataclass(hint):
        text = PLAIN.get(hint) or hint.__name__
    elif origin is Literal:
        text = " | ".join(json.dumps(value) for value in inner)
    elif origin in (Union, UnionType):
        text = " | ".join(map(_type, inner))
    elif origin is tuple and inner[-1] is ...:
        text = f"ReadonlyArray<{_type(inner[0])}>"
    elif origin is tuple:
        text = f"readonly [{', '.join(map(_type, inner))}]"
    elif origin is Mapping:
        record = f"Record<{', '.join(map(_type, inner))}>"
        text = f"Readonly<{record}>" if inner[0] is str else f"Readonly<Partial<{record}>>"
    else:
        raise TypeError(f"{SOURCE.name}: no TypeScript is known for {hint!r}.")
    return text


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(types_of(SOURCE), encoding="utf-8")
