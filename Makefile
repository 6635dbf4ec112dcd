# Every task of the project; `make help` lists them. On a fresh clone `make demo` and `make test` need only cargo,
# Python >= 3.11 and make: whatever else they use is put into $(VENV), $(TOOLS) and target/.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first Python that is new enough; `make PYTHON=...` takes another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
VENV ?= .venv
BIN := $(abspath $(VENV))/bin
TOOLS := $(abspath .cache/tools)

export VIRTUAL_ENV := $(abspath $(VENV))
# One interpreter for each cargo call, or every other one compiles pyo3 again.
export PYO3_PYTHON := $(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# A line `##@ Name` begins a group; `## ...` behind a target describes it.
.PHONY: help
help:
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z][a-z-]*:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Start here

$(BIN)/pip-is-new:
	@test -n "$(PYTHON)" || { echo "notesieve needs Python 3.11 or newer: install it, or say make PYTHON=/path/to/python3" >&2; exit 1; }
	@command -v cargo >/dev/null || { echo "notesieve needs cargo, Rust's build tool, version 1.88 or newer" >&2; exit 1; }
	@echo "== making the virtual environment $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { echo "$(PYTHON) has no venv module; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

# The dependency group of pyproject.toml that a task needs, once.
$(VENV)/.group-%: pyproject.toml | $(BIN)/pip-is-new
	@echo "== installing the Python packages of the group $*"
	@$(BIN)/python -m pip install --quiet --group $*
	@touch $@

# The model that the tests of notesieve.adapters use, by its digest. Its dependency, spaCy, is in the group `test`.
$(VENV)/.spacy-model: tests/python/spacy-model.txt $(VENV)/.group-test
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement $<
	@touch $@

.PHONY: setup develop
setup: develop $(VENV)/.group-dev ## Makes the virtual environment with all that developers need and builds the package into it

develop: $(VENV)/.group-build ## Builds the package into the virtual environment, in the profile of the Rust tests
	@echo "== building the package: some four minutes on two idle cores the first time, seconds when nothing has changed"
	@$(BIN)/maturin develop --group build | { grep -Ev '^(Requirement|Looking|Ignoring)' || true; }

.PHONY: demo
demo: develop ## Scrubs the example notes and prints the result
	@echo "== scrubbing the example notes"
	@$(BIN)/notesieve demo

.PHONY: serve
serve: develop $(VENV)/.group-serve ## Serves the page and the HTTP interface on this machine, until Ctrl-C
	$(BIN)/notesieve serve

##@ While you work

# What most edits break, in less than two minutes: the layout and types of the code, the marks of the corpus, a dozen cases
# and the pages. The rest of the tests and clippy compile the core once or twice more, and are for `test` and `lint`.
.PHONY: check
check: develop $(VENV)/.group-test $(VENV)/.group-lint ## The quick checks after an edit: formatting, lints and types of Python, cases, pages
	cargo fmt --all --check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m mypy
	$(BIN)/python corpus/check.py --errors $(BATCHES)
	$(BIN)/python -m pytest --quiet tests/python/test_cases.py tests/python/test_documents.py tests/python/test_corpus.py

format: $(VENV)/.group-lint ## Formats all code
	cargo fmt --all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

##@ Tests

.PHONY: test test-rust test-python
test: test-rust test-python ## All tests, Rust and Python: some twenty minutes on two cores the first time

# What maturin tells pyo3's build by the environment: every call of cargo that says otherwise compiles the binding and what
# it stands on again, and so does the next `develop`.
PYO3 = PYO3_BUILD_EXTENSION_MODULE=1 PYO3_CONFIG_FILE="$$(ls $(CURDIR)/target/maturin/pyo3-config-*.txt | head -1)"

# The whole workspace, although the binding is tested from Python only: with one member less cargo would choose other features
# for shared dependencies, and compile them, and the vocabulary, a second time for `develop`.
test-rust: develop ## The tests of the core and of the vocabulary
	@echo "== Rust tests: some five minutes on two cores the first time, most of it compiling"
	$(PYO3) cargo test --workspace --no-fail-fast

test-python: develop $(VENV)/.group-test $(VENV)/.spacy-model ## The tests and the examples of the Python package
	@echo "== Python tests: some ten minutes on two cores"
	$(BIN)/python -m pytest

.PHONY: test-notebooks
test-notebooks: develop $(VENV)/.group-notebooks ## Runs every notebook, each in less than five minutes
	$(BIN)/python -m pytest --nbmake --nbmake-timeout=300 --nbmake-kernel=python3 -W default notebooks

