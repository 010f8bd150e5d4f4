"""Placebo: how many cases the same test finds when the protected label means nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from cst_core.causal import CausalModel, Term
from cst_core.errors import SettingsError
from cst_core.evidence import METHOD_NAMES, EvidenceSettings, Method, check_whole
from cst_core.results import MultipleSweeper, Null, Result
from cst_core.robustness.check import Check, CheckRequest
from cst_core.robustness.parallel import repeat
from cst_core.robustness.permutation import Permuter
from cst_core.robustness.placebo_counts import Counts, Placebo, PlaceboCounts, needed_repeats
from cst_core.robustness.sampling import MAX_COMPLAINANTS, check_seed
from cst_core.similarity import IntArray
from cst_core.testing import Progress, null_of

USUAL = ((60_000, 30_000, 99), (250_000, 60_000, 19))
"""Up to so many people, and so many searched for, so many repeats."""
MANY = 4
"""From so many k on, a sweep counts faster than one k after the other."""
AFFORDABLE = 199
"""Up to so many repeats are made where a small α asks for more than the usual ones."""


def placebo(
    result: Result,
    *,
    settings: EvidenceSettings | Iterable[EvidenceSettings],
    methods: Sequence[Method] = ("CST_wo", "ST"),
    repeats: int = 100,
    seed: int,
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
        At which k, τ, α, direction and interval to count; any number at about the same cost. What
        calibration asks of each person is left out: it would be dealt out anew in every deal.
    methods
        Which methods to count by.
    repeats
        R, the number of permutations. The smallest p-value that can come out is 1 ÷ (R + 1).
    seed, max_complainants, workers, progress
        As in `bootstrap`; every permutation has its own stream and its own sample.

    Notes
    -----
    *What is repeated.* The rows of the protected column (jointly of all of them for a multiple or
    intersectional test) are permuted over all people; attributes and decisions stay with their
    person. The causal model is fitted again (coefficients set by hand stay), counterfactuals,
    groups and evidence are computed anew. So the number of complainants, the sizes of the search
    spaces, the distance, the ties and everyone's decisions are those of the case, and only the link
    between A and everything else is gone. Where another attribute that is not compared causes what
    follows from A too (a second protected one), rows are permuted among people alike in it, so that
    the two go together as they do: `Strata`.

    *The null hypothesis* is that the label A is exchangeable: independent of the attributes X and
    of the decisions Ŷ together (given such other attributes). Under it the observed count is one
    more draw from the placebo's distribution, and the p-value, (1 + #{placebo ≥ observed}) ÷
    (R + 1), is valid for any R, whatever the interval or the dependence between complainants. With
    more than `max_complainants` and a correction for many tests this holds only nearly: as observed
    everyone is in the family of the correction, in a permutation those sampled stand in for the
    others.

    *Where nothing follows from the label* (situation testing, or every influence accepted) people
    are compared with others of the same attributes, so the null is that given X the label means
    nothing: each person's label is drawn by a fitted chance of having it (one attribute or an
    intersection; the attributes stay, and how many complainants there are varies a little). In a
    multiple test it is permuted as for the other methods; see `null_of`.

    *What it cannot say.* A small p-value means that A is related to X or to Ŷ, not by which way.
    Where A shifts X (directly or through a common cause) and the decision looks at X alone, the
    observed count exceeds the placebo's: CST then means to find the effect that runs through X. The
    placebo has groups of the same
    sizes as the case but labels spread evenly over X, so it shows what unequal sizes alone do to
    the count (wider control neighbourhoods), not what unequal *places* do: protected people at the
    thin edge of X have wide neighbourhoods of their own. A large p-value says that a count of this
    size needs no discrimination to explain it; it clears nobody. And it judges the count, never one
    person's verdict.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> found = placebo(result, settings=EvidenceSettings(n_neighbours=15), repeats=9, seed=1)
    >>> found.of("CST_wo", 15).p_significant
    0.1
    """
    given = (settings,) if isinstance(settings, EvidenceSettings) else settings
    asked = tuple(one.uncalibrated for one in given)
    _check(asked, methods, repeats, max_complainants)
    check_seed(seed)
    nulls = {method: null_of(result, method) for method in methods}
    redraws = "conditional" in nulls.values()
    permuter = Permuter.of(
        result,
        max_neighbours=max(item.n_neighbours for item in asked),
        decides=not {"CST_w", "CF"}.isdisjoint(methods),
        redraw_from=seed if redraws else None,
    )
    streams = np.random.SeedSequence(seed).spawn(repeats + 1)
    n_evaluated = min(result.n_protected, max_complainants)
    stop = threading.Event()
    by_null: dict[Null, list[Method]] = {}
    for method, null in nulls.items():
        by_null.setdefault(null, []).append(method)

    def sample(random: np.random.Generator, people: int) -> IntArray | None:
        if people <= max_complainants:
            return None
        return np.sort(random.choice(people, n_evaluated, replace=False))

    def permutation(number: int) -> dict[Method, Counts]:
        random = np.random.default_rng(streams[number])
        found: dict[Method, Counts] = {}
        if "permutation" in by_null:
            order = permuter.strata.permutation(random)
            chosen = sample(random, result.n_protected)
            again = permuter.rerun(order, chosen, lambda: not stop.is_set())
            found |= _count(again, by_null["permutation"], asked, chosen)
        if redraws:
            drawn = permuter.redraw(
                number, lambda people: sample(random, people), lambda: not stop.is_set()
            )
            nobody = np.zeros((len(asked), 2), dtype=np.int64)
            found |= dict.fromkeys(by_null["conditional"], nobody)
            if drawn is not None:
                found |= _count(drawn[0], by_null["conditional"], asked, drawn[1])
        return found

    def tell(label: str, done: int, total: int) -> object:
        if progress is not None and progress(label, done, total) is False:
            stop.set()  # also those that are under way
            return False
        return None

    chosen = sample(np.random.default_rng(streams[0]), result.n_protected)
    observed = _count(result, methods, asked, chosen)
    drawn = repeat(
        permutation,
        range(1, repeats + 1),
        label=f"{result.name}: labels dealt out at random",
        workers=workers,
        progress=tell,
    )
    counts = []
    for method in methods:
        each = np.stack([one[method] for one in drawn])
        counts += [
            PlaceboCounts(
                method=method,
                settings=item,
                observed_cases=int(observed[method][place, 0]),
                observed_significant=int(observed[method][place, 1]),
                cases=each[:, place, 0],
                significant=each[:, place, 1],
                null=nulls[method],
                within=permuter.strata.names if nulls[method] == "permutation" else (),
            )
            for place, item in enumerate(asked)
        ]
    fit = () if permuter.redrawn is None else permuter.redrawn.notes
    among = permuter.strata.notes(result) if "permutation" in by_null else ()
    return Placebo(
        name=result.name,
        permuted=permuter.columns,
        repeats=repeats,
        seed=seed,
        n_complainants=result.n_protected,
        n_evaluated=n_evaluated,
        counts=tuple(counts),
        notes=(*_notes(result, permuter.columns, n_evaluated, asked), *among, *fit),
    )


