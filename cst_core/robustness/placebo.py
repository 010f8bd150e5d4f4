"""Placebo: how many cases the same test finds when the protected label means nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

import numpy as np

from cst_core.causal import CausalModel, Term
from cst_core.errors import SettingsError
from cst_core.evidence import METHOD_NAMES, EvidenceSettings, Method, check_whole
from cst_core.results import Result
from cst_core.robustness.check import Check, CheckRequest
from cst_core.robustness.parallel import repeat
from cst_core.robustness.permutation import Permuter
from cst_core.robustness.placebo_counts import Counts, Placebo, PlaceboCounts
from cst_core.robustness.sampling import MAX_COMPLAINANTS, check_seed
from cst_core.similarity import IntArray
from cst_core.testing import Progress


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
        At which k, τ, α, direction and interval to count; any number at about the same cost.
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
    between A and everything else is gone.

    *The null hypothesis* is that the label A is exchangeable: independent of the attributes X and
    of the decisions Ŷ together. Under it the observed count is one more draw from the placebo's
    distribution, and the p-value, (1 + #{placebo ≥ observed}) ÷ (R + 1), is valid for any R,
    whatever the interval or the dependence between complainants. With more than `max_complainants`
    and a correction for many tests this holds only nearly: as observed everyone is in the family
    of the correction, in a permutation those sampled stand in for the others.

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
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> found = placebo(result, settings=EvidenceSettings(n_neighbours=15), repeats=9, seed=1)
    >>> found.of("CST_wo", 15).p_significant
    0.1
    """
    asked = (settings,) if isinstance(settings, EvidenceSettings) else tuple(settings)
    _check(asked, methods, repeats, max_complainants)
    check_seed(seed)
    permuter = Permuter.of(
        result,
        max_neighbours=max(item.n_neighbours for item in asked),
        decides=not {"CST_w", "CF"}.isdisjoint(methods),
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

    def tell(label: str, done: int, total: int) -> object:
        if progress is not None and progress(label, done, total) is False:
            stop.set()  # also those that are under way
            return False
        return None

    observed = _count(result, methods, asked, sample(np.random.default_rng(streams[0])))
    found = repeat(
        permutation,
        range(1, repeats + 1),
        label=f"{result.name}: placebo",
        workers=workers,
        progress=tell,
    )
    drawn = np.stack(found)
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
        notes=_notes(result, permuter.columns, n_evaluated, asked),
    )


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


def _notes(
    result: Result,
    columns: Sequence[str],
    n_evaluated: int,
    settings: Sequence[EvidenceSettings],
) -> tuple[str, ...]:
    notes = []
    if n_evaluated < result.n_protected:
        notes.append(
            f"There are {result.n_protected:,} complainants; to save time, all counts here are "
            f"over random samples of {n_evaluated:,} of them."
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
    is_strict=True,
)
