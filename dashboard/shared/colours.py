"""The colours of charts: by what they stand for, on a light or dark screen and on paper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colours that keep one meaning everywhere, apart also for people who see few colours."""

    protected: str
    reference: str
    counterfactual: str
    action: str
    muted: str
    text: str
    grid: str
    page: str = "#ffffff"


LIGHT = Palette(
    protected="#c24e00",
    reference="#00755e",
    counterfactual="#7b3294",
    action="#0b5a9c",
    muted="#5b6675",
    text="#1b2430",
    grid="#dfe4ea",
)
DARK = Palette(
    protected="#ff9a5c",
    reference="#3ecfae",
    counterfactual="#d5a3e6",
    action="#7fbef5",
    muted="#a3afbd",
    text="#e8edf3",
    grid="#333d4a",
    page="#12171e",
)
BLACK = "#000000"
PRINT = Palette(
    protected=BLACK,
    reference=BLACK,
    counterfactual=BLACK,
    action=BLACK,
    text=BLACK,
    muted="#444444",
    grid="#bbbbbb",
)
