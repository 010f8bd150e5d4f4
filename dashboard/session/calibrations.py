"""Calibrated verdicts for the pages: dealt out beside them, and kept with the workspace."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cst_core.evidence import EvidenceSettings
from cst_core.results import Calibration, Result
from cst_core.testing import calibrate_result
from dashboard.draft.document import Draft
from dashboard.session import results
from dashboard.session.background import Tell
from dashboard.session.caches import Cache
from dashboard.session.kept_computations import computed, fingerprint, stored

Found = dict[str, dict[str, dict[str, str]]]
"""Calibrations as text, by k, run and method."""
_KEPT: Cache[Found] = Cache(24)


def calibrated(draft: Draft, found: Result, settings: EvidenceSettings) -> bool:
    """Return whether calibrated verdicts are there; while they are computed, show how far it is.

    All k of the case are done with the same deals; one that is not the case's is done by itself.
    """
    if settings.calibration == "none":
        return True
    return all(_part_there(found, settings, part) for part in _parts(draft, found, settings))


def _part_there(found: Result, settings: EvidenceSettings, part: DealtTogether) -> bool:
    if _is_known(found, settings, part.ks):
        return True
    kept = computed(
        _KEPT,
        part.name,
        part.computed_from,
        "Setting it beside worlds in which the label means nothing",
        lambda tell: _calibrate(found, settings, part.ks, tell),
        read=json.loads,
        write=json.dumps,
    )
    if kept is None:
        return False
    _take(found, settings, kept)
    return _is_known(found, settings, part.ks)


def is_kept(draft: Draft, found: Result, settings: EvidenceSettings) -> bool:
    """Return whether they are there already, taking what the workspace keeps."""
    for part in _parts(draft, found, settings):
        if not _is_known(found, settings, part.ks):
            kept = _KEPT.get(part.computed_from)
            kept = kept or stored(part.name, part.computed_from, json.loads)
            if kept is not None:
                _take(found, settings, kept)
    return _is_known(found, settings, [settings.n_neighbours])


def _is_known(found: Result, settings: EvidenceSettings, ks: Sequence[int]) -> bool:
    return all(
        run.calibration(method, each) is not None
        for each in (found.settings_each(results.at_k(settings, k)) for k in ks)
        for run in found.runs
        for method in found.methods
    )


class DealtTogether(NamedTuple):
    """What is computed together: under which name it is kept, of what it is, and its k."""

    name: str
    computed_from: str
    ks: list[int]


def _parts(draft: Draft, found: Result, settings: EvidenceSettings) -> list[DealtTogether]:
    """Return the case's own k, and another one that is shown: it has a place of its own.

    So a visit to another k never costs what is kept for those of the case.
    """
    # what is judged with them afterwards (α, interval, correction) changes no deal
    dealt = replace(EvidenceSettings(), **{name: getattr(settings, name) for name in DEALT})
    most, shown = results.largest_k(draft, found.name), settings.n_neighbours
    own = sorted({k for k in draft.settings.k if k <= most})
    key, name = results.key_of(draft, found.name), fingerprint(found.name)
    parts = (
        [DealtTogether(f"calibration {name}", fingerprint(key, dealt, *own), own)] if own else []
    )
    if shown not in own:
        parts.append(
            DealtTogether(f"calibration-k {name}", fingerprint(key, dealt, shown), [shown])
        )
    return parts


DEALT = (
    *("accepted_deviation", "direction", "balance_radii"),
    *("calibration", "relabellings", "relabelling_seed"),
)
"""The settings that deals depend on."""


def _calibrate(found: Result, settings: EvidenceSettings, ks: list[int], tell: Tell) -> Found:
    asked = [results.at_k(settings, k) for k in ks]
    calibrate_result(found, found.methods, asked, progress=tell)
    made: Found = {}
    for one in asked:
        each = found.settings_each(one)
        made[str(one.n_neighbours)] = {
            run.name: {
                method: known.to_json()
                for method in found.methods
                if (known := run.calibration(method, each)) is not None
            }
            for run in found.runs
        }
    return made


def _take(found: Result, settings: EvidenceSettings, kept: Found) -> None:
    """Hand what was kept to the runs, which judge with it."""
    for k, by_run in kept.items():
        each = found.settings_each(results.at_k(settings, int(k)))
        for run in found.runs:
            texts = by_run.get(run.name, {})
            for method in found.methods:
                if method in texts and run.calibrator and run.calibration(method, each) is None:
                    run.calibrator.keep(run, each, Calibration.from_json(texts[method]))
