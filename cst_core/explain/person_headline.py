"""The three lines that open a person's page: the finding, her own decision, and how firm it is."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.evidence import SETTINGS
from cst_core.explain.caution_sentences import objections
from cst_core.explain.group_members import GroupMembers
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase
from cst_core.explain.profiles import count_profiles
from cst_core.explain.stories import SPARED, STAYS, STORIES, UNKNOWN, Story, story_of
from cst_core.explain.text import number_of_people
from cst_core.explain.values import as_she_is, outcome_there
from cst_core.explain.verdict_sentences import headline


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonHeadline:
    """What is said first of one person.

    Attributes
    ----------
    finding
        What the groups around her and around her counterfactual show.
    decision
        What was decided about her, and what would have been about her counterfactual.
    story
        The same as one of the stories that findings are told apart by.
    firm
        How firm the finding is, a clause each; nothing where none was found.
    """

    finding: str
    decision: str
    story: Story
    firm: tuple[str, ...]

    @property
    def speaks_against(self) -> bool:
        """Whether her own decision speaks against the finding."""
        return self.story in ("stays", "spared")


def person_headline(names: CaseNames, case: PersonCase) -> PersonHeadline:
    """Return the three lines of a person's case.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> from cst_core.explain import explain_person
    >>> loan = load_scenario("loan")
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> found = explain_person(loan.open().run("Gender"), "L0015", "CST_wo", settings)
    >>> told = person_headline(loan.names(), found.cases[0])
    >>> told.decision
    'She was refused; as one of the men she would have been approved by the rule.'
    >>> told.story, told.speaks_against
    ('turns', False)
    """
    story = story_of(case.run, case.settings.direction, case.row)
    return PersonHeadline(
        finding=headline(names, case),
        decision=_decision(names, case, story),
        story=STORIES[story],
        firm=tuple(_firm(case)) if case.finding.is_case else (),
    )


def _decision(names: CaseNames, case: PersonCase, story: int) -> str:
    person = names.pronouns(case.whole)
    who = f"as one of the {names.the_others(case.run.name)}"
    own = f"{person.first.he} was {names.outcome(refused=case.refused)}"
    if story == UNKNOWN:
        return f"{own}. What {person.he} would have been {who} is not known: no decision rule."
    if case.by_model:
        said = as_she_is(names, case)
        own, rule = f"{said[:1].upper()}{said[1:]}", "the model"
    else:
        rule = "the rule"
    there = ""
    if case.refused_there is not None:
        too = "also " if case.refused_there == case.centre_refused else ""
        there = f"; {who} {person.he} would {too}have been {outcome_there(names, case)} by {rule}"
    if story == SPARED:
        way = f"in {person.his} favour"
        if case.settings.direction == "against":
            way = f"against {person.him}"
        return (
            f"{own}{there}. The finding is about people like {person.him}, not about a decision "
            f"{way}."
        )
    if story != STAYS:
        return f"{own}{there}."
    mostly = "" if case.share_there in (None, 0.0, 1.0) else ", more often than not"
    return f"{own}{there}. The decision itself does not turn{mostly}."


def _firm(case: PersonCase) -> list[str]:
    return [*_other_sizes(case), _profiles(case), _looked_at(case)]


def _other_sizes(case: PersonCase) -> list[str]:
    """Return for how many k from half to twice the one in use the verdict is the same."""
    curve, k = case.curve, case.settings.n_neighbours
    near = (curve.index >= max(1, k // 2)) & (curve.index <= 2 * k)
    if near.sum() < 2:
        return []
    sure = case.finding.is_significant
    same = int((curve.is_significant if sure else curve.is_case)[near].sum())
    low, high = int(curve.index[near].min()), int(curve.index[near].max())
    what = "significant" if sure else "above the accepted difference"
    alone = case.settings.correction != "none" or case.settings.calibration != "none"
    return [
        f"{what} for {same:,} of the {int(near.sum()):,} group sizes k from {low:,} to {high:,}"
        + (" (looked at alone, without what else is asked)" if alone else "")
    ]


def _profiles(case: PersonCase) -> str:
    def said(group: GroupMembers) -> str:
        profiles, people = count_profiles(case.run, group.rows), len(group)
        alike = "1 profile" if profiles == 1 else f"{profiles:,} profiles"
        who = f"{people:,} {'person' if people == 1 else 'people'}"
        places = number_of_people(group.size)
        share = "" if places == str(people) else f" who share {places} places"
        return f"{who}{share}, {alike}"

    return f"control group: {said(case.control)}; test group: {said(case.test)}"


def _looked_at(case: PersonCase) -> str:
    settings, many = case.settings, case.finding.looked_at or case.n_tested
    if settings.correction == "none":
        return f"one of {many:,} looked at, and judged without a correction for that"
    how = SETTINGS["correction"].in_words(settings.correction)
    return f"one of {many:,} looked at, corrected for that ({how})"


AGAINST, FIRM = "Against it:", "How firm:"


def headline_lines(names: CaseNames, case: PersonCase, worlds: str = "") -> list[tuple[str, str]]:
    """Return what is said first of a person, in order: how each line is marked, and the line.

    The finding and her own decision; what else speaks against it; how firm it is. `worlds` is what
    the other causal models say, where that is known.
    """
    told = person_headline(names, case)
    lines = [("", told.finding)]
    if case.method != "CF":  # there the finding is her own decision
        against = told.speaks_against and case.finding.is_case
        lines.append((AGAINST if against else "", told.decision))
    lines += [(AGAINST, said) for said in objections(names, case)]
    firm = firm_sentence(told, worlds)
    return [*lines, (FIRM, firm)] if firm else lines


def firm_sentence(told: PersonHeadline, worlds: str = "") -> str:
    """Return how firm it is in a sentence; `worlds` is what other causal models say, if known."""
    if not told.firm:
        return ""
    first, *rest = told.firm
    said = "; ".join([f"{first[:1].upper()}{first[1:]}", *rest])
    return f"{said}. {worlds}" if worlds else f"{said}."