def usual_repeats(result: Result, significance_level: float = 0.05) -> int:
    """Return how often labels are dealt out where nobody said how often: less for large cases.

    More where α is so small that no count could be called rare otherwise, up to `AFFORDABLE`. 0
    where it would take minutes; then it is done on request only.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> loan = load_scenario("loan").run("Gender")
    >>> usual_repeats(loan), usual_repeats(loan, 0.05 / 6), usual_repeats(loan, 0.001)
    (99, 119, 99)
    """
    centres = sum(len(run.counterfactuals.states.of(run.is_protected).frame) for run in result.runs)
    times = next(
        (times for people, searches, times in USUAL if result.n <= people and centres <= searches),
        0,
    )
    needed = needed_repeats(significance_level)
    is_small = bool(times) and times == max(often for *_, often in USUAL)
    return needed if is_small and times < needed <= AFFORDABLE else times


def _count(
    result: Result,
    methods: Sequence[Method],
    settings: Sequence[EvidenceSettings],
    positions: IntArray | None,
) -> dict[Method, Counts]:
    """Return by method cases and significant cases, a row for each of the settings."""
    return {method: _count_by(result, method, settings, positions) for method in methods}


def _count_by(
    result: Result,
    method: Method,
    settings: Sequence[EvidenceSettings],
    positions: IntArray | None,
) -> Counts:
    rows = np.zeros((len(settings), 2), dtype=np.int64)
    alike: dict[EvidenceSettings, list[int]] = {}
    for place, item in enumerate(settings):
        alike.setdefault(replace(item, n_neighbours=1), []).append(place)
    for same, places in alike.items():
        if positions is None and len(places) >= MANY:
            sizes = [settings[place].n_neighbours for place in places]
            swept = MultipleSweeper.of(result).sweep(method, same, sizes)
            rows[places] = np.column_stack([swept.cases, swept.significant])
            continue
        for place in places:
            found = result.evidence(method, settings[place])
            chosen = slice(None) if positions is None else positions
            rows[place] = found.is_case[chosen].sum(), found.is_significant[chosen].sum()
    return rows


