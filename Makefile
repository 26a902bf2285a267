# Two targets do all the set-up on a fresh Debian 12 with Swift: `make run` and `make test`.

SHELL := /bin/bash
SWIFT ?= swift
# One optimised build serves people and tests (docs/decisions/0033-one-optimised-build.md). Without debug information and symbols: it is made
# sooner, and a command starts in half the time. Its progress is shown by a line for each module.
RELEASE = -c release -debug-info-format none -Xswiftc -use-ld=lld -Xlinker -s -Xlinker -z -Xlinker pack-relative-relocs $(BUILD_OPTIONS)
TESTED = $(RELEASE) --build-tests --experimental-test-entry-point-path Tests/Entry/Entry.swift
build = set -o pipefail; $(SWIFT) build $(1) 2>&1 | packaging/progress
BIN = $$($(SWIFT) build $(RELEASE) --show-bin-path)
# Errors are thrown by the hundred thousand in tests; their backtraces would take a tenth of the time and are shown by nobody.
TEST = SWT_SWIFT_ERROR_BACKTRACING_ENABLED=0 "$(BIN)/tracePackageTests.xctest" --testing-library swift-testing

# More options for the build. `make deb` sets those of programs that may be distributed: without libinotifytools, whose licence
# forbids it (docs/licences.md), and in a directory of their own.
BUILD_OPTIONS ?=
DISTRIBUTABLE := --disable-default-traits --scratch-path .build-deb

# What the build needs, and what the tests drive beside it; what the tour asks the HTTP API with.
BUILD_PACKAGES = g++ libcmark-gfm-dev libcmark-gfm-extensions-dev \
  $(if $(findstring disable-default-traits,$(BUILD_OPTIONS)),,libinotifytools0-dev) libsimdjson-dev libsqlite3-dev libssl-dev libxxhash-dev zlib1g-dev
TEST_PACKAGES := bsdutils caddy chromium curl ffmpeg fish mkcert nginx-light nodejs openssl python3-jsonschema python3-venv rsync sqlite3 strace systemd util-linux
RUN_PACKAGES := curl
BENCH_PACKAGES := findutils fish jq libnginx-mod-nchan nginx-light python3-venv slowhttptest sqlite3 strace wrk
SLOW_PACKAGES := chromium ffmpeg fonts-noto-cjk fonts-noto-core fonts-noto-color-emoji mkvtoolnix node-typescript python3-venv sox
BROWSER_PACKAGES := chromium ffmpeg firefox-esr fonts-noto-cjk fonts-noto-core fonts-noto-color-emoji gstreamer1.0-libav gstreamer1.0-plugins-good \
  python3-venv webkit2gtk-driver xvfb
AUDIO_PACKAGES := espeak-ng ffmpeg jq sox
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Hello Benchmarks/MicroBenchmarks
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# What the one place that has it says of the release.
release = $(shell sed -n 's/.*static let $(1) = "\(.*\)"/\1/p' Sources/TraceConfiguration/Release.swift)

# The web page: plain files, those in one level of folders too; the server leaves out the comments of scripts.
PAGE_TYPES := html js css webmanifest svg png
PAGE_FILES = $(wildcard $(addprefix page/*.,$(PAGE_TYPES)) $(addprefix page/*/*.,$(PAGE_TYPES)))

# Where `make install` puts things; DESTDIR is for packages.
PREFIX ?= /usr/local
DESTDIR ?=
MAN_PAGES := .build/man

# What is measured (`ONLY=validate,index`), at which size, from which seed, and where the results go.
ONLY ?=
SCALE ?= 1
SEED ?= 1
BENCH_SCRATCH ?= .build-bench
RESULTS ?= $(BENCH_SCRATCH)/results.jsonl
# BEFORE=DIR: the programs of an earlier version, for the sections `before`.
BEFORE ?=
BENCH = python3 -B Benchmarks/bench --scratch $(BENCH_SCRATCH) --results $(RESULTS) $(if $(BEFORE),--before "$(BEFORE)")

