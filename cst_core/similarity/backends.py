"""Which way a block is searched. All give the same answer to the last tie."""

from __future__ import annotations

from typing import Literal

from cst_core.errors import SettingsError, UnavailableError
from cst_core.similarity import kernel
from cst_core.similarity.brute import brute_curves
from cst_core.similarity.curves import BlockCurves
from cst_core.similarity.space import Block, SearchSpace
from cst_core.similarity.tree import curves_by_nearest, tree_curves

Backend = Literal["compiled", "tree", "brute"]
BackendChoice = Literal["auto", "compiled", "tree", "brute"]
BACKENDS: tuple[BackendChoice, ...] = ("auto", "compiled", "tree", "brute")

TREE_POINTS = 5_000
TREE_COLUMNS = 6
"""From this many points, and up to this many columns, a tree beats computing every distance."""


def choose_backend(choice: BackendChoice, space: SearchSpace) -> Backend:
    """Return the backend to use: the one asked for, or the best for these data."""
    if choice not in BACKENDS:
        raise SettingsError(f"backend: expected one of {', '.join(BACKENDS)}, got {choice!r}.")
    if choice == "compiled" and not kernel.is_available():
        raise UnavailableError(
            "backend: the compiled search was asked for, but was not built when the package was "
            "installed. Use 'auto', or install again (make install)."
        )
    if choice != "auto":
        return choice
    if kernel.is_available():
        return "compiled"
    columns = space.n_columns
    return "tree" if space.n_points >= TREE_POINTS and columns <= TREE_COLUMNS else "brute"


def search_block(space: SearchSpace, block: Block, backend: Backend) -> BlockCurves:
    """Search one block; a cluster's worker that lacks the kernel searches without it."""
    if backend == "compiled" and space.n_columns < kernel.MAX_COLUMNS and kernel.is_available():
        index = kernel.index_of(space)
        if block.ties == "expected":
            return index.curves(block)
        if block.ties == "all":  # the kernel says who is near, not how many are tied
            return curves_by_nearest(
                space, block, lambda most: index.nearest(block.centres, most)[1]
            )
    if backend == "tree":
        return tree_curves(space, block)
    return brute_curves(space, block)
