"""A two-headed arrow in the drawing is told beside the headline and under hers."""

from __future__ import annotations


def test_what_is_drawn_as_unmeasured_stands_beside_the_headlines(visit) -> None:
    user = visit().open_sample("loan").go("causal-model")
    area = next(item for item in user.at.text_area if item.label.startswith("Import"))
    arrows = "Gender -> AnnualSalary Gender -> AccountBalance AnnualSalary -> AccountBalance"
    area.set_value(f"dag {{ {arrows} Gender <-> AnnualSalary }}")
    user.press("Import as a new causal model").go("overview")
    said = (
        "Read with it: Findings that rest on Gender → AnnualSalary may be the doing of something "
        "unmeasured, which the drawing says moves both Gender and AnnualSalary. No data here can "
        "tell."
    )
    assert said in user.text
    assert user.text.index(said) < user.text.index("Differences to examine, their share")
    hers = (
        "Against it: The drawing says that something unmeasured moves both Gender and "
        "AnnualSalary. Part or all of this difference may be its doing; no data here can tell."
    )
    user.go("complainant").press("Show the first in the table")
    assert user.text.count(hers) == 2  # on the page and on paper
