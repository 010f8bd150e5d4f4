"""Bringing one's own table: how it is read, what the columns are, who decides, and the drawing."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from app_driver import Person


PEOPLE = 240


def table() -> pd.DataFrame:
    """Return a made-up table of decisions in which a known rule decides."""
    random = np.random.default_rng(7)
    woman = random.random(PEOPLE) < 0.45
    salary = np.round(3000 - 400 * woman + 500 * random.standard_normal(PEOPLE), 2)
    years = np.round(8 + 3 * random.standard_normal(PEOPLE), 1)
    frame = pd.DataFrame(
        {
            "Nummer": [f"K{number:03}" for number in range(PEOPLE)],
            "gender": np.where(woman, "weiblich", "männlich"),
            "Gehalt (€/Monat)": salary,
            "Jahre": years,
            "Straße": np.where(np.arange(PEOPLE) % 3, "Löwengasse", "Ährenweg"),
            "decision": np.where(salary > 2800, "bewilligt", "abgelehnt"),
        }
    )
    frame.loc[[3, 30, 90], "Jahre"] = np.nan
    return frame


def test_a_german_table_goes_from_upload_to_a_drawing(person: Person) -> None:
    data = table().to_csv(sep=";", decimal=",", index=False).encode("cp1252")
    person.start()
    person.upload("Anträge.csv", data)
    expect(person.heading("1. The table")).to_be_visible()
    person.says(re.compile(r"Anträge\.csv: 240 people, 6 columns"))
    expect(person.cells("th").filter(has_text="Gehalt (€/Monat)")).to_have_count(1)
    expect(person.cells("td").filter(has_text="Löwengasse").first).to_be_attached()
    salary = table()["Gehalt (€/Monat)"].iloc[0]
    expect(person.cells("td").filter(has_text=f"{salary:g}").first).to_be_attached()
    person.says("No column has a role yet")
    person.button("Take all suggestions").click()
    expect(person.combobox("What is gender?")).to_have_value("Protected attribute")
    expect(person.combobox("What is decision?")).to_have_value("Decision")
    expect(person.combobox("What is Jahre?")).to_have_value("Relevant attribute")
    expect(person.combobox("What is Nummer?")).to_have_value("Id of the person")
    person.says(re.compile("its name is one that the law often protects"))

    person.says(re.compile(r"Values are missing in Jahre \(3\): 3 people of 240 lack"))
    person.choose("What is Straße?", "Not used")
    person.kept(lambda draft: "Straße" not in draft.relevant_columns)
    person.still()
    person.open("Leave these 3 people out, and say so in every result")
    person.kept(lambda draft: draft.source.missing == "drop")

    women = int((table()["gender"] == "weiblich").sum())
    person.choose("Protected: whose case is examined", f"weiblich ({women} people)")
    person.choose("Reference: who they are compared with", f"männlich ({240 - women} people)")
    person.write(person.field("What these people are called"), "women")
    person.kept(lambda draft: draft.roles.protected[0].protected_name == "women")
    person.write(person.field("What those people are called"), "men")
    person.kept(lambda draft: draft.roles.protected[0].reference_name == "men")
    held = person.draft().roles.protected[0]
    assert (held.protected, held.reference) == ("weiblich", "männlich")
    refused = int((table()["decision"] == "abgelehnt").sum())
    person.choose("Negative outcome in decision", f"abgelehnt ({refused} people)")
    person.kept(lambda draft: draft.roles.decision.negative == "abgelehnt")

    _decide(person)
    person.button("Go on to the causal model").click()
    person.says("This causal model is empty")
    person.button("Draw the usual arrows").click()
    person.count(nodes=4, arrows=4)
    expect(person.node("gender")).to_be_visible()
    expect(person.arrow("gender", "Gehalt (€/Monat)")).to_have_attribute(
        "aria-label", re.compile("coefficient −[34][0-9.]+")
    )
    person.says(re.compile("On average, all [0-9]+ people"))


def _decide(person: Person) -> None:
    """Build the true rule in the form, then let a tree find it."""
    rest = table().dropna()
    accepted = rest["decision"] == "bewilligt"
    person.open("A known rule: a weighted sum must pass a cut-off")
    person.says(re.compile("Until then the case stays as it was"))
    person.write(person.number(re.compile("Weight of Gehalt")), "1")
    person.write(person.number("Cut-off"), "3000")
    person.kept(lambda draft: getattr(draft.decision_maker, "cutoff", None) == 3000)
    assert list(person.draft().decision_maker.weights) == ["Gehalt (€/Monat)"]
    right = float(np.mean((rest["Gehalt (€/Monat)"] > 3000) == accepted))
    person.says(re.compile(rf"for {100 * right:.1f} %"))
    person.write(person.number("Cut-off"), "2800")
    person.says(re.compile("agrees with the recorded decision for 100.0 %"))
    person.says(re.compile(rf"It accepts {100 * accepted.mean():.1f} % of {len(rest)} people"))
    person.says(re.compile(r"Accepted when Gehalt \(€/Monat\) > 2,800"))

    person.open("Unknown: approximate it with a model of the recorded decisions")
    person.says(re.compile("agrees with the recorded decision for"))
    person.choose("Kind of model", "Decision tree")
    person.says(re.compile("agrees with the recorded decision for 100.0 %"))
    person.kept(lambda draft: getattr(draft.decision_maker, "kind", "") == "tree")
    person.says("The data are ready.")


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "tsv"])
def test_other_tables_are_read_as_well(person: Person, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"people.{ending}"
    frame = table()
    if ending == "xlsx":
        frame.to_excel(path, index=False, sheet_name="Anträge")
    elif ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, sep="\t", index=False)
    person.start()
    person.upload(path.name, path)
    person.says(re.compile(rf"people\.{ending}: 240 people, 6 columns"))
    expect(person.cells("td").filter(has_text="männlich").first).to_be_attached()
    expect(person.combobox("What is Jahre?")).to_have_value("Not used")
    person.open("How the file is read")
    if ending == "xlsx":
        expect(person.combobox("Sheet")).to_have_value("Anträge")
    elif ending == "tsv":
        expect(person.combobox("Columns are separated by")).to_have_value("tab")


def test_a_wrong_guess_can_be_put_right(person: Person) -> None:
    text = io.StringIO()
    table().to_csv(text, sep=";", decimal=",", index=False)
    person.start()
    person.upload("people.csv", text.getvalue().encode("cp1252"))
    person.says(re.compile("240 people, 6 columns"))
    person.open("How the file is read")
    person.choose("Letters are written as (encoding)", "mac_roman")
    heads = person.cells("th")
    expect(heads.filter(has_text="Straße")).to_have_count(0)
    person.undo().click()
    expect(heads.filter(has_text="Straße")).to_have_count(1)
    person.choose("Columns are separated by", ",")
    person.says("The table is still read as before.")
    person.says(re.compile("240 people, 6 columns"))
    assert person.draft().source.delimiter == ";"
