"""The look that Streamlit's theme cannot express: a style sheet, and the colours in use."""

from __future__ import annotations

import streamlit as st

from dashboard.shared.colours import DARK, LIGHT, Palette


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
        f"--cst-grid:{colours.grid};--cst-action:{colours.action};--cst-page:{colours.page};"
    )


def style_sheet() -> str:
    """Return the page's own style sheet."""
    return f"<style>:root{{{_variables(palette())}}}{_RULES}</style>"


_RULES = """
.block-container {max-width: 1500px; padding-top: .6rem; padding-bottom: 3rem;}
.stApp [data-testid="stHeader"] {background: transparent; pointer-events: none; height: 3rem;}
.stApp [data-testid="stHeader"] :is(button, a) {pointer-events: auto;}
.st-key-cst-pages {position: sticky; top: 0; z-index: 100; flex-wrap: wrap; row-gap: 0;
  background: var(--cst-page); border-bottom: 1px solid var(--cst-grid);
  padding: .35rem 2.5rem 0 0;}
.st-key-cst-pages > *, .st-key-cst-parts > * {width: auto !important; flex: 0 0 auto;}
.st-key-cst-pages > :has(> .st-key-cst-page-words, > .st-key-cst-page-words-open)
  {margin-left: auto;}
[class*="st-key-cst-page-"] a, [class*="st-key-cst-part-"] a {border-radius: 0;
  border-bottom: 3px solid transparent; padding: .3rem .55rem; background: none !important;}
[class*="st-key-cst-page-"] a *, [class*="st-key-cst-part-"] a * {font-weight: 400 !important;}
[class*="st-key-cst-page-"][class*="-open"] a, [class*="st-key-cst-part-"][class*="-open"] a
  {border-bottom-color: var(--cst-action);}
[class*="st-key-cst-page-"][class*="-open"] a p, [class*="st-key-cst-part-"][class*="-open"] a p
  {font-weight: 600 !important; color: var(--cst-action);}
.st-key-cst-parts {flex-wrap: wrap; row-gap: 0; margin: -.6rem 0 -.2rem;}
[data-testid="stLayoutWrapper"]:has(> .st-key-cst-title) {position: absolute; width: 1px;
  height: 1px; overflow: hidden;}
.st-key-cst-title {position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%);}
.js-plotly-plot text[data-unformatted*=" · cst "] {opacity: 0;}
.js-plotly-plot:hover text[data-unformatted*=" · cst "] {opacity: 1;}
.st-key-cst-settings {position: sticky; top: 2.75rem; z-index: 99; background: var(--cst-page);
  gap: 0;}
.st-key-cst-settings-line {position: absolute; left: 8.2rem; right: 2.5rem; top: 0; z-index: 1;
  height: 2.5rem; width: auto !important; justify-content: center; pointer-events: none;}
.st-key-cst-settings-line .cst-line {white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
  font-size: .95rem;}
.st-key-cst-settings summary p {font-weight: 600;}
@media print {.st-key-cst-settings {position: static;} .st-key-cst-settings-line {position: static;}
  .st-key-cst-settings [data-testid="stExpander"] {display: none;}
  .st-key-cst-settings-line .cst-line {white-space: normal;}}
.stApp h1 {font-size: 1.75rem; padding: .2rem 0 .4rem;}
.stApp h2 {font-size: 1.4rem;} .stApp h3 {font-size: 1.15rem;}
@media (max-width: 1200px) {.block-container {padding-left: 2rem; padding-right: 2rem;}}
.block-container:has(.st-key-causal-model) {max-width: none; padding-left: 2rem;
  padding-right: 2rem; padding-bottom: 1rem; --cst-above-drawing: 15.8rem;}
.st-key-causal-side {container-type: inline-size;}
@media (min-width: 1200px) {.stApp .st-key-causal-side {min-height: 440px; flex: none;
  height: calc(100vh - var(--cst-above-drawing)); overflow-y: auto; padding-right: .6rem;}
  .st-key-causal-side > * {flex-shrink: 0;}}
@media (max-width: 1199px) {.block-container:has(.st-key-causal-model)
    {--cst-above-drawing: 17.5rem;}
  [data-testid="stLayoutWrapper"]:has(> [data-testid="stHorizontalBlock"] .st-key-causal-side)
    > [data-testid="stHorizontalBlock"] > [data-testid="stColumn"] {flex: 1 1 100%;
    min-width: 100%;}}
@container (max-width: 620px) {.cst-seen {display: none;} .cst-table th.n {white-space: normal;}}
.cst-table td.n small {display: block; white-space: normal; color: var(--cst-muted);
  line-height: 1.25;}
@media (max-width: 1150px) {.st-key-causal-worlds {gap: .5rem;}
  .st-key-causal-worlds [data-testid="stPopoverButton"] {padding-left: .5rem;
  padding-right: .5rem;}}
.st-key-equations [data-testid="stNumberInputStepDown"],
.st-key-equations [data-testid="stNumberInputStepUp"] {display: none;}
[data-testid="stHtml"] p {margin: 0;}
.st-key-cst-columns > [data-testid="stLayoutWrapper"] {border-bottom: 1px solid var(--cst-grid);
  padding: .22rem 0;}
.st-key-cst-columns [data-testid="stHorizontalBlock"] {gap: .9rem;}
.st-key-cst-columns [data-testid="stSelectbox"] [role="group"] {min-height: 2.1rem; height: 2.1rem;}
.st-key-cst-columns [data-testid="stSelectbox"] input {font-size: .9rem; padding-right: 0;}
.st-key-cst-columns [data-testid="stPopover"] button {min-height: 2rem; padding: 0;
  font-size: .85rem; white-space: nowrap;}
.cst-column {display: grid; grid-template-columns: 9fr 10fr 3.6rem; gap: .6rem; align-items: center;
  font-size: .9rem; line-height: 1.25; overflow-wrap: anywhere;}
.cst-column:has(> span:only-child) {grid-template-columns: 1fr;}
.cst-column span {color: var(--cst-muted);} .cst-column .n {text-align: right;}
.cst-column.head * {color: var(--cst-muted); font-weight: 600; white-space: nowrap;}
@media (max-width: 640px) {
  .st-key-cst-columns :is([data-testid="stColumn"]:not(:first-child):has(.head),
    [data-testid="stColumn"]:not(:has([data-testid="stElementContainer"]))) {display: none;}}
.cst-why {color: var(--cst-muted); font-size: .8rem; line-height: 1.25; overflow-wrap: anywhere;}
[data-testid="stElementContainer"]:has(> .stHtml > .cst-finished) {display: none;}
.cst-muted {color: var(--cst-muted); font-size: .92rem; line-height: 1.4;}
.stApp [data-testid="stCaptionContainer"] {opacity: 1;}
.stApp [data-testid="stCaptionContainer"] p {color: var(--cst-muted);}
.stApp button[data-selected="true"] p, [data-testid="stSliderThumbValue"] p
  {color: var(--cst-action);}
:is(.cst-headline, .cst-against, .cst-beside, .cst-muted, .cst-warn, .cst-by-hand,
  .cst-groups h4, .cst-steps h4,
  [data-testid="stMarkdown"], [data-testid="stHeading"], .cst-table th[scope=row],
  .cst-table caption)
  {overflow-wrap: anywhere;}
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
.cst-table th:where([scope=row]) {vertical-align: middle; min-width: 6rem; hyphens: auto;}
.cst-table td {border-bottom: 1px solid var(--cst-grid); padding: .35rem .6rem .35rem 0;
  vertical-align: middle; overflow-wrap: anywhere;}
.cst-table td:where(:not(.n)) {min-width: 5rem;}
.cst-table .n {text-align: right; white-space: nowrap;}
@media (max-width: 640px) {.cst-table {font-size: .86rem;}
  .cst-table :is(th, td) {padding-right: .4rem;}}
.cst-headline {font-size: 1.25rem; font-weight: 600; line-height: 1.4; margin: 0 0 .3rem;}
[data-testid="stHtml"] :is(p.cst-against, p.cst-beside) {margin: .25rem 0 0; line-height: 1.4;}
.cst-term {border-bottom: 1px dotted var(--cst-muted); cursor: help; position: relative;}
.cst-term:is(:hover, :focus)::after {content: attr(data-meaning); position: absolute; left: 0;
  top: 1.7em; width: min(24rem, 80vw); padding: .5rem .7rem; z-index: 200; font-size: .9rem;
  font-weight: 400; line-height: 1.4; background: var(--cst-page); color: inherit;
  border: 1px solid var(--cst-muted); border-radius: 6px;}
@media print {.cst-term {border: 0;} .cst-term::after {display: none;}}
.stApp .cst-stories {list-style: none; margin: .3rem 0 .2rem; padding: 0; max-width: 60rem;}
.stApp .cst-stories li {display: grid; grid-template-columns: 3rem 9rem minmax(0, 1fr);
  gap: .2rem .8rem;
  align-items: center; margin: 0; padding: .12rem 0; line-height: 1.35;}
.cst-stories span {overflow-wrap: anywhere;}
.cst-stories b {text-align: right; font-size: 1.1rem; font-variant-numeric: tabular-nums;}
.cst-stories u {height: .8rem; background: var(--cst-counterfactual); display: block;
  min-width: 2px;}
.cst-stories :is(.stays, .spared) u {background: none; border: 2px solid var(--cst-muted);}
.cst-stories .spared u {border-style: dashed;}
@media (max-width: 600px) {.stApp .cst-stories li {grid-template-columns: 3rem minmax(0, 1fr);}
  .cst-stories u {display: none;}}
.cst-counts td.here {box-shadow: inset 3px 0 0 var(--cst-counterfactual); padding-left: .5rem;}
.cst-counts th[scope=row] {vertical-align: top; min-width: 8rem;}
.cst-counts td.n, .cst-counts th.n {text-align: left;}
.cst-scroll {overflow-x: auto;}
@media (max-width: 640px) {.cst-scroll caption {position: sticky; left: 0;
  max-width: calc(100vw - 2rem);}}
.cst-agree td {min-width: 8rem;} .cst-agree small {color: var(--cst-muted);}
@media (max-width: 640px) {.cst-agree td {min-width: 6.5rem;}}
.cst-agree .own {color: var(--cst-muted);}
.cst-agree .bar {height: .35rem; margin-top: .2rem; background: var(--cst-grid); width: 100%;}
.cst-agree .bar u {display: block; height: 100%; background: var(--cst-counterfactual);}
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
.cst-by-hand {border-left: 3px dashed currentColor; padding: .1rem .7rem; font-size: .93rem;}
.stApp .cst-steps p.cst-by-hand {margin: .2rem 0 .3rem;}
.cst-warn {border-left: 3px solid var(--cst-protected); padding: .1rem .7rem; font-size: .93rem;}
@media (max-width: 1150px) {[class*="st-key-cst-page-"] a :has(> [data-testid="stIconMaterial"]),
  [class*="st-key-cst-page-"] [data-testid="stIconMaterial"] {display: none;}}
@media (max-width: 640px) {.st-key-cst-pages {position: static; padding-right: 2rem;}
  .block-container, .block-container:has(.st-key-causal-model) {padding-left: 1rem;
    padding-right: 1rem;}
  .st-key-cst-settings {position: static;}
  .st-key-cst-settings-line {position: static; height: auto;}
  .st-key-cst-settings-line .cst-line {white-space: normal;}
  .cst-line span {display: inline-block; max-width: 100%;}
  .st-key-cst-header > :first-child {flex: 1 1 100%;}
  .cst-status b {white-space: normal; max-width: 100%; overflow-wrap: anywhere;}
  .cst-status span:not(.cst-saved, .cst-held, .done, .busy) {display: none;}
  .st-key-cst-header button p {font-size: .85rem;}
  .cst-verdicts th[scope=row] {white-space: normal;}
  .stApp .cst-table :is(th, td) {overflow-wrap: break-word; font-size: .85rem;}
  .cst-headline {font-size: 1.1rem;}}
@media (max-width: 1200px) {.st-key-complainant-people [data-testid="stColumn"]
  {flex: 1 1 100%; min-width: 100%;}}
.cst-slice {margin-bottom: 1rem;}
.cst-cases th[scope=row] {vertical-align: middle;}
.cst-slice caption b {color: var(--cst-text, inherit); font-size: 1rem;}
.cst-worlds th[scope=row] {vertical-align: top; padding-top: .35rem;}
@media print {header, .st-key-cst-pages, .st-key-cst-parts, .st-key-cst-header button,
  [data-testid="stToolbar"] {display: none;}}
.cst-picture {max-width: 100%; height: auto; display: block;}
.cst-steps {margin: 0 0 1.1rem;} .cst-steps h4, .cst-groups h4 {margin: .4rem 0 .2rem;
  font-size: 1rem; font-weight: 600; padding: 0;}
.cst-steps .cst-table th {font-weight: 400; width: 34%; vertical-align: middle;}
.cst-verdicts th, .cst-verdicts td {vertical-align: top;}
.cst-verdicts th[scope=row] {white-space: nowrap;}
.cst-verdicts :is(th, td):last-child {padding-left: 1rem;}
.cst-verdicts tr.here th {box-shadow: inset 3px 0 0 var(--cst-counterfactual);
  padding-left: .5rem;}
.cst-groups {display: grid; grid-template-columns: 1fr 1fr; gap: 1.2rem 2.5rem;}
.cst-groups p {margin: 0 0 .4rem;}
@media (max-width: 800px) {.cst-groups {grid-template-columns: 1fr;}}
.cst-dots {display: flex; flex-wrap: wrap; gap: 5px; max-width: 438px; align-items: center;}
.cst-dots.parts {max-width: 338px;}
.cst-dots i, .cst-key i {width: 15px; height: 15px; border: 2px solid currentColor;
  box-sizing: border-box; display: inline-block; vertical-align: -2px;}
.cst-dots + .cst-dots {margin-top: 7px;} .cst-dots + p {margin-top: .5rem !important;}
.cst-dots i:nth-child(5n) {margin-right: 9px;}
.cst-dots i.x, .cst-key i.x {background: currentColor;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;}
.cst-dots i.o, .cst-key i.o {border-radius: 50%;}
.cst-dots i.part {width: 10px; height: 10px;}
.cst-dots i.own {outline: 2px solid var(--cst-counterfactual); outline-offset: 2px;
  margin-left: 8px;}
.cst-key {margin-top: .6rem;} .cst-key i.o {margin-left: 1rem;}
.cst-bar {height: 1.1rem; border: 2px solid currentColor; max-width: 30rem;}
.cst-bar b {display: block; height: 100%; background: currentColor; print-color-adjust: exact;
  -webkit-print-color-adjust: exact;}
.cst-bar-words {display: flex; justify-content: space-between; max-width: 30rem;
  font-size: .93rem;}
.cst-boxes {display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr));
  gap: .6rem 1.5rem; margin-top: .8rem;}
.cst-boxes img {max-width: min(100%, 460px); width: 100%;}
.cst-what-if caption {font-weight: 600;}
.cst-what-if tr.moved td {font-weight: 600;}
.cst-sheet {display: none;}
@media print {
  @page {size: A4; margin: 8mm 11mm;}
  html:has(.cst-sheet), body:has(.cst-sheet), body:has(.cst-sheet) #root,
  .stApp:has(.cst-sheet) {background: #fff !important;}
  .stApp:has(.cst-sheet), .stApp:has(.cst-sheet) :is([data-testid="stAppViewContainer"],
  [data-testid="stMain"], [data-testid="stMainBlockContainer"]) {position: static;
    overflow: visible; height: auto; display: block; background: #fff; padding: 0;
    max-width: none;}
  .stApp:has(.cst-sheet) [data-testid="stHeader"] {display: none;}
  .stMain:has(.cst-sheet) [data-testid="stVerticalBlock"] > :not(:has(.cst-sheet)),
  .stMain:has(.cst-sheet) [data-testid="stVerticalBlock"] :not(:has(.cst-sheet)):is(
  [data-testid="stElementContainer"], [data-testid="stLayoutWrapper"],
  [data-testid="stExpander"]) {display: none !important;}
  .stMain:has(.cst-sheet) [data-testid="stVerticalBlock"] {display: block;}
  .cst-sheet {display: block; color: #000; font-size: 8.6pt; line-height: 1.2;
    --cst-grid: #999; --cst-muted: #333; --cst-protected: #000; --cst-counterfactual: #000;}
  .cst-sheet header {display: block; border-bottom: 1.5pt solid #000; margin-bottom: 2mm;}
  .cst-sheet h1 {font-size: 14pt; padding: 0; margin: 0; color: #000;}
  .cst-sheet h2 {font-size: 10.5pt; padding: 0; margin: 1.3mm 0 .4mm; color: #000;
    break-after: avoid;}
  .cst-sheet h4 {font-size: 9.5pt; margin: 1.5mm 0 .5mm; color: #000; break-after: avoid;}
  .cst-sheet p, .cst-sheet li {font-size: 8pt; margin: 0 0 .3mm; color: #000;}
  .cst-sheet ul {margin: 1mm 0; padding-left: 4mm;}
  .cst-sheet ul:has(li + li) {columns: 2; column-gap: 8mm;}
  .cst-sheet .cst-headline {font-size: 10pt; line-height: 1.25;}
  .cst-sheet .cst-table {font-size: 8.4pt; color: #000;}
  .cst-sheet .cst-table th, .cst-sheet .cst-table td {padding: .5mm 1.5mm .5mm 0;
    color: #000;}
  .cst-sheet .cst-math {font-size: 9.5pt; line-height: 1.3;}
  .cst-sheet :is(.cst-steps, .cst-groups, .cst-verdicts, tr, li, p, img, footer)
    {break-inside: avoid;}
  .cst-sheet :is(.cst-groups, .cst-boxes) {break-after: avoid;}
  .cst-sheet p, .cst-sheet li {orphans: 3; widows: 3;}
  .cst-sheet .cst-columns:has(.cst-steps + .cst-steps) {columns: 2; column-gap: 6mm;}
  .cst-sheet .cst-dots i, .cst-sheet .cst-key i {width: 9px; height: 9px; border-width: 1.2px;}
  .cst-sheet .cst-dots i.part {width: 6px; height: 6px;}
  .cst-sheet .cst-dots {gap: 3px; max-width: 278px;}
  .cst-sheet .cst-dots.parts {max-width: 218px;}
  .cst-sheet .cst-groups {grid-template-columns: 1fr 1fr; gap: 6mm;}
  .cst-sheet .cst-boxes {grid-template-columns: 1fr 1fr; gap: 1mm 6mm; margin-top: 1mm;}
  .cst-sheet .cst-steps {margin-bottom: 1.5mm;}
  .cst-sheet .cst-steps h4 {margin-top: 0;}
  .cst-sheet .cst-bar-words {font-size: 8.8pt;}
  .cst-sheet footer {border-top: 1pt solid #000; margin-top: 3mm; padding-top: 1mm;
    overflow-wrap: anywhere;}
  .cst-sheet footer p {font-size: 7pt;}
}
"""
