#!/usr/bin/env bash
# Runs the checks on the given engine:
#   scripts/test.sh v8|quickjs      every check of a change (`make test`)
#   scripts/test.sh v8|quickjs all  the same, and the checks that are left out there (`make test-all`)
#
# Cheap steps come first. At the end the time of each step and the slowest tests are printed and written to
# target/test-times.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
scope=${2:-}
mkdir -p target
printed=target/test-output.txt
: >"$printed"

names=()
seconds=()
current=

# step NAME COMMAND…: runs a command and notes how long it took.
step() {
  current=$1
  started=$SECONDS
  printf '\n== %s\n' "$current" | tee -a "$printed"
  "${@:2}" 2>&1 | tee -a "$printed"
  names+=("$current")
  seconds+=($((SECONDS - started)))
  current=
}

report() {
  local status=$? index
  if [ -n "$current" ]; then
    names+=("$current: FAILED")
    seconds+=($((SECONDS - started)))
  fi
  {
    printf '\n== time of each step\n'
    for index in "${!names[@]}"; do printf '%5d s  %s\n' "${seconds[index]}" "${names[index]}"; done
    printf '%5d s  in all\n' "$SECONDS"
    printf '\n== the slowest tests\n'
    node scripts/slowest-tests.mjs "$printed" || true
  } | tee target/test-times.txt
  if [ -n "$current" ]; then
    # Again at the end, where it is not lost between tests that pass.
    awk -v heading="== $current" '$0 == heading { seen = 1 } seen' "$printed" | grep -v '\.\.\. ok' | tail -60 || true
    echo "test: $current failed" >&2
  fi
  exit "$status"
}
trap report EXIT

# What every call of cargo has in common: the features of `make build`, and further ones after a comma.
cargo_on() {
  local features=$1 command=$2
  shift 2
  cargo "$command" --release --locked --no-default-features --features "$features" "$@"
}

# tests FEATURES WORDS… [-- WORDS…]: Rust tests, built as tests/build.toml says.
tests() {
  local features=$1 words=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do words+=("$1"); shift; done
  [ $# = 0 ] || shift
  cargo --config tests/build.toml test --release --locked --no-default-features --features "$features" \
    "${words[@]}" -- -Zunstable-options --report-time "$@"
}

can_build() {
  case $1 in
    v8) scripts/engine.sh v8 >/dev/null 2>&1 ;;
    quickjs) command -v c++ >/dev/null && command -v cmake >/dev/null && [ -d /usr/include/simde ] ;;
  esac
}

features=$engine,as-tested
# Most tests wait for something else, whatever the number of processors.
threads=(--test-threads 6)

step "formatting" cargo fmt --all --check
step "table of the specification's tests" npm run --silent test:table
step "table of the other build" node scripts/other-build.mjs check
step "TypeScript: types and lints" npm run --silent check
step "TypeScript: unit tests" npm test --silent
step "Rust: lints" cargo_on "$features" clippy --all-targets -- -D warnings
step "Rust: the executable of \`make build\`" cargo_on "$features" build
step "Rust: unit tests" tests "$features" --lib --bins
step "Rust: integration tests" tests "$features" --test it -- "${threads[@]}"
step "assistants" npm run --silent test:agents
step "deployment" npm run --silent test:deploy
if [ "$scope" != all ]; then
  step "browser tests" npm run --silent test:browser
  exit
fi

# What only `make test-all` has.
step "Rust: ways into the parsers for fuzzing" cargo_on "$features,fuzzing" clippy --lib -- -D warnings
# They assert durations, so the shop in their process is optimised.
step "Rust: every bad input" cargo_on "$features" test --test it -- --ignored bad_input:: --test-threads 1
step "Rust: timed tests" cargo_on "$features" test --test timed -- --test-threads 1
step "Rust: passes of many histories" tests "$features" --lib -- --ignored catalogue::service::pages
KILLS=200 step "Rust: two hundred kills" tests "$features" --test it -- bad_days::kills
REPLICAS_SECONDS=600 step "Rust: replicas for ten minutes" tests "$features" --test it -- replicas:: --include-ignored --test-threads 1
other=$([ "$engine" = v8 ] && echo quickjs || echo v8)
if can_build "$other"; then
  step "Rust: tests on $other" tests "$other,as-tested" --test it -- engine:: "${threads[@]}"
else
  printf '\n== Rust: tests on %s: skipped, what it needs is missing\n' "$other"
fi
# The next version, for the tests of two builds that meet.
step "other build" node scripts/other-build.mjs "$engine"
export OTHER_BUILD=$PWD/target/other/vitrine
step "deployment with programs of Debian" npm run --silent test:deploy-programs
# The whole suite has projects of its own; see tests/browser/playwright.config.ts.
step "browser tests" env BROWSER_TESTS=all npm run --silent test:browser
step "journeys in other browsers" npm run --silent test:other-browsers
step "dependencies" scripts/check-dependencies.sh "$engine"
step "package: build" make --no-print-directory ENGINE="$engine" deb
step "package: the same executable in another folder" scripts/reproduce.sh "$engine"
step "package: install, upgrade, remove" npm run --silent test:package
step "traces: lints" cargo_on "$features,otel" clippy --all-targets -- -D warnings
step "traces: tests" tests "$features,otel" --test traces
step "development: lints" cargo_on "$features,dev" clippy --lib --bins -- -D warnings
# Moved away, because target/release/vitrine is a build for use.
step "development: build" cargo_on "$features,dev" build --bin vitrine
mkdir -p target/dev && mv target/release/vitrine target/dev/vitrine
step "development: changes and errors in pages" npm run --silent test:development
