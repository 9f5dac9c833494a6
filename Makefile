# SPDX-License-Identifier: MIT
# A thin front for CMakePresets.json. Every target first installs what it needs (tools/setup.sh),
# so it also works on a machine that has nothing but make.

# make's own default is `cc`, which a fresh Debian lacks.
ifeq ($(origin CC),default)
CC := gcc
endif
export CC
# tools/wasm.sh runs make again; its directory lines only hide the warnings.
MAKEFLAGS += --no-print-directory

PREFIX        ?= /usr/local
JOBS          ?= $(shell nproc 2>/dev/null || echo 1)
FUZZ_SECONDS  ?= 30
FUZZ_JOBS     ?= 1
T             ?=
COVERAGE_MIN  ?= 90
BENCH_ARGS    ?=
OZZ           ?=
ACL           ?=
RTM           ?=
UPDATE        ?=
SHAPES        ?=
KINDS         ?=
ONLY          ?=
PLATFORMS     ?= native musl i386 arm64 riscv64 s390x wasm web windows
FAST          ?=
override FAST := $(filter-out 0 no,$(FAST))
PEERS         ?= 1
override PEERS := $(if $(FAST),,$(filter-out 0 no,$(PEERS)))

SETUP    := ./tools/setup.sh
comma    := ,
COMPILER := $(if $(findstring clang,$(notdir $(CC))),clang,gcc)

# $(call build,PRESET[,CMAKE ARGUMENTS])
build = ./tools/configure.sh $(1) $(2) && cmake --build --preset $(1) -j $(JOBS)

# Our C and C++ files; a folder that is not there yet is no error.
C_FOLDERS := $(wildcard include src cli tools tests bench examples fuzz samples web packaging)
find_c     = find $(1) -name node_modules -prune -o -type f '(' -name '*.c' -o -name '*.h' -o -name '*.cpp' ')' -print0

.PHONY: all web demo check windows check-windows check-platforms check-limits check-sanitizers check-data amalgamation interop pictures pictures-web blender readme fixtures docs abi format format-check lint coverage bench bench-peers bench-plots bench-wasm bench-web fuzz fuzz-corpus mutants dist check-dist install clean help
.NOTPARALLEL:

all: ## build the tool and the libraries in build/ (default)
	@$(SETUP) build
	@$(call build,release,-DCMAKE_INSTALL_PREFIX='$(PREFIX)')

web: ## build the viewer for the browser: build/web/ossa-viewer.html, ossa.wasm and ossa.js
	@$(SETUP) web
	@./tools/web.sh $(JOBS)

demo: all web ## build, then show what the tool does
	@./tools/demo.sh

# The other programs are installed by now, so a test that skips for want of one has to fail.
check: ## run the tests, plain and with sanitizers (CC=clang; PEERS=0: without other programs; FAST=1: and without sanitizers; TESTS=REGEX: just these)
	@FAST='$(if $(PEERS),,1)' $(SETUP) check
	@$(if $(PEERS),./tools/web.sh $(JOBS))
	@$(call build,check-$(COMPILER))
	@$(if $(FAST),,$(call build,sanitize-$(COMPILER)))
	@$(if $(PEERS),OSSA_PEERS_REQUIRED=1) \
	    ctest --preset check-$(COMPILER) -j $(JOBS) $(if $(PEERS),,-LE 'peer|consumer') $(if $(TESTS),-R '$(TESTS)')
	@$(if $(FAST),,ctest --preset sanitize-$(COMPILER) -j $(JOBS) $(if $(TESTS),-R '$(TESTS)'))
	@test -n '$(PEERS)' || echo "check: left out:$(if $(FAST), the sanitizers$(comma) and)" \
	    "what Blender, assimp, three.js and the Khronos validator make of our files, and the viewer (ctest -L peer)"

windows: ## build the tool for Windows, with MinGW-w64: build/windows/ossa.exe
	@$(SETUP) windows
	@./tools/dependencies.sh windows zlib libpng
	@$(call build,windows) --target ossa

check-windows: ## build the tool and the tests for Windows, and run them with wine (TESTS=REGEX: just these)
	@$(SETUP) windows
	@./tools/dependencies.sh windows
	@$(call build,check-windows)
	@./tools/wine.sh --keep-running
	@ctest --preset check-windows -j $(JOBS) $(if $(TESTS),-R '$(TESTS)')

