"""Draw the house anew in docs/architecture.md, from the import contract and the rooms' docstrings.

Run with ``python docs/make_architecture.py``. A test fails while the picture is not up to date.
"""

from __future__ import annotations

import ast
import textwrap
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- the house -->\n", "<!-- end of the house -->"
PACKAGES = {"dashboard": "the Streamlit app", "cst_core": "the library"}
NAME, WIDTH = 26, 96


def main() -> None:
    """Write the picture into the page."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}{picture()}{END}{after}", "utf-8")


def picture() -> str:
    """Return both packages as boxes, a room a line, each importing only from rooms below it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    lines = ["```text"]
    for package, words in PACKAGES.items():
        rooms = next(
            contract["layers"] for contract in contracts if contract.get("containers") == [package]
        )
        lines += ["┌" + f" {package}: {words} ".ljust(WIDTH - 2, "─") + "┐"]
        for level in rooms:
            for room in level.split(" | "):
                said = textwrap.wrap(_docstring(package, room), WIDTH - NAME - 6)
                for place, piece in enumerate(said or [""]):
                    name = room if place == 0 else ""
                    lines.append(f"│  {name:<{NAME}}{piece:<{WIDTH - NAME - 4}}│")
        lines += ["└" + "─" * (WIDTH - 2) + "┘"]
        if package == "dashboard":
            lines += ["▼ imports only downwards ▼".center(WIDTH).rstrip()]
    return "\n".join([*lines, "```", ""])


def _docstring(package: str, room: str) -> str:
    path = ROOT / package / room
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return found.partition("\n")[0]


if __name__ == "__main__":
    main()
