"""Calibrated verdicts where the truth is known: errors where the label means nothing, and power.

Every dataset serves all its k at once. What each judgement needs is kept, a file a dataset, so that
a study can be stopped and taken up again, and judged again without new relabellings. What was
found in each dataset stands in ``calibrated.csv`` beside this module; datasets that are there are
not drawn again::

    python -m benchmarks.simulation.calibrated FOLDER            # draw what is missing
    python -m benchmarks.simulation.calibrated FOLDER --judge    # judge it, into the table
    python -m benchmarks.simulation.calibrated --tables          # print the document's tables
    python -m benchmarks.simulation.calibrated --check 2         # draw some of them again
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit

import cst_core
from cst_core.evidence import EvidenceSettings, GroupCounts, Method, judge
from cst_core.results import SingleResult
from cst_core.testing import Ask, calibrate

FloatArray = npt.NDArray[np.float64]
Kept = dict[str, npt.NDArray[np.float64]]
TABLE = Path(__file__).with_suffix(".csv")
PLACE = ["world", "k", "dataset"]
SIZES = (15, 50, 100, 250)
TIMES = 499
ALPHA = 0.05
FELT = 0.02
"""Someone is truly disadvantaged when her own chance of refusal is more than this higher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A world: how people and decisions come about.

    ::

        A  = 1 for the share `protected`
        x1 = effect · A + U1, U1 a shifted gamma; x2 = 0.6 · x1 + 0.5 · effect · A + U2;
        the other attributes are normal; score = x1 + x2 + 0.5 · (the others) − 0.8
        score falls by `direct` for A = 1 (`part`: only where x1 > 0.5)
        refused: P = expit(−1.5 · score) ("noisy"), or score < 0 ("sharp")
        `related`: A depends on x1 (and has no effect), for situation testing
        `beside`: another protected attribute B, correlated with A by so much, which moves x1 by
        `beside_effect` and x2 by half of that; A is tested alone, or both (`tested`)
    """

    protected: float
    attributes: int
    rule: str
    n: int = 1500
    effect: float = 0.0
    direct: float = 0.0
    part: bool = False
    related: bool = False
    method: Method = "CST_wo"
    sizes: tuple[int, ...] = SIZES
    beside: float | None = None
    beside_effect: float = 0.0
    tested: str = "group"

    @property
    def name(self) -> str:
        """A name for files."""
        told = asdict(self)
        del told["sizes"]
        if self.beside is None:  # worlds that were named before there was another attribute
            del told["beside"], told["beside_effect"], told["tested"]
        return "-".join(str(value) for value in told.values())


NULL = (
    *(
        Made(protected=share, attributes=p, rule=rule, sizes=sizes)
        for share, p, rule, sizes in (
            (0.05, 2, "sharp", SIZES),
            (0.05, 2, "noisy", SIZES),
            (0.05, 5, "noisy", SIZES),
            (0.05, 8, "sharp", SIZES),
            (0.05, 8, "noisy", SIZES),
            (0.2, 2, "noisy", (15, 50)),
            (0.2, 2, "sharp", (50, 250)),
            (0.2, 5, "sharp", (15, 100)),
            (0.2, 8, "noisy", (15, 100)),
            (0.5, 2, "noisy", (15, 100)),
            (0.5, 2, "sharp", (50,)),
            (0.5, 8, "sharp", (15, 50)),
        )
    ),
    Made(protected=0.05, attributes=5, rule="noisy", n=6000, sizes=(50, 250)),
    Made(protected=0.2, attributes=2, rule="sharp", n=6000, sizes=(15, 100)),
)
EFFECT = tuple(
    Made(**world, sizes=(15, 50))
    for world in (
        {"protected": 0.05, "attributes": 2, "rule": "noisy", "direct": 1.5},
        {"protected": 0.2, "attributes": 2, "rule": "noisy", "direct": 1.5, "part": True},
        {"protected": 0.2, "attributes": 2, "rule": "sharp", "direct": 1.5, "part": True},
        {"protected": 0.2, "attributes": 2, "rule": "noisy", "effect": -0.7},
        {
            "protected": 0.2,
            "attributes": 2,
            "rule": "noisy",
            "effect": -0.5,
            "direct": 1.0,
            "part": True,
        },
        {"protected": 0.5, "attributes": 5, "rule": "noisy", "direct": 1.5, "part": True},
        {
            "protected": 0.2,
            "attributes": 2,
            "rule": "noisy",
            "direct": 1.5,
            "part": True,
            "beside": 0.7,
        },
    )
)
RELATED = tuple(
    Made(protected=0.2, attributes=2, **world, related=True, method="ST", sizes=(15, 50))
    for world in ({"rule": "sharp"}, {"rule": "noisy"}, {"rule": "noisy", "direct": 1.5})
)
BESIDE = tuple(
    Made(attributes=2, sizes=(15, 50), **world)
    for world in (
        *(
            {"protected": 0.2, "rule": "sharp", **others}
            for others in (
                {"beside": 0.0, "tested": "intersectional"},
                {"beside": 0.7},
                {"beside": 0.7, "beside_effect": -0.7},
                {"beside": 0.7, "tested": "intersectional"},
                {"beside": 0.95},
                {"beside": 0.95, "beside_effect": -0.7},
            )
        ),
        {"protected": 0.4, "rule": "noisy", "beside": 0.7, "tested": "intersectional"},
        {"protected": 0.4, "rule": "noisy", "beside": 0.95},
    )
)
DATASETS = {NULL: 200, EFFECT: 30, RELATED: 200, BESIDE: 200}
"""Of how many datasets a kind of world is wanted; of half as many with 6,000 people."""


def draw(world: Made, random: np.random.Generator) -> tuple[SingleResult, FloatArray]:
    """Return a test of people from a world, and by how much each complainant is disadvantaged."""
    n, p = world.n, world.attributes
    noise = random.standard_normal((n, p))
    noise[:, 0] = random.gamma(4, 0.5, n) - 2
    count = round(world.protected * n)
    protected = np.zeros(n, dtype=bool)
    if world.related:
        protected[np.argsort(noise[:, 0] + random.logistic(0, 1.0, n))[:count]] = True
    else:
        protected[random.permutation(n)[:count]] = True
    other = np.zeros(n, dtype=bool)
    if world.beside is not None:
        other = np.where(random.random(n) < world.beside, protected, random.permutation(protected))
    here, there = (
        _attributes(world, noise, label, other) for label in (protected, np.zeros(n, bool))
    )
    chance = _refused(world, here, protected)
    refused = random.random(n) < chance
    felt = chance - _refused(world, there, np.zeros(n, bool))
    names = [f"x{i + 1}" for i in range(p)]
    table = pd.DataFrame(here, columns=names).assign(
        group=np.where(protected, "protected", "other"),
        other=np.where(other, "protected", "other"),
        decision=np.where(refused, "refused", "accepted"),
    )
    labels = ("group",) if world.beside is None else ("group", "other")
    roles = cst_core.Roles(
        protected=tuple(
            cst_core.ProtectedAttribute(column=name, protected="protected") for name in labels
        ),
        relevant=tuple(cst_core.RelevantAttribute(column=name) for name in names),
        decision=cst_core.Decision(column="decision", negative="refused"),
    )
    graph = cst_core.CausalGraph(
        nodes=(*labels, *names),
        edges=(*((label, name) for label in labels for name in names), ("x1", "x2")),
        protected=labels,
    )
    people = cst_core.Dataset.from_frame(table, roles)
    model = cst_core.CausalModel(graph=graph)
    search = cst_core.SearchSettings(max_neighbours=max(world.sizes))
    if world.tested == "intersectional":
        result = cst_core.run_intersectional(people, model, search=search)
    else:
        result = cst_core.run_single(people, model, attribute=world.tested, search=search)
    return result, felt[result.is_protected]


def _attributes(
    world: Made,
    noise: FloatArray,
    label: npt.NDArray[np.bool_],
    other: npt.NDArray[np.bool_],
) -> FloatArray:
    found, moved = noise.copy(), world.effect * label + world.beside_effect * other
    found[:, 0] += moved
    found[:, 1] += 0.6 * found[:, 0] + 0.5 * moved
    return found


def _refused(world: Made, x: FloatArray, label: npt.NDArray[np.bool_]) -> FloatArray:
    weights = np.array([1.0, 1.0, *[0.5] * (x.shape[1] - 2)])
    score = x @ weights - 0.8
    hit = x[:, 0] > 0.5 if world.part else np.ones(len(x), dtype=bool)
    score = score - world.direct * (label & hit)
    return np.asarray(expit(-1.5 * score) if world.rule == "noisy" else score < 0, dtype=float)


def study(world: Made, number: int, folder: Path) -> Path:
    """Draw one dataset, calibrate everyone at every k, and keep what judgements need."""
    path = folder / f"{world.name}-{number}.npz"
    if path.exists():
        return path
    result, felt = draw(world, np.random.default_rng([number, *map(ord, world.name)]))
    asked = [
        Ask(
            method=world.method,
            settings=EvidenceSettings(
                n_neighbours=k, calibration="relabelling", relabellings=TIMES
            ),
        )
        for k in world.sizes
    ]
    answers = calibrate(result, asked)
    kept: dict[str, npt.NDArray[np.float64]] = {"felt": felt}
    for k, answer in zip(world.sizes, answers, strict=True):
        for balanced in (False, True):
            plain = EvidenceSettings(n_neighbours=k, balance_radii=balanced)
            kept[f"counts-{k}-{int(balanced)}"] = np.stack(
                result.evidence(world.method, plain).counts
            )
        kept[f"p-{k}"] = answer.p_value
    if world.related:  # what a permutation would say, which answers another question
        for k, answer in zip(
            world.sizes, calibrate(result, asked, null="permutation"), strict=True
        ):
            kept[f"permuted-{k}"] = answer.p_value
    partial = path.with_suffix(".tmp.npz")
    np.savez_compressed(partial, **kept)
    partial.replace(path)
    return path


RULES = {
    "paper": EvidenceSettings(),
    "old strict": EvidenceSettings(interval="agresti-caffo", correction="bh"),
    "balanced + BY": EvidenceSettings(
        interval="agresti-caffo", correction="by", balance_radii=True
    ),
    "strict": EvidenceSettings(interval="exact-ratio", correction="bh"),
    "permuted": EvidenceSettings(interval="exact-ratio", correction="bh"),
}
DEALT = {"strict": "p", "permuted": "permuted"}
"""Which p-values of relabelling a rule takes beside those of its interval."""


def flagged(kept: Kept, rule: str, k: int) -> npt.NDArray[np.bool_]:
    """Return whom a rule finds in one dataset."""
    settings = RULES[rule]
    cn, cs, tn, ts = kept[f"counts-{k}-{int(settings.balance_radii)}"]
    found = judge(
        GroupCounts(negatives=cn, lowest=cn, highest=cn, size=cs),
        GroupCounts(negatives=tn, lowest=tn, highest=tn, size=ts),
        settings,
        known=np.ones(len(cn), dtype=bool),
        calibrated_p=kept[f"{DEALT[rule]}-{k}"] if rule in DEALT else None,
    )
    return found.significant_found


def rules_of(world: Made) -> list[str]:
    """Return the rules that a world was judged by."""
    return [rule for rule in RULES if rule != "permuted" or world.related]


def outcomes(folder: Path) -> pd.DataFrame:
    """Return what each rule found in each dataset of a folder: a row a world, k and dataset."""
    rows = []
    for world in (one for kind in DATASETS for one in kind):
        for path in folder.glob(f"{world.name}-*.npz"):
            number = path.stem.removeprefix(f"{world.name}-")
            if not number.isdigit():  # of a longer name, or not yet written whole
                continue
            kept = dict(np.load(path))
            for k in world.sizes:
                row = {"world": world.name, "k": k, "dataset": int(number)}
                truth = kept["felt"] > FELT
                row |= {"people": len(truth), "true": int(truth.sum())}
                for rule in rules_of(world):
                    found = flagged(kept, rule, k)
                    row[f"{rule}: found"] = int(found.sum())
                    row[f"{rule}: hit"] = int((found & truth).sum())
                rows.append(row)
    return pd.DataFrame(rows)


def known() -> pd.DataFrame:
    """Return the table of what was found so far."""
    return pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=PLACE)


def tables(found: pd.DataFrame) -> Iterator[str]:
    """Yield the study's tables as Markdown."""
    for (title, worlds), what in zip(
        {"null": NULL, "effect": EFFECT, "related": RELATED, "beside": BESIDE}.items(),
        (
            "datasets in which someone is found / complainants found, %",
            "recall / precision, %",
            "datasets in which someone is found / complainants found, %",
            "datasets in which someone is found / complainants found, %",
        ),
        strict=True,
    ):
        rules = rules_of(worlds[0])
        lines = []
        for world in worlds:
            for k in world.sizes:
                some = found[(found["world"] == world.name) & (found["k"] == k)]
                if some.empty:
                    continue
                cells = [_world_words(world), str(k), str(len(some))]
                cells += [_cell(some, rule, is_effect=title == "effect") for rule in rules]
                lines.append("| " + " | ".join(cells) + " |")
        head = ["world", "k", "datasets", *rules]
        yield f"\n### {title}: {what}\n"
        yield "| " + " | ".join(head) + " |\n|" + " --- |" * len(head)
        yield "\n".join(lines)


