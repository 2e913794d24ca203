# The two commands of the README, and the longer ones.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out/rhode-island
EARLY := tests/cards tests/games tests/test_naive.py  # tests that need no training

.PHONY: run test test-early test-hostile test-slow lint compiled docs bench clean

run: $(VENV)/.installed
	$(BIN)/errai solve rhode-island --target 1 --out $(OUT) --overwrite

test: $(VENV)/.installed-test
	$(MAKE) -j 2 test-early compiled
	$(BIN)/python -m pytest -n 2 --dist worksteal $(foreach folder,$(EARLY),--ignore $(folder))

test-early: lint
	$(BIN)/python -m pytest $(EARLY)

compiled: $(VENV)/.installed-test
	$(BIN)/python -m tests.compiled

test-hostile: $(VENV)/.installed-test
	$(BIN)/python -m tests.hostile

test-slow: $(VENV)/.installed-test
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "the site is in out/site; open out/site/index.html"

bench: $(VENV)/.installed-test
	$(BIN)/python benchmarks/run.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-test: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache build
