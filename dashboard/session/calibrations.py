"""Calibrated verdicts for the pages: dealt out beside them, and kept with the workspace."""

from __future__ import annotations

import json
from dataclasses import replace

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

    All k of the case are done with the same deals.
    """
    if settings.calibration == "none" or _is_known(found, settings):
        return True
    ks = _sizes(draft, found, settings)
    kept = computed(
        _KEPT,
        *_kept_as(draft, found, settings),
        "Setting it beside worlds in which the label means nothing",
        lambda tell: _calibrate(found, settings, ks, tell),
        read=json.loads,
        write=json.dumps,
    )
    if kept is None:
        return False
    _take(found, settings, kept)
    return _is_known(found, settings)


def is_kept(draft: Draft, found: Result, settings: EvidenceSettings) -> bool:
    """Return whether they are there already, taking what the workspace keeps."""
    if not _is_known(found, settings):
        name, computed_from = _kept_as(draft, found, settings)
        kept = _KEPT.get(computed_from) or stored(name, computed_from, json.loads)
        if kept is not None:
            _take(found, settings, kept)
    return _is_known(found, settings)


def _is_known(found: Result, settings: EvidenceSettings) -> bool:
    each = found.settings_each(settings)
    return all(
        run.calibration(method, each) is not None for run in found.runs for method in found.methods
    )


def _sizes(draft: Draft, found: Result, settings: EvidenceSettings) -> list[int]:
    most = results.largest_k(draft, found.name)
    return sorted({k for k in draft.settings.k if k <= most} | {settings.n_neighbours})


def _kept_as(draft: Draft, found: Result, settings: EvidenceSettings) -> tuple[str, str]:
    # what is judged with them afterwards (α, interval, correction) changes no deal
    dealt = replace(EvidenceSettings(), **{name: getattr(settings, name) for name in DEALT})
    ks = _sizes(draft, found, settings)
    return (
        f"calibration {fingerprint(found.name)}",
        fingerprint(results.key_of(draft, found.name), dealt, *ks),
    )


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
