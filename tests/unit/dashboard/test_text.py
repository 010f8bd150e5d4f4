"""Text is shown as text, whatever it says; numbers are shown as people read them."""

from __future__ import annotations

import math
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cst_core.explain import MINUS, count, listed, number, percent, short
from cst_core.explain import signed as with_sign
from dashboard.shared.text import (
    END,
    ISOLATE,
    JOINER,
    label,
    markdown,
    markup,
    set_apart,
    whole_label,
)

COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What Streamlit looks for in the text that is left when the Markdown is read, escapes and all:
# addresses (GitHub's flavour), short names of symbols, its own logo, and arrows made of signs.
LOOKED_FOR = re.compile(
    r"https?://[-.\w]|www\.|[-.\w+]@[-\w]+\.[-\w]|:[\w+-]+:|:material/\w+:|<-|->|>=|<=|~=|--",
    re.IGNORECASE | re.ASCII,
)
LIVELY = st.text(alphabet=st.sampled_from("wW.:/@-<>=~*_`[]()!#&;$\\|\"'{}^+ \n\t1aé:m")).map(str)
PIECES = st.lists(
    st.sampled_from(
        [
            "http://",
            "https://",
            "www.",
            "a@b.co",
            ":smile:",
            ":material/home:",
            ":streamlit:",
            "![](",
            "](http://x.invalid)",
            "<img src=x>",
            "<!--",
            "&copy;",
            "$",
            "$$",
            "`",
            "```",
            ":red[",
            "]",
            "\n\n",
            "    ",
            "1. ",
            "- ",
            "# ",
            "> ",
            "---",
            "|a|b|\n|-|-|\n",
            "->",
            "\\",
            "~~",
            "[^1]",
            "[x]: http://y",
            "x",
        ]
    )
).map("".join)


STEERING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Unicode's signs for the direction of writing (UAX #9, table 4 and section 2.6)."""


def without_signs(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, STEERING + JOINER)))


def shown_by_a_reader(source: str) -> str:
    """Return the text that a Markdown reader finds, having found nothing but text."""
    blocks = COMMONMARK.parse(source)
    assert [token.type for token in blocks] in (
        [],
        ["paragraph_open", "inline", "paragraph_close"],
    )
    inline = [part for token in blocks for part in token.children or ()]
    assert {part.type for part in inline} <= {"text", "text_special"}
    return "".join(part.content for part in inline)


@given(st.text() | LIVELY | PIECES)
@example("![](http://x.invalid/a)")
@example("<img src=x onerror=alert(1)>")
@example(":material/home: :+1: :red[x] $a$ $$b$$")
@example("1. one\n\n    code\n# two")
@example("a--b -> c <- d >= e <= f ~= g <-> h")
def test_no_text_is_ever_markup(text: str) -> None:
    shown = shown_by_a_reader(markdown(text))
    readable = text.replace("\0", "\N{REPLACEMENT CHARACTER}")  # as CommonMark asks
    assert without_signs(shown).split() == without_signs(readable).split()
    assert not LOOKED_FOR.search(shown)


@given(st.text() | LIVELY | PIECES)
def test_no_text_is_ever_markup_within_a_sentence(text: str) -> None:
    shown = shown_by_a_reader(f"Before {markdown(text)} after")
    assert shown.startswith("Before ")
    assert shown.endswith(" after")
    assert not LOOKED_FOR.search(shown)


@pytest.mark.parametrize(
    "text",
    [
        "see http://x.invalid/a now",
        "WWW.x.invalid",
        "me@x.invalid",
        "xmpp:me@x.invalid",
        ":streamlit:",
        ":smile:",
        "a -> b",
        "a <= b",
        "a <-> b",
        "a--b",
    ],
)
def test_what_escapes_do_not_stop_is_kept_apart(text: str) -> None:
    escaped_only = shown_by_a_reader(re.sub(r"([^\w\s])", r"\\\1", text))
    assert LOOKED_FOR.search(escaped_only), "this would pass without the joiner, too"
    assert not LOOKED_FOR.search(shown_by_a_reader(markdown(text)))


@given(LIVELY | PIECES | st.text())
@example("k$ m$")
@example("a* b*")
@example("*a_b*")
@example("`x")
@example("__a__ ~~b~~")
@example("[a](http://x.invalid)")
@example("![a][b]")
@example("&copy; <b> \\*a*")
def test_the_whole_label_of_a_field_is_read_as_written(text: str) -> None:
    said = f"Coefficient of {text} in x"
    source = whole_label(said)
    shown = shown_by_a_reader(source)
    readable = said.replace("\0", "\N{REPLACEMENT CHARACTER}")
    assert without_signs(shown).split() == without_signs(readable).split()
    assert not LOOKED_FOR.search(shown)
    formula = re.sub(r"\\.", "", source)
    assert formula.count("$") < 2


@pytest.mark.parametrize("name", ["k$", "a*b", "annual_salary (€/month)", "R&D", "x < 3", "[m]"])
def test_a_lone_sign_is_not_escaped(name: str) -> None:
    assert whole_label(name) == name


ARABIC, HEBREW = "\u0627\u0645\u0631\u0623\u0629", "\u05e0\u05e9\u05d9\u05dd"


