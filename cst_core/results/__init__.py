"""What the tests return and everyone reads: frozen, and able to answer any k, τ and α."""

from cst_core.results.multiple import MultipleResult
from cst_core.results.single import ComplainantGroups, GroupName, SingleResult
from cst_core.results.summary import Summary
from cst_core.results.sweep import Sweep, Sweeper
from cst_core.results.sweep_multiple import MultipleSweeper

__all__ = [
    "ComplainantGroups",
    "GroupName",
    "MultipleResult",
    "MultipleSweeper",
    "SingleResult",
    "Summary",
    "Sweep",
    "Sweeper",
]
