#!/usr/bin/env bash
# Chooses the JavaScript engine and prints its Cargo feature: scripts/engine.sh auto|v8|quickjs
#
# V8 needs a prebuilt static library. It is looked for in this order: RUSTY_V8_ARCHIVE, the download
# cache of the `v8` crate, a copy beside the project, and the crate's release page.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo >/dev/null || { echo "engine: Rust is missing; install it with rustup" >&2; exit 1; }
command -v node >/dev/null && command -v npm >/dev/null || { echo "engine: Node 20 and npm are missing" >&2; exit 1; }

say() { echo "engine: $*" >&2; }

version=$(awk '/^name = "v8"$/ { getline; gsub(/[^0-9.]/, ""); print }' Cargo.lock)
target=$(rustc -vV | sed -n 's/^host: //p')
archive="librusty_v8_simdutf_release_$target.a.gz"
address="https://github.com/denoland/rusty_v8/releases/download/v$version/$archive"
# The crate names a cached download by its address, with an underscore for every character that is not
# a letter or digit.
cached="${CARGO_HOME:-$HOME/.cargo}/.rusty_v8/$(tr -c 'A-Za-z0-9\n' _ <<<"$address")"
beside="../shared/v8/$archive"

# The crate's own download needs tools that a fresh machine may lack. Node is required anyway.
download() {
  mkdir -p "$(dirname "$cached")"
  node --input-type=module -e '
    import { createWriteStream } from "node:fs";
    import { Readable } from "node:stream";
    import { pipeline } from "node:stream/promises";
    const [address, file] = process.argv.slice(1);
    const probe = await fetch(address, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    if (!probe.ok) process.exit(1);
    const answer = await fetch(address, { signal: AbortSignal.timeout(600000) });
    if (!answer.ok || answer.body === null) process.exit(1);
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(file));
  ' "$address" "$cached.part" 2>/dev/null && mv "$cached.part" "$cached"
}

have_v8() {
  if [ -n "${RUSTY_V8_ARCHIVE:-}" ]; then
    say "v8, from RUSTY_V8_ARCHIVE"
  elif [ -f "$cached" ]; then
    say "v8, from cargo's cache"
  elif [ -f "$beside" ]; then
    mkdir -p "$(dirname "$cached")"
    # Copy, then rename, so that an interrupted copy is never used as the library.
    cp "$beside" "$cached.part" && mv "$cached.part" "$cached"
    say "v8, from the library beside the project (copied to cargo's cache)"
  elif download; then
    say "v8, downloaded to cargo's cache"
  else
    return 1
  fi
}

case "${1:-auto}" in
  v8)
    have_v8 || { say "V8's library cannot be had; set RUSTY_V8_ARCHIVE to a copy of $archive (release v$version of rusty_v8)"; exit 1; }
    echo v8 ;;
  quickjs)
    say "quickjs, as asked"
    echo quickjs ;;
  auto)
    if have_v8; then
      echo v8
    else
      say "quickjs, because V8's library cannot be had: renders take about 30 times as long. For V8 set RUSTY_V8_ARCHIVE to a copy of $archive (release v$version of rusty_v8)."
      echo quickjs
    fi ;;
  *)
    say "unknown engine '$1'; choose auto, v8 or quickjs"
    exit 1 ;;
esac
