"""The compiled backend: an index over distinct points, and the curves of centres from it.

The kernel is C (``kernel.c`` beside this file), compiled when the package is installed. Its calls
release Python's lock, and an index is read-only once built, so threads share it.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from cst_core.similarity.curves import BlockCurves
from cst_core.similarity.embedding import FloatArray, IntArray, Points
from cst_core.similarity.space import Block, SearchSpace

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
MAX_COLUMNS = 4096
BLOCK_CENTRES = 1024
LEAF_SIZE = 256

_pointer = ctypes.c_void_p
_int64 = ctypes.c_int64
_int = ctypes.c_int
_double = ctypes.c_double
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "kn_batch": (_int, []),
    "kn_order": (
        _int64,
        [_int64, _int, _int, _pointer, _pointer, _pointer, _int, _pointer, _pointer],
    ),
    "kn_build": (_pointer, [_int64, _int, _int, *[_pointer] * 5, _int]),
    "kn_free": (None, [_pointer]),
    "kn_nearest": (_int, [_pointer, _int64, _pointer, _pointer, _int64, _pointer, _pointer]),
    "kn_curves": (
        _int64,
        [_pointer, _int64, *[_pointer] * 4, _int64, _double, _int64, _int, *[_pointer] * 5],
    ),
    "rl_groups": (
        _int,
        [
            *(_int64, _int, _int, *[_pointer] * 3, _int64, _pointer, _pointer),
            *(_int64, _pointer, _int64, _pointer, _pointer, _int64, *[_pointer] * 4),
            *(_int64, _pointer, _double, _int, *[_pointer] * 3),
        ],
    ),
    "rl_states": (
        _int,
        [
            *(_int64, _int, _int, *[_pointer] * 3, _int64, *[_pointer] * 5),
            *(_int64, *[_pointer] * 11, _int64, _pointer, _double, _int, *[_pointer] * 2),
        ],
    ),
}
_building = threading.Lock()
_indexes: WeakKeyDictionary[SearchSpace, KernelIndex] = WeakKeyDictionary()


def is_available() -> bool:
    """Return whether the kernel was compiled and can be loaded."""
    return library() is not None


def index_of(space: SearchSpace) -> KernelIndex:
    """Return the index of a search space, built once."""
    with _building:
        index = _indexes.get(space)
        if index is None:
            index = _indexes[space] = KernelIndex(space)
    return index


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL | None:
    """Return the kernel; None where it was not compiled or cannot be loaded."""
    try:
        found = ctypes.CDLL(str(Path(__file__).with_name(f"_kernel{SUFFIX}")))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):  # not compiled, or for another machine or version
        return None
    return found


class KernelIndex:
    """An index over a search space's distinct points."""

    def __init__(self, space: SearchSpace) -> None:
        found = library()
        assert found is not None
        self._library = found
        self._space_rows = space.collapsed.point_of_row
        self._negative = space.negative
        points = space.collapsed.points
        self._points = len(points)
        self._columns = (points.numeric.shape[1], points.nominal.shape[1])
        self._weights = np.ascontiguousarray(points.nominal_weights, dtype=np.float64)
        numeric, nominal = arrays(points)
        counts = np.ascontiguousarray(space.collapsed.counts, dtype=np.int32)
        negatives = np.ascontiguousarray(space.collapsed.negatives, dtype=np.int32)
        self._handle = found.kn_build(
            self._points,
            *self._columns,
            numeric.ctypes.data,
            nominal.ctypes.data,
            self._weights.ctypes.data,
            counts.ctypes.data,
            negatives.ctypes.data,
            LEAF_SIZE,
        )
        if not self._handle:
            raise MemoryError("There is not enough memory for the search index.")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.kn_free(self._handle)
            self._handle = None

    def nearest(self, centres: Points, k: int) -> tuple[FloatArray, IntArray]:
        """Return each centre's k nearest points (at most all), sorted: distances and points."""
        k = min(k, self._points)
        numeric, nominal = arrays(centres)
        distance = np.empty((len(centres), k))
        point = np.empty((len(centres), k), dtype=np.int64)
        done = self._library.kn_nearest(
            self._handle,
            len(centres),
            numeric.ctypes.data,
            nominal.ctypes.data,
            k,
            distance.ctypes.data,
            point.ctypes.data,
        )
        check(done)
        return distance, point

    def curves(self, block: Block) -> BlockCurves:
        """Return the curves of a block's centres."""
        n, k_max = len(block), block.k_max
        order = self.order(block.centres)
        numeric, nominal = arrays(block.centres.take(order))
        wide = k_max > np.iinfo(np.uint16).max
        low = np.empty((k_max, n), dtype=np.uint32 if wide else np.uint16)
        high = np.empty_like(low)
        available = np.empty(n, dtype=np.int64)
        slot = np.empty(n, dtype=np.int32)
        own, refused = None, np.zeros(n, dtype=np.uint8)
        if block.own_row is not None:
            rows = block.own_row[order]
            own = np.ascontiguousarray(self._space_rows[rows])
            refused[:] = self._negative[rows]
        scratch = np.empty((min(n, BLOCK_CENTRES), k_max))
        parts: list[FloatArray] = []
        for start in range(0, n, BLOCK_CENTRES):
            some = slice(start, start + BLOCK_CENTRES)
            tied = self._library.kn_curves(
                self._handle,
                len(available[some]),
                numeric[some].ctypes.data,
                nominal[some].ctypes.data,
                None if own is None else own[some].ctypes.data,
                refused[some].ctypes.data,
                k_max,
                np.inf if block.max_distance is None else block.max_distance,
                n,
                wide,
                low[:, some].ctypes.data,
                high[:, some].ctypes.data,
                scratch.ctypes.data,
                slot[some].ctypes.data,
                available[some].ctypes.data,
            )
            check(tied)
            parts.append(scratch[:tied].T.copy())
        back = np.empty(n, dtype=np.int64)
        back[order] = np.arange(n)
        tied_there = np.flatnonzero(slot >= 0)  # places in the order of the search
        tied_here = order[tied_there]
        sorting = np.argsort(tied_here)
        return BlockCurves(
            lowest=low[:, back],
            tied=tied_here[sorting],
            expected=np.concatenate(parts, axis=1)[:, sorting],
            highest=high[:, tied_there[sorting]],
            available=available[back],
        )

    def order(self, centres: Points) -> IntArray:
        """Return an order of the centres in which neighbours follow each other."""
        numeric, nominal = arrays(centres)
        order = np.empty(len(centres), dtype=np.uint32)
        done = self._library.kn_order(
            len(centres),
            *self._columns,
            numeric.ctypes.data,
            nominal.ctypes.data,
            self._weights.ctypes.data,
            self._library.kn_batch(),
            None,
            order.ctypes.data,
        )
        check(done)
        return order.astype(np.int64)


def arrays(points: Points) -> tuple[FloatArray, npt.NDArray[np.int32]]:
    """Return coordinates as the kernel takes them."""
    numeric = np.ascontiguousarray(points.numeric, dtype=np.float64)
    return numeric, np.ascontiguousarray(points.nominal, dtype=np.int32)


def check(result: int) -> None:
    """Raise where the kernel says that memory was not enough."""
    if result < 0:
        raise MemoryError("There is not enough memory for the search.")