def _cell(some: pd.DataFrame, rule: str, *, is_effect: bool) -> str:
    said, hit = some[f"{rule}: found"], some[f"{rule}: hit"]
    if is_effect:
        precise = f"{100 * hit.sum() / said.sum():.0f}" if said.sum() else "–"
        return f"{100 * hit.sum() / max(some['true'].sum(), 1):.0f} / {precise}"
    return f"{100 * (said > 0).mean():.1f} / {100 * (said / some['people']).mean():.2f}"


def _world_words(world: Made) -> str:
    words = f"{100 * world.protected:.0f} %, {world.attributes} attributes, {world.rule}"
    words += "" if world.n == 1500 else f", n {world.n:,}"
    words += f", direct {world.direct:g}{' on part' if world.part else ''}" if world.direct else ""
    words += f", mediated {world.effect:g}" if world.effect else ""
    if world.beside is not None:
        words += f", beside another attribute (φ {world.beside:g}"
        words += ", which has an effect)" if world.beside_effect else ")"
        words += ", intersection" if world.tested == "intersectional" else ""
    return words + (", label related to x1" if world.related else "")


def wanted(world: Made) -> int:
    """Return of how many datasets of a world the study consists."""
    count = next(count for worlds, count in DATASETS.items() if world in worlds)
    return count // 2 if world.n > 1500 else count


