"""One person's page as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cst_core.cli.chance import AskedChance, ask_chance
from cst_core.cli.options import Options
from cst_core.cli.tables import settings_line
from cst_core.data import VERSION, ids_of
from cst_core.errors import SettingsError
from cst_core.evidence import METHOD_LABELS, METHOD_NAMES, METHOD_TITLES, Method, over_k_note
from cst_core.explain import (
    AGAINST,
    NOTHING_FOLLOWS,
    CaseNames,
    PersonCase,
    PersonExplanation,
    all_cautions,
    arithmetic_rows,
    bound_of,
    bound_words,
    by_hand_sentences,
    court_sentence,
    decision_rows,
    difference,
    equation_text,
    exact,
    explain_person,
    explanation_content,
    finding_numbers,
    firmness_sentences,
    group_titles,
    headline_lines,
    her_chance_sentence,
    levels_sentence,
    likeliest_note,
    likeness_sentence,
    lost_sentence,
    method_rows,
    mixture_sentence,
    number,
    part_of,
    percent,
    recorded_note,
    rule_text,
    score_rows,
    selected_words,
    state_head,
    state_rows,
    states_sentence,
    step_title,
    subject,
    ties_sentence,
    tipping_sentence,
    unseen_sentences,
    verdict_words,
    who_rows,
    whole_headline,
    why_they_differ,
)
from cst_core.robustness import NO_DATA_SHOWS, PersonTipping, tipping_of
from cst_core.scenario import Case, OpenCase
from cst_core.testing import K_MAX, DiscriminationTest, Progress, calibrate_result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonReport:
    """One person's case, ready to print or write."""

    scenario: str
    data_name: str
    data_sha256: str
    options: Options
    names: CaseNames
    found: PersonExplanation
    tipping: PersonTipping | None = None
    chance: AskedChance = field(default_factory=AskedChance)

    @property
    def by_chance(self) -> str:
        """What chance says against findings like hers; empty where nothing, or not asked."""
        if self.chance.found is None:
            return self.chance.why_not
        whole, at = self.found.evidence, self.found.place
        return her_chance_sentence(
            self.chance.found,
            whole.method,
            self.options.k[0],
            is_significant=bool(whole.is_significant[at]),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        return {
            "scenario": self.scenario,
            "preset": self.options.preset,
            "version": VERSION,
            "data": {"file": self.data_name, "sha256": self.data_sha256},
            "settings": self.options.settings.model_dump(mode="json")
            | {"world": self.options.world},
            "k": self.options.k[0],
            "chance": self.by_chance or None,
            "tipping": None
            if self.tipping is None
            else asdict(self.tipping)
            | {"sentence": tipping_sentence(subject(self.names, self.found.test), self.tipping)},
        } | explanation_content(self.names, self.found)


def parse_method(text: str) -> Method:
    """Return the method of this name, as it is written in code or in print.

    Examples
    --------
    >>> parse_method("CST w/o"), parse_method("st")
    ('CST_wo', 'ST')
    """
    wanted = text.strip().lower()
    for method in METHOD_NAMES:
        if wanted in (method.lower(), METHOD_LABELS[method].lower()):
            return method
    raise SettingsError(f"--method: expected one of {', '.join(METHOD_NAMES)}, got '{text}'.")


def report_person(
    case: Case,
    person: str,
    data: Path | None,
    options: Options,
    *,
    method: Method,
    progress: Progress | None = None,
) -> PersonReport:
    """Run a test and explain one person's case; `data` is a file in place of the scenario's.

    The first of the options' tests in which she may complain is taken, or the first of all.
    """
    table = case.table(data)
    people = case.check(table, own_table=data is None)
    opened = case.open(people, world=options.world, settings=options.settings)
    opened = replace(opened, search=options.settings.search_settings(max(options.k)))
    test = _her_test(opened, options.tests, person)
    result = opened.run(test.name, progress=progress)
    settings = options.evidence_settings(test.name, options.k[0])
    calibrate_result(result, result.methods, [settings], progress=progress)
    return PersonReport(
        scenario=case.scenario.name,
        data_name=(data or case.data_path).name,
        data_sha256=table.sha256,
        options=options,
        names=case.names(options.world),
        found=explain_person(
            result, person, method, settings, most=K_MAX
        ),  # as far as her page draws her curve
        tipping=None
        if method == "ST"
        else tipping_of(result, person, settings=settings, method=method),
        chance=ask_chance(result, options, progress),
    )


def _her_test(
    opened: OpenCase, tests: Sequence[DiscriminationTest], person: str
) -> DiscriminationTest:
    is_her = ids_of(opened.dataset.index) == person.strip()
    return next(
        (test for test in tests if test.complainants(opened.dataset)[is_her].any()),
        tests[0],
    )


def print_person(report: PersonReport, screen: Console) -> None:
    """Print one person's page."""
    options, found, names = report.options, report.found, report.names
    screen.print(
        f"[bold]{escape(report.scenario)}, person {escape(found.person)}[/bold]: "
        f"{escape(found.test)}, {METHOD_TITLES[found.evidence.method]}, k = {options.k[0]}, "
        f"{escape(settings_line(options))}"
    )
    if found.is_multiple:
        _say(screen, whole_headline(names, found))
        rows = [
            (case.run.name, *finding_numbers(case.finding), verdict_words(case.finding, way))
            for case in found.cases
            for way in (case.settings.direction,)
        ]
        screen.print(_table(("Attribute", *_numbers(names, found.cases[0]), "Verdict"), rows))
        _say(screen, levels_sentence(len(found.cases), found.evidence.settings, found.cases[0]))
    for case in found.cases:
        if found.is_multiple:
            screen.print()
            screen.rule(f"By {escape(case.run.name)}", align="left")
        _print_case(report, case, screen)
    if report.tipping is not None:
        _title(screen, "What if the assumed effect is smaller, or larger?")
        _say(screen, tipping_sentence(subject(names, found.test), report.tipping))


def _print_case(report: PersonReport, case: PersonCase, screen: Console) -> None:
    names, found = report.names, report.found
    for mark, line in headline_lines(names, case):
        _say(screen, f"{mark} {line}".strip())
    if case.finding.is_significant and report.by_chance:
        _say(screen, f"{AGAINST} {report.by_chance}")
    bound = bound_words(case.finding, case)
    if bound:
        _say(screen, bound)
    picked = selected_words(case.finding, case)
    if picked:
        _say(screen, picked)
    law = court_sentence(case.finding)
    if law:
        _say(screen, law)
    _print_values(names, case, screen)
    _print_groups(names, case, screen)
    _title(screen, "By all four methods")
    rows = [
        (METHOD_LABELS[row.method], *(row.numbers or (row.note, "", "", "")), row.verdict)
        for row in method_rows(names, case, case.run.unavailable)
    ]
    screen.print(_table(("Method", *_numbers(names, case), "Verdict"), rows))
    for sentence in why_they_differ(names, case, case.run.unavailable):
        _say(screen, f"- {sentence}")
    _print_curve(case, report.options.k, screen)
    _title(screen, "How firm is this?")
    for sentence in firmness_sentences(names, case, found):
        _say(screen, f"- {sentence}")
    _title(screen, "What was not measured")
    for sentence in (*unseen_sentences(names, case), NO_DATA_SHOWS):
        _say(screen, f"- {sentence}")
    cautions = all_cautions(names, case)
    if cautions:
        _title(screen, "Read with care")
    for sentence in cautions:
        _say(screen, f"- {sentence}")


def _print_values(names: CaseNames, case: PersonCase, screen: Console) -> None:
    who = names.pronouns(case.whole)
    _title(screen, f"Who {who.he} is, and who {who.he} would have been")
    rows = [*who_rows(names, case), *decision_rows(names, case)]
    head = ("Attribute", who.first.he, f"{who.first.his} counterfactual", "Change")
    screen.print(_table(head, rows))
    _print_states(names, case, screen)
    if not case.steps:
        _say(screen, NOTHING_FOLLOWS)
    note = likeliest_note(case)
    if note:
        _say(screen, note)
    for step in case.steps:
        _say(screen, step_title(names, step))
        _say(screen, f"  {equation_text(names, step)}")
        for sentence in by_hand_sentences(names, step):
            _say(screen, f"  {sentence}")
        screen.print(_table(("Step", "Arithmetic", "Gives"), arithmetic_rows(names, step)))
    if case.score is not None:
        _title(screen, "The decision rule, applied to both")
        _say(screen, rule_text(names, case.score))
        for judged, how, total, gap, outcome in score_rows(names, case):
            _say(screen, f"  {judged}: {how} = {total}, {gap}: {outcome}")
        note = recorded_note(names, case)
        if note:
            _say(screen, note)


def _print_states(names: CaseNames, case: PersonCase, screen: Console) -> None:
    said = (states_sentence(names, case), lost_sentence(case), mixture_sentence(names, case))
    first, *rest = [sentence for sentence in said if sentence] or [""]
    if not first:
        return
    _say(screen, first)
    screen.print(_table(state_head(names, case), state_rows(names, case)))
    for sentence in rest:
        _say(screen, sentence)


def _print_groups(names: CaseNames, case: PersonCase, screen: Console) -> None:
    _title(screen, f"The people {names.pronouns(case.whole).he} is compared with")
    for title in group_titles(names, case).values():
        _say(screen, title)
    sides = case.groups
    rows = [
        (
            f"People, and of them {names.negative}",
            *(
                part_of(group.refused / group.size, group.size) if len(group) else "nobody"
                for group in sides.values()
            ),
        ),
        ("Mean distance", *(number(group.mean_distance, 3) for group in sides.values())),
        (
            "Largest distance",
            *(
                number(float(group.distances[-1]), 3) if len(group) else "–"
                for group in sides.values()
            ),
        ),
    ]
    for column, boxes in case.boxes.items():
        cells = (" · ".join(map(exact, boxes[side])) if side in boxes else "–" for side in sides)
        rows.append((names.label(column), *cells))
    for column, shares in case.shares.items():
        for level in sorted({level for part in shares.values() for level in part}):
            cells = (percent(shares.get(side, {}).get(level, 0.0), 1) for side in sides)
            rows.append((f"{names.label(column)}: {level}", *cells))
    screen.print(_table(("", "Control group", "Test group"), rows))
    if case.boxes:
        _say(screen, "Five numbers: smallest, quarter, half, three quarters and largest.")
    for side, group in sides.items():
        alike = likeness_sentence(names, case, side)
        if alike:
            _say(screen, alike)
        tied = ties_sentence(group)
        if tied:
            _say(screen, f"In the {side} group, {tied[:1].lower()}{tied[1:]}")


def _print_curve(case: PersonCase, sizes: Sequence[int], screen: Console) -> None:
    curve = case.curve
    _title(screen, "The difference (Δp) against k")
    most = len(curve.index)
    _say(
        screen,
        f"Of the k from 1 to {most:,} there is a difference to examine for "
        f"{int(curve.is_case.sum()):,}, a significant one for {int(curve.is_significant.sum()):,} "
        "(this person alone, without a correction for many people tested).",
    )
    note = over_k_note(case.settings)
    if note:
        _say(screen, note)
    bounds = curve.bound
    rows = [
        (
            str(k),
            difference(float(curve.delta[at])),
            bound_of(float(bounds[at])),
            "significant" if curve.is_significant[at] else "case" if curve.is_case[at] else "none",
        )
        for k in sorted({1, 5, 15, 30, 50, 100, 250, *sizes, most})
        for at in np.flatnonzero(curve.index == k)
    ]
    screen.print(_table(("k", "Δp", "Bound", "Verdict"), rows))


def _numbers(names: CaseNames, case: PersonCase) -> tuple[str, str, str, str]:
    side = "Lower" if case.settings.direction == "against" else "Upper"
    return (f"Control, {names.negative}", f"Test, {names.negative}", "Δp", f"{side} bound")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table()
    for name in head:
        table.add_column(escape(name))
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def _title(screen: Console, text: str) -> None:
    screen.print()
    screen.print(f"[bold]{text}[/bold]")


def _say(screen: Console, text: str) -> None:
    screen.print(escape(text))
