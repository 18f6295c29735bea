#!/usr/bin/env bash
# Checks the dependencies, for `make test-all`: scripts/check-dependencies.sh ENGINE
#
# Licences, sources and duplicates need no network. What asks a server that cannot be reached is skipped, and says so;
# an answer that finds something fails.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
log=$(mktemp)
trap 'rm -f "$log"' EXIT

skipped() { printf 'SKIPPED: %s\n' "$*"; }

# The last thing that a command with this status wrote into the log.
reason() {
  if [ "$1" = 124 ]; then
    echo "no answer in time"
  else
    grep '[^[:space:]]' "$log" | tail -n 1 || echo "status $1"
  fi
}

echo "unused crates:"
cargo machete .

echo "licences, sources and duplicates of crates:"
deny=(cargo deny --no-default-features --features "$engine" --log-level error)
"${deny[@]}" check licenses sources bans

echo "advisories about crates:"
# Within the time a database that can be reached is fetched many times over.
status=0
timeout 300 "${deny[@]}" fetch db >"$log" 2>&1 || status=$?
if [ "$status" = 0 ]; then
  "${deny[@]}" check --disable-fetch advisories
else
  skipped "the advisory database cannot be fetched: $(reason "$status")"
fi

echo "signatures of npm packages:"
status=0
timeout 120 npm audit signatures >"$log" 2>&1 || status=$?
if grep -qE 'invalid|missing' "$log"; then
  cat "$log"
  exit 1
elif [ "$status" = 0 ] && grep -q 'verified registry signatures' "$log"; then
  grep verified "$log"
else
  skipped "the registry gives no signatures: $(grep -m 1 -o "reason: .*" "$log" || reason "$status")"
fi
