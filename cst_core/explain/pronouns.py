"""How a sentence speaks of the person tested: as she, as he, or as this person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

PronounKind = Literal["she", "he", "neutral"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pronouns:
    """The words for one person, named by those of which no two are alike in English.

    The neutral ones keep verbs in the singular, so that no sentence is written twice.

    Attributes
    ----------
    he, him, his, himself
        Such as "she", "her", "her" and "herself", or "this person" and "this person's".

    Examples
    --------
    >>> who = PRONOUNS["neutral"]
    >>> f"{who.first.he} was refused; {who.his} counterfactual would have been admitted."
    "This person was refused; this person's counterfactual would have been admitted."
    """

    he: str
    him: str
    his: str
    himself: str

    @property
    def first(self) -> Pronouns:
        """The same words as they stand first in a sentence."""
        return Pronouns(
            he=self.he.capitalize(),
            him=self.him.capitalize(),
            his=self.his.capitalize(),
            himself=self.himself.capitalize(),
        )


PRONOUNS: Mapping[PronounKind, Pronouns] = {
    "she": Pronouns(he="she", him="her", his="her", himself="herself"),
    "he": Pronouns(he="he", him="him", his="his", himself="himself"),
    "neutral": Pronouns(
        he="this person", him="this person", his="this person's", himself="themselves"
    ),
}

_SHE = """
    woman women female females girl girls mother mothers lady ladies wife wives widow widows
    daughter daughters sister sisters businesswomen
    frau frauen weiblich weibliche mädchen mutter mütter
    femme femmes féminin féminine fille filles mère mères
    mujer mujeres femenino femenina niña niñas madre madres
    donna donne femmina femmine femminile ragazza ragazze madri
    vrouw vrouwen vrouwelijk meisje meisjes moeder moeders
    kvinna kvinnor kvinde kvinder kvinne kvinner kobieta kobiety mulher mulheres
"""
_HE = """
    man men male males boy boys father fathers gentleman gentlemen husband husbands widower
    widowers son sons brother brothers businessmen
    mann männer männlich männliche junge jungen vater väter
    homme hommes masculin masculine garçon garçons père pères
    hombre hombres masculino niño niños padre padres
    uomo uomini maschio maschi maschile ragazzo ragazzi padri
    mannen mannelijk jongen jongens vader vaders
    män mænd menn mężczyzna mężczyźni homem homens
"""
_NOT = "not no neither nor other nicht kein keine weder pas ni otros altri niet"
_WORDS = {"she": frozenset(_SHE.split()), "he": frozenset(_HE.split())}
_DENIED = frozenset(_NOT.split())
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def guess_pronoun(words: str) -> PronounKind:
    """Return how to speak of one of a group, by what the group is called.

    Examples
    --------
    >>> guess_pronoun("non-white women"), guess_pronoun("Männer"), guess_pronoun("sex = female")
    ('she', 'he', 'she')
    >>> guess_pronoun("people over 50"), guess_pronoun("women and men"), guess_pronoun("not male")
    ('neutral', 'neutral', 'neutral')
    """
    found = {word.casefold() for word in _WORD.findall(words)}
    kinds: list[PronounKind] = ["she", "he"]
    said = [kind for kind in kinds if found & _WORDS[kind]]
    return said[0] if len(said) == 1 and not found & _DENIED else "neutral"


def joint_pronoun(kinds: Iterable[PronounKind]) -> PronounKind:
    """Return how to speak of one who is in several groups: as any of them says, if they agree.

    Examples
    --------
    >>> joint_pronoun(["neutral", "she"]), joint_pronoun(["he", "she"])
    ('she', 'neutral')
    """
    said: set[PronounKind] = {kind for kind in kinds if kind != "neutral"}
    return said.pop() if len(said) == 1 else "neutral"
