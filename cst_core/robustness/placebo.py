"""Placebo: how many cases the same test finds when the protected label means nothing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.causal.model import CausalModel
from cst_core.data.roles import Value
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import CancelledError, SettingsError, UnavailableError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import METHOD_NAMES, Method
from cst_core.robustness.permuting import Permuter, Result, runs_of
from cst_core.similarity.embedding import IntArray
from cst_core.testing.single import Progress

MAX_COMPLAINANTS = 20_000
"""With more of them, the counts are taken over a sample of this size."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceboCounts:
    """One method at one group of settings: what was observed, and what chance alone gives.

    Attributes
    ----------
    method, settings
        How the evidence was computed.
    observed_cases, observed_significant
        Counts of the test as it is, among the complainants that were evaluated.
    cases, significant
        The same counts in every permutation, in the order of the permutations.
    """

    method: Method
    settings: EvidenceSettings
    observed_cases: int
    observed_significant: int
    cases: Counts
    significant: Counts

    @property
    def p_cases(self) -> float:
        """(1 + permutations with at least as many cases as observed) ÷ (1 + permutations)."""
        return _p_value(self.cases, self.observed_cases)

    @property
    def p_significant(self) -> float:
        """The same for significant cases."""
        return _p_value(self.significant, self.observed_significant)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Placebo:
    """The counts of a test beside those with A permuted; see `placebo`.

    Attributes
    ----------
    name
        The test.
    permuted
        The columns whose rows were permuted, jointly.
    repeats, seed
        How often, and where the random numbers started.
    n_complainants, n_evaluated
        How many complainants there are, and over how many the counts were taken: all, or a random
        sample (drawn anew in every permutation; the observed counts are over one too).
    counts
        One entry a method and settings.
    notes
        What a reader must know to judge the numbers, in sentences.
    """

    name: str
    permuted: tuple[str, ...]
    repeats: int
    seed: int
    n_complainants: int
    n_evaluated: int
    counts: tuple[PlaceboCounts, ...]
    notes: tuple[str, ...]

    @property
    def is_sample(self) -> bool:
        """Whether the counts are over a sample of the complainants."""
        return self.n_evaluated < self.n_complainants

    def of(self, method: Method, k: int) -> PlaceboCounts:
        """Return the counts of a method at k, by the first settings that have this k."""
        for item in self.counts:
            if item.method == method and item.settings.n_neighbours == k:
                return item
        known = ", ".join(f"{item.method} k = {item.settings.n_neighbours}" for item in self.counts)
        raise SettingsError(f"placebo: nothing was counted for {method} k = {k}; only {known}.")

    def to_frame(self) -> pd.DataFrame:
        """Return two rows a method and settings: all cases, and significant ones."""
        rows = []
        for item in self.counts:
            for kind, observed, drawn, p in (
                ("all", item.observed_cases, item.cases, item.p_cases),
                ("significant", item.observed_significant, item.significant, item.p_significant),
            ):
                quantiles = np.quantile(drawn, QUANTILES).tolist()
                rows.append(
                    {
                        **_settings_columns(item),
                        "cases": kind,
                        "observed": observed,
                        "placebo_mean": float(drawn.mean()),
                        **{
                            f"placebo_q{round(100 * share):02d}": value
                            for share, value in zip(QUANTILES, quantiles, strict=True)
                        },
                        "placebo_most": int(drawn.max()),
                        "p_value": p,
                    }
                )
        return pd.DataFrame(rows)

    def draws(self) -> pd.DataFrame:
        """Return one row a permutation, method and settings, with its two counts."""
        parts = [
            pd.DataFrame(
                {
                    "permutation": np.arange(1, self.repeats + 1),
                    **_settings_columns(item),
                    "all": item.cases,
                    "significant": item.significant,
                }
            )
            for item in self.counts
        ]
        return pd.concat(parts, ignore_index=True)


