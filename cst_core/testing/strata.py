"""Among whom labels may be dealt out: people alike in what else causes what follows from them.

Where another attribute moves what follows from the label, such as a second protected one, the two
may go together. Dealing out the label to just anyone would take them apart, and what the fitted
effect owes to their going together would be missing from the worlds without meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.results import Result
from cst_core.similarity import IntArray

BANDS = 10
"""A number with more values than this is taken in so many bands of equal size."""
FEW = 0.5
"""Where labels change so much less than among all people, it is said."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strata:
    """Who may change labels with whom; make one with `of`.

    Attributes
    ----------
    names
        In what people of one stratum are alike; empty where everyone may change with everyone.
    of_row
        Everyone's stratum.
    """

    names: tuple[str, ...]
    of_row: IntArray

    @classmethod
    def of(cls, result: Result, columns: Sequence[str]) -> Strata:
        """Find what else causes what follows from the labels in `columns`, and is not compared.

        That is neither set nor moved, and no relevant attribute: a label related to one of these
        means something.
        """
        run = result.runs[0]
        graph, frame = run.model.model.graph, run.dataset.frame
        moved = graph.moved_by(columns)
        compared = {attribute.column for attribute in run.dataset.roles.relevant}
        beside = {cause for node in moved for cause in graph.parents(node)}
        beside -= {*columns, *moved, *compared}
        names = tuple(name for name in graph.nodes if name in beside)
        codes = [_codes(frame[name]) for name in names]
        of_row = np.zeros(len(frame), dtype=np.int64)
        for code in codes:
            both = of_row * (int(code.max(initial=0)) + 1) + code
            of_row = np.unique(both, return_inverse=True)[1].astype(np.int64)
        shown = (
            f"{name} (in {BANDS} bands)" if _is_banded(frame[name]) else name for name in names
        )
        return cls(names=tuple(shown), of_row=of_row)

    def permutation(self, random: np.random.Generator) -> IntArray:
        """Return whose label each person gets: of the same stratum, every order alike likely."""
        n = len(self.of_row)
        if not self.names:
            return random.permutation(n).astype(np.int64)
        order = np.empty(n, dtype=np.int64)
        places = np.argsort(self.of_row, kind="stable")
        order[places] = np.lexsort((random.random(n), self.of_row))
        return order

    def notes(self, result: Result) -> tuple[str, ...]:
        """Return what a reader must know: within what labels stay, and where that leaves little."""
        if not self.names:
            return ()
        alike, label = " and ".join(self.names), result.name
        said = (
            f"{label}: the causal model has {alike} as a cause of what follows, too. So the label "
            f"is dealt out only among people of the same {alike}: how these go together stays as "
            f"it is, and asked is whether {label} means anything beyond {alike}."
        )
        freedom = self._freedom(result.is_protected)
        if freedom < FEW:
            said += (
                f" They go together so closely that labels change hands {1 / freedom:.0f} times "
                "less often than among all people: little can be told apart here."
                if freedom > 0
                else " They go together entirely: no label can change hands, and nothing can be "
                "told apart. Test them together, or leave one out of the causal model."
            )
        return (said,)

    def _freedom(self, protected: np.typing.NDArray[np.bool_]) -> float:
        """Return how often labels change hands, as a share of that among all people."""
        share = float(protected.mean())
        size = np.bincount(self.of_row)
        inside = np.bincount(self.of_row, weights=protected) / np.maximum(size, 1)
        within = float((size * inside * (1 - inside)).sum()) / len(protected)
        return within / (share * (1 - share)) if 0 < share < 1 else 1.0


def _is_banded(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and column.nunique() > BANDS


def _codes(column: pd.Series) -> IntArray:
    if not _is_banded(column):
        return np.asarray(pd.factorize(column, use_na_sentinel=False)[0], dtype=np.int64)
    rank = column.rank(method="average", pct=True).fillna(0.0).to_numpy()
    return np.minimum((rank * BANDS).astype(np.int64), BANDS - 1)
