"""What moves under an intervention, as a table, and what a coefficient's ± says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cst_core.causal import Coefficient
from cst_core.explain import number, short, signed
from dashboard.draft.document import Draft
from dashboard.shared.text import markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How one attribute moves under the intervention; with a level, how many of 100 have it."""

    column: str
    before: float
    after: float
    low: float
    high: float
    level: str = ""
    clipped: int = 0
    beyond: int = 0

    @property
    def change(self) -> float:
        """By how much it moves."""
        return self.after - self.before


def shift_row(draft: Draft, shift: Shift) -> str:
    """Return a table row with the two values and a line on which they stand."""
    span = (shift.high - shift.low) or 1.0

    def place(value: float) -> float:
        return min(max(100 * (value - shift.low) / span, 0), 100)

    start, end = sorted((place(shift.before), place(shift.after)))
    moved = "no change" if abs(shift.change) < 1e-9 * span else signed(shift.change, 3)
    note = f"<small>{shift.clipped:,} cut off at a limit</small>" if shift.clipped else ""
    note += f"<small>{shift.beyond:,} beyond what was observed</small>" if shift.beyond else ""
    name = short(draft.names.label(shift.column), 60)
    name += f": {short(shift.level, 40)}, of 100" if shift.level else ""
    return (
        f"<tr><td>{markup(name)}</td>"
        f'<td class="n">{number(shift.before)}</td><td class="n">{number(shift.after)}</td>'
        f'<td class="n">{moved}{note}</td>'
        '<td class="cst-seen" aria-hidden="true"><div class="cst-track">'
        f'<u style="left:{start:.1f}%;width:{end - start:.1f}%"></u>'
        f'<i class="f" style="left:{place(shift.before):.1f}%"></i>'
        f'<i class="c" style="left:{place(shift.after):.1f}%"></i></div></td></tr>'
    )


def shift_table(draft: Draft, shifts: list[Shift], caption: str, words: tuple[str, str]) -> str:
    """Return the table of what moves, with its two columns named."""
    rows = "".join(shift_row(draft, shift) for shift in shifts)
    return (
        f'<div class="cst-scroll"><table class="cst-table"><caption>{markup(caption)}</caption>'
        '<thead><tr><th scope="col">Attribute</th>'
        f'<th scope="col" class="n"><span class="cst-dot a"></span>{markup(words[0])}</th>'
        f'<th scope="col" class="n"><span class="cst-dot c"></span>{markup(words[1])}</th>'
        '<th scope="col" class="n">Change</th>'
        '<th scope="col" class="cst-seen">Lowest to highest seen</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def errors_sentence(
    draft: Draft, coefficients: Mapping[str, Coefficient], *, has_levels: bool
) -> str | None:
    """Return which standard errors the ± of these coefficients are; None where there are none."""
    if all(item.standard_error is None for item in coefficients.values()):
        return None
    if has_levels:
        return "Each ± is one standard error, from how sharply the data tell values apart."
    classical = [
        f"{draft.names.term(term)} ± {number(item.classical_error, 2)}"
        for term, item in coefficients.items()
        if item.classical_error is not None
    ]
    if not classical:
        return "Each ± is one standard error that allows for the survey weights (the sandwich)."
    return (
        "Each ± is one standard error that allows for a spread that differs between people "
        f"(HC3). If all spread alike, the classical ones would hold: {'; '.join(classical)}."
    )