check-platforms: ## show that outputs are the same on all machines (PLATFORMS=...: just these; UPDATE=1: write tests/platforms/hashes.txt anew)
	@PLATFORMS='$(PLATFORMS)' $(SETUP) platforms
	@UPDATE='$(UPDATE)' ./tools/check-platforms.sh $(JOBS) $(PLATFORMS)

check-limits: web ## measure the memory and time that every verb takes for inputs of every kind (SHAPES='mm-csv ...': just these)
	@FAST=1 $(SETUP) check
	@./tools/configure.sh check-$(COMPILER)
	@cmake --build --preset check-$(COMPILER) -j $(JOBS) --target limits ossa
	@OSSA_VIEWER=$(CURDIR)/build/web/ossa-viewer.html build/check-$(COMPILER)/tests/limits build/check-$(COMPILER)/ossa $(SHAPES)

check-sanitizers: ## the checkers that make check has no time for (KINDS='memory thread valgrind analyzer': just these)
	@FAST=1 CC=gcc $(SETUP) check valgrind lint
	@FAST=1 CC=clang $(SETUP) check
	@./tools/sanitize.sh $(JOBS) $(KINDS)

check-data: ## try Ossa on your copy of a game: make check-data DATA=folder (docs/own-files.md)
	@$(SETUP) build data
	@$(call build,release) --target check_data
	@./tools/check-data.sh build/check_data '$(DATA)'

interop: ## let other programs open our files, and put the results into docs/interop.md
	@FAST= $(SETUP) check
	@$(call build,check-$(COMPILER))
	@OSSA_PEERS_REQUIRED=1 ctest --preset check-$(COMPILER) -j $(JOBS) -L peer \
	    -E '^peer_(interop|pictures|parallel|slurm)$$'
	@node tools/interop.js build/check-$(COMPILER)/tests/peers/results docs/interop.md

pictures: all web ## render the pictures of docs/pictures/ anew
	@$(SETUP) pictures browser
	@./tools/pictures.sh build/ossa build/pictures
	@cp build/pictures/*.png build/pictures/*.gif docs/pictures/

pictures-web: all web ## write the pictures that the viewer is compared with anew: tests/web/browser/references
	@$(SETUP) browser
	@for name in states samples; do \
	    UPDATE_REFERENCES=1 OSSA=$(CURDIR)/build/ossa OSSA_WEB=$(CURDIR)/build/web OSSA_WEB_NPM=$(CURDIR)/build/web/tests \
	        sh tests/web/run-web.sh browser $$name || exit 1; done
	@git --no-pager diff --stat -- tests/web/browser/references

amalgamation: ## write the library as two files: build/amalgamation/ossa.c and ossa.h
	@$(SETUP) amalgamation
	@python3 tools/amalgamate.py build/amalgamation
	@echo "build/amalgamation/ossa.c build/amalgamation/ossa.h"

blender: all ## make the add-on for Blender, with the tool in it: build/ossa-blender.zip
	@$(SETUP) blender
	@python3 blender/package.py build/ossa-blender.zip build/ossa
	@echo "build/ossa-blender.zip"

readme: all ## put real output and the tables of formats into README.md and docs/formats/README.md
	@./tools/readme.sh build/ossa

fixtures: ## write the files of tests/fixtures/ anew, after a change of a generator
	@FAST=1 $(SETUP) check
	@./tools/configure.sh check-$(COMPILER)
	@cmake --build --preset check-$(COMPILER) -j $(JOBS) --target make_fixtures
	@build/check-$(COMPILER)/tests/make_fixtures tests/fixtures

docs: all ## generate the reference of the C interface with Doxygen: build/docs/api/index.html
	@$(SETUP) docs
	@./tools/docs.sh

abi: ## compare the shared library's binary interface with that of the last release
	@$(SETUP) abi
	@./tools/abi.sh $(JOBS)

format: ## reformat all C files
	@$(SETUP) format
	@$(call find_c,$(C_FOLDERS)) | xargs -0r clang-format -i

format-check: ## fail if `make format` would change a file
	@$(SETUP) format
	@$(call find_c,$(C_FOLDERS)) | xargs -0r clang-format --dry-run -Werror
	@echo "format-check: clean"

lint: ## clang-tidy and cppcheck, TypeScript and ESLint for the JavaScript, warnings are errors
	@FAST=1 CC=gcc $(SETUP) check lint web
	@./tools/lint.sh $(JOBS)

coverage: ## run the tests and measure the line coverage of src/
	@FAST=1 CC=gcc $(SETUP) check coverage
	@$(call build,coverage)
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage -j $(JOBS)
	@rm -rf build/coverage-report && mkdir -p build/coverage-report
	@# The kernels have functions that stand on other lines at each width, which gcovr 5.2 cannot add up.
	@gcovr --root . --filter src/ --exclude 'src/lanes/.*\.h' build/coverage \
	    --txt build/coverage-report/summary.txt \
	    --html-details build/coverage-report/index.html --html-title "Ossa coverage" \
	    --fail-under-line $(COVERAGE_MIN); \
	    status=$$?; cat build/coverage-report/summary.txt; \
	    test $$status -eq 0 || echo "coverage: below $(COVERAGE_MIN) % of lines" >&2; exit $$status

bench: ## build the benchmarks optimised and run them (BENCH_ARGS=...)
	@$(SETUP) build
	@$(call build,bench,-DOSSA_BENCH_PEERS=OFF)
	@for program in build/bench/bench-programs/*; do \
	    test -x "$$program" || { echo "no benchmarks found" >&2; exit 1; }; \
	    echo "== $${program##*/}"; "$$program" $(BENCH_ARGS) || exit 1; done

