#!/usr/bin/env bash
# Checks the dependencies, for `make test-all`: scripts/check-dependencies.sh ENGINE
#
# Licences, sources and duplicates need no network. A check whose server cannot be reached is skipped, and says so;
# one that finds something fails.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
log=$(mktemp)
trap 'rm -f "$log"' EXIT

skipped() { printf 'SKIPPED: %s\n' "$*"; }

# Says why a command ended with this status: the last line that it wrote into the log.
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
# A database that can be reached is fetched in a small part of this time.
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