FUZZ_SECONDS ?= 60

.PHONY: fuzz
fuzz: ## Feeds damaged vocabularies to the reader for a minute; needs a nightly compiler and cargo-fuzz
	cargo +nightly fuzz run read_any_vocabulary -- -max_total_time=$(FUZZ_SECONDS)

COUNT ?= 1000000

.PHONY: fuzz-verify
fuzz-verify: $(VENV)/.group-build $(VENV)/.group-test ## Scrubs random texts and checks each output with ns.verify: make fuzz-verify [COUNT=1000000]
	$(BIN)/maturin develop --quiet --release
	$(BIN)/python tests/python/fuzz_texts.py --count $(COUNT)

# Apart from the other tests: pyspark is large, and needs Java 17 or 21.
.PHONY: test-spark
test-spark: develop $(VENV)/.group-test $(VENV)/.group-spark ## The tests on clusters: Spark (standalone, Connect) and Dask
	@command -v java >/dev/null || { echo "Spark needs Java 17 or 21; on Debian: apt-get install openjdk-17-jre-headless" >&2; exit 1; }
	$(BIN)/python -m pytest -o filterwarnings=default tests/spark

CHROMIUM ?= $(shell command -v chromium chromium-browser google-chrome | head -1)

# Apart from the other tests: it needs a browser, and starts JupyterLab.
.PHONY: test-browser
test-browser: develop $(VENV)/.group-browser ## The page of the service, and the review widget in JupyterLab, in a browser; needs chromium
	@test -n "$(CHROMIUM)" || { echo "test-browser needs chromium; on Debian: apt-get install chromium" >&2; exit 1; }
	$(BIN)/python -m pytest -o filterwarnings=default tests/browser

##@ Lints

.PHONY: lint lint-rust lint-python lint-workflows lint-licences format
lint: lint-rust lint-python lint-workflows lint-licences ## Formatting, lints, types, stubs, workflows, licences

lint-rust: develop ## rustfmt, clippy and rustdoc without a warning
	cargo fmt --all --check
	$(PYO3) cargo clippy --workspace --all-targets -- -D warnings
	$(PYO3) RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --quiet

lint-python: develop $(VENV)/.group-lint ## ruff, mypy, and the stubs against the compiled module
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy.stubtest notesieve._core

# The workflows of GitHub, with the actionlint of the machine if it has one.
lint-workflows: $(if $(shell command -v actionlint),,$(VENV)/.group-workflows) ## actionlint on .github/workflows
	$(or $(shell command -v actionlint),$(BIN)/actionlint) -no-color

$(TOOLS)/bin/cargo-deny:
	cargo install --quiet --locked --root $(TOOLS) cargo-deny

lint-licences: $(if $(shell command -v cargo-deny),,$(TOOLS)/bin/cargo-deny) ## Licences and sources of all dependencies
	PATH="$(TOOLS)/bin:$$PATH" cargo deny --log-level error check bans licenses sources

##@ Vocabulary and model

.PHONY: vocabulary
vocabulary: $(VENV)/.group-build ## Fetches the pinned packages, checks their digests, and writes the lists in vocabularies/
	$(BIN)/python vocabularies/fetch.py
	git diff --stat -- vocabularies