bench-peers: ## the tables of docs/performance.md, beside assimp, jq and what OZZ=folder ACL=folder [RTM=folder] hold (UPDATE=1: into the page, too)
	@$(SETUP) build
	@$(call build,bench,-DOSSA_BENCH_PEERS=ON -DOSSA_OZZ='$(abspath $(OZZ))' \
	    -DOSSA_ACL='$(abspath $(ACL))' -DOSSA_RTM='$(abspath $(RTM))') --target bench_peers
	@UPDATE='$(UPDATE)' ./tools/performance.sh build/bench/bench-peers $(BENCH_ARGS)

bench-plots: ## measure and draw the plots of docs/performance.md anew
	@$(SETUP) build
	@$(call build,bench,-DOSSA_BENCH_PEERS=OFF)
	@build/bench/bench-programs/bench_growth --plots docs/pictures $(BENCH_ARGS)

bench-wasm: ## compare the module for the browser with the library
	@$(SETUP) build web
	@$(call build,bench)
	@./tools/wasm.sh $(JOBS)
	@node bench/bench_wasm.mjs build/bench/bench-programs/bench_load build/web

bench-web: all web ## how busy the viewer's own thread is while large files, discs and many clips are opened
	@$(SETUP) browser
	@OSSA=$(CURDIR)/build/ossa OSSA_WEB=$(CURDIR)/build/web OSSA_WEB_NPM=$(CURDIR)/build/web/tests \
	    sh tests/web/run-web.sh browser speed

fuzz: ## run every fuzzer for FUZZ_SECONDS (30), and print what each did (T='ei-anm api': just these; FUZZ_JOBS=2: two at once)
	@CC=clang $(SETUP) fuzz
	@$(call build,fuzz)
	@FUZZ_JOBS='$(FUZZ_JOBS)' ./tools/fuzz.sh build/fuzz $(FUZZ_SECONDS) $(T)

fuzz-corpus: ## add the inputs that `make fuzz` found, and that reach more than the seeds, to fuzz/corpus (T=...: just these)
	@CC=clang $(SETUP) fuzz
	@$(call build,fuzz)
	@./tools/fuzz.sh --minimise build/fuzz $(T)

mutants: ## plant the faults of tests/mutants one at a time, and list those that no quick test notices (ONLY=REGEX: just these)
	@FAST=1 CC=gcc $(SETUP) check mutants
	@python3 tools/mutants.py --jobs $(JOBS) --only '$(ONLY)'

dist: ## make the files of a release from the last commit: build/dist (docs/releasing.md)
	@$(SETUP) build web blender dist
	@./tools/dist.sh build/dist $(JOBS)

check-dist: ## try every file of build/dist: in an empty Debian, in wine, in empty projects
	@$(SETUP) build web blender dist check-dist
	@./tools/check-dist.sh build/dist $(JOBS)

install: all ## install under PREFIX (/usr/local); DESTDIR is honoured
	@DESTDIR='$(DESTDIR)' cmake --install build

clean: ## remove build/
	@rm -rf build

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
