"""The look that Streamlit's theme cannot express: a style sheet, and the colours of charts."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st


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


LIGHT = Palette(
    protected="#c24e00", reference="#00755e", counterfactual="#7b3294", action="#0b5a9c",
    muted="#5b6675", text="#1b2430", grid="#dfe4ea",
)  # fmt: skip
DARK = Palette(
    protected="#ff9a5c", reference="#3ecfae", counterfactual="#d5a3e6", action="#7fbef5",
    muted="#a3afbd", text="#e8edf3", grid="#333d4a",
)  # fmt: skip


def is_dark() -> bool:
    """Return whether the page is shown dark."""
    return getattr(st.context.theme, "type", None) == "dark"


def palette() -> Palette:
    """Return the colours for the theme in use."""
    return DARK if is_dark() else LIGHT


def _variables(colours: Palette) -> str:
    return (
        f"--cst-protected:{colours.protected};--cst-reference:{colours.reference};"
        f"--cst-counterfactual:{colours.counterfactual};--cst-muted:{colours.muted};"
        f"--cst-grid:{colours.grid};"
    )


def style_sheet() -> str:
    """Return the page's own style sheet."""
    return f"<style>:root{{{_variables(palette())}}}{_RULES}</style>"


_RULES = """
.block-container {max-width: 1500px; padding-top: 4.4rem; padding-bottom: 3rem;}
@media (max-width: 1200px) {.block-container {padding-left: 2rem; padding-right: 2rem;}}
.st-key-equations [data-testid="stNumberInputStepDown"],
.st-key-equations [data-testid="stNumberInputStepUp"] {display: none;}
[data-testid="stHtml"] p {margin: 0;}
.cst-muted {color: var(--cst-muted); font-size: .92rem; line-height: 1.4;}
.cst-status {display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: baseline;
  min-width: 0; line-height: 1.35;}
.cst-status b {font-size: 1.05rem; max-width: 26rem; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; display: inline-block; vertical-align: bottom;}
.cst-status span {color: var(--cst-muted); font-size: .9rem; max-width: 22rem; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap;}
.cst-status .cst-held {color: var(--cst-protected); font-weight: 600;}
.cst-status .cst-held .busy {display: none;}
.cst-status .cst-saved::before {content: "✓ "; }
.stApp[data-test-script-state="running"] .cst-saved .done {display: none;}
.stApp:not([data-test-script-state="running"]) .cst-saved .busy {display: none;}
.stApp[data-test-script-state="running"] .cst-saved::before {content: "… ";}
@media (max-width: 1150px) {.st-key-cst-header kbd, .st-key-cst-header
  [data-testid="stButtonShortcut"] {display: none;}}
.st-key-cst-header {border-bottom: 1px solid var(--cst-grid); padding-bottom: .5rem;
  margin-bottom: .4rem;}
.cst-table {width: 100%; border-collapse: collapse; font-size: .93rem;
  font-variant-numeric: tabular-nums;}
.cst-table caption {text-align: left; color: var(--cst-muted); padding: 0 0 .3rem;}
.cst-table th {text-align: left; font-weight: 600; border-bottom: 1px solid var(--cst-grid);
  padding: .3rem .6rem .3rem 0; vertical-align: bottom;}
.cst-table td {border-bottom: 1px solid var(--cst-grid); padding: .35rem .6rem .35rem 0;
  vertical-align: middle; overflow-wrap: anywhere;}
.cst-table .n {text-align: right; white-space: nowrap;}
.cst-headline {font-size: 1.25rem; font-weight: 600; line-height: 1.4; margin: 0 0 .3rem;}
.cst-counts td.here {box-shadow: inset 3px 0 0 var(--cst-counterfactual); padding-left: .5rem;}
.cst-counts th[scope=row] {vertical-align: top;}
.cst-counts td.n, .cst-counts th.n {text-align: left;}
.cst-scroll {overflow-x: auto;}
.cst-math {font-family: "Source Serif 4", "Source Serif Pro", Georgia, serif; font-size: 1.08rem;
  line-height: 1.7; overflow-wrap: anywhere;}
.cst-math .hand {border-bottom: 2px dashed currentColor;}
.cst-math .u {color: var(--cst-muted); font-style: italic;}
.cst-dot {display: inline-block; width: .7em; height: .7em; margin-right: .35em;}
.cst-dot.a {background: var(--cst-protected); border-radius: 50%;}
.cst-dot.r {background: var(--cst-reference);}
.cst-dot.c {background: var(--cst-counterfactual); transform: rotate(45deg); }
.cst-track {position: relative; height: 1rem; min-width: 8rem; background:
  linear-gradient(var(--cst-grid), var(--cst-grid)) center/100% 2px no-repeat;}
.cst-track i {position: absolute; top: .15rem; width: .7rem; height: .7rem; margin-left: -.35rem;}
.cst-track i.f {background: var(--cst-protected); border-radius: 50%;}
.cst-track i.c {background: var(--cst-counterfactual); transform: rotate(45deg);}
.cst-track u {position: absolute; top: .45rem; height: .12rem;
  background: var(--cst-counterfactual);}
.cst-note {border-left: 3px solid var(--cst-grid); padding: .1rem .7rem; font-size: .93rem;}
.cst-warn {border-left: 3px solid var(--cst-protected); padding: .1rem .7rem; font-size: .93rem;}
.cst-card {font-size: .95rem; line-height: 1.45;}
@media print {header, .st-key-cst-header button, [data-testid="stToolbar"] {display: none;}}
"""
