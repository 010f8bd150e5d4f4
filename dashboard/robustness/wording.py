"""Robustness in plain sentences; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cst_core.evidence.verdicts import Method
from cst_core.robustness.balance import NEAR, WIDE, Balance
from dashboard.draft.document import Draft
from dashboard.evidence.results import INTERSECTIONAL, Choice
from dashboard.evidence.wording import complainants
from dashboard.robustness.checks import SHARE, Check
from dashboard.robustness.reports import BootstrapReport, EffectReport, PlaceboReport, Report
from dashboard.text import count, markup, number, percent

BARS = 12
"""Coefficients that are drawn."""
MULTIPLICITY = (
    "Every complainant is a test of her own, and among many tests some succeed by chance. "
    "Benjamini–Hochberg keeps the expected share of false findings at α if the tests lean the "
    "same way (as those of neighbours do); Benjamini–Yekutieli does so whatever their "
    "dependence, and finds less."
)


def standing_headline(draft: Draft, choice: Choice, checks: Sequence[Check]) -> str:
    """Return how firm the findings are, in a sentence."""
    findings = checks[0].of if checks else 0
    who = complainants(draft, choice.test)
    if not findings:
        return f"There is no significant finding about {who} under these settings to be doubted."
    known = [check for check in checks if check.of]  # a sample may hold none of the findings
    weakest = min(known, key=lambda check: check.stand / check.of)
    strongest = sum(check.stand == check.of for check in known)
    are = "is" if findings == 1 else "are"
    said = (
        f"There {are} {count(findings, 'significant finding')} about {who}. "
        f"{_all_stand(strongest, len(known), findings)}"
    )
    if weakest.stand < weakest.of and findings > 1:
        said += (
            f" The smallest part stands here: “{_lower(weakest.what)}”, {weakest.stand:,} of "
            f"{weakest.of:,}."
        )
    elif weakest.stand < weakest.of:
        lost = [_lower(check.what) for check in known if check.stand < check.of]
        said += f" It is lost here: {'; '.join(f'“{what}”' for what in lost)}."
    return said


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _all_stand(strongest: int, checks: int, findings: int) -> str:
    one = findings == 1
    if strongest == checks:
        below = "the check" if checks == 1 else f"each of the {checks} checks"
        return f"{'It stands' if one else 'All of them stand'} under {below} below."
    if not strongest:
        below = "the check" if checks == 1 else f"each of the {checks} checks"
        return f"Under {below} below {'it is' if one else 'some are'} lost."
    stand = "it stands" if one else "all of them stand"
    return f"Under {strongest} of the {checks} checks below {stand}."


def placebo_sentence(report: PlaceboReport) -> str:
    """Return what the permuted labels say about the count."""
    drawn = np.array(report.significant)
    typical, most = float(np.median(drawn)), int(drawn.max())
    p = report.p_significant
    said = (
        f"With the protected label dealt out at random {count(report.repeats, 'time')}, the same "
        f"test finds {number(typical)} significant {'case' if typical == 1 else 'cases'} in the "
        f"middle, {most:,} at most; with the real "
        f"label it finds {report.observed_significant:,}. As many or more came about in "
        f"{int((drawn >= report.observed_significant).sum()):,} of the {report.repeats:,} "
        f"(p = {number(p, 2)}). "
    )
    if p <= 0.05:
        return said + (
            "Chance and the sizes of the groups alone seldom give so many: it speaks for the label "
            "being related to the decisions, or to what they rest on."
        )
    return said + (
        "As many cases come about without any meaning of the label: the number of findings is no "
        "evidence by itself. This clears nobody."
    )


def bootstrap_sentence(report: BootstrapReport) -> str:
    """Return how far the findings hang on the estimates of the causal model."""
    findings = np.array(report.is_significant, dtype=bool)
    shares = np.array(report.share_significant)
    low, high = np.quantile(report.significant, [0.025, 0.975])
    done = report.refits - report.failed
    said = (
        f"The causal model was fitted again to {count(done, 'random sample')} of the people. The "
        "number "
        f"of significant cases then lies between {number(round(low))} and {number(round(high))} in "
        "95 % of them."
    )
    if findings.any():
        firm = int((findings & (shares >= SHARE - 1e-12)).sum())
        said += (
            f" Of the {count(int(findings.sum()), 'finding')}, {firm:,} "
            f"{'comes' if firm == 1 else 'come'} out in at least {SHARE:.0%} of the refits."
        )
    if report.failed:
        said += (
            f" {count(report.failed, 'refit')} could not be made and {_is(report.failed)} left out."
        )
    return said


def _is(number_of: int) -> str:
    return "is" if number_of == 1 else "are"


_NO_EFFECT: dict[Method, str] = {
    "CST_wo": ", which is classical situation testing",
    "CST_w": ", where her counterfactual is as she is: situation testing with both counted in",
    "CF": ", where her counterfactual is as she is in all that she is compared on",
    "ST": "",
}


def effect_sentence(report: EffectReport) -> str:
    """Return what becomes of the findings when the assumed effect is smaller."""
    none = report.significant[report.grid.index(0.0)] if 0.0 in report.grid else None
    half = next(
        (n for g, n in zip(report.grid, report.significant, strict=True) if abs(g - 0.5) < 1e-9),
        None,
    )
    said = (
        "γ is the share of the assumed effect of the protected attribute that is really its "
        f"effect: 100 % as in the causal model, 0 % none at all{_NO_EFFECT[report.method]}. "
        f"As assumed there {_is(report.observed_significant)} "
        f"{count(report.observed_significant, 'significant case')}"
    )
    if half is not None:
        said += f", with half of the effect {half:,}"
    if none is not None:
        said += f", without it {none:,}"
    return said + "."


def tornado_sentence(report: EffectReport) -> str:
    """Return which coefficient matters most within its own error."""
    if not report.bars:
        return (
            "No fitted coefficient leads from the protected attribute to what people are compared "
            "on, so there is none to be uncertain about."
        )
    widest = report.bars[0]
    low, high = sorted(widest.significant)
    said = (
        f"Each coefficient moved by {number(report.errors)} standard errors to both sides, the "
        f"others kept. The findings depend most on {widest.term} → {widest.node}: between "
        f"{low:,} and {high:,} significant cases."
    )
    if len(report.bars) > BARS:
        said += f" Drawn are the {BARS} of {len(report.bars):,} coefficients that matter most."
    return said


def balance_sentences(found: Balance, method_test: str) -> list[str]:
    """Return how alike the people in the groups are, and what to make of it."""
    test = "test_st" if method_test == "ST" else "test_cst"
    other = getattr(found, test)
    known = ~(np.isnan(found.control.mean) | np.isnan(other.mean))
    if not known.any():
        return ["No complainant has both groups."]
    wide = found.is_wide(test)  # type: ignore[arg-type]
    said = [
        f"Mean distance over {_whose(found)}: "
        f"{number(float(found.control.mean[known].mean()), 3)} in the control groups, "
        f"{number(float(other.mean[known].mean()), 3)} in the test groups (0: equal people; 1: as "
        "different as can be).",
        f"For {int(wide.sum()):,} of {len(wide):,} ({percent(float(wide.mean()))}) {WIDE_WORDS}.",
    ]
    warning = found.warning(test)  # type: ignore[arg-type]
    return [*said, warning] if warning else said


WIDE_WORDS = (
    f"the control group is {number(WIDE)} times as wide as the test group or wider, and its people "
    f"are {number(NEAR)} away or more"
)


def _whose(found: Balance) -> str:
    """Return whose groups were looked at: in a multiple test, each attribute's own complainants."""
    test = "of the intersectional test" if found.name == INTERSECTIONAL else f"by {found.name}"
    people = f"the {count(found.n_complainants, 'complainant')} {test}"
    if found.is_sample:
        return f"a random sample of {len(found.index):,} of {people}"
    return people


