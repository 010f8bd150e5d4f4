"""Selected people: intervals that allow for having been picked because they were found.

Whoever is shown because she is significant was picked for a large difference, so an interval that
misses one time in twenty for anybody misses more often among the people picked. Benjamini and
Yekutieli (2005): where R of m were picked, intervals at the level 1 − R·α/m instead of 1 − α keep
the false coverage rate at α, the expected share of the picked people's intervals that miss the true
difference. Proven for independent tests, and for the intervals of a method that errs no more often
than it says; people who share neighbours are not independent, which nobody checks here. Divided by
1 + 1/2 + … + 1/m it holds under any dependence: so it is done where the correction for many tests
is Benjamini and Yekutieli's, which makes the same promise.

Y. Benjamini, D. Yekutieli (2005), *False discovery rate–adjusted multiple confidence intervals for
selected parameters*, Journal of the American Statistical Association 100.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from cst_core.evidence.settings import EvidenceSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """How many people were found among how many were looked at.

    Attributes
    ----------
    found
        R: the significant cases.
    looked_at
        m: the complainants with evidence.
    """

    found: int
    looked_at: int

    def tail(self, settings: EvidenceSettings) -> float:
        """Return what the interval of someone found leaves outside in place of α: R·α/m.

        Examples
        --------
        >>> settings = EvidenceSettings(n_neighbours=15, significance_level=0.05)
        >>> Selection(found=4, looked_at=100).tail(settings)
        0.002
        """
        if not self.looked_at:
            return settings.significance_level
        share = settings.significance_level * self.found / self.looked_at
        if settings.correction != "by":
            return share
        return share / float(special.digamma(self.looked_at + 1) + np.euler_gamma)
