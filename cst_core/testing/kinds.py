"""Which tests there are: what a test's name means, and who its complainants are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from cst_core.data import BoolArray, Dataset
from cst_core.errors import DataError, SettingsError

TestKind = Literal["single", "multiple", "intersectional"]
SEVERAL: tuple[Literal["multiple", "intersectional"], ...] = ("multiple", "intersectional")
"""The tests of several attributes together; no attribute may have one of these names."""
MULTIPLE, INTERSECTIONAL = SEVERAL
JOINED_BY = {MULTIPLE: ",", INTERSECTIONAL: "+"}
"""What stands between the attributes in the name of a test of some of them."""
K_MAX = 500
"""The largest k that is worth asking for, however many people there are."""


Attributes = Sequence[str | tuple[str, ...]]
"""The protected attributes, each by name, or by the names of its tests, one a protected value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscriminationTest:
    """One test: of which kind, and of which protected attributes.

    Make one from its name with `parse_test`.

    Attributes
    ----------
    kind
        Of one attribute, or of several as multiple or intersectional.
    attributes
        The attributes, or one protected value of each where every value is tested by itself.
    is_whole
        Whether these are all attributes of the case.
    n_levels
        How many such tests there are beside each other, one a protected value: each is judged at
        α ÷ this number, which corrects across levels.
    """

    kind: TestKind
    attributes: tuple[str, ...]
    is_whole: bool = True
    n_levels: int = 1

    @property
    def name(self) -> str:
        """The attribute, ``"multiple"``, ``"intersectional"``, ``"race,sex"`` or ``"race+sex"``."""
        if self.kind == "single":
            return self.attributes[0]
        return self.kind if self.is_whole else JOINED_BY[self.kind].join(self.attributes)

    def complainants(self, dataset: Dataset) -> BoolArray:
        """Return who has the protected value of every attribute."""
        return has_all(dataset, self.attributes)

    def reference(self, dataset: Dataset) -> BoolArray:
        """Return whom they are compared with; see `others_of`."""
        return others_of(dataset, self.attributes)


def allowed_tests(attributes: Attributes) -> tuple[DiscriminationTest, ...]:
    """Return the tests that these protected attributes allow, single ones first.

    Where each value of an attribute is tested by itself, tests of several attributes together must
    be asked for by name: see `parse_test`.

    Examples
    --------
    >>> [test.name for test in allowed_tests(["gender", "race"])]
    ['gender', 'race', 'multiple', 'intersectional']
    >>> [test.name for test in allowed_tests(["gender", ("race=Black", "race=Asian")])]
    ['gender', 'race=Black', 'race=Asian']
    """
    each = [(item,) if isinstance(item, str) else item for item in attributes]
    single = tuple(
        DiscriminationTest(kind="single", attributes=(name,), n_levels=len(names))
        for names in each
        for name in names
    )
    if len(each) < 2 or len(single) > len(each):
        return single
    columns = tuple(name for names in each for name in names)
    return (*single, *(DiscriminationTest(kind=kind, attributes=columns) for kind in SEVERAL))


def paired_tests(attributes: Attributes) -> tuple[DiscriminationTest, ...]:
    """Return the tests of two of three or more attributes; none where a value is tested by itself.

    Examples
    --------
    >>> [test.name for test in paired_tests(["gender", "race", "age"])][:3]
    ['gender,race', 'gender+race', 'gender,age']
    >>> paired_tests(["gender", "race"])
    ()
    """
    each = [(item,) if isinstance(item, str) else item for item in attributes]
    if len(each) < 3 or any(len(names) > 1 for names in each):
        return ()
    return tuple(
        joined_test(kind, (one, two), each)
        for (one,), (two,) in combinations(each, 2)
        for kind in SEVERAL
    )


