"""Sweeps over k against the counts at each k."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from cst_core import EvidenceSettings, SearchSettings, load_scenario, run_single
from cst_core.errors import CausalModelWarning, SettingsError, UnavailableError
from cst_core.results import MultipleSweeper, Sweeper
from cst_core.testing import multiple_from


@pytest.fixture(scope="module")
def results():
    found = {}
    for name, attribute in (("loan", "Gender"), ("law-school", "race")):
        case = load_scenario(name)
        with warnings.catch_warnings(action="ignore", category=CausalModelWarning):  # clips
            found[name] = run_single(
                case.dataset(),
                case.causal_model(),
                attribute=attribute,
                decision_maker=case.decision_maker(),
                search=SearchSettings(max_neighbours=120),
            )
    return found


@pytest.mark.parametrize("sample", ["loan", "law-school"])
@pytest.mark.parametrize("direction", ["against", "favour"])
@pytest.mark.parametrize(("tau", "alpha"), [(0.0, 0.05), (0.1, 0.01), (-0.05, 0.2)])
def test_a_sweep_gives_the_counts_at_each_k(results, sample, direction, tau, alpha):
    result = results[sample]
    ks = [1, 2, 15, 50, 119, 120]
    for method in result.methods:
        settings = EvidenceSettings(
            n_neighbours=1, accepted_deviation=tau, significance_level=alpha, direction=direction
        )
        swept = Sweeper.of(result).sweep(method, settings, ks)
        for position, k in enumerate(ks):
            one = result.summary(
                method,
                EvidenceSettings(
                    n_neighbours=k,
                    accepted_deviation=tau,
                    significance_level=alpha,
                    direction=direction,
                ),
            )
            assert (swept.cases[position], swept.significant[position]) == (
                one.cases,
                one.significant,
            )
            assert swept.mean_delta[position] == pytest.approx(one.mean_delta, abs=1e-12)


DOUBTS = [
    {"interval": "agresti-caffo", "correction": "bh", "tie_robust": True},
    {"interval": "score", "correction": "by"},
    {"interval": "newcombe", "correction": "bh", "balance_radii": True},
    {"interval": "agresti-caffo", "correction": "bh", "several": "intersection-union"},
    {"tie_robust": True, "balance_radii": True, "several": "intersection-union"},
]


def assert_swept(sweeper, result, settings):
    ks = [2, 15, 50, 120]
    swept = sweeper.sweep("CST_wo", settings, ks)
    for position, k in enumerate(ks):
        one = result.summary("CST_wo", replace(settings, n_neighbours=k))
        for name in ("cases", "significant", "cases_hold", "significant_hold"):
            assert getattr(swept, name)[position] == getattr(one, name), (name, k)
    return swept


@pytest.mark.parametrize("doubts", DOUBTS)
@pytest.mark.parametrize("sample", ["loan", "law-school"])
def test_doubts_are_swept_as_they_are_counted(results, sample, doubts):
    """In the law-school data many complainants stand on one point and are counted once."""
    swept = assert_swept(Sweeper.of(results[sample]), results[sample], EvidenceSettings(**doubts))
    assert (swept.significant[1:] > 0).all()


@pytest.mark.parametrize("doubts", DOUBTS)
def test_doubts_about_several_attributes_are_swept_as_they_are_counted(results, doubts):
    case = load_scenario("law-school")
    with warnings.catch_warnings(action="ignore", category=CausalModelWarning):
        gender = run_single(
            case.dataset(),
            case.causal_model(),
            attribute="gender",
            decision_maker=case.decision_maker(),
            search=SearchSettings(max_neighbours=120),
        )
    race = results["law-school"]
    multiple = multiple_from([gender, race])
    sweeper = MultipleSweeper.of(multiple)
    assert len(sweeper.sweepers[0].weights) < multiple.n_protected
    swept = assert_swept(sweeper, multiple, EvidenceSettings(**doubts, significance_level=0.2))
    assert swept.significant.max() > 0


def test_an_empty_sweep_is_empty(results):
    found = Sweeper.of(results["loan"]).sweep("ST", EvidenceSettings(n_neighbours=5), [])
    assert len(found.k) == len(found.cases) == len(found.mean_delta) == 0


def test_everyone_is_counted(results):
    for result in results.values():
        assert Sweeper.of(result).weights.sum() == result.n_protected


def test_a_k_that_was_not_searched_is_refused(results):
    with pytest.raises(SettingsError, match="121 is more than the 120"):
        Sweeper.of(results["loan"]).sweep("ST", EvidenceSettings(n_neighbours=5), [15, 121])


def test_a_method_the_case_cannot_support_is_refused():
    case = load_scenario("loan")
    result = run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        search=SearchSettings(max_neighbours=5),
    )
    settings = EvidenceSettings(n_neighbours=5)
    with pytest.raises(UnavailableError, match="no decision maker"):
        Sweeper.of(result).sweep("CF", settings, [5])
    assert np.isfinite(Sweeper.of(result).sweep("CST_wo", settings, [5]).mean_delta).all()
