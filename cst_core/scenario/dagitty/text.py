"""Reading the text of dagitty.net: a small tokenizer and parser for its dot-like language.

It reads what DAGitty writes and what its users type: quoted names, chains, groups in braces,
marks and values in brackets, comments. The older format of two blocks of lines is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cst_core.errors import InputError

MOST_CHARACTERS = 200_000
MOST_NODES = 200
MOST_ARROWS = 5_000
DEEPEST = 50
TYPES = ("dag", "digraph", "graph", "mag", "pdag", "pag")
TOKEN = re.compile(
    r"""(?P<space>[\s;]+|//[^\n]*|\#[^\n]*|/\*.*?\*/)
    |(?P<arrow><->|<-@|@->|@-@|@--|--@|->|<-|--)
    |(?P<string>"(?:\\"|[^"])*+")
    |(?P<word>-?[\w.]+)
    |(?P<sign>[\[\]{}=,+])""",
    re.VERBOSE | re.DOTALL,
)


class DagittyError(InputError):
    """A text that cannot be read as a DAGitty drawing; says the line and column."""


class Token(NamedTuple):
    """A piece of the text and where it begins."""

    kind: str
    text: str
    at: int


class DagittyArrow(NamedTuple):
    """A join of two nodes as written: its ends from left to right and its sign."""

    left: str
    right: str
    sign: str
    values: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class DagittyDrawing:
    """What a text says: each node's marks and values, the joins and the comments, in order."""

    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    arrows: list[DagittyArrow] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


def parse(text: str) -> DagittyDrawing:
    """Return what a DAGitty text says.

    Raises
    ------
    DagittyError
        With the line and column, or saying what kind of text it seems to be.

    Examples
    --------
    >>> parse('dag { A [exposure] A -> {B "C d"} }').arrows[1].right
    'C d'
    """
    if len(text) > MOST_CHARACTERS:
        raise DagittyError(f"The text is longer than {MOST_CHARACTERS:,} characters.")
    if "{" not in text and not re.search(r"->|<-|--", text):
        raise DagittyError(
            "This seems to be DAGitty's older format, or no drawing at all: expected a text such "
            "as dag { A -> B }. Open it on dagitty.net and copy the model code from there."
        )
    return _Parser(text).drawing()


class _Parser:
    """One pass over the tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found = DagittyDrawing()
        self.tokens = list(self._tokens())
        self.here = 0

    def drawing(self) -> DagittyDrawing:
        """Read the whole text."""
        if self._peek().text.lower() == "strict":
            self.here += 1
        wrapped = self._heading()
        self._statements(0)
        if wrapped:
            self._expect("}")
        if self._peek().kind != "end":
            self._fail("expected the end of the text")
        return self.found

    def _heading(self) -> bool:
        """Read ``dag Name {``; DAGitty also takes arrows without it."""
        rest = [token.text.lower() for token in self.tokens[self.here : self.here + 3]]
        named = (
            len(rest) == 3
            and rest[2] == "{"
            and self.tokens[self.here + 1].kind in ("word", "string")
        )
        if rest[0] not in TYPES or not (rest[1:2] == ["{"] or named):
            return False
        if rest[0] in ("mag", "pdag", "pag"):
            self._fail(
                f"this is a {rest[0].upper()}, which leaves some arrows open. Only a DAG, a "
                "drawing with every arrow decided, can be read"
            )
        self.here += 3 if named else 2
        return True

    def _statements(self, depth: int) -> list[str]:
        """Read statements up to a closing brace; return the nodes they name."""
        if depth > DEEPEST:
            self._fail("the braces are nested too deeply")
        named: dict[str, None] = {}
        while self._peek().kind != "end" and self._peek().text != "}":
            if self._take(","):
                continue
            if self._peek().kind in ("word", "string") and self._next_is("="):
                self._name()  # an option of the whole drawing, such as its bounding box
                self._expect("=")
                self._name()
                continue
            named |= dict.fromkeys(self._chain(depth))
        return list(named)

    def _chain(self, depth: int) -> list[str]:
        """Read a node or a chain of joined nodes, with its values."""
        whole = self._peek().text in ("graph", "node", "edge") and self._next_is("[")
        if whole:  # settings of the drawing, not of a node
            self.here += 1
            self._values()
            return []
        group = self._operand(depth)
        named = list(group)
        joins: list[tuple[list[str], str, list[str]]] = []
        while self._peek().kind == "arrow":
            sign = self._advance().text
            right = self._operand(depth)
            joins.append((group, sign, right))
            named += right
            group = right
        values = self._values()
        if not joins:
            for name in named:
                self.found.nodes[name].update(values)
        for left, sign, right in joins:
            self.found.arrows += [
                DagittyArrow(a, b, sign, tuple(values.items())) for a in left for b in right
            ]
            if len(self.found.arrows) > MOST_ARROWS:
                self._fail(f"there are more than {MOST_ARROWS:,} arrows")
        return named

    def _operand(self, depth: int) -> list[str]:
        if self._take("{"):
            group = self._statements(depth + 1)
            self._expect("}")
            return group
        name = self._name()
        if not name:
            self._fail("a node has an empty name", back=1)
        self.found.nodes.setdefault(name, {})
        if len(self.found.nodes) > MOST_NODES:
            self._fail(f"there are more than {MOST_NODES} nodes")
        return [name]

    def _values(self) -> dict[str, str]:
        """Read ``[exposure,pos="0,1"]`` where it stands; marks have the value ``""``."""
        values: dict[str, str] = {}
        while self._take("["):
            while not self._take("]"):
                if self._take(","):
                    continue
                key = self._name()
                values[key] = self._name() if self._take("=") else ""
        return values

    def _name(self) -> str:
        token = self._peek()
        if token.kind == "word":
            return self._advance().text
        if token.kind != "string":
            self._fail("expected a name")
        parts = [self._advance().text]
        while self._peek().text == "+" and self._peek().kind == "sign":
            self.here += 1
            if self._peek().kind != "string":
                self._fail("expected a quoted name after +")
            parts.append(self._advance().text)
        return "".join(re.sub(r"\\[\r\n]+", "", part[1:-1]).replace('\\"', '"') for part in parts)

    def _tokens(self) -> Iterator[Token]:
        at = 0
        while at < len(self.text):
            hit = TOKEN.match(self.text, at)
            if hit is None:
                what = "a quoted name does not end" if self.text[at] == '"' else "unexpected sign"
                raise DagittyError(f"{self._where(at)}: {what}: {self.text[at : at + 20]!r}.")
            if hit.lastgroup != "space":
                yield Token(str(hit.lastgroup), hit.group(), at)
            elif hit.group().startswith("/*"):
                self.found.comments.append(hit.group()[2:-2].strip())
            at = hit.end()
        yield Token("end", "", len(self.text))

    def _peek(self) -> Token:
        return self.tokens[self.here]

    def _next_is(self, text: str) -> bool:
        after = self.tokens[min(self.here + 1, len(self.tokens) - 1)]
        return after.kind == "sign" and after.text == text

    def _advance(self) -> Token:
        self.here += 1
        return self.tokens[self.here - 1]

    def _take(self, sign: str) -> bool:
        if self._peek().kind == "sign" and self._peek().text == sign:
            self.here += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            self._fail(f"expected {sign}")

    def _fail(self, message: str, *, back: int = 0) -> None:
        token = self.tokens[self.here - back]
        came = f", found {token.text[:20]!r}" if message.startswith("expected") else ""
        came = ", found the end of the text" if came and token.kind == "end" else came
        raise DagittyError(f"{self._where(token.at)}: {message}{came}.")

    def _where(self, at: int) -> str:
        line = self.text.count("\n", 0, at) + 1
        return f"Line {line}, column {at - self.text.rfind(chr(10), 0, at)}"
