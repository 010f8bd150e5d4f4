"""What the evidence pages show, found on the screen and held against the library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np
from numbers_shown import MINUS
from playwright.sync_api import Locator, expect

from cst_core.evidence import EvidenceSettings, Method
from cst_core.results import MultipleResult, SingleResult, Summary
from cst_core.testing import overlap

if TYPE_CHECKING:
    from app_driver import Person

METHODS: dict[Method, str] = {
    "CST_wo": "· CST w/o",
    "ST": "· ST",
    "CST_w": "counted in · CST w/",
    "CF": "· CF",
}
"""What the heads of their rows have in them."""
PARTS = ("both", "intersectional only", "multiple only", "neither")


def at(k: int, tau: float = 0.0, alpha: float = 0.05) -> EvidenceSettings:
    return EvidenceSettings(n_neighbours=k, accepted_deviation=tau, significance_level=alpha)


def headline(person: Person) -> Locator:
    return person.main.locator(".cst-headline").first


def slider(person: Person) -> Locator:
    return person.slider("People in each group, k")


def slide(person: Person, key: str, k: int) -> None:
    """Press a key on the slider and wait until it stands at k."""
    slider(person).focus()
    person.page.keyboard.press(key)
    expect(slider(person)).to_have_value(str(k))


def check_headline(
    person: Person, found: Summary, n_protected: int, who: str, *, level: str = "5 %"
) -> None:
    told = f"Of {n_protected:,} {who}, {found.cases:,} ("
    expect(headline(person)).to_contain_text(told)
    if found.cases:
        significant = f"{found.significant:,} of them statistically significant at {level}"
        expect(headline(person)).to_contain_text(significant)


def check_cell(person: Person, row: str, found: Summary, of: int) -> None:
    """Check one cell of the table of counts, in the row with a name and the column of a k."""
    table = person.main.locator(".cst-counts").first
    expect(table.get_by_role("columnheader", name=f"k = {found.k}", exact=True)).to_be_visible()
    heads = table.locator("thead th").all_inner_texts()
    name = person.page.get_by_role("rowheader", name=row)
    line = table.get_by_role("row").filter(has=name)
    cell = line.get_by_role("cell").nth(heads.index(f"k = {found.k}") - 1)
    share = f"{100 * found.cases / of:.1f} %"
    expect(cell).to_have_text(
        re.compile(
            f"^{found.cases:,} \\({re.escape(share)}\\)\\s*{found.significant:,} significant"
            r"(, p = [\d.]+)?$"
        )
    )


def telling(run: SingleResult, k: int) -> int:
    """Return the place of the complainant whose Δp is nearest to a half."""
    return int(np.abs(run.evidence("CST_wo", at(k)).delta - 0.5).argmin())


def person_link(link: str, name: object, **settings: object) -> str:
    """Return a workspace's link with a person and settings in it."""
    more = "".join(f"&{field}={value}" for field, value in settings.items())
    return f"{link}&person={quote(str(name), safe='')}{more}"


def check_person(
    person: Person,
    run: SingleResult,
    place: int,
    settings: EvidenceSettings,
    method: Method = "CST_wo",
) -> None:
    """Check the shares, their difference and its bound on a complainant's page."""
    found = run.evidence(method, settings)
    p_control, p_test, n_control, n_test, delta, bound = (
        float(getattr(found, name)[place])
        for name in ("p_control", "p_test", "n_control", "n_test", "delta", "bound")
    )
    verdict = "no difference to examine"
    if found.is_case[place]:
        verdict = "a difference to examine, not statistically significant"
        if found.is_significant[place]:
            verdict = "a statistically significant difference"
    expect(headline(person)).to_have_text(
        re.compile(
            f"\\({_people(n_control)}.*\\), {_share(p_control)} .*"
            f"\\({_people(n_test)}.*\\), {_share(p_test)}.*"
            f"Δp\\)? (=|is) {_difference(delta)}: {verdict}"
        )
    )
    if not found.zero_width[place]:
        person.says(re.compile(f"at least {_difference(bound)}\\b"))


def _people(size: float) -> str:
    assert size == int(size)
    return f"{int(size)} {'person' if size == 1 else 'people'}"


def _share(value: float) -> str:
    return re.escape(f"{100 * value:.1f}".removesuffix(".0") + " %")


def _difference(value: float) -> str:
    return re.escape(f"{value:.3f}".replace("-", MINUS))


def check_overlap(
    person: Person,
    multiple: MultipleResult,
    crossed: SingleResult,
    k: int,
    *,
    significant: bool = False,
) -> None:
    """Check how many people each of the two tests finds, as the page says it."""
    found = overlap(
        multiple, crossed, method="CST_wo", settings=at(k), significant=significant
    ).parts.value_counts()
    both, one, other, neither = (f"{int(found.get(part, 0)):,}" for part in PARTS)
    kind = "significant cases" if significant else "cases"
    person.says(
        f"Of {multiple.n_protected:,} people, {both} are {kind} by both tests, {one} by the "
        f"intersectional one only, {other} by the multiple one only, and {neither} by neither"
    )
