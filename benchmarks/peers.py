"""The libraries a user could pick instead, each on one thread.

A library is a function of the space that returns a search, which returns distances and rows of the
k nearest. Nominal columns come one-hot, at half their weight.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from cst_core.similarity import Points

Search = Callable[[np.ndarray, int], tuple[np.ndarray, np.ndarray]]
Library = Callable[[np.ndarray], Search]
LEAVES = {"scipy cKDTree": (16, 32, 64, 128), "sklearn kd_tree": (30, 128)}


def tuned(
    name: str, space: np.ndarray, centres: np.ndarray, k: int, everyone: int
) -> tuple[Library, str]:
    """Return the library with the leaf size that serves everyone in the least CPU time."""
    leaves = LEAVES.get(name)
    if leaves is None:
        return (_sklearn("brute", 30) if name == "sklearn brute" else _faiss()), ""
    spent = {}
    for leaf in leaves:
        start = time.process_time()
        search = _with_leaf(name, leaf)(space)
        built = time.process_time()
        search(centres, k)
        each = (time.process_time() - built) / len(centres)
        spent[leaf] = built - start + each * everyone
    best = min(spent, key=lambda leaf: spent[leaf])
    return _with_leaf(name, best), f"leaf {best}"


def _with_leaf(name: str, leaf: int) -> Library:
    return _scipy(leaf) if name == "scipy cKDTree" else _sklearn("kd_tree", leaf)


def _scipy(leaf: int) -> Library:
    from scipy.spatial import cKDTree  # noqa: PLC0415

    def library(space: np.ndarray) -> Search:
        tree = cKDTree(space, leafsize=leaf)
        return lambda centres, k: tree.query(centres, k=k, p=1, workers=1)

    return library


def _sklearn(algorithm: str, leaf: int) -> Library:
    from sklearn.neighbors import NearestNeighbors  # noqa: PLC0415
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    threadpool_limits(1)

    def library(space: np.ndarray) -> Search:
        index = NearestNeighbors(
            algorithm=algorithm, leaf_size=leaf, metric="manhattan", n_jobs=1
        ).fit(space)
        return lambda centres, k: index.kneighbors(centres, n_neighbors=k)

    return library


def _faiss() -> Library:
    import faiss  # noqa: PLC0415

    faiss.omp_set_num_threads(1)

    def library(space: np.ndarray) -> Search:
        index = faiss.IndexFlat(space.shape[1], faiss.METRIC_L1)
        index.add(space.astype(np.float32))
        return lambda centres, k: index.search(centres.astype(np.float32), k)

    return library


def gower_search(points: Points, sample: int) -> Callable[[int], tuple[np.ndarray, np.ndarray]]:
    """Return a search with the gower package around the first `sample` people."""
    import gower  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415

    table = pd.DataFrame(points.numeric)
    for axis in range(points.nominal.shape[1]):  # gower 0.1.2 needs object text with pandas 3
        table[f"c{axis}"] = pd.Series(
            [f"level {code}" for code in points.nominal[:, axis]], dtype=object
        )

    def search(k: int) -> tuple[np.ndarray, np.ndarray]:
        matrix = np.asarray(gower.gower_matrix(table.iloc[:sample], table))
        near = np.argpartition(matrix, k - 1, axis=1)[:, :k]
        dist = np.take_along_axis(matrix, near, axis=1)
        order = np.argsort(dist, axis=1, kind="stable")
        return np.take_along_axis(dist, order, 1), np.take_along_axis(near, order, 1)

    return search