LEARN := cargo run --quiet --profile learn -p notesieve-learn --
BATCHES := $(sort $(wildcard corpus/train/*.txt))

# Third-party text from which the model learns what may stay: models/source.toml says where each file is to be had. HALF=0
# learns from one half of the texts, so that what is kept of the other half can be measured.
CLINICAL := vaers neiss maude mts-notes mts-talk primock-notes primock-talk
LEARNED := $(CLINICAL) medquad pubmedqa meqsum osha bva labels nursing sti mmwr
HALF ?=
HALVED = $(if $(HALF),--half $(HALF))
public = $(if $(PUBLIC),$(foreach source,$(1),--public $(PUBLIC)/$(source).jsonl))

.PHONY: model
model: ## Learns the built-in model from corpus/train and third-party text, in minutes; the same bytes each time: make model PUBLIC=FOLDER
	$(LEARN) model $(BATCHES) $(call public,$(LEARNED)) $(HALVED) -o models/default.model

.PHONY: kept
kept: ## What is kept of third-party text that was not learned from: make kept PUBLIC=FOLDER [HALF=0]
	@test -n "$(PUBLIC)" || { echo "usage: make kept PUBLIC=FOLDER" >&2; exit 2; }
	$(LEARN) kept $(call public,$(CLINICAL)) --half $(if $(HALF),$$((1 - $(HALF))),1) -o models/default.model
	$(LEARN) kept $(call public,openi tcga) -o models/default.model

.PHONY: entity-model
entity-model: ## Learns from the same notes what joins removed tokens to entities and tells their kinds, in minutes
	$(LEARN) entities $(BATCHES) $(call public,$(LEARNED)) $(HALVED) -o models/entities.model

.PHONY: entity-folds
entity-folds: ## Learns entities from each half of the training batches and measures them on the other
	$(LEARN) entity-folds $(BATCHES) $(call public,$(LEARNED)) $(HALVED)

PASSAGES := $(sort $(wildcard corpus/status/train/*.toml))
# Passages with statuses as often as notes have them: thresholds are calibrated on them.
CALIBRATION := $(foreach file,$(sort $(wildcard corpus/status/calibrate/*.toml)),--calibration $(file))

.PHONY: status-model
status-model: ## Trains the status model on the marked passages, in seconds; the same bytes each time
	$(LEARN) status $(PASSAGES) $(CALIBRATION) -o models/status.model

.PHONY: status-folds
status-folds: ## Cross-validates the status model: cues alone, the model, and what either asserts
	$(LEARN) status-folds $(PASSAGES) $(CALIBRATION)

MEASURED ?= T1,T3,T6,T10,T11

.PHONY: folds folds-by-author
folds: ## Learns from all training batches but one and measures that one, for each of MEASURED: make folds [MEASURED=T1,T3] [PUBLIC=FOLDER]
	$(LEARN) folds $(BATCHES) $(call public,$(LEARNED)) $(HALVED) --measured $(MEASURED)

folds-by-author: ## The same by author, for the batches whose notes name theirs: make folds-by-author [PUBLIC=FOLDER]
	$(LEARN) folds $(BATCHES) $(call public,$(LEARNED)) $(HALVED) --by author

.PHONY: learning-curve
learning-curve: ## What marked notes of a site bring: make learning-curve SITES="GOLD BATCH.txt ..." [START=MODEL] [SIZES=10,25,50]
	@test -n "$(SITES)" || { echo "usage: make learning-curve SITES=\"GOLD BATCH.txt ...\" [START=MODEL]" >&2; exit 2; }
	$(LEARN) adapt $(SITES) -o $(or $(START),models/default.model) --sizes $(or $(SIZES),10,25,50,100,200) --epochs 12 --l2 30

.PHONY: measure-model
measure-model: ## Measures the built-in model on the test batches, which it has not seen: recall, notes without a leak, kept
	$(LEARN) measure $(wildcard corpus/test/*.txt) -o models/default.model

##@ Measurements: what is removed and kept

REPORT ?= report/quality

.PHONY: quality
quality: develop ## Scores every gold set below a folder: make quality CORPUS=FOLDER SCORER=SCRIPT [REPORT=FOLDER]
	@test -n "$(CORPUS)" -a -n "$(SCORER)" || { echo "usage: make quality CORPUS=FOLDER SCORER=SCRIPT" >&2; exit 2; }
	@mkdir -p $(REPORT)
	@find -L "$(CORPUS)" -name gold.jsonl -exec dirname {} \; | sort | while read -r gold; do \
		name=$$(basename "$$gold"); echo "== $$name"; \
		$(BIN)/notesieve scrub "$$gold/notes" --format spans > "$(REPORT)/$$name.jsonl"; \
		$(BIN)/python "$(SCORER)" "$$gold" "$(REPORT)/$$name.jsonl" --json "$(REPORT)/$$name.json"; \
	done

SEED ?= 1

.PHONY: redrawn
redrawn: develop $(VENV)/.group-unseen ## The same gold sets with every identifier drawn again in other forms: make redrawn CORPUS=FOLDER SCORER=SCRIPT [SEED=2]
	@test -n "$(CORPUS)" -a -n "$(SCORER)" || { echo "usage: make redrawn CORPUS=FOLDER SCORER=SCRIPT" >&2; exit 2; }
	@find -L "$(CORPUS)" -name gold.jsonl -exec dirname {} \; | sort | while read -r gold; do \
		$(BIN)/python tests/benchmarks/redrawn.py "$$gold" -o "$(REPORT)/redrawn/gold/$$(basename "$$gold")" --seed $(SEED); \
	done
	@$(MAKE) --no-print-directory quality CORPUS=$(REPORT)/redrawn/gold REPORT=$(REPORT)/redrawn

.PHONY: picture
picture: develop $(VENV)/.group-browser ## Draws the picture of the page in README and docs anew; needs chromium
	$(BIN)/python tests/browser/page_picture.py

.PHONY: report-picture
report-picture: develop ## Draws the evaluation report of 120 synthetic notes as a picture and as a PDF, in $(REPORT)
	@test -n "$(CHROMIUM)" || { echo "report-picture needs chromium; on Debian: apt-get install chromium" >&2; exit 1; }
	$(BIN)/python tests/benchmarks/generate_notes.py --notes 120 --seed 6 -o $(REPORT)/gold
	$(BIN)/notesieve evaluate $(REPORT)/gold --policy safe --policy readable --policy berman -o $(REPORT)/evaluation > $(REPORT)/evaluation.txt
	$(CHROMIUM) --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=960,5600 \
		--screenshot=$(abspath $(REPORT))/evaluation.png "file://$(abspath $(REPORT))/evaluation/report.html" 2>/dev/null
	$(CHROMIUM) --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
		--print-to-pdf=$(abspath $(REPORT))/evaluation.pdf "file://$(abspath $(REPORT))/evaluation/report.html" 2>/dev/null
	@ls -l $(REPORT)/evaluation.png $(REPORT)/evaluation.pdf

.PHONY: unseen
unseen: develop $(VENV)/.group-unseen ## Scores notesieve on forms from third-party sources; table and failures go to $(REPORT)/unseen
	$(BIN)/python tests/benchmarks/unseen_forms.py -o $(REPORT)/unseen --scrub

.PHONY: layouts
layouts: develop $(VENV)/.group-unseen ## Scores notesieve on 800 notes of 67 layouts with drawn names and numbers; report goes to $(REPORT)/layouts
	$(BIN)/python tests/benchmarks/unseen_layouts.py -o $(REPORT)/layouts

.PHONY: messages
messages: develop $(VENV)/.group-unseen ## Scores notesieve on 200 structured messages with drawn values; lists go to $(REPORT)/messages
	$(BIN)/python tests/benchmarks/unseen_messages.py -o $(REPORT)/messages --seed $(SEED)

.PHONY: contexts
contexts: develop $(VENV)/.group-unseen ## Scores names that are ordinary words in a thousand short contexts; list goes to $(REPORT)/contexts
	$(BIN)/python tests/benchmarks/unseen_contexts.py -o $(REPORT)/contexts

PUBLIC_TEXT = $(if $(PUBLIC),--public $(abspath $(PUBLIC)))

.PHONY: published
published: develop $(VENV)/.group-published ## Measures twenty years of published systems on the marked notes, by folds of batches: make published [GOLD="FOLDER..."] [PUBLIC=FOLDER]
	cargo build --profile learn -p notesieve-learn
	cd tests/benchmarks && $(BIN)/python -m published --notes 3000 --models ../../report/models --learn ../../target/learn/learn -o ../../report/published.json
	cd tests/benchmarks && $(BIN)/python -m published.reimplementation
	cd tests/benchmarks && $(BIN)/python -m published.groups $(PUBLIC_TEXT)
	cd tests/benchmarks && $(BIN)/python -m published.importance $(PUBLIC_TEXT)
	cd tests/benchmarks && $(BIN)/python -m published.figures $(PUBLIC_TEXT)
	cd tests/benchmarks && $(BIN)/python -m published.variants $(abspath $(GOLD))

COMPARED := .cache/compared
TOOLS_COMPARED ?= presidio scrubadub philter-lite openmed localscrub
# localscrub needs Python 3.12: where there is none, it is left out.
PYTHON_localscrub ?= $(shell for p in "$(PYTHON)" python3.14 python3.13 python3.12; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo "$$p" && break; done)

$(COMPARED)/%/.ready: pyproject.toml tests/python/spacy-model.txt | $(BIN)/pip-is-new
	@echo "== installing $*"
	@$(if $(filter localscrub,$*),$(PYTHON_localscrub),$(PYTHON)) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(@D)/bin/python -m pip install --quiet --group compared-$*
	@$(if $(filter presidio,$*),$(@D)/bin/python -m pip install --quiet --no-deps --require-hashes --requirement tests/python/spacy-model.txt)
	@touch $@

.PHONY: compare
compare: develop $(VENV)/.group-published $(patsubst %,$(COMPARED)/%/.ready,$(if $(PYTHON_localscrub),$(TOOLS_COMPARED),$(filter-out localscrub,$(TOOLS_COMPARED)))) ## Today's de-identifiers and notesieve on the same notes: make compare [GOLD="FOLDER..."] [LIMIT=100]
	$(BIN)/python tests/benchmarks/compare_tools.py $(GOLD) --environments $(COMPARED) $(if $(LIMIT),--limit $(LIMIT)) -o report/compare.json

##@ Measurements: speed

# Synthetic notes, 32 MB, the same on every machine; a form feed stands between two notes.
target/bench/notes.txt: tests/benchmarks/generate_notes.py tests/benchmarks/note_slots.py $(wildcard tests/benchmarks/templates/*.toml tests/benchmarks/templates/notes/*.txt) | $(BIN)/pip-is-new
	$(BIN)/python tests/benchmarks/generate_notes.py --megabytes 32 --seed 1 -o $@

.PHONY: bench-text
bench-text: target/bench/notes.txt ## Makes the synthetic notes that the benchmarks read

.PHONY: bench-umls
bench-umls: target/bench/notes.txt $(VENV)/.group-build ## Builds a vocabulary of a generated UMLS of ten million rows: time, memory, size, speed
	test -f target/bench/umls/MRRANK.RRF || $(BIN)/python tests/benchmarks/generate_umls.py target/bench/umls
	$(BIN)/maturin develop --quiet --release
	/usr/bin/time -v $(BIN)/notesieve vocabulary build --umls target/bench/umls --base none --no-variants -o target/bench/umls.vocabulary
	cargo run --release --example find_terms -- target/bench/umls.vocabulary target/bench/notes.txt

.PHONY: bench
bench: target/bench/notes.txt $(VENV)/.group-build $(VENV)/.group-bench ## Measures every speed and compares with other matchers: one table; figures go to report/speed.json
	$(BIN)/maturin develop --quiet --release
	$(BIN)/python tests/benchmarks/speed.py target/bench/notes.txt -o report/speed.json

.PHONY: bench-steps
bench-steps: target/bench/notes.txt ## Times lists and rules, names, entities and statuses on natural and generated notes, with a digest of all outputs
	$(LEARN) speed $(BATCHES) target/bench/notes.txt

.PHONY: bench-index
bench-index: $(VENV)/.group-build $(VENV)/.group-test ## Measures the index on 200,000 notes beside SQLite's FTS5; figures go to report/index.json
	$(BIN)/maturin develop --quiet --release
	$(BIN)/python tests/benchmarks/index_speed.py -o report/index.json

NOTES ?= 1000000

.PHONY: bench-frames
bench-frames: $(VENV)/.group-build $(VENV)/.group-bench ## Scrubs Parquet to Parquet on one and two cores: make bench-frames [NOTES=100000]
	$(BIN)/maturin develop --quiet --release
	$(BIN)/python tests/benchmarks/frames.py --notes $(NOTES) -o report/frames.json

.PHONY: bench-service
bench-service: develop $(VENV)/.group-browser ## Asks the service from 200 clients for a minute; needs chromium for the first paint
	$(BIN)/python tests/benchmarks/service_load.py -o report/service.json

##@ Documents and packages

.PHONY: docs
docs: develop $(VENV)/.group-docs ## Builds the documentation into docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going --quiet -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

PROFILE ?= release

.PHONY: wheel
wheel: $(VENV)/.group-build ## Builds the wheel into dist/ and tries it in an empty environment: make wheel [PROFILE=dev]
	rm -rf dist target/wheel-venv
	$(BIN)/maturin build --profile $(PROFILE) --out dist
	$(BIN)/python -m venv target/wheel-venv
	target/wheel-venv/bin/python -m pip install --quiet dist/*.whl
	cd target && wheel-venv/bin/notesieve demo
	@ls -l dist

.PHONY: image test-image
image: ## Builds the image `notesieve` with Docker
	docker build --tag notesieve .

test-image: ## Runs the steps of the Dockerfile in clean Debian roots, without Docker; needs root and debootstrap
	@command -v debootstrap >/dev/null || { echo "test-image needs debootstrap; on Debian: apt-get install debootstrap" >&2; exit 1; }
	$(PYTHON) tests/container/dockerfile_steps.py --build-arg PROFILE=dev

.PHONY: clean
clean: ## Removes all that the tasks made
	rm -rf $(VENV) .cache target report dist docs/_build python/notesieve/*.so .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
