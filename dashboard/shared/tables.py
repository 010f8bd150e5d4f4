"""Tables for the screen; all text in them is escaped unless it is said to be markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cst_core.explain import percent, short
from dashboard.shared.text import markup


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell with a class of its own, or as wide as several."""

    content: str
    kind: str = ""
    span: int = 1


TableRow = Sequence[str | TableCell]


def numeric(text: str) -> TableCell:
    """Return the head of a column of numbers."""
    return TableCell(text, "n")


def dot(colour: str, words: str) -> Html:
    """Return words behind the dot that stands for their group in every figure."""
    return Html(f'<span class="cst-dot {colour}"></span>{markup(words)}')


def world_head(name: str, open_world: str) -> Html:
    """Return a causal model's name, marked where it is the one that is open."""
    return Html(markup(short(name, 80)) + (" <small>(open)</small>" if name == open_world else ""))


def share_cell(people: int, of: int, below: str, *, here: bool = False) -> TableCell:
    """Return a number of people with their share of all, and a smaller line below it."""
    share = f"<b>{people:,}</b> ({percent(people / max(of, 1), 1)})"
    below = f'<span class="cst-muted">{markup(below)}</span>'
    return TableCell(Html(f"{share}<br>{below}"), "n here" if here else "n")


def table(heads: TableRow, rows: Iterable[TableRow], *, caption: str = "", kind: str = "") -> str:
    """Return a table: each row begins with its head.

    A cell is of its column's kind unless it says otherwise, and a row of its head's.

    Examples
    --------
    >>> table(["Who", numeric("Cases")], [["<Ada>", "7"]]).partition("<tbody>")[2]
    '<tr><th scope="row">&lt;Ada&gt;</th><td class="n">7</td></tr></tbody></table></div>'
    """
    kinds = [head.kind if isinstance(head, TableCell) else "" for head in heads]
    said = _tag("caption", caption) if caption else ""
    top = "".join(_tag("th", head, scope="col") if head else "<td></td>" for head in heads)
    body = ""
    for name, *cells in rows:
        line = "".join(_tag("td", *pair) for pair in zip(cells, kinds[1:], strict=False))
        own = f' class="{name.kind}"' if isinstance(name, TableCell) and name.kind else ""
        head = name.content if isinstance(name, TableCell) else name
        body += f"<tr{own}>{_tag('th', head, scope='row')}{line}</tr>"
    return (
        f'<div class="cst-scroll"><table class="{f"cst-table {kind}".strip()}">{said}'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _tag(tag: str, item: str | TableCell, kind: str = "", *, scope: str = "") -> str:
    cell = item if isinstance(item, TableCell) else TableCell(item, kind)
    given = {"scope": scope, "class": cell.kind, "colspan": cell.span if cell.span > 1 else ""}
    values = "".join(f' {name}="{value}"' for name, value in given.items() if value)
    text = cell.content if isinstance(cell.content, Html) else markup(cell.content)
    return f"<{tag}{values}>{text}</{tag}>"
