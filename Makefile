# Vitrine. `make` alone prints the targets.
#
#   ENGINE=auto|v8|quickjs  the JavaScript engine; auto takes V8 where its library is available
#   ARGS="…"                passed to the storefront by `make run`

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

ENGINE ?= auto
ARGS ?=
# Looked up once, by the first target that builds.
engine = $(eval engine := $$(shell scripts/engine.sh $(ENGINE)))$(or $(engine),$(error no engine, see above))
cargo_flags = --release --locked --no-default-features --features $(engine),as-tested

.PHONY: help setup build run test test-all bench bench-quick bench-browser soak fuzz dev dist deb image fmt clean

help:
	@echo "make setup     install what is missing: system packages, npm packages, the engine's library"
	@echo "make build     build target/release/vitrine"
	@echo "make run       build and serve the storefront on the sample catalogue (ARGS=\"--listen …\")"
	@echo "make test      run the checks of a change: format, lints, types, unit, integration and browser tests"
	@echo "make test-all  the same, and what repeats a test on more pages and shops or measures durations"
	@echo "make bench     measure it beside Node, Next.js and nginx; filtering, rendering, catalogues, start and overload (55 minutes)"
	@echo "make bench-quick  the first of these in less than 3 minutes, without what takes long to build"
	@echo "make bench-browser  measure how long visitors wait, in Chromium on a slowed down CPU"
	@echo "make soak      mixed load for SOAK_SECONDS (600); fails when memory grows"
	@echo "make fuzz      fuzz each parser for FUZZ_SECONDS (600)"
	@echo "make dev       serve from the sources: changes and errors show in open pages"
	@echo "make dist      what is delivered, in target/dist-kit: executable, bills of materials, licences, checksums"
	@echo "make deb       the same, and a Debian package"
	@echo "make image     the same, and a container image (vitrine)"
	@echo "make fmt       format the sources"
	@echo "make clean     remove everything that was built"

setup:
	@scripts/setup.sh $(engine)

build: setup
	cargo build $(cargo_flags)
	@echo "built target/release/vitrine with the engine $(engine)"

run: build
	target/release/vitrine $(ARGS)

test:
	@scripts/setup.sh $(engine) test
	@scripts/test.sh $(engine)

test-all:
	@scripts/setup.sh $(engine) test-all
	@scripts/test.sh $(engine) all

# The rig of bench/peers. UPDATE_PERFORMANCE=1 writes its tables into docs/performance.md and its page into bench/report.
rig = npx esbuild bench/peers/rig/main.ts --bundle --platform=node --format=esm --packages=external \
  --log-level=warning --outfile=target/bench/main.mjs && node target/bench/main.mjs

bench:
	@scripts/setup.sh $(engine) bench
	$(rig) $(engine)
	cargo bench --bench storefront --bench catalogue --bench files --bench bad_days --profile release --locked --no-default-features --features $(engine),as-tested

bench-quick:
	@scripts/setup.sh $(engine) bench
	$(rig) $(engine) quick

# Prints the tables of docs/performance.md; UPDATE_PERFORMANCE=1 writes them there.
bench-browser:
	@scripts/setup.sh $(engine) bench-browser
	cargo build $(cargo_flags)
	npx playwright test --config bench/browser/playwright.config.ts

soak: setup
	cargo bench --bench soak --profile release --locked --no-default-features --features $(engine),as-tested

FUZZ_SECONDS ?= 600
fuzz: setup
	for target in path_and_query catalogue_json document_escaping state_file catalogue_file picture_header; do \
	  mkdir -p fuzz/corpus/$$target; \
	  cargo fuzz run --sanitizer none $$target fuzz/corpus/$$target fuzz/corpus-seeds/$$target -- \
	    -max_total_time=$(FUZZ_SECONDS) -timeout=10; \
	done

dev: setup
	@node scripts/dev/main.mjs $(engine) $(ARGS)

dist: setup
	scripts/dist.sh $(engine)

deb: dist
	@PATH="$$PATH:$${CARGO_HOME:-$$HOME/.cargo}/bin"; \
	  command -v cargo-deb >/dev/null || cargo install --locked cargo-deb; \
	  rm -f target/dist-kit/*.deb; \
	  cargo deb --no-build --no-strip --profile dist --output target/dist-kit/

# Without RUN the image needs no container to be built; `--isolation chroot` asks for no privileges either.
image: dist
	@command -v podman >/dev/null || { echo "image: please install podman" >&2; exit 1; }
	scripts/image-root.sh target/dist-kit/vitrine target/dist-kit/image-root target/dist-kit/LICENCES.md
	podman build --isolation chroot --tag vitrine --file deploy/image/Containerfile target/dist-kit/image-root

fmt:
	cargo fmt

clean:
	cargo clean
	rm -rf node_modules
