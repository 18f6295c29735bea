#!/usr/bin/env bash
# Rebuilds and restarts the storefront whenever a source file changes: scripts/dev.sh ENGINE [ARGS…]
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
shift

state() { find build.rs Cargo.toml Cargo.lock package-lock.json host ssr client -type f -printf '%p %T@\n' | sort | cksum; }

server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true' EXIT
while true; do
  seen=$(state)
  if cargo build --release --locked --no-default-features --features "$engine"; then
    [ -z "$server" ] || { kill "$server" && wait "$server" || true; }
    target/release/vitrine "$@" &
    server=$!
  fi
  while [ "$(state)" = "$seen" ]; do sleep 1; done
done
