"""Sweeps over k against the counts at each k."""

import warnings

import numpy as np
import pytest

from cst_core import EvidenceSettings, SearchSettings, load_scenario, run_single
from cst_core.errors import CausalModelWarning, SettingsError, UnavailableError
from cst_core.results import Sweeper


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