def balance_table(found: Balance) -> str:
    """Return how far away the people of each group are, as a table."""
    overall = found.overall()
    rows = []
    for name, label in (
        ("control", "Control group"),
        ("test_st", "Test group, ST"),
        ("test_cst", "Test group, CST"),
    ):
        mean = number(overall.at[name, "mean of mean distance"], 3)
        far = number(overall.at[name, "mean of largest distance"], 3)
        times = wide = "–"
        if name != "control":
            times = number(overall.at[name, "control / test"], 3)
            wide = percent(float(overall.at[name, "share with a wide control group"]))
        rows.append(
            f'<tr><th scope="row">{label}</th><td>{mean}</td><td>{far}</td><td>{times}</td>'
            f"<td>{wide}</td></tr>"
        )
    return (
        '<table class="cst-table"><thead><tr><th scope="col">Average over '
        f'{markup(_whose(found))}</th><th scope="col">Mean distance</th>'
        '<th scope="col">Farthest person</th>'
        '<th scope="col">Control is so many times as wide</th>'
        f'<th scope="col">{number(WIDE)} times or more, and {number(NEAR)} away or more, for</th>'
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def about_report(report: Report) -> list[str]:
    """Return what a reader must know of a computation: its sample, seed and notes."""
    said = list(report.notes)
    said.append(f"Seed {report.seed}: the same seed gives the same numbers.")
    return said