.PHONY: run build build-tests install man uninstall deb deb-test syncthing-test slow-clients test test-slow unused costs schemathesis browser check-page torture soak bench bench-docs bench-micro fuzz fuzz-keep mutants check lint format audio clean

# Builds, and takes a tour on a copy of sessions-sample/.
run:
	@echo "make run: builds the programs, then shows what they do. On two cores the first build takes about 7 minutes, and 1.5 GB of disk."
	@$(MAKE) --no-print-directory build
	@$(call install,$(RUN_PACKAGES))
	@sessions-sample/tour "$(BIN)"

build:
	@$(call install,$(BUILD_PACKAGES))
	@$(call build,$(RELEASE))

# The programs and the tests.
build-tests:
	@$(call install,$(BUILD_PACKAGES) $(TEST_PACKAGES))
	@$(call install_python,.build/python,Tests/requirements.txt)
	@$(call build,$(TESTED))

# Binaries, the web page, man pages, completions for bash, zsh and fish, and the units of systemd. Builds what is not built yet.
install: build man
	bin="$(BIN)"; to="$(DESTDIR)$(PREFIX)"; \
	install -d "$$to/bin" "$$to/share/bash-completion/completions" "$$to/share/zsh/site-functions" \
	  "$$to/share/fish/vendor_completions.d" "$$to/share/man/man1" "$$to/share/man/man5" "$$to/share/man/man8" \
	  "$$to/share/trace" \
	  "$$to/lib/systemd/system" "$$to/lib/systemd/user" "$$to/lib/sysusers.d" "$$to/lib/tmpfiles.d" "$$to/lib/sysctl.d" && \
	install -m 755 "$$bin/trace" "$$bin/traced" "$$to/bin" && \
	rm -rf "$$to/share/trace/page" && install -d "$$to/share/trace/page" && \
	for file in $(PAGE_FILES); do install -D -m 644 "$$file" "$$to/share/trace/$$file" || exit 1; done && \
	"$$bin/trace" --generate-completion-script bash > "$$to/share/bash-completion/completions/trace" && \
	"$$bin/trace" --generate-completion-script zsh > "$$to/share/zsh/site-functions/_trace" && \
	"$$bin/trace" --generate-completion-script fish > "$$to/share/fish/vendor_completions.d/trace.fish" && \
	install -m 644 $(MAN_PAGES)/*.1 "$$to/share/man/man1" && \
	install -m 644 docs/man/trace-session.5 "$$to/share/man/man5" && \
	install -m 644 docs/man/traced.8 "$$to/share/man/man8" && \
	for unit in traced.service traced@.service; do \
	  sed 's#/usr/bin/traced#$(PREFIX)/bin/traced#' "systemd/$$unit" > "$$to/lib/systemd/system/$$unit" || exit 1; \
	done && \
	install -m 644 systemd/traced.socket "$$to/lib/systemd/system/traced.socket" && \
	install -m 644 systemd/traced.user.socket "$$to/lib/systemd/user/traced.socket" && \
	install -m 644 systemd/trace.sysusers "$$to/lib/sysusers.d/trace.conf" && \
	install -m 644 systemd/trace.tmpfiles "$$to/lib/tmpfiles.d/trace.conf" && \
	install -m 644 systemd/trace.sysctl "$$to/lib/sysctl.d/50-trace.conf" && \
	sed 's#/usr/bin/traced#$(PREFIX)/bin/traced#' systemd/traced.user.service > "$$to/lib/systemd/user/traced.service" && \
	echo "installed below $$to"

# Takes away what `make install` has put there; sessions, configuration and state stay.
uninstall:
	to="$(DESTDIR)$(PREFIX)"; \
	rm -f "$$to/bin/trace" "$$to/bin/traced" "$$to/share/bash-completion/completions/trace" \
	  "$$to/share/zsh/site-functions/_trace" "$$to/share/fish/vendor_completions.d/trace.fish" \
	  "$$to/share/man/man1/trace.1" "$$to/share/man/man1/trace-"*.1 "$$to/share/man/man5/trace-session.5" \
	  "$$to/share/man/man8/traced.8" "$$to/lib/systemd/system/traced.service" "$$to/lib/systemd/user/traced.service" \
	  "$$to/lib/systemd/system/traced@.service" "$$to/lib/systemd/system/traced.socket" "$$to/lib/systemd/user/traced.socket" \
	  "$$to/lib/sysusers.d/trace.conf" "$$to/lib/tmpfiles.d/trace.conf" \
	  "$$to/lib/sysctl.d/50-trace.conf"; \
	rm -rf "$$to/share/trace/page"; rmdir --ignore-fail-on-non-empty "$$to/share/trace" 2> /dev/null || :

# A Debian package in .build/deb, out of release binaries. `make deb-test` tries it in a fresh minimal Debian 12, then booted
# with systemd; that takes a few minutes, root and Debian's mirror.
DEB_VERSION := $(call release,version)

deb:
	@$(call install,dpkg-dev)
	rm -rf .build/deb && mkdir -p .build/deb
	TRACE_DISTRIBUTED=1 $(MAKE) install DESTDIR="$(CURDIR)/.build/deb/stage" PREFIX=/usr BUILD_OPTIONS="$(DISTRIBUTABLE)"
	packaging/deb/build "$(CURDIR)/.build/deb/stage" "$(DEB_VERSION)" .build/deb .build-deb/checkouts
	rm -r .build/deb/stage

deb-test:
	@$(call install,debootstrap)
	$(SUDO) packaging/deb/test .build/deb/trace_$(DEB_VERSION)_*.deb

# The manual pages trace(1) and one a verb, out of the argument parser, with the examples of its help; trace.markers.list becomes
# trace-markers-list.
man: build
	@$(call build,$(RELEASE) --product generate-manual)
	rm -rf $(MAN_PAGES) && mkdir -p $(MAN_PAGES)/dotted
	bin="$(BIN)"; \
	"$$bin/generate-manual" "$$bin/trace" --multi-page --date $(call release,date) --output-directory $(MAN_PAGES)/dotted && \
	for page in $(MAN_PAGES)/dotted/trace*.1; do \
	  words=$$(basename "$$page" .1 | tr . ' '); \
	  sed -f docs/man/tidy.sed "$$page" > $(MAN_PAGES)/page && "$$bin/"$$words --help > $(MAN_PAGES)/help && \
	  awk -f docs/man/examples.awk $(MAN_PAGES)/help $(MAN_PAGES)/page > "$(MAN_PAGES)/$$(echo $$words | tr ' ' -).1" || exit 1; \
	done
	rm $(MAN_PAGES)/page $(MAN_PAGES)/help
	rm -r $(MAN_PAGES)/dotted

# The tests in three tiers; docs/contributing.md says what belongs where. Each of the first two has a cap, in minutes of a processor, beyond which it fails.
test:
	@echo "make test: builds the programs and the tests, and runs these. On two cores that takes about 15 minutes (8 after 'make run'), and 3 GB of disk."
	@$(MAKE) --no-print-directory build-tests
	@python3 -B -m unittest discover -s Benchmarks/bench
	@Tests/Costs/tier test --cap 10 -- Tests/Costs/quick "$(BIN)"

# What needs minutes by nature: scenarios in a real browser, made-up requests, a soak.
test-slow:
	@echo "make test-slow: runs what takes minutes by nature, after 'make test' in about 10 minutes on two cores."
	@$(MAKE) --no-print-directory build-tests
	@$(call install,$(SLOW_PACKAGES))
	@$(call install_python,$(BROWSER_PYTHON),Tests/Browser/requirements.txt)
	@Tests/Costs/tier test-slow --cap 20 -- Tests/Costs/slow "$(BIN)" $(BROWSER_PYTHON)/bin/python

# Where the time of build and tests goes: a row for each module, built from nothing, and for each suite, run alone.
costs: build-tests
	Tests/Costs/costs build --scratch .build-costs -- $(TESTED)
	Tests/Costs/costs tests "$(BIN)/tracePackageTests.xctest"

# Declarations that are wider than their use: nothing uses them, tests alone do, or no other module does. `make test-slow` asks, too.
unused: build-tests
	python3 -B Tests/Unused/unused "$(BIN)"

# Measures the release binaries beside other programs; docs/performance.md says how.
bench: build
	@$(call install,$(BUILD_PACKAGES) $(BENCH_PACKAGES))
	$(BENCH) --binaries "$(BIN)" --only "$(ONLY)" --scale $(SCALE) --seed $(SEED)

# Writes the last results of `make bench` into docs/measurements.md.
bench-docs:
	$(BENCH) --docs docs/measurements.md

# Measures the library's functions inside one process.
bench-micro: build
	cd Benchmarks && $(SWIFT) package benchmark

# Lets libFuzzer make up input for the readers, for TIME seconds each; FUZZ_TARGETS="ranges body" takes some of them. What it finds
# lies in .build-fuzz/found/ and is described in Tests/Fuzzing/README.md, as are the two options for sanitizers.
TIME ?= 600
FUZZ_TARGETS := lines session spool exchange practice league library ranges target cookies cursor handle body
FUZZ := TRACE_FUZZ=1 $(SWIFT) build --scratch-path .build-fuzz -c release --product trace-fuzz \
  --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xcxx -fsanitize=address

fuzz:
	@$(call install,$(BUILD_PACKAGES))
	$(FUZZ)
	@for target in $(FUZZ_TARGETS); do \
	  mkdir -p .build-fuzz/found .build-fuzz/corpus/$$target; \
	  TRACE_FUZZ_TARGET=$$target .build-fuzz/release/trace-fuzz -max_total_time=$(TIME) -timeout=20 -print_final_stats=1 \
	    -verbosity=0 -dict=Tests/Fuzzing/trace.dict -artifact_prefix=.build-fuzz/found/$$target- \
	    .build-fuzz/corpus/$$target Tests/Fuzzing/Corpus/$$target || exit 1; \
	  echo "fuzz: $$target held for $(TIME) s"; \
	done

# Takes the inputs that reach something new over into the repository.
fuzz-keep:
	@for target in $(FUZZ_TARGETS); do \
	  TRACE_FUZZ_TARGET=$$target .build-fuzz/release/trace-fuzz -merge=1 -max_len=512 -verbosity=0 \
	    Tests/Fuzzing/Corpus/$$target .build-fuzz/corpus/$$target || exit 1; \
	done

# Changes one thing at a time in the source and lists what no test notices; Tests/Mutants/README.md. COUNT mutants, drawn by
# SEED; TESTS names the test targets that are asked (all), BUDGET the seconds of tests that a mutant gets.
COUNT ?= 150
TESTS ?=
BUDGET ?= 120
MUTANTS_SCRATCH := .build-mutants

mutants:
	@$(call install,$(BUILD_PACKAGES) $(TEST_PACKAGES))
	@$(call install_python,.build/python,Tests/requirements.txt)
	$(SWIFT) test --package-path Tests/Mutants --scratch-path $(MUTANTS_SCRATCH)/generator --disable-xctest
	python3 -B Tests/Mutants/mutants --scratch $(MUTANTS_SCRATCH) --seed $(SEED) --count $(COUNT) --tests "$(TESTS)" \
	  --budget $(BUDGET) --build="$(TESTED)"

# The tests that kill, starve and crowd, and cut the power, at full size: every fault in turn instead of a sample. Takes some
# hours. TRACE_SEED=… repeats a run; each prints its own. Stopped (Ctrl-C), it continues with the suite where it was.
space := $() $()
TORTURED = $(subst $(space),|,$(basename $(notdir $(shell grep -rl 'Torture\.' Tests --include='*Tests.swift'))))
torture: build-tests
	TRACE_TORTURE=1 Tests/Costs/resume torture .build/torture.json "$(BIN)/tracePackageTests.xctest" '$(TORTURED)'

# Lets schemathesis make up requests for every operation of the HTTP API, for about half an hour; `make test` asks a few. TRACE_SEED=…
# repeats a run.
schemathesis: build-tests
	TRACE_TORTURE=1 $(TEST) --filter SchemathesisTests

# The pages in real browsers: the digest's in Chromium, the web page in Chromium, Firefox and WebKitGTK (1 GB), against release binaries;
# some twenty minutes. ONLY=offline,views takes some of the scenarios (Tests/Browser/scenarios), BROWSERS some of the browsers. What the page looks
# like is then in .build/browser-pictures/index.html, and what it costs in .build/browser-figures.json.
BROWSERS ?= chromium,firefox,webkit
BROWSER_PYTHON := .build/browser-python
comma := ,
BROWSER_SCENARIOS = $(BROWSER_PYTHON)/bin/python -B Tests/Browser/run.py --binaries "$(BIN)" \
  --browser "$(BROWSERS)" $(subst $(comma), ,$(ONLY))

browser: build-tests
	@$(call install,$(BROWSER_PACKAGES))
	@$(call install_python,$(BROWSER_PYTHON),Tests/Browser/requirements.txt)
	$(TEST) --filter BrowserTests
	$(BROWSER_SCENARIOS)

# The types of the page's modules, as their comments and docs/openapi.json have them, by TypeScript's compiler; some ten seconds. `make test-slow` does it, too.
check-page:
	@$(call install,node-typescript python3)
	@Tests/Page/make-types --check
	@python3 -B Tests/Page/check

# The daemon that people run, for an hour under writers, reloads, unmounts, full disks and kills, and one beside it under twenty clients of the HTTP API;
# docs/measurements.md has what was seen.
SECONDS ?= 3600
soak: build-tests
	Tests/Costs/resume soak .build/soak.json "$(BIN)/tracePackageTests.xctest" $(SECONDS)

# Slow and silent clients of the HTTP API, by TLS too, a thousand and ten thousand at a time, beside one that sets marks; ten minutes.
slow-clients: build
	@$(call install,openssl slowhttptest python3)
	python3 -B Tests/SlowClients/crowd.py --binaries "$(BIN)"

# Two real Syncthings on loopback carry sessions and spools between a device and a server with the daemon; some minutes.
syncthing-test: build
	@$(call install,syncthing python3)
	python3 -B Tests/Syncthing/pair.py --binaries "$(BIN)"
	python3 -B Tests/Syncthing/practice.py --binaries "$(BIN)"

check: lint test

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@$(call install,python3)
	sessions-sample/make-journal --check
	Tests/Page/make-types --check

format:
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_SOURCES)

# Makes the sample's audio again; the files themselves are checked in.
audio:
	@$(call install,$(AUDIO_PACKAGES))
	sessions-sample/make-audio

clean:
	rm -rf .build .build-costs .build-deb .build-fuzz $(MUTANTS_SCRATCH) $(BENCH_SCRATCH) Benchmarks/.build

# Installs a file's Python packages into an environment of their own, where they are not the ones that are there: other
# people's readers of what we export, of which Debian has none. Without PyPI the tests that ask them fail, and say so.
define install_python
cmp -s $(2) $(1)/installed.txt || { echo "installing: $(2)" && mkdir -p $(dir $(1)) && \
  /usr/bin/python3 -m venv --clear $(1) && \
  $(1)/bin/python -m pip install --quiet --disable-pip-version-check --use-pep517 -r $(2) && cp $(2) $(1)/installed.txt; } || \
{ rm -rf $(1); echo "warning: the packages of $(2) could not be installed from PyPI: tests that need them will fail" >&2; }
endef

# Installs the Debian packages that are missing, and nothing where none is.
define install
missing=; for package in $(1); do \
  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q '^install ok installed' || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
  echo "installing:$$missing"; \
  { $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing; } >&2 || \
  { echo "error: could not install:$$missing" >&2; exit 1; }; \
fi
endef