def check(datasets: int, worlds: str) -> None:
    """Draw the first datasets of small worlds again; exit unless the same is found in them."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for world in (one for kind in DATASETS for one in kind):
            if worlds in world.name and world.n == 1500 and world.protected < 0.5:
                for number in range(datasets):
                    study(world, number, folder)
        again = outcomes(folder).set_index(PLACE).sort_index()
    before = known().set_index(PLACE).loc[again.index, again.columns]
    differs = again[(again.fillna(-1) != before.fillna(-1)).any(axis=1)]
    print(f"{len(again)} cells drawn again, {len(differs)} of them differ from {TABLE.name}.")
    if len(differs):
        print(differs.to_string())
        raise SystemExit(1)


def main() -> None:
    """Draw, judge, print or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--part", default="0/1", help="i/n: every n-th dataset, from the i-th")
    parser.add_argument("--worlds", default="", help="only worlds whose file names hold this")
    parser.add_argument("--check", type=int, help="draw the first so many again, and compare")
    parser.add_argument("--datasets", type=int, help="at most so many of each world")
    options = parser.parse_args()
    if options.tables:
        print("\n".join(tables(known())))
        return
    if options.check:
        check(options.check, options.worlds)
        return
    if options.folder is None:
        parser.error("a folder is needed")
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.judge:
        both = pd.concat([known(), outcomes(options.folder)])
        both = both.drop_duplicates(PLACE, keep="last").sort_values(PLACE)
        both.to_csv(TABLE, index=False, float_format="%.0f")
        print("\n".join(tables(both)))
        return
    first, step = map(int, options.part.split("/"))
    start, spent = time.perf_counter(), time.process_time()
    worlds = [one for kind in DATASETS for one in kind if options.worlds in one.name]
    done = set(zip(known()["world"], known()["dataset"], strict=True))
    for number in range(first, options.datasets or max(DATASETS.values()), step):
        for world in worlds:  # all of them a little further, so that a study can be looked at
            if number < wanted(world) and (world.name, number) not in done:
                study(world, number, options.folder)
        log = {"done": number, "wall": time.perf_counter() - start}
        print(json.dumps(log | {"cpu": time.process_time() - spent}), flush=True)


if __name__ == "__main__":
    main()
