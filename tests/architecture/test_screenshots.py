"""The pictures in the repository: only those that a page shows, few and small."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
AT_MOST, LARGEST = 12, 300_000


def test_each_is_shown_and_small() -> None:
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {
        name
        for text in texts
        for name in re.findall(r"screenshots/([\w-]+\.png)", text.read_text("utf-8"))
    }
    sizes = {path.name: path.stat().st_size for path in (ROOT / "docs/screenshots").glob("*.png")}
    assert set(sizes) == shown
    assert len(sizes) <= AT_MOST
    assert not {name: size for name, size in sizes.items() if size > LARGEST}
