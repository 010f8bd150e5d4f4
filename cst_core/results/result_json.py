"""Frozen results as JSON: strict, exact, and without a second class for each of them."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields, is_dataclass
from functools import cache
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Generic, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data import as_text
from cst_core.errors import DataError

Item = TypeVar("Item")
NOT_STORED: Mapping[str, bool] = {"not stored": True}
"""Metadata of a field that JSON leaves out; it needs a default."""


class _Index(Generic[Item]):
    """Stands for `pandas.Index`, which cannot be subscripted when a program runs."""


class JsonResult:
    """What a frozen dataclass inherits to write and read itself as JSON.

    Fields may be numbers, texts, `Literal`, tuples, mappings by text, other dataclasses, arrays,
    indices and tables of one kind of number. A number that is not one (NaN) is null, an array is
    packed, and people come back by their ids as text.

    Examples
    --------
    >>> from cst_core.robustness.tornado import Outcome
    >>> Outcome(cases=3, significant=1, mean_delta=float("nan")).to_json()
    '{"cases": 3, "significant": 1, "mean_delta": null}'
    >>> Outcome.from_json('{"cases": 3, "significant": 1, "mean_delta": 0.5}')
    Outcome(cases=3, significant=1, mean_delta=0.5)
    """

    __slots__ = ()

    def to_json(self) -> str:
        """Return the result as JSON text."""
        return json.dumps(_plain(self), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the result that was written, or raise when the text is none of this class."""
        try:
            found = _read(cls, json.loads(text), cls.__name__)
        except (TypeError, ValueError, zlib.error) as error:
            raise DataError(
                f"{cls.__name__}: expected JSON that this version of the program wrote; {error} "
                "Compute it again."
            ) from error
        assert isinstance(found, cls)
        return found


def _plain(value: Any) -> Any:
    found = value.item() if isinstance(value, np.generic) else value
    if is_dataclass(value):
        found = {item.name: _plain(getattr(value, item.name)) for item in _stored(type(value))}
    elif isinstance(value, np.ndarray):
        found = _pack(value)
    elif isinstance(value, pd.DataFrame):
        people = None if isinstance(value.index, pd.RangeIndex) else _plain(value.index)
        names = [str(name) for name in value.columns]
        found = {"columns": names, "index": people, "values": _pack(value.to_numpy())}
    elif isinstance(value, pd.Index):
        found = [as_text(item) for item in value]
    elif isinstance(value, Mapping):
        found = {name: _plain(item) for name, item in value.items()}
    elif isinstance(value, tuple):
        found = [_plain(item) for item in value]
    elif isinstance(found, float) and np.isnan(found):
        found = None
    return found


def _read(hint: Any, value: Any, place: str) -> Any:
    kind, parts = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return _read(_fitting(parts, value), value, place)
    if kind is float:
        _checked(value is None or type(value) in (int, float), value, place)
        return float("nan") if value is None else float(value)
    if kind in (str, int, bool, NoneType, Literal):
        return _checked(value in parts if parts else type(value) is kind, value, place)
    return _READERS[dict if is_dataclass(kind) else kind](hint, value, place)


def _read_tuple(hint: Any, value: Any, place: str) -> tuple[Any, ...]:
    parts = get_args(hint)
    _checked(isinstance(value, list), value, place)
    kinds = parts[:1] * len(value) if parts[-1] is ... else parts
    return tuple(_read(kind, item, place) for kind, item in zip(kinds, value, strict=True))


def _read_mapping(hint: Any, value: Any, place: str) -> dict[str, Any]:
    _checked(isinstance(value, dict), value, place)
    kind = get_args(hint)[1]
    return {name: _read(kind, item, f"{place}[{name!r}]") for name, item in value.items()}


def _read_fields(kind: Any, value: Any, place: str) -> Any:
    _checked(_has_fields(kind, value), value, place)
    hints = _hints(kind)
    return kind(**{name: _read(hints[name], value[name], f"{place}.{name}") for name in value})


def _read_array(hint: Any, value: Any, place: str) -> npt.NDArray[Any]:
    return _unpack(value, place, np.dtype(get_args(get_args(hint)[1])[0]))


def _read_index(_: Any, value: Any, place: str) -> Any:
    _checked(isinstance(value, list) and {str} >= set(map(type, value)), value, place)
    return pd.Index(value, dtype=object)


def _read_frame(_: Any, value: Any, place: str) -> pd.DataFrame:
    _checked(isinstance(value, dict) and {"columns", "index", "values"} == set(value), value, place)
    people, values = value["index"], _unpack(value["values"], place)
    index = None if people is None else _read_index(None, people, place)
    return pd.DataFrame(values, index=index, columns=value["columns"])


_READERS: Mapping[Any, Callable[[Any, Any, str], Any]] = {
    tuple: _read_tuple,
    Mapping: _read_mapping,
    dict: _read_fields,
    np.ndarray: _read_array,
    _Index: _read_index,
    pd.DataFrame: _read_frame,
}


def _fitting(kinds: Sequence[Any], value: Any) -> Any:
    """Return which of several kinds a value is meant to be: dataclasses by their fields."""
    if value is None and NoneType in kinds:
        return NoneType
    others = [kind for kind in kinds if kind is not NoneType]
    return next((kind for kind in others if _has_fields(kind, value)), others[0])


def _has_fields(kind: Any, value: Any) -> bool:
    return (
        is_dataclass(kind)
        and isinstance(value, dict)
        and set(value) == {item.name for item in _stored(kind)}
    )


def _checked(fits: bool, value: Any, place: str) -> Any:
    if not fits:
        raise ValueError(f"{place} cannot be {str(value)[:80]!r}.")
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    pandas = SimpleNamespace(Index=_Index, DataFrame=pd.DataFrame)
    return get_type_hints(kind, localns={"pd": pandas})


def _stored(kind: Any) -> tuple[Field[Any], ...]:
    return tuple(item for item in fields(kind) if item.metadata != NOT_STORED)


def _pack(values: npt.NDArray[Any]) -> str:
    """Return an array as its kind, its shape, and its bytes."""
    shape = "x".join(map(str, values.shape))
    packed = zlib.compress(np.ascontiguousarray(values).tobytes(), level=1)
    return f"{values.dtype.str} {shape} {base64.b64encode(packed).decode()}"


def _unpack(text: Any, place: str, dtype: np.dtype[Any] | None = None) -> npt.NDArray[Any]:
    _checked(isinstance(text, str) and text.count(" ") == 2, text, place)
    kind, shape, packed = text.split(" ")
    _checked(np.dtype(kind).kind in "bif" and dtype in (None, np.dtype(kind)), kind, place)
    bytes_ = zlib.decompress(base64.b64decode(packed, validate=True))
    sizes = [int(size) for size in shape.split("x")]
    return np.frombuffer(bytes_, dtype=kind).reshape(sizes).copy()
