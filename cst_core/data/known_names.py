"""What columns are often called, in English, German, French, Spanish, Italian and Dutch.

A name is taken apart into words without capitals and accents, so that ``LoanApproval``,
``loan_approval`` and ``Kreditbewilligung (ja/nein)`` are each looked at by their words.
"""

from __future__ import annotations

import re
import unicodedata

# fmt: off
_PROTECTED_WORDS = frozenset({
    "age", "ages", "aged", "agegroup", "birth", "birthplace", "caste", "creed", "female", "females",
    "gender", "lgbt", "lgbtq", "male", "males", "race", "sex", "skin", "trans", "veteran",
    "veterans", "woman", "women",
    "alter", "lebensalter", "frau", "frauen", "geschlecht", "glaube", "hautfarbe", "ledig",
    "mannlich", "rasse", "weiblich",
    "enceinte", "femme", "femmes", "genre", "homme", "hommes", "naissance", "sexe",
    "edad", "genero", "hombre", "hombres", "mujer", "mujeres", "nacimiento", "raza", "sexo",
    "varon",
    "donna", "donne", "eta", "femmina", "genere", "incinta", "maschio", "nascita", "razza", "sesso",
    "uomini", "uomo",
    "afkomst", "geloof", "geslacht", "leeftijd", "ras", "vrouw", "vrouwen",
})
_PROTECTED_STEMS = (
    "citizen", "disab", "ethni", "foreign", "gender", "handicap", "immigr", "marital", "married",
    "matern", "migra", "minorit", "national", "nonwhite", "orientation", "pregnan", "racial",
    "relig", "sexu",
    "alters", "ausland", "behinder", "bekenntnis", "familienstand", "geburt", "geschlecht",
    "herkunft", "konfession", "nichtdeutsch", "schwanger", "schwerbehind", "staatsang",
    "staatsburg", "staatsbuerg", "verheirat", "zivilstand",
    "citoyen", "etranger", "grossesse", "matrimoni",
    "ciudadan", "discapa", "embaraz", "etni", "extranjer", "inmigra", "minusval", "nacional",
    "cittadin", "gravidanz", "invalidit", "nazional", "sessual", "stranier",
    "allochto", "arbeidsbeperk", "buitenland", "burgerschap", "geboorte", "gehandicapt", "gehuwd",
    "herkomst", "seksue", "zwanger",
)
_PROTECTED_PHRASES = ("etatcivil", "estadocivil", "statocivile", "burgerlijkestaat")
DECISION_STEMS = (  # from the plainest to the vaguest
    "decision", "decid", "entscheid", "beslis", "besluit",
    "approv", "admit", "admission", "accept", "hire", "granted", "promot", "shortlist", "award",
    "bewillig", "genehmig", "zugelass", "zulassung", "angenommen", "eingestellt", "zusage",
    "zugesagt", "accord", "admis", "embauch", "octroy", "aprob", "acept", "conced", "contratad",
    "ammess", "accett", "assunt", "concess", "goedgekeur", "toegelaten", "aangenomen", "toegekend",
    "reject", "denied", "denial", "refus", "abgelehnt", "ablehn", "absage", "rejet", "rechaz",
    "deneg", "respint", "rifiut", "afgewezen", "geweiger",
    "outcome", "ergebnis", "result", "esito", "risultat", "uitkomst", "label", "target",
)
_WEIGHT_NAMES = frozenset({
    "finalwt", "finalweight", "fnlwgt", "fwgt", "perwt", "pweight", "pwgtp", "sampleweight",
    "samplingweight", "samplewt", "surveyweight", "surveywt", "svywt", "wgt", "wtfinl",
    "designgewicht", "hochrechnungsfaktor", "stichprobengewicht", "ponderation", "poidsdesondage",
    "factordeexpansion", "pesocampionario", "weegfactor",
})
_ID_WORDS = frozenset({
    "id", "ids", "ident", "identifier", "guid", "uuid", "key", "kennung", "aktenzeichen",
    "identifiant", "matricule", "identificador", "matricola", "identificativo",
})
_NUMBERED = frozenset({  # of an id only where every row has its own
    "number", "no", "nr", "num", "nummer", "numero", "index", "row", "serial", "ref", "reference",
    "dossier", "zeile", "ligne", "expediente", "fila", "riga", "rij", "ssn", "bsn", "dni",
})
_NUMBERED_ENDINGS = ("nummer", "nr", "kennzeichen", "aktenzeichen")
_CODES = frozenset({
    "zip", "zipcode", "postcode", "postalcode", "plz", "postleitzahl", "codepostal",
    "codigopostal", "phone", "telephone", "telefon", "telefono", "fax",
})
# fmt: on


def words_of(name: str) -> list[str]:
    """Return a name's words, small and without accents.

    Examples
    --------
    >>> words_of("LoanApproval"), words_of("Größe (m²)"), words_of("âge_2")
    (['loan', 'approval'], ['grosse', 'm'], ['age'])
    """
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", letters)]


def is_protected_name(name: str) -> bool:
    """Return whether a name is one of what the law often protects."""
    words = words_of(name)
    return any(
        word in _PROTECTED_WORDS or word.startswith(_PROTECTED_STEMS) for word in words
    ) or "".join(words).startswith(_PROTECTED_PHRASES)


def is_id_name(name: str) -> bool:
    """Return whether a name is that of an id, whatever the values are."""
    words = words_of(name)
    return bool(words) and (words[-1] in _ID_WORDS or words[0] in {"id", "uuid", "guid"})


def may_number(name: str) -> bool:
    """Return whether a name is that of an id or number, if every row has its own."""
    words = words_of(name)
    if not words:
        return False
    return is_id_name(name) or words[-1] in _NUMBERED or words[-1].endswith(_NUMBERED_ENDINGS)


def is_weight_name(name: str) -> bool:
    """Return whether a name is one that survey weights often have."""
    return "".join(words_of(name)) in _WEIGHT_NAMES


def is_code_name(name: str) -> bool:
    """Return whether a name is that of numbers that measure nothing, such as postcodes."""
    words = words_of(name)
    return "".join(words) in _CODES or any(word in _CODES for word in words)


def decision_rank(name: str) -> int:
    """Return how plainly a name is a decision's: 0 is the plainest, the number of stems none."""
    words = words_of(name)
    for rank, stem in enumerate(DECISION_STEMS):
        if any(word.startswith(stem) for word in words):
            return rank
    return len(DECISION_STEMS)
