# `make test` sets up everything and runs every check; `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: help dashboard chromium screenshots install install-bench install-test test quick lint types imports unit bench bench-quick bench-robustness bench-states bench-workbench validate power-cuts samples clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 17

dashboard: install  ## set up everything and open the app in the browser
	$(BIN)/python -m dashboard $(if $(PORT),--port $(PORT)) $(if $(STORE),--store $(STORE))

install: $(VENV)/.installed  ## make .venv with the `cst` command in it

EDITOR := dashboard/dag_editor/frontend
BUILT  := hatch_build.py $(wildcard cst_core/similarity/*.c) $(EDITOR)/build.mjs \
          $(EDITOR)/package-lock.json $(EDITOR)/make_types.py $(EDITOR)/../protocol.py \
          $(wildcard $(EDITOR)/src/*.*)

PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e

$(VENV)/.installed: pyproject.toml constraints.txt $(BUILT) | $(BIN)/python
	$(PIP) .
	touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

install-test: $(VENV)/.installed-test

$(VENV)/.installed-test: pyproject.toml constraints.txt $(BUILT) | $(BIN)/python
	$(PIP) '.[test]'
	touch $(VENV)/.installed $@

test: install-test chromium lint imports  ## set up everything and run every check
	@$(MAKE) --no-print-directory --jobs=2 types unit  # types while the browsers wait

quick: install-test lint imports  ## style, order of the rooms and the fast tests, for while you work
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -q -n 2 --dist loadgroup -m 'not slow' $(FAST)

# No golden tables, no app and no browser: `make test` has them.
FAST := tests/architecture tests/unit tests/properties cst_core dashboard

chromium:  ## find a Chromium for the browser tests, or install Debian's when root
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || command -v google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 \
	       && { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } ; } \
	  || echo "No Chromium was found and none could be installed: the browser tests will be skipped."

lint: install-test  ## style (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install-test  ## types (mypy strict)
	$(BIN)/mypy

imports: install-test  ## the order of the rooms (import-linter)
	$(BIN)/lint-imports

unit: install-test  ## unit, property, golden, app and browser tests, and doctests
	$(BIN)/python -m pytest -n 2 --dist loadgroup

bench: install-bench  ## measure speed against the alternatives, as ratios in one table
	$(BIN)/python -m benchmarks

bench-quick: install-bench  ## the same on fewer cases, in under two minutes
	$(BIN)/python -m benchmarks --quick

bench-workbench: install-test chromium  ## measure the dashboard in a browser and under 25 sessions
	$(BIN)/python -m benchmarks.workbench

validate: install-test  ## how often each interval and test errs, and every example of the properties
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q -n 2 --dist loadgroup -m hypothesis tests
	$(BIN)/python -m benchmarks.validity
	$(BIN)/python -m benchmarks.validity.sizes --quick
	$(BIN)/python -m benchmarks.simulation
	$(BIN)/python -m benchmarks.simulation.calibrated --check 2

power-cuts: install-test chromium  ## cut the dashboard's power forty times in bursts of edits
	CST_POWER_CUTS=40 $(BIN)/python -m pytest tests/browser/test_crash.py

bench-robustness: install-test  ## measure the robustness checks on the law-school sample
	$(BIN)/python -m benchmarks.robustness

bench-states: install-test  ## measure a case whose counterfactuals are weighted states (Adult)
	$(BIN)/python -m benchmarks.states

install-bench: $(VENV)/.installed-bench

$(VENV)/.installed-bench: $(VENV)/.installed-test
	$(PIP) '.[bench]'
	touch $@

screenshots: install-test chromium  ## take the guide's pictures anew (ALL=folder: every page)
	$(BIN)/python docs/screenshots/make.py $(if $(ALL),--all $(ALL))

samples: install  ## make the sample data anew (all but loan fetch their source packages)
	$(BIN)/python sample_data/loan/generate.py
	for sample in law-school berkeley german-credit adult; do \
	  $(BIN)/python sample_data/$$sample/prepare.py || exit 1; done

clean:  ## remove everything that `make install` and the checks made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
