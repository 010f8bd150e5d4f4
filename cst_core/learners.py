"""scikit-learn's models by name, with the few parameters that a file may set; never a pickle."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from cst_core.errors import SettingsError

LearnerKind = Literal["logistic", "tree", "gradient-boosting", "random-forest"]
RegressorKind = Literal["tree", "gradient-boosting", "random-forest"]
SEED = 0
"""The seed where none is given: ties between splits, people and columns drawn for a tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerParameter:
    """What a parameter is, and between which ends it may be, both included."""

    label: str
    low: float
    high: float
    whole: bool = True

    def check(self, name: str, value: object) -> None:
        """Raise when this is no value of the parameter called so."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if (
            not number
            or not self.low <= value <= self.high  # type: ignore[operator]
            or (self.whole and value != int(value))  # type: ignore[call-overload]
        ):
            what = "a whole number" if self.whole else "a number"
            raise SettingsError(
                f"{name}: expected {what} from {self.low:g} to {self.high:g}, got {value!r}."
            )


PARAMETERS: Mapping[str, LearnerParameter] = {
    "max_depth": LearnerParameter(
        label="The most questions a tree asks about one person", low=1, high=20
    ),
    "smallest_leaf": LearnerParameter(
        label="The fewest people who may end at the same answer of a tree", low=1, high=10_000
    ),
    "trees": LearnerParameter(label="How many trees", low=1, high=500),
    "learning_rate": LearnerParameter(
        label="Which part of its correction each tree adds", low=0.001, high=1, whole=False
    ),
    "penalty": LearnerParameter(
        label="Strength of the penalty on large coefficients (1 ÷ C)",
        low=1e-6,
        high=1e6,
        whole=False,
    ),
}
DEFAULTS: Mapping[LearnerKind, Mapping[str, float]] = {
    "logistic": {"penalty": 1.0},
    "tree": {"max_depth": 4, "smallest_leaf": 1},
    "gradient-boosting": {"trees": 100, "learning_rate": 0.1, "max_depth": 4, "smallest_leaf": 20},
    "random-forest": {"trees": 100, "max_depth": 10, "smallest_leaf": 5},
}
"""Which parameters each kind takes, and what they are where nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """One of scikit-learn's models by name.

    Parameters
    ----------
    kind
        ``"logistic"`` (classes only), ``"tree"``, ``"gradient-boosting"`` (by histograms) or
        ``"random-forest"``.
    given
        Parameters that are not at the kind's default; see `DEFAULTS`.
    seed
        The same data, parameters and seed give the same model.

    Examples
    --------
    >>> Learner(kind="random-forest", given={"trees": 50}).parameters
    {'trees': 50, 'max_depth': 10, 'smallest_leaf': 5}

    Raises
    ------
    SettingsError
        For a kind or a parameter that there is not, or a value outside its ends.
    """

    kind: LearnerKind
    given: Mapping[str, float] = field(default_factory=dict)
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.kind not in DEFAULTS:
            raise SettingsError(f"kind: expected one of {', '.join(DEFAULTS)}, got {self.kind!r}.")
        for name, value in self.given.items():
            problem = not_taken(self.kind, name)
            if problem:
                raise SettingsError(f"{name}: {problem}")
            PARAMETERS[name].check(name, value)
        LearnerParameter(label="", low=0, high=2**32 - 1).check("seed", self.seed)

    @property
    def parameters(self) -> dict[str, float]:
        """All parameters of the kind, in order."""
        return {name: self.given.get(name, usual) for name, usual in DEFAULTS[self.kind].items()}

    def __str__(self) -> str:
        values = ", ".join(f"{name} {value:g}" for name, value in self.parameters.items())
        return f"{self.kind}, {values}, seed {self.seed}"

    def classifier(self) -> Any:
        """Return scikit-learn's classifier, not yet trained."""
        if self.kind == "logistic":
            from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  (takes a second)

            return LogisticRegression(C=1 / self.parameters["penalty"], max_iter=1000)
        return self._trees("Classifier")

    def regressor(self) -> Any:
        """Return scikit-learn's regressor, not yet trained."""
        if self.kind == "logistic":
            known = ", ".join(get_args(RegressorKind))
            raise SettingsError(f"kind: expected one of {known} for a number, got 'logistic'.")
        return self._trees("Regressor")

    def running(self) -> AbstractContextManager[object]:
        """Return what to train and to ask it in: gradient boosting, one thread at a time.

        Its many threads wait for each other at every split, for minutes on a busy machine.
        """
        if self.kind != "gradient-boosting":
            return nullcontext()
        from threadpoolctl import threadpool_limits  # noqa: PLC0415

        one: AbstractContextManager[object] = threadpool_limits(limits=1, user_api="openmp")
        return one

    def _trees(self, what: Literal["Classifier", "Regressor"]) -> Any:
        from sklearn import ensemble, tree  # noqa: PLC0415  (takes a second)

        numbers = self.parameters
        shared: dict[str, Any] = {
            "max_depth": int(numbers["max_depth"]),
            "min_samples_leaf": int(numbers["smallest_leaf"]),
            "random_state": self.seed,
        }
        if self.kind == "tree":
            return getattr(tree, f"DecisionTree{what}")(**shared)
        n = int(numbers["trees"])
        if self.kind == "random-forest":
            return getattr(ensemble, f"RandomForest{what}")(n_estimators=n, n_jobs=1, **shared)
        return getattr(ensemble, f"HistGradientBoosting{what}")(
            max_iter=n,
            learning_rate=numbers["learning_rate"],
            early_stopping=False,  # would hold people back by chance
            **shared,
        )


def not_taken(kind: LearnerKind, name: str) -> str | None:
    """Return why a kind does not take a parameter; None where it does.

    Examples
    --------
    >>> not_taken("logistic", "trees")
    "kind 'logistic' does not take it; it takes: penalty."
    """
    if name in DEFAULTS[kind]:
        return None
    return f"kind '{kind}' does not take it; it takes: {', '.join(DEFAULTS[kind])}."
