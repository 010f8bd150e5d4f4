"""Every word that pages use without saying what it means is in the list of words."""

from __future__ import annotations

import pytest

from dashboard.pages.words.page import GLOSSARY

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
