# Two commands are all the set-up there is: `make generate` and `make test`. `make help` lists the others.
# They make .venv with everything pinned; PYTHON chooses the interpreter (3.11 or newer).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE := tests/node/node_modules/.package-lock.json

.PHONY: generate help format lint type unit test check golden vectors package diff drift vendor dist node vectors-run conformance \
	bench docs hostile fuzz clean

generate: $(READY) ## write generated/ from spec/ (what `make` alone does)
	$(BIN)/python -m codegen generate

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: unit type lint check ## all that CI asks for: unit, type, lint, check

unit: $(READY) node ## the tests
	$(BIN)/python -m pytest -n auto

type: $(READY) ## mypy --strict on the generator and on the package
	$(BIN)/python -m mypy codegen templates/runtime
	cd generated && ../$(BIN)/python -m mypy --strict -p stream_events

format: $(READY) ## write all Python that people wrote as black has it
	$(BIN)/python -m black --quiet .

# Bandit is run by its test, which knows the exceptions and their reasons.
lint: $(READY) ## black, ruff and bandit find nothing
	$(BIN)/python -m black --check --quiet --diff .
	$(BIN)/python -m ruff check --quiet .
	$(BIN)/python -m pytest tests/hostile/test_bandit.py

check: $(READY) ## generated/ is what spec/ gives
	$(BIN)/python -m codegen check

# To be read in the diff afterwards: what is written becomes what is expected. Each Python at hand has operation counts of its own.
golden: $(READY) ## write anew what tests expect: tests/cases, tests/cases_diff, tests/operation_counts.json
	CODEGEN_UPDATE_CASES=1 $(BIN)/python -m pytest -n auto tests/test_cases.py::test_case tests/test_diff.py::test_case
	PYTHONPATH=.:generated $(BIN)/python -m tests.operation_counts --write

# The vectors are part of what is generated; the linter tells whether they are in their format and complete.
vectors: generate ## generate, and check the vectors
	$(BIN)/python -m codegen vectors check

# The package alone, as someone has it who vendored it: on Python 3.10 too (make package PYTHON=python3.10), for which not
# every pinned tool is made.
package: ## the package alone on PYTHON, without the generator
	$(PYTHON) -m venv build/package
	build/package/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement tests/pythons/requirements.txt
	build/package/bin/python -m pytest tests/test_sse.py tests/test_sse_properties.py tests/test_wire.py tests/test_fuzz.py
	build/package/bin/python -I -X dev -W error tests/pythons/use.py generated generated/vectors

# What changed since the newest snapshot, and what changed upstream; ARGS='--format markdown' and the like go along.
diff: $(READY) ## what changed in spec/ since its newest snapshot
	$(BIN)/python -m codegen diff $(ARGS)

drift: $(READY) ## what changed upstream
	$(BIN)/python -m codegen drift $(ARGS)

# ARGS='--out DIR --stream responses' go along.
docs: $(READY) ## the reference as a static site, in build/docs
	$(BIN)/python -m codegen docs $(ARGS)

# The package into another project, or up to date there: make vendor DEST=../client/src/client/_vendor ARGS='--stream chat'.
vendor: $(READY) ## copy the package to DEST
	$(if $(DEST),,$(error say where: make vendor DEST=path/to/project/_vendor))$(BIN)/python -m codegen vendor --into '$(DEST)' $(ARGS)

# Two wheels below dist/: stream-events, and the generator with its templates and its specification. The same on every day.
dist: $(READY) ## two wheels below dist/
	rm -rf dist
	$(BIN)/python -m codegen.dist build/dist
	SOURCE_DATE_EPOCH=315532800 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--wheel-dir dist build/dist/package build/dist/generator

# Peers in Node.js, for the tests and the conformance page; nothing where there is no npm.
node: $(if $(shell command -v npm),$(NODE))

$(NODE): tests/node/package-lock.json
	cd tests/node && npm ci --silent --no-audit --no-fund
	touch $@

# The vectors against an implementation: make vectors-run RUN='node my_runner.mjs'; ours by default.
RUN ?= $(BIN)/python -m codegen.vectors.ours

vectors-run: $(READY) ## the vectors against RUN
	$(BIN)/python -m codegen vectors run $(ARGS) -- $(RUN)

# All implementations of tests/runners/peers.json over all vectors: writes generated/reference/conformance.md.
conformance: $(READY) node ## the vectors against all peers
	$(BIN)/python -m codegen vectors conformance tests/runners/peers.json

# The package beside its peers, in a fresh environment: prints tables, and writes tests/bench/measured/ and
# generated/reference/performance.md. ARGS=--quick for a look of under a minute, which writes nothing.
bench: ## speed, beside the peers
	rm -rf build/bench
	$(PYTHON) -m venv build/bench
	build/bench/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--requirement tests/bench/requirements.txt --editable .
	env -u PYTHONDONTWRITEBYTECODE PYTHONPATH=$(CURDIR):$(CURDIR)/generated build/bench/bin/python -m tests.bench $(ARGS)

# Hostile input in its full sizes: 300 kills, a gigabyte without a newline, documents of 200 MB (the suite takes small ones).
hostile: $(READY) ## hostile input in its full sizes
	HOSTILE_FULL=1 HOSTILE_KILLS=300 $(BIN)/python -m pytest tests/hostile

# Each fuzz target for SECONDS; guided by coverage where the extra `fuzz` is installed (pip install '.[fuzz]').
SECONDS ?= 20

fuzz: $(READY) ## each fuzz target for SECONDS
	for target in decoder decode accumulate overlay document; do \
		PYTHONPATH=.:generated $(BIN)/python -m tests.fuzz $$target $(SECONDS) || exit 1; \
	done

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $(READY)

clean: ## remove .venv, build/, dist/ and the cache
	rm -rf $(VENV) build dist generated/.cache