def placebo(
    result: Result,
    *,
    settings: EvidenceSettings | Iterable[EvidenceSettings],
    methods: Sequence[Method] = ("CST_wo", "ST"),
    repeats: int = 100,
    seed: int,
    decision_maker: DecisionMaker | None = None,
    also_set: Mapping[str, Value] | None = None,
    max_complainants: int = MAX_COMPLAINANTS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Placebo:
    """Run a test again and again with the protected label dealt out at random.

    Parameters
    ----------
    result
        The test as observed: of one attribute, multiple, or intersectional.
    settings
        At which k, τ, α, direction and interval to count; any number at about the same cost.
    methods
        Which methods to count by.
    repeats
        R, the number of permutations. The smallest p-value that can come out is 1 ÷ (R + 1).
    seed
        Where the random numbers start. Each permutation has its own stream, so the answer does not
        depend on the number of workers.
    decision_maker
        b(), which CST w/ and CF need; the same as in the test.
    also_set
        For the intersection in the paper's form, and only when b() reads the protected columns:
        each of these columns with its reference value.
    max_complainants
        With more complainants than this, counts are over a random sample of this size, and the
        result says so.
    workers
        Threads; all cores by default.
    progress
        Told how far it is; returning False cancels (`CancelledError`).

    Notes
    -----
    *What is repeated.* The rows of the protected column (jointly of all of them for a multiple or
    intersectional test) are permuted over all people; attributes and decisions stay with their
    person. The causal model is fitted again (coefficients set by hand stay), counterfactuals,
    groups and evidence are computed anew. So the number of complainants, the sizes of the search
    spaces, the distance, the ties and everyone's decisions are those of the case, and only the link
    between A and everything else is gone.

    *The null hypothesis* is that the label A is exchangeable: independent of the attributes X and
    of the decisions Ŷ together. Under it the observed count is one more draw from the placebo's
    distribution, and the p-value, (1 + #{placebo ≥ observed}) ÷ (R + 1), is valid for any R,
    whatever the interval or the dependence between complainants.

    *What it cannot say.* A small p-value means that A is related to X or to Ŷ, not by which way.
    Where A shifts X (directly or through a common cause) and the decision looks at X alone, the
    observed count exceeds the placebo's: CST then means to find the effect that runs through X,
    while for ST it may be nothing but different neighbourhoods. The placebo has groups of the same
    sizes as the case but labels spread evenly over X, so it shows what unequal sizes alone do to
    the count (wider control neighbourhoods), not what unequal *places* do: protected people at the
    thin edge of X have wide neighbourhoods of their own. A large p-value says that a count of this
    size needs no discrimination to explain it; it clears nobody. And it judges the count, never one
    person's verdict.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario, run_single
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender")
    >>> found = placebo(result, settings=EvidenceSettings(n_neighbours=15), repeats=9, seed=1)
    >>> found.of("CST_wo", 15).p_significant
    0.1
    """
    asked = (settings,) if isinstance(settings, EvidenceSettings) else tuple(settings)
    _check(asked, methods, repeats, max_complainants, decision_maker)
    permuter = Permuter.of(
        result,
        max_neighbours=max(item.n_neighbours for item in asked),
        decision_maker=decision_maker,
        also_set=also_set or {},
    )
    streams = np.random.SeedSequence(seed).spawn(repeats + 1)
    n_evaluated = min(result.n_protected, max_complainants)
    stop = threading.Event()

    def sample(random: np.random.Generator) -> IntArray | None:
        if n_evaluated == result.n_protected:
            return None
        return np.sort(random.choice(result.n_protected, n_evaluated, replace=False))

    def permutation(number: int) -> Counts:
        random = np.random.default_rng(streams[number])
        order = random.permutation(result.n).astype(np.int64)
        chosen = sample(random)
        again = permuter.rerun(order, chosen, lambda: not stop.is_set())
        return _count(again, methods, asked, chosen)

    observed = _count(result, methods, asked, sample(np.random.default_rng(streams[0])))
    drawn = np.zeros((repeats, len(observed), 2), dtype=np.int64)
    counted = _in_threads(permutation, range(1, repeats + 1), workers, stop)
    for done, (number, found) in enumerate(counted, start=1):
        drawn[number - 1] = found
        if progress is not None and progress(f"{result.name}: placebo", done, repeats) is False:
            raise CancelledError(f"Cancelled after {done} of {repeats} permutations.")
    pairs = [(method, item) for method in methods for item in asked]
    return Placebo(
        name=result.name,
        permuted=permuter.columns,
        repeats=repeats,
        seed=seed,
        n_complainants=result.n_protected,
        n_evaluated=n_evaluated,
        counts=tuple(
            PlaceboCounts(
                method=method,
                settings=item,
                observed_cases=int(observed[place, 0]),
                observed_significant=int(observed[place, 1]),
                cases=drawn[:, place, 0],
                significant=drawn[:, place, 1],
            )
            for place, (method, item) in enumerate(pairs)
        ),
        notes=_notes(result, permuter.columns, n_evaluated),
    )


def _in_threads(
    work: Callable[[int], Counts],
    numbers: Iterable[int],
    workers: int | None,
    stop: threading.Event,
) -> Iterator[tuple[int, Counts]]:
    """Yield (number, what came of it) as they are done, a few at a time.

    Threads, not processes: most of the time is spent in numpy and the search kernel, which run
    without Python's lock, and a server's thread must not fork.
    """
    wanted = workers or os.cpu_count() or 1
    with ThreadPoolExecutor(wanted) as pool:
        waiting = iter(numbers)
        running: dict[Future[Counts], int] = {}
        try:
            while True:
                while len(running) <= wanted and (number := next(waiting, None)) is not None:
                    running[pool.submit(work, number)] = number
                if not running:
                    return
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield running.pop(future), future.result()
        finally:
            stop.set()
            for future in running:
                future.cancel()


def _count(
    result: Result,
    methods: Sequence[Method],
    settings: Sequence[EvidenceSettings],
    positions: IntArray | None,
) -> Counts:
    """Return cases and significant cases for every method and settings, a row each."""
    chosen = slice(None) if positions is None else positions
    rows = []
    for method in methods:
        for item in settings:
            found = result.evidence(method, item)
            rows.append((found.is_case[chosen].sum(), found.is_significant[chosen].sum()))
    return np.array(rows, dtype=np.int64)


def _p_value(drawn: Counts, observed: int) -> float:
    return float((1 + (drawn >= observed).sum()) / (1 + len(drawn)))


def _settings_columns(item: PlaceboCounts) -> dict[str, object]:
    settings = item.settings
    return {
        "method": item.method,
        "k": settings.n_neighbours,
        "tau": settings.accepted_deviation,
        "alpha": settings.significance_level,
        "direction": settings.direction,
        "interval": settings.interval,
        "correction": settings.correction,
        "tie_robust": settings.tie_robust,
        "balance_radii": settings.balance_radii,
    }


def _notes(result: Result, columns: Sequence[str], n_evaluated: int) -> tuple[str, ...]:
    notes = []
    if n_evaluated < result.n_protected:
        notes.append(
            f"There are {result.n_protected:,} complainants; to save time, all counts here are "
            f"over random samples of {n_evaluated:,} of them."
        )
    held = _set_by_hand(runs_of(result)[0].model.model, columns)
    if held:
        notes.append(
            f"Effects set by hand stay as they are when the label is permuted: {', '.join(held)}. "
            "So the placebo's counterfactuals are still moved by them."
        )
    return tuple(notes)


def _set_by_hand(model: CausalModel, columns: Sequence[str]) -> list[str]:
    return [
        f"{term} → {node}"
        for node, equation in model.equations.items()
        for term, number in equation.coefficients.items()
        if number.source == "by hand" and set(term.split(":")) & set(columns)
    ]


def _check(
    settings: Sequence[EvidenceSettings],
    methods: Sequence[Method],
    repeats: int,
    max_complainants: int,
    decision_maker: DecisionMaker | None,
) -> None:
    if not settings:
        raise SettingsError("settings: expected at least one group of settings, got none.")
    if not methods:
        raise SettingsError(f"methods: expected some of {', '.join(METHOD_NAMES)}, got none.")
    for name, number in (("repeats", repeats), ("max_complainants", max_complainants)):
        if not isinstance(number, Integral) or isinstance(number, bool) or number < 1:
            raise SettingsError(f"{name}: expected a whole number of 1 or more, got {number!r}.")
    for method in methods:
        if method not in METHOD_NAMES:
            raise SettingsError(
                f"methods: expected some of {', '.join(METHOD_NAMES)}, got {method!r}."
            )
        if method in ("CST_w", "CF") and decision_maker is None:
            raise UnavailableError(
                f"{method}: its placebo needs the decision on permuted counterfactuals. Pass the "
                "decision maker that the test was run with."
            )
