# wallfly's front door; CMake and Ninja do the work. `make help` lists what there is.

.DEFAULT_GOAL := build
.PHONY: build setup demo test test-long check bench bench-target size docs format web single install clean help

STEP = scripts/step.sh

## build: set up, and build everything into build/
build: setup
	@$(STEP) "configure" cmake --preset release
	@$(STEP) "build" cmake --build build

## setup: install what is missing (as root), or say what to install
setup:
	@scripts/setup.sh

## demo: run the philosophers, record them over TCP, show the trace, its loss ledger, and statistics of an RTOS
demo: build
	@scripts/demo.sh build/bin

## test: everything short: unit tests plain and with ASan and UBSan, command line, end to end, check
test: build
	@$(STEP) "configure with sanitizers" cmake --preset asan
	@$(STEP) "build with sanitizers" cmake --build build-asan
	@$(MAKE) --no-print-directory check
	@$(STEP) "tests with ASan and UBSan" ctest --test-dir build-asan -j 2 --output-on-failure --no-tests=error -LE long
	@$(STEP) "tests" ctest --test-dir build -j 2 --output-on-failure --no-tests=error -LE long

## test-long: ten million records under interrupts, a soak of the back end, the fuzz targets for 60 s each
test-long: build
	@$(STEP) "configure with sanitizers" cmake --preset asan
	@$(STEP) "build with sanitizers" cmake --build build-asan
	@$(STEP) "long tests with ASan and UBSan" ctest --test-dir build-asan -V --no-tests=error -L long
	@$(STEP) "long tests" ctest --test-dir build -V --no-tests=error -L long
	@$(STEP) "configure for fuzzing" cmake --preset fuzz
	@$(STEP) "build for fuzzing" cmake --build build-fuzz
	@scripts/fuzz.sh build-fuzz 60

## check: format, layers, symbols, headers alone, generated docs, code in the README
check:
	@scripts/check.sh build

## bench: speed and cost, as ratios and instruction counts
bench: build
	@bench/run.sh build

## bench-target: what records cost on emulated CPUs, into bench/speed.csv (and the stack into size.csv)
bench-target: setup
	@bench/target.sh speed --write

## size: what the recorder takes on emulated CPUs, into bench/size.csv
size: setup
	@bench/target.sh size --write

## docs: make docs/records.md, docs/cli and the Python client's table again
docs: build
	@scripts/docs.sh build/bin/wallfly docs
	@build/bin/wallfly schema --json >clients/python/wallfly/schema.json

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
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' Makefile | awk -F'\t' '{printf "  make %-10s %s\n", $$1, $$2}'
