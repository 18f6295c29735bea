#!/usr/bin/env bash
# Every check, on the given engine: scripts/test.sh v8|quickjs
#
# Where the other engine can be built, renders, bad days and processes are tested on it too. That
# comes first, so that target/release/vitrine is the given engine's afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1

step() { printf '\n== %s\n' "$*"; }
# The features are the engine, and further ones after commas.
flags_of() { echo "--release --locked --no-default-features --features $1"; }

step "formatting"
cargo fmt --all --check

step "TypeScript: types and lints"
npm run --silent check

step "TypeScript: unit tests"
npm test --silent

can_build() {
  case $1 in
    v8) scripts/engine.sh v8 >/dev/null 2>&1 ;;
    quickjs) command -v c++ >/dev/null && command -v cmake >/dev/null && [ -d /usr/include/simde ] ;;
  esac
}

other=$([ "$engine" = v8 ] && echo quickjs || echo v8)
if can_build "$other"; then
  step "Rust: renders, bad days and processes on $other"
  # shellcheck disable=SC2046 # the flags are words
  cargo test $(flags_of "$other") --test renderer --test bad_days --test supervise --test process
else
  step "Rust: renders, bad days and processes on $other: skipped, what it needs is missing"
fi

step "Rust: lints"
# shellcheck disable=SC2046
cargo clippy $(flags_of "$engine") --all-targets -- -D warnings
# The ways into the parsers for `fuzz/`, which no other check compiles.
# shellcheck disable=SC2046
cargo clippy $(flags_of "$engine,fuzzing") --lib -- -D warnings

step "Rust: tests on $engine"
# shellcheck disable=SC2046
cargo test $(flags_of "$engine")

step "browser tests"
npx playwright test --config tests/browser/playwright.config.ts