@pytest.mark.parametrize("shown_as", [markdown, label, markup])
def test_a_name_from_right_to_left_turns_nothing_else(shown_as) -> None:
    said = f"Of 30 {ARABIC} {ARABIC}, 12 ({HEBREW}) 5"
    assert without_signs(shown_as(said)) == without_signs(said) or shown_as is markdown
    own = f"{ISOLATE}{ARABIC} {ARABIC}{END}"
    assert shown_as(said).count(own) == 1
    assert shown_as(said).count(f"{ISOLATE}{HEBREW}{END}") == 1
    unclosed = shown_as("Of \u202e30 people\u2067 12")
    assert not set(unclosed) & set(STEERING)


@given(st.text(alphabet=st.sampled_from(f"a1 ,.{ARABIC}{HEBREW}{STEERING}\u0661\U0001e900")))
def test_every_strong_leftward_letter_is_inside_a_closed_isolate(text: str) -> None:
    depth = 0
    for letter in set_apart(text):
        depth += (letter == ISOLATE) - (letter == END)
        assert depth in (0, 1)
        if unicodedata.bidirectional(letter) in ("R", "AL"):
            assert depth == 1
        if letter in "1a,.":
            assert depth == 0
        assert letter not in STEERING.replace(ISOLATE, "").replace(END, "")
    assert depth == 0
    assert without_signs(set_apart(text)) == without_signs(text)


def test_all_leftward_scripts_are_known() -> None:
    missed = [
        hex(code)
        for code in range(0x110000)
        if unicodedata.bidirectional(chr(code)) in ("R", "AL")
        and chr(code) not in STEERING
        and not set_apart(chr(code)).startswith(ISOLATE)
    ]
    assert missed == []


def test_plain_words_stay_as_they_are() -> None:
    assert markdown("Annual salary, in euros") == "Annual salary, in euros"
    assert markdown("12 é ß 案件") == "12 é ß 案件"


@given(st.text())
def test_html_holds_no_tag_and_ends_no_attribute(text: str) -> None:
    shown = markup(text)
    assert not set(shown) & set("<>\"'")
    assert not re.search(r"&(?!(amp|lt|gt|quot|#x27);)", shown)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0, "0"),
        (-0.0, "0"),
        (1, "1"),
        (-1, f"{MINUS}1"),
        (0.5, "0.5"),
        (-0.25, f"{MINUS}0.25"),
        (1234.0, "1,234"),
        (12345.678, "12,346"),
        (-1234567.8, f"{MINUS}1,234,568"),
        (3.14159, "3.142"),
        (31.4159, "31.42"),
        (0.0314159, "0.03142"),
        (0.000314159, "0.0003142"),
        (0.99999, "1"),
        (999.99996, "1,000"),
        (9999.6, "10,000"),
        (1e-5, f"1e{MINUS}05"),
        (-3e-7, f"{MINUS}3e{MINUS}07"),
        (1e-320, f"1e{MINUS}320"),
        (1e15, "1e+15"),
        (1.5e300, "1.5e+300"),
        (math.inf, "∞"),
        (-math.inf, f"{MINUS}∞"),
        (math.nan, "not a number"),
    ],
)
def test_numbers(value: float | None, shown: str) -> None:
    assert number(value) == shown


@given(st.floats(-1e300, 1e300), st.integers(2, 6))
def test_a_number_is_never_far_from_what_is_shown(value: float, digits: int) -> None:
    shown = number(value, digits)
    assert "-" not in shown
    read = float(shown.replace(",", "").replace(MINUS, "-"))
    usual = 1e-4 <= abs(value) < 1e15
    assert math.isclose(read, value, rel_tol=0.5 * 10 ** (1 - digits) if usual else 0.06)
    assert (read == 0) == (value == 0)
    assert shown.startswith(MINUS) == (value < 0)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2.5, "+2.5"),
        (-2.5, f"{MINUS}2.5"),
        (0, "0"),
        (-0.0, "0"),
        (1e-9, f"+1e{MINUS}09"),
        (math.nan, "not a number"),
        (math.inf, "+∞"),
        (-math.inf, f"{MINUS}∞"),
    ],
)
def test_signs(value: float, shown: str) -> None:
    assert with_sign(value) == shown


@pytest.mark.parametrize(
    ("share", "digits", "shown"),
    [
        (0, 0, "0 %"),
        (-0.0, 0, "0 %"),
        (1, 1, "100.0 %"),
        (0.5, 0, "50 %"),
        (0.1234, 1, "12.3 %"),
        (-0.3, 0, f"{MINUS}30 %"),
        (0.004, 0, "less than 1 %"),
        (0.996, 0, "more than 99 %"),
        (0.9999, 1, "more than 99.9 %"),
        (0.0001, 1, "less than 0.1 %"),
        (0.004, 1, "0.4 %"),
    ],
)
def test_shares(share: float, digits: int, shown: str) -> None:
    assert percent(share, digits) == shown


@given(st.floats(0, 1), st.integers(0, 3))
def test_nothing_and_everything_are_said_of_nothing_and_everything_only(
    share: float, digits: int
) -> None:
    shown = percent(share, digits)
    assert (float(shown.split()[0]) == 0 if shown[0].isdigit() else False) == (share == 0)
    assert shown.startswith("100") == (share == 1)


def test_counts_and_lists() -> None:
    assert count(1, "person", "people") == "1 person"
    assert count(2000, "person", "people") == "2,000 people"
    assert count(0, "column") == "0 columns"
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([str(i) for i in range(9)], limit=3) == "0, 1, 2 and 6 more"
    assert short("x" * 61) == "x" * 59 + "…"
    assert short("x" * 60) == "x" * 60
