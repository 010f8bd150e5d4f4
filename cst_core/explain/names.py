"""What people call the groups, the outcomes and the attributes of a case, for sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cst_core.causal import INTERCEPT, split_name
from cst_core.errors import DataError, SettingsError
from cst_core.explain.pronouns import (
    PRONOUNS,
    PronounKind,
    Pronouns,
    guess_pronoun,
    joint_pronoun,
)
from cst_core.explain.text import short
from cst_core.testing import DiscriminationTest, parse_test

EVERYONE_ELSE = "everyone else"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupNames:
    """What the two groups of a protected attribute are called.

    Attributes
    ----------
    protected, reference
        Such as "women" and "men", or "sex = f" where nobody gave a name.
    people
        The same two as words for people, such as "women" or "people with sex = f".
    pronoun
        How one of the protected group is spoken of; None: as these words suggest.
    """

    protected: str
    reference: str
    people: tuple[str, str]
    pronoun: PronounKind | None = None

    @property
    def spoken_of_as(self) -> PronounKind:
        """How one of the protected group is spoken of."""
        return self.pronoun or guess_pronoun(f"{self.protected} {self.people[0]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseNames:
    """What is what called in a case.

    Attributes
    ----------
    groups
        By protected attribute.
    levels
        By a test of one protected value, such as ``"race=Black"``.
    attributes
        The relevant attributes, and those that are only context.
    labels
        What nodes of the causal model are called, where that is not their name.
    negative, positive
        The two outcomes.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> names = load_scenario("loan").names()
    >>> names.complainants("Gender"), names.others("Gender"), names.outcome(refused=False)
    ('women', 'men', 'approved')
    """

    groups: Mapping[str, GroupNames]
    attributes: tuple[str, ...]
    labels: Mapping[str, str]
    negative: str
    positive: str
    levels: Mapping[str, GroupNames] = field(default_factory=dict)

    def test(self, name: str) -> DiscriminationTest:
        """Return the test of a name."""
        each = {column: tuple(self._levels_of(column)) or (column,) for column in self.groups}
        try:
            return parse_test(name, tuple(each.values()))
        except (DataError, SettingsError):  # of a name that is in no case
            return DiscriminationTest(kind="single", attributes=(name,))

    def _levels_of(self, column: str) -> list[str]:
        return [name for name in self.levels if name.startswith(f"{column}=")]

    def group(self, name: str) -> GroupNames:
        """Return what the groups of an attribute are called, also of one without names."""
        known = {**self.levels, **self.groups}
        if name in known:
            return known[name]
        people = (f"people with {name}", EVERYONE_ELSE)
        return GroupNames(protected=name, reference=EVERYONE_ELSE, people=people)

    def complainants(self, test: str) -> str:
        """Return what the complainants of a test are called."""
        return " who are also ".join(
            self.group(name).people[0] for name in self.test(test).attributes
        )

    def pronouns(self, test: str) -> Pronouns:
        """Return the words for one person of a test, as any of its groups says, if they agree.

        Examples
        --------
        >>> from cst_core import load_scenario
        >>> names = load_scenario("law-school").names()
        >>> names.pronouns("gender").his, names.pronouns("race").his
        ('her', "this person's")
        """
        groups = [self.group(name) for name in self.test(test).attributes]
        return PRONOUNS[joint_pronoun(group.spoken_of_as for group in groups)]

    def others(self, test: str) -> str:
        """Return what the people they are compared with are called."""
        single = self.test(test).kind == "single"
        return self.group(test).people[1] if single else EVERYONE_ELSE

    def the_others(self, test: str) -> str:
        """Return the same, to follow "the"."""
        found = self.others(test)
        return "others" if found == EVERYONE_ELSE else found

    def outcome(self, *, refused: bool) -> str:
        """Return what a decision is called."""
        return self.negative if refused else self.positive

    def label(self, node: str) -> str:
        """Return what a node is called in the drawing."""
        return self.labels.get(node) or node

    def factor(self, node: str, level: str | None) -> str:
        """Return what a factor of an equation is called."""
        if level is not None:
            return f"[{short(self.label(node), 40)} is {short(level, 40)}]"
        if node in self.groups:
            return f"[{short(self.groups[node].protected, 40)}]"
        if node not in self.attributes:
            return f"[{short(self._intersection(node), 60)}]"
        return short(self.label(node), 40)

    def _intersection(self, node: str) -> str:
        """Return what the people are called whom the node of an intersection stands for."""
        names = node.split(" × ")
        known = all(name in self.groups or name in self.levels for name in names)
        return " who are also ".join(
            self.group(name).people[0] for name in (names if known else self.groups)
        )

    def term(self, term: str) -> str:
        """Return a term of an equation in words."""
        if term == INTERCEPT:
            return "Starting value"
        level, tilde, rest = term.rpartition(" ~ ")
        if tilde and term not in self.attributes:  # log-odds of one value against the first
            return f"{short(level, 40)}: {self.term(rest)}"
        if " | " in term and term not in self.attributes:  # the place of a cut between two values
            return f"Step {' to '.join(short(part, 40) for part in term.split(' | '))}"
        parts = []
        for factor in self.factors(term):
            if factor in self.groups:
                parts.append(
                    f"{self.groups[factor].protected}, not {self.groups[factor].reference}"
                )
            elif factor in self.attributes:
                parts.append(f"{self.label(factor)}, per unit")
            else:
                parts.append(factor.replace("=", " is ", 1))
        return " and ".join(short(part, 60) for part in parts)

    def factors(self, term: str) -> list[str]:
        """Return the factors of a term by their names."""
        alone = term in self.groups or term in self.attributes
        return [term] if alone else split_name(term)
