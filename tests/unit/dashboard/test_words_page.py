"""Every word that pages use without saying what it means is in the list of words."""

from __future__ import annotations

import pytest

from dashboard.shared.glossary import GLOSSARY, IN_PLACE, explained

LONGEST = 340


@pytest.mark.parametrize(
    "word",
    [
        "Accepted influence",
        "Calibration",
        "Counterfactual state",
        "Coupling",
        "Relabelling",
        "Set by hand",
        "Tie",
        "Weighted states",
        "World in which the label means nothing",
    ],
)
def test_a_word_is_there_with_a_short_meaning(word: str) -> None:
    meaning = GLOSSARY[word]
    assert meaning.endswith(".")
    assert len(meaning) < LONGEST


def test_every_word_marked_in_place_has_an_entry() -> None:
    assert set(IN_PLACE.values()) <= set(GLOSSARY)


def test_a_word_is_explained_where_it_stands_first_and_text_stays_text() -> None:
    said = explained("Δp <b>and</b> Δp of the control group")
    assert said.count('class="cst-term"') == 2
    assert "&lt;b&gt;and&lt;/b&gt; Δp of" in said
    assert GLOSSARY["Δp"].replace("'", "&#x27;") in said
