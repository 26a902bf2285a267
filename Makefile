# Two targets do all the set-up on a fresh Debian 12 with Swift: `make run` and `make test`.

SWIFT ?= swift
# Swift's runtime is linked in, so that the binaries run on a machine without Swift; symbols are left out, which halves the
# time that a command takes to start.
RELEASE := -c release --static-swift-stdlib -Xlinker -s

# What the build needs, and what the tests drive beside it.
BUILD_PACKAGES := g++ libinotifytools0-dev libsimdjson-dev libsqlite3-dev
TEST_PACKAGES := python3-jsonschema
AUDIO_PACKAGES := espeak-ng ffmpeg jq sox
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: run build test check lint format audio clean

# Builds in release mode and takes a tour on a copy of sessions-sample/.
run: build
	@sessions-sample/tour "$$($(SWIFT) build $(RELEASE) --show-bin-path)"

build:
	@$(call install,$(BUILD_PACKAGES))
	$(SWIFT) build $(RELEASE) --product trace
	$(SWIFT) build $(RELEASE) --product traced

test:
	@$(call install,$(BUILD_PACKAGES) $(TEST_PACKAGES))
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --disable-xctest

check: lint build test

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

# Makes the sample's audio anew; the files themselves are checked in.
audio:
	@$(call install,$(AUDIO_PACKAGES))
	sessions-sample/make-audio

clean:
	rm -rf .build

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
