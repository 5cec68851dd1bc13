# One entry point; every target says what it does. `make` alone lists them.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCKS := deploy/requirements
CORE := $(wildcard arena/rules/*.py) arena/match/referee.py arena/protocol/turn/writer.py setup.py $(wildcard arena/bot/simulate/*.py)
.DEFAULT_GOAL := help
.PHONY: help setup build protos lock check test demo bench bench-bots bench-stats soak wheel clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@deploy/make-venv $(PYTHON) $(VENV)

$(VENV)/run.stamp: $(LOCKS)/build.lock pyproject.toml setup.py | $(BIN)/python
	@echo "Installing the packages of $(LOCKS)/build.lock into $(VENV) ..." >&2
	@$(BIN)/python -m pip install --quiet --require-hashes -r $(LOCKS)/build.lock
	@# A newer pip would show a warning of setuptools about folders that we do not have.
	@ARENA_BUILD_CORE=0 PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(LOCKS)/dev.lock $(VENV)/run.stamp
	@echo "Installing the packages of $(LOCKS)/dev.lock into $(VENV) ..." >&2
	@$(BIN)/python -m pip install --quiet --require-hashes -r $(LOCKS)/dev.lock
	@touch $@

# Without a core there is no stamp, so that the next `make` looks for a compiler again.
$(VENV)/core.stamp: $(CORE) $(VENV)/run.stamp
	@$(BIN)/python setup.py --quiet build_core --stamp=$@

setup: $(VENV)/dev.stamp build ## Make .venv from the hash-locked lists.

build: $(VENV)/core.stamp ## Compile the core of the engine where a C compiler is found.

protos: $(VENV)/dev.stamp ## Generate the protobuf code.
	@$(BIN)/python deploy/gen-protos

lock: ## Write the hash-locked lists anew (needs uv).
	@deploy/lock

check: $(VENV)/dev.stamp build ## Format, lint, types, import contracts, generated code, schema page.
	@PATH="$(CURDIR)/$(BIN):$$PATH" deploy/check

test: $(VENV)/dev.stamp build ## The whole suite, with all its set-up.
	@PATH="$(CURDIR)/$(BIN):$$PATH" deploy/run-tests

demo: $(VENV)/run.stamp ## Bots in their own sandboxes play a round robin; the standing is printed.
	@PATH="$(CURDIR)/$(BIN):$$PATH" CORE_STAMP="$(VENV)/core.stamp" SANDBOX="$(SANDBOX)" \
		LANGUAGES="$(LANGUAGES)" deploy/demo

bench: $(VENV)/dev.stamp build ## What it costs, as ratios from one run.
	@PATH="$(CURDIR)/$(BIN):$$PATH" deploy/bench

soak: $(VENV)/dev.stamp build ## 10,000 matches through one worker, 200 tournaments, then all that can go wrong.
	@PATH="$(CURDIR)/$(BIN):$$PATH" deploy/soak

wheel: $(VENV)/dev.stamp ## Build the wheel with its compiled core into dist/, and try it (PURE=1: without).
	@PATH="$(CURDIR)/$(BIN):$$PATH" PURE="$(PURE)" deploy/wheel

bench-bots: $(VENV)/dev.stamp build ## What a bot costs by its language: start, speed, memory.
	@PYTHONPATH="$(CURDIR)" $(BIN)/python bench/bots.py $(if $(JSON),--json)

bench-stats: $(VENV)/dev.stamp build ## What the statistics cost, and what paired deals save.
	@$(BIN)/python bench/stats.py

clean: ## Remove what was built (not .arena/, which holds data).
	@rm -rf $(VENV) build dist *.egg-info