def parse_test(name: str, attributes: Attributes, *, parameter: str = "test") -> DiscriminationTest:
    """Return the test of this name; a message calls it by the `parameter` it was given as.

    ``"race+sex"`` is the intersectional and ``"race,sex"`` the multiple test of these attributes.
    A name that an attribute has wins, whatever stands in it.

    Examples
    --------
    >>> parse_test("multiple", ["gender", "race"]).attributes
    ('gender', 'race')
    >>> parse_test("age+race", ["gender", "race", "age"]).name
    'race+age'
    >>> parse_test("age,gender", ["gender", "race", "age"]).kind
    'multiple'

    Raises
    ------
    DataError
        When it needs more protected attributes than there are.
    SettingsError
        When there is no such test, or the name may mean two.
    """
    known = {test.name: test for test in allowed_tests(attributes)}
    if name in known:
        return known[name]
    each = [(item,) if isinstance(item, str) else item for item in attributes]
    singles = tuple(one for names in each for one in names)
    found = {
        (kind, *sorted(parts, key=singles.index))
        for kind, mark in JOINED_BY.items()
        for parts in _split(name, mark, singles)
    }
    if len(found) > 1:
        raise SettingsError(
            f"{parameter}: '{name}' may be read in {len(found)} ways, because names of protected "
            "attributes hold '+' or ','. Rename the columns."
        )
    if found:
        kind, *parts = found.pop()
        return joined_test(kind, tuple(parts), each, parameter=parameter)
    if name in SEVERAL and len(each) > 1:
        raise DataError(
            f"{parameter} {name}: each value of an attribute is tested by itself here. Say which "
            f"are meant, e.g. {JOINED_BY[name].join(names[0] for names in each)}."
        )
    if name in SEVERAL:
        raise DataError(
            f"{parameter} {name}: this case has one protected attribute ({', '.join(singles)}); "
            f"'{name}' needs two or more."
        )
    several = " (or some joined by + or ,)" if len(each) > 1 else ""
    raise SettingsError(f"{parameter}: expected one of {', '.join(known)}{several}, got '{name}'.")


def _split(text: str, mark: str, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return every way to read a text as two or more of these names, each once."""
    found: list[tuple[str, ...]] = []
    for name in names:
        rest = text.removeprefix(name).lstrip()
        if not text.startswith(name) or not rest.startswith(mark):
            continue
        rest, others = rest[len(mark) :].lstrip(), tuple(item for item in names if item != name)
        if rest.rstrip() in others:
            found.append((name, rest.rstrip()))
        found += [(name, *parts) for parts in _split(rest, mark, others)]
    return found


def joined_test(
    kind: str,
    parts: tuple[str, ...],
    each: Sequence[tuple[str, ...]],
    *,
    parameter: str = "test",
) -> DiscriminationTest:
    """Return the test of several attributes by their names; `each` are all names, by attribute."""
    own = [next((names for names in each if part in names), (part,)) for part in parts]
    twice = next((names for names in own if own.count(names) > 1), None)
    if twice is not None:
        raise DataError(
            f"{parameter}: {' and '.join(part for part in parts if part in twice)} are values of "
            "one attribute, and nobody has both. Name one value of each attribute."
        )
    levels = math.prod(len(names) for names in own)
    return DiscriminationTest(
        kind="multiple" if kind == MULTIPLE else "intersectional",
        attributes=parts,
        is_whole=len(parts) == len(each) and levels == 1,
        n_levels=levels,
    )


def has_all(dataset: Dataset, names: Sequence[str]) -> BoolArray:
    """Return who has the protected value of every one of these attributes."""
    return np.asarray(np.logical_and.reduce([dataset.is_protected(name) for name in names]))


def others_of(dataset: Dataset, names: Sequence[str]) -> BoolArray:
    """Return who has not all protected values, but is in one of the two groups of every attribute.

    So for attributes with two groups and nobody else, as in the paper, it is everyone else.
    """
    known = [dataset.is_protected(name) | dataset.is_reference(name) for name in names]
    return np.asarray(np.logical_and.reduce(known) & ~has_all(dataset, names))


def largest_k(is_protected: BoolArray, is_reference: BoolArray) -> int:
    """Return the largest k that is worth asking for: the smaller group, at most `K_MAX`.

    Examples
    --------
    >>> women = np.array([True, True, True, False])
    >>> largest_k(women, ~women)
    1
    """
    inside, outside = int(is_protected.sum()), int(is_reference.sum())
    return min(max(inside - 1, 1), max(outside, 1), K_MAX)
