#!/usr/bin/env bash
# Installs what is missing, one line each: scripts/setup.sh v8|quickjs [browser]
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
wants_browser=${2:-}

fail() { echo "setup: $*" >&2; exit 1; }

command -v cargo >/dev/null || fail "Rust is missing; install it with rustup"
command -v npm >/dev/null || fail "Node 20 and npm are missing"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || fail "Node 20 or newer is needed, found $(node --version)"

packages=()
command -v cc >/dev/null || packages+=(gcc libc6-dev)
if [ "$engine" = quickjs ] || [ -n "$wants_browser" ]; then
  command -v c++ >/dev/null || packages+=(g++)
  command -v cmake >/dev/null || packages+=(cmake)
  [ -d /usr/include/simde ] || packages+=(libsimde-dev)
fi
if [ -n "$wants_browser" ] && ! [ -x /usr/bin/chromium ]; then
  packages+=(chromium)
fi

if [ ${#packages[@]} -gt 0 ]; then
  install="apt-get install -y --no-install-recommends ${packages[*]}"
  if [ "$(id -u)" = 0 ]; then
    sudo=
  elif sudo -n true 2>/dev/null; then
    sudo=sudo
  else
    fail "please run: sudo $install"
  fi
  command -v apt-get >/dev/null || fail "please install: ${packages[*]}"
  echo "setup: installing ${packages[*]} with apt"
  log=$(mktemp)
  { $sudo apt-get update && DEBIAN_FRONTEND=noninteractive $sudo $install; } >"$log" 2>&1 || { tail -20 "$log" >&2; fail "apt failed; please run: sudo $install"; }
  rm -f "$log"
fi

if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "setup: installing the npm packages of package-lock.json"
  npm ci --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi
