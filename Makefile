# wallfly's entry point; CMake and Ninja do the work. `make help` lists the targets.

.DEFAULT_GOAL := build
SANITIZED := unit cli formats web
PARTS := $(SANITIZED) targets bench
PROGRAMS := target/all host/all qnx/parser/all backend/all tools/all ports/rtos/all examples/all
# Tests wait for targets, pages and timers for most of their time.
CTEST := -j $(shell expr 3 \* $$(nproc)) --output-on-failure --no-tests=error -LE
LABELS = '^($(subst $() ,|,$(1)))$$'
.PHONY: build setup setup-% configure configure-tests configure-asan tests asan demo fleet-demo test test-% test-long \
	warnings check bench bench-target bench-app size docs format web single install clean help

STEP = scripts/step.sh

## build: install what the tool needs, and build the tool, the libraries and the examples into build/
build: configure
	@$(STEP) "build" cmake --build build --target $(PROGRAMS)

## setup: install what every part needs (as root), or print how; setup-PART: for tool, unit, cli, ... alone
setup: setup-all

setup-%:
	@scripts/setup.sh $*

# A folder configured for the tests stays so.
configure: setup-tool
	@[ -f build/build.ninja ] || $(STEP) "configure" cmake --preset plain

## demo: run the philosophers, record them over TCP, show the trace, its loss ledger, and statistics of an RTOS
demo: configure
	@$(STEP) "build" cmake --build build --target wallfly philosophers kernel
	@$(STEP) "demo" scripts/demo.sh build/bin

## fleet-demo: 50 simulated devices with two versions of their firmware, with Debian's ClickHouse and Mosquitto (KEEP=1: till Enter)
fleet-demo: configure
	@$(STEP) "build" cmake --build build --target wallfly philosophers fleet_devices
	@$(STEP) "fleet-demo" scripts/fleet_demo.py build/bin $(if $(KEEP),--keep)

## test: every part: unit tests plain and with ASan and UBSan, command line, end to end, warnings, check
test: setup tests asan
	@$(STEP) "tests with ASan and UBSan" ctest --test-dir build-asan $(CTEST) long -L $(call LABELS,$(SANITIZED))
	@$(STEP) "tests" ctest --test-dir build $(CTEST) '^(long|repeated)$$' -L $(call LABELS,$(PARTS))
	@$(MAKE) --no-print-directory warnings check

## test-PART: one part with what it needs: unit, cli, formats, web, targets, bench
$(SANITIZED:%=test-%): test-%: setup-tool setup-unit setup-% tests asan
	@$(STEP) "$* tests with ASan and UBSan" ctest --test-dir build-asan $(CTEST) long -L '^$*$$'
	@$(STEP) "$* tests" ctest --test-dir build $(CTEST) long -L '^$*$$'

test-targets test-bench: test-%: setup-tool setup-unit setup-% tests
	@$(STEP) "$* tests" ctest --test-dir build $(CTEST) long -L '^$*$$'

tests: setup-tool setup-unit
	@$(STEP) "configure" cmake --preset release
	@$(STEP) "build" cmake --build build

asan: setup-tool setup-unit
	@$(STEP) "configure with sanitizers" cmake --preset asan
	@$(STEP) "build with sanitizers" cmake --build build-asan

## test-long: ten million records under interrupts, a soak, all warnings, fuzz targets for 60 s each, tests of both builds
test-long: setup tests asan
	@scripts/warnings.sh all
	@$(STEP) "long tests with ASan and UBSan" ctest --test-dir build-asan -V --no-tests=error -L long
	@$(STEP) "long tests" ctest --test-dir build -V --no-tests=error -L long
	@$(STEP) "tests that make test runs with sanitizers alone" ctest --test-dir build $(CTEST) long -L repeated
	@$(STEP) "configure for fuzzing" cmake --preset fuzz
	@$(STEP) "build for fuzzing" cmake --build build-fuzz
	@scripts/fuzz.sh build-fuzz 60

## warnings: a plain build has none, with gcc -O3 and clang -O2
warnings: setup-tool setup-check
	@scripts/warnings.sh gcc-O3 clang-O2

## check: format, lengths, layers, symbols, headers alone, generated docs, code in the README
check: setup-tool setup-check build
	@$(STEP) "check" scripts/check.sh build

## bench: speed and cost, as ratios and instruction counts
bench: setup-bench tests
	@bench/run.sh build

## bench-target: what records cost on emulated CPUs, into bench/speed.csv (and the stack into size.csv)
bench-target: setup-tool setup-bench
	@bench/target.sh speed --write

## size: what the recorder takes on emulated CPUs, into bench/size.csv
size: setup-tool setup-bench
	@bench/target.sh size --write

## bench-app: bytes of the trace of an application on an emulated CPU, into bench/size.csv
bench-app: setup-bench build
	@bench/target/app.sh build --write

## docs: make docs/records.md, docs/cli, the Python client's table and the dashboards again
docs: build
	@scripts/docs.sh build/bin/wallfly docs
	@build/bin/wallfly schema --json >clients/python/wallfly/schema.json
	@scripts/dashboards.py fleet/grafana
	@for part in base modern; do build/bin/wallfly fleet setup --sql=$$part --project=fleet >fleet/sql/$$part.sql; done

## format: lay out all sources by .clang-format
format:
	@git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format -i

## web: make web/bundle, the page in the binary, from web/src (needs Node)
web:
	@dir=$$(web/install.sh build) && cd "$$dir" && ./node_modules/.bin/tsc --noEmit && rm -rf $(CURDIR)/web/bundle && \
		node build.mjs $(CURDIR)/web/bundle

## single: the recorder as one wallfly.h and wallfly.c, into OUT (build/single)
single:
	@scripts/single_pair.py $(or $(OUT),build/single)

## install: into PREFIX (/usr/local)
install: build
	@cmake --install build --prefix $(or $(PREFIX),/usr/local)

## clean: remove what was built
clean:
	rm -rf build build-asan build-fuzz

## help: this list
help:
	@sed -n 's/^## \([A-Za-z-]*\): /\1\t/p' Makefile | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'