def _notes(
    result: Result,
    columns: Sequence[str],
    n_evaluated: int,
    settings: Sequence[EvidenceSettings],
) -> tuple[str, ...]:
    notes = []
    if n_evaluated < result.n_protected:
        notes.append(
            f"There are {result.n_protected:,} people of the protected group; to save time, all "
            f"counts here are over random samples of {n_evaluated:,} of them."
        )
        if any(item.correction != "none" for item in settings):
            notes.append(
                "The correction for many tests is over everyone as observed, and in a permutation "
                "over those sampled, who stand in for the others; so the p-values of significant "
                "cases hold only nearly."
            )
    held = _set_by_hand(result.runs[0].model.model, columns)
    if held:
        notes.append(
            f"Effects set by hand stay as they are when the label is permuted: {', '.join(held)}. "
            "So the placebo's counterfactuals are still moved by them."
        )
    return tuple(notes)


def _set_by_hand(model: CausalModel, columns: Sequence[str]) -> list[str]:
    return [
        f"{name} → {node}"
        for node, equation in model.equations.items()
        for name, number in equation.coefficients.items()
        if number.source == "by hand"
        and (term := Term.parse(name, model.graph.parents(node)))
        and set(term.nodes) & set(columns)
    ]


def _check(
    settings: Sequence[EvidenceSettings],
    methods: Sequence[Method],
    repeats: int,
    max_complainants: int,
) -> None:
    if not settings:
        raise SettingsError("settings: expected at least one group of settings, got none.")
    if not methods:
        raise SettingsError(f"methods: expected some of {', '.join(METHOD_NAMES)}, got none.")
    for name, number in (("repeats", repeats), ("max_complainants", max_complainants)):
        check_whole(number, name)
    for method in methods:
        if method not in METHOD_NAMES:
            raise SettingsError(
                f"methods: expected some of {', '.join(METHOD_NAMES)}, got {method!r}."
            )


def _run(request: CheckRequest) -> list[Placebo]:
    assert request.repeats is not None
    found = placebo(
        request.result,
        settings=request.settings,
        methods=request.result.methods if request.method is None else (request.method,),
        repeats=request.repeats,
        seed=request.seed,
        progress=request.progress,
    )
    return [found]


PLACEBO = Check(
    name="placebo",
    kind=Placebo,
    run=_run,
    needs=("seed",),
    repeats=100,
    repeats_label="Times the label is dealt out",
    title="Could it be chance? The label dealt out at random",
    doing="Dealing out the label at random",
    takes="{repeats:,} times the whole test, with the causal model fitted anew.",
)
