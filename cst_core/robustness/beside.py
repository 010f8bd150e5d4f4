"""The same test made several ways: verdicts and Δp side by side, person by person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from cst_core.evidence import Verdicts
from cst_core.results import JsonResult
from cst_core.robustness.check import people_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Beside(JsonResult):
    """A row a complainant, a column a way, the test's own first; Δp is NaN without evidence."""

    is_case: pd.DataFrame
    is_significant: pd.DataFrame
    delta: pd.DataFrame

    @classmethod
    def of(cls, found: Mapping[str, Verdicts]) -> Self:
        """Return evidence of the same complainants side by side."""
        index = next(iter(found.values())).index

        def table(columns: Mapping[str, Any]) -> pd.DataFrame:
            return pd.DataFrame(dict(columns), index=index)

        return cls(
            is_case=table({way: item.is_case for way, item in found.items()}),
            is_significant=table({way: item.is_significant for way, item in found.items()}),
            delta=table(
                {
                    way: np.where(item.has_evidence, item.delta, np.nan)
                    for way, item in found.items()
                }
            ),
        )

    @property
    def ways(self) -> Sequence[str]:
        """The names of the columns."""
        return [str(way) for way in self.is_case]

    @property
    def findings(self) -> int:
        """How many significant cases the test itself has."""
        return int(self.is_significant.iloc[:, 0].sum())

    def counts(self, what: str) -> pd.DataFrame:
        """Return one row a way: cases, findings, how many of the test's own are among them."""
        own = self.is_significant.iloc[:, 0].to_numpy()
        rows = []
        for way in self.ways:
            found = self.is_significant[way].to_numpy()
            known = self.delta[way].dropna().to_numpy()
            rows.append(
                {
                    what: way,
                    "cases": int(self.is_case[way].sum()),
                    "significant": int(found.sum()),
                    "mean_delta": float(known.mean()) if len(known) else None,
                    "stand": int((found & own).sum()),
                    "more": int((found & ~own).sum()),
                }
            )
        return pd.DataFrame(rows)

    def people(self) -> pd.DataFrame:
        """Return everyone's verdicts and Δp each way."""
        columns = [
            self.is_significant.add_suffix(": is_significant"),
            self.is_case.add_suffix(": is_case"),
            self.delta.add_suffix(": delta"),
        ]
        return people_table(pd.concat(columns, axis=1))
