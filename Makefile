# Two commands are all the set-up there is: `make generate` and `make test`.
# They make .venv with everything pinned; PYTHON chooses the interpreter (3.11 or newer).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: generate test check types unit package diff drift clean

generate: $(READY)
	$(BIN)/python -m codegen generate

test: unit types check

unit: $(READY)
	$(BIN)/python -m pytest -n auto

types: $(READY)
	$(BIN)/python -m mypy codegen templates/runtime
	cd generated && ../$(BIN)/python -m mypy --strict -p stream_events

check: $(READY)
	$(BIN)/python -m codegen check

# The package alone, as someone has it who vendored it: on Python 3.10 too (make package PYTHON=python3.10), for which not
# every pinned tool is made.
package:
	$(PYTHON) -m venv build/package
	build/package/bin/python -m pip install --quiet --disable-pip-version-check pytest hypothesis
	build/package/bin/python -m pytest tests/test_sse.py tests/test_sse_properties.py tests/test_wire.py tests/test_fuzz.py

# What changed since the newest snapshot, and what changed upstream; ARGS='--format markdown' and the like go along.
diff: $(READY)
	$(BIN)/python -m codegen diff $(ARGS)

drift: $(READY)
	$(BIN)/python -m codegen drift $(ARGS)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $(READY)

clean:
	rm -rf $(VENV) build/package generated/.cache
