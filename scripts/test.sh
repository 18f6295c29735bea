#!/usr/bin/env bash
# Runs the checks on the given engine and prints the time of each step at the end:
#   scripts/test.sh v8|quickjs      every check of a change (`make test`)
#   scripts/test.sh v8|quickjs all  the same, and the checks that are left out there (`make test-all`)
#
# Cheap steps come first. The other engine, where it can be built, comes before the given one, so
# that target/release/vitrine is the given engine's for the browser tests.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
scope=${2:-}

# Which Rust tests run where, as words for `cargo test`.
unit_tests=(--lib)
usual_tests=(--bins --test parallel --test engine --test panics) # on the given engine
engine_tests=(--test engine)                                     # on the other engine
replica_tests=(--test replicas)                                  # many processes, so by themselves
timed_tests=(--test timed)                                       # they assert durations: one at a time

# How many tests run at the same time. Most of them wait for time to pass, whatever the number of processors.
usual_threads=(--test-threads 4)
replica_threads=(--test-threads 3)

names=()
seconds=()
current=

# step NAME COMMAND…: runs a command and notes how long it took.
step() {
  current=$1
  started=$SECONDS
  printf '\n== %s\n' "$current"
  "${@:2}"
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
  printf '\n== time of each step\n'
  for index in "${!names[@]}"; do printf '%5d s  %s\n' "${seconds[index]}" "${names[index]}"; done
  printf '%5d s  in all\n' "$SECONDS"
  [ -z "$current" ] || echo "test: $current failed" >&2
  exit "$status"
}
trap report EXIT

# cargo_on FEATURES COMMAND…: the features are the engine, and further ones after commas.
cargo_on() {
  local features=$1 command=$2
  shift 2
  cargo "$command" --release --locked --no-default-features --features "$features" "$@"
}

# Leaves out the optimisation of our own crate, where it takes longer than the tests.
unoptimised=(--config profile.release.package.vitrine.opt-level=0)

can_build() {
  case $1 in
    v8) scripts/engine.sh v8 >/dev/null 2>&1 ;;
    quickjs) command -v c++ >/dev/null && command -v cmake >/dev/null && [ -d /usr/include/simde ] ;;
  esac
}

step "formatting" cargo fmt --all --check
step "table of the specification's tests" npm run --silent test:table
step "table of the other build" node scripts/other-build.mjs check
step "TypeScript: types and lints" npm run --silent check
step "TypeScript: unit tests" npm test --silent
# With `fuzzing`, because nothing else compiles the ways into the parsers for `fuzz/`.
step "Rust: lints" cargo_on "$engine,fuzzing" clippy --all-targets -- -D warnings

other=$([ "$engine" = v8 ] && echo quickjs || echo v8)
if can_build "$other"; then
  step "Rust: tests on $other" cargo_on "$other" test "${unoptimised[@]}" "${engine_tests[@]}"
else
  printf '\n== Rust: tests on %s: skipped, what it needs is missing\n' "$other"
fi
step "Rust: unit tests on $engine" cargo_on "$engine" test "${unoptimised[@]}" "${unit_tests[@]}"
step "Rust: tests on $engine" cargo_on "$engine" test "${usual_tests[@]}" -- "${usual_threads[@]}"
step "Rust: replicas on $engine" cargo_on "$engine" test "${replica_tests[@]}" -- "${replica_threads[@]}" --skip calls::
# It counts calls, of which there are more if a process stalls.
step "Rust: calls of replicas on $engine" cargo_on "$engine" test "${replica_tests[@]}" -- calls::
if [ "$scope" = all ]; then
  REPLICAS_SECONDS=600 step "Rust: replicas for ten minutes" cargo_on "$engine" test "${replica_tests[@]}" -- --test-threads 1
  # Every request and answer is among the timed tests.
  step "Rust: every bad header and markup on $engine" cargo_on "$engine" test --test panics -- --ignored
  step "Rust: passes of many histories on $engine" cargo_on "$engine" test "${unoptimised[@]}" "${unit_tests[@]}" catalogue::service::pages -- --ignored
  step "Rust: timed tests on $engine" cargo_on "$engine" test "${timed_tests[@]}" -- --test-threads 1
fi

# The next version, for the tests of two builds that meet.
if [ "$scope" = all ]; then
  step "other build" node scripts/other-build.mjs "$engine"
  export OTHER_BUILD=$PWD/target/other/vitrine
fi

# The examples and the unit of deploy/, with target/release/vitrine and programs of Debian.
step "deployment" npm run --silent test:deploy
# The whole suite has projects of its own; see tests/browser/playwright.config.ts.
step "browser tests" env BROWSER_TESTS="$scope" npm run --silent test:browser
if [ "$scope" = all ]; then
  step "journeys in other browsers" npm run --silent test:other-browsers
  step "dependencies" scripts/check-dependencies.sh "$engine"
  step "package: build" make --no-print-directory ENGINE="$engine" deb
  step "package: the same executable in another folder" scripts/reproduce.sh "$engine"
  step "package: install, upgrade, remove" npm run --silent test:package
  # This step replaces target/release/vitrine, and so do the next ones.
  step "traces: lints" cargo_on "$engine,otel" clippy --all-targets -- -D warnings
  step "traces: tests" cargo_on "$engine,otel" test --test traces
  step "development: lints" cargo_on "$engine,dev" clippy --lib --bins -- -D warnings
  # Last, and moved away, because target/release/vitrine is a build for use.
  step "development: build" cargo_on "$engine,dev" build --bin vitrine
  mkdir -p target/dev && mv target/release/vitrine target/dev/vitrine
  step "development: changes and errors in pages" npm run --silent test:development
fi
