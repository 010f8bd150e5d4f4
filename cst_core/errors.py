"""Everything that can go wrong, as one tree.

::

    CSTError
    ├── InputError (ValueError)     something the user can correct
    │   ├── DataError               a file, a column, a value; lists every problem
    │   ├── CausalModelError        a graph, an equation, an intervention
    │   ├── DecisionMakerError      a rule or classifier
    │   ├── SettingsError           k, τ, α and the other settings
    │   └── ScenarioError           a scenario file; lists every problem with its place
    ├── UnavailableError            a method that this case or installation cannot support, and why
    └── CancelledError              work that was stopped on request

    CSTWarning (UserWarning)
    ├── DataWarning                 legal but weak data
    ├── CausalModelWarning          clips, values outside their bounds
    └── EvidenceWarning             small groups, zero-width intervals, ties

A message names the column or parameter, what was expected, what came, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class CSTError(Exception):
    """Base of every error that this library raises on purpose."""


class InputError(CSTError, ValueError):
    """Something in the input is wrong and the user can correct it."""


class Problem(NamedTuple):
    """One thing wrong in a scenario file or in the data: where, and what."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class DataError(InputError):
    """A file, a column or a value is wrong; `problems` lists all, each with its column."""

    def __init__(self, *problems: Problem | str) -> None:
        self.problems = tuple(
            Problem("", item) if isinstance(item, str) else item for item in problems
        )
        messages = [problem.message for problem in self.problems]
        if len(messages) > 1:
            messages = [f"{len(messages)} problems in the data:", *(f"  - {m}" for m in messages)]
        super().__init__("\n".join(messages))


class CausalModelError(InputError):
    """A graph, an equation or an intervention is wrong."""


class DecisionMakerError(InputError):
    """A decision maker is wrong or failed."""


class SettingsError(InputError):
    """A setting such as k, τ or α is wrong."""


class ScenarioError(InputError):
    """A scenario file is wrong; `problems` lists everything found, each with its place."""

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        count = len(self.problems)
        head = f"{source}: {count} problem{'s' if count != 1 else ''} found"
        super().__init__("\n".join([head, *(f"  - {problem}" for problem in self.problems)]))


class UnavailableError(CSTError):
    """A method cannot be used on this case; the message says why."""


class CancelledError(CSTError):
    """Work was stopped on request; nothing was changed."""


class CSTWarning(UserWarning):
    """Base of every warning that this library gives."""


class DataWarning(CSTWarning):
    """The data are legal but weak."""


class CausalModelWarning(CSTWarning):
    """The causal model is legal but weak: clips, values outside their bounds."""


class EvidenceWarning(CSTWarning):
    """The evidence is legal but weak: small groups, zero-width intervals, ties."""
