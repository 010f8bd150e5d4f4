"""The person is spoken of as the group's words say, in every sentence that the command prints."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from cst_core import load_scenario, read_scenario, write_scenario
from cst_core.cli import main
from cst_core.errors import CSTError
from cst_core.explain import PRONOUNS, CaseNames, GroupNames, guess_pronoun

SAMPLES = Path(__file__).parents[2] / "sample_data"
WOMAN = re.compile(r"\b(she|her|hers|herself)\b", re.IGNORECASE)
MAN = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("women", "she"),
        ("Black women over 50", "she"),
        ("non-white women", "she"),
        ("sex = Female", "she"),
        ("Mothers", "she"),
        ("Frauen", "she"),
        ("femmes", "she"),
        ("men", "he"),
        ("Männer", "he"),
        ("hommes de plus de 50 ans", "he"),
        ("gender = male", "he"),
        ("people of 25 or younger", "neutral"),
        ("women and men without a passport", "neutral"),
        ("sex other than male", "neutral"),
        ("not women", "neutral"),
        ("people of Amsterdam", "neutral"),
        ("", "neutral"),
    ],
)
def test_the_groups_words_suggest_how_to_speak_of_one(words: str, kind: str) -> None:
    assert guess_pronoun(words) == kind


def groups(**pronouns: str | None) -> CaseNames:
    return CaseNames(
        groups={
            name: GroupNames(protected=name, reference="x", people=(name, "x"), pronoun=pronoun)
            for name, pronoun in pronouns.items()
        },
        attributes=(),
        labels={},
        negative="refused",
        positive="accepted",
    )


def test_several_groups_speak_with_one_voice_or_with_none() -> None:
    law = load_scenario("law-school").names()
    assert law.pronouns("gender") == PRONOUNS["she"]
    assert law.pronouns("race") == PRONOUNS["neutral"]
    for whole in ("multiple", "intersectional"):
        assert law.pronouns(whole) == PRONOUNS["she"]
    assert groups(a="he", b="she").pronouns("multiple") == PRONOUNS["neutral"]
    assert groups(women="neutral").pronouns("women") == PRONOUNS["neutral"]
    assert groups(women=None).pronouns("women") == PRONOUNS["she"]


def test_a_file_may_say_it() -> None:
    text = write_scenario(load_scenario("german-credit").scenario)
    assert "pronoun" not in text
    content = yaml.safe_load(text)
    content["roles"]["protected"][0]["pronoun"] = "he"
    told = read_scenario(yaml.safe_dump(content))
    assert told.roles.protected[0].pronoun == "he"
    assert read_scenario(write_scenario(told)) == told
    content["roles"]["protected"][0]["pronoun"] = "it"
    with pytest.raises(CSTError, match="pronoun"):
        read_scenario(yaml.safe_dump(content))


def printed(capsys, monkeypatch, *arguments: object) -> str:
    monkeypatch.setattr(sys, "argv", ["cst", "person", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert not stopped.value.code
    return " ".join(capsys.readouterr().out.split())


def own(folder: Path, sample: str, **part: object) -> Path:
    """Return a sample with its first protected attribute said in other words."""
    content = yaml.safe_load((SAMPLES / sample / "scenario.yaml").read_text(encoding="utf-8"))
    content["roles"]["protected"][0] |= part
    content = {**content, "description": "", "story": ""}
    shutil.copy(SAMPLES / sample / f"{sample}.csv", folder)
    path = folder / "case.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("method", ["CST_wo", "ST", "CST_w", "CF"])
def test_a_man_is_nowhere_she(tmp_path: Path, capsys, monkeypatch, method: str) -> None:
    case = own(
        tmp_path,
        "loan",
        protected=0,
        reference=1,
        protected_name="men",
        reference_name="women",
    )
    said = printed(capsys, monkeypatch, case, "L0002", "--k", 15, "--method", method)
    assert not WOMAN.findall(said)
    assert "Who he is, and who he would have been" in said
    if method == "CST_wo":
        assert "Of the men most like him (15 people)" in said
        assert "of the women most like his counterfactual" in said
    content = printed(capsys, monkeypatch, case, "L0002", "--method", method, "--json", "-")
    assert not WOMAN.findall(json.dumps(json.loads(content), ensure_ascii=False))


@pytest.mark.slow
def test_where_the_words_say_nothing_the_person_is_neither(
    tmp_path: Path, capsys, monkeypatch
) -> None:
    case = own(tmp_path, "berkeley", pronoun="neutral")
    world = ("--world", "department follows gender")
    people = load_scenario(case).dataset().frame["gender"]
    person = people.index[people == "female"][0]
    for method in ("CST_wo", "ST"):
        more = ("--k", 15, "--method", method, *world)
        said = printed(capsys, monkeypatch, case, person, *more)
        assert not WOMAN.findall(said)
        assert not MAN.findall(said)
        assert "Who this person is, and who this person would have been" in said
