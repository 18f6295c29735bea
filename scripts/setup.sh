#!/usr/bin/env bash
# Installs what is missing, one line each: scripts/setup.sh v8|quickjs [test|test-all|bench]
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
purpose=${2:-}
everything=
[ "$purpose" != test-all ] || { everything=yes purpose=test; }

fail() { echo "setup: $*" >&2; exit 1; }

node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || fail "Node 20 or newer is needed, found $(node --version)"

# What QuickJS is built with.
quickjs_packages=()
command -v c++ >/dev/null || quickjs_packages+=(g++)
command -v cmake >/dev/null || quickjs_packages+=(cmake)
[ -d /usr/include/simde ] || quickjs_packages+=(libsimde-dev)

needed=()
command -v cc >/dev/null || needed+=(gcc libc6-dev)
[ "$engine" != quickjs ] || needed+=("${quickjs_packages[@]}")
if [ "$purpose" = test ] && ! [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  needed+=(chromium)
fi
if [ "$purpose" = bench ]; then
  command -v wrk >/dev/null || needed+=(wrk)
  PATH=$PATH:/usr/sbin command -v nginx >/dev/null || needed+=(nginx-light)
  command -v taskset >/dev/null || needed+=(util-linux)
fi
if [ -n "$everything" ]; then
  # The main journeys also run in these browsers.
  [ -x "${FIREFOX:-/usr/bin/firefox-esr}" ] || needed+=(firefox-esr)
  command -v WebKitWebDriver >/dev/null || needed+=(webkit2gtk-driver)
  command -v Xvfb >/dev/null || needed+=(xvfb)
fi
# The tests also try the other engine and Debian's Prometheus, but can do without them.
wanted=()
[ "$purpose" != test ] || [ "$engine" = quickjs ] || wanted+=("${quickjs_packages[@]}")
# They try the alert rules and a scrape of the metrics with the real program.
[ "$purpose" != test ] || command -v promtool >/dev/null || wanted+=(prometheus)

missing=("${needed[@]}" "${wanted[@]}")
install=(apt-get install -y --no-install-recommends "${missing[@]}")
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ]; then
    sudo=()
  elif sudo -n true 2>/dev/null; then
    sudo=(sudo)
  elif [ ${#needed[@]} -gt 0 ]; then
    fail "please run: sudo ${install[*]}"
  else
    echo "setup: without ${wanted[*]} some tests are skipped"
    install=()
  fi
  if [ ${#install[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || fail "please install: ${missing[*]}"
    echo "setup: installing ${missing[*]} with apt"
    log=$(mktemp)
    # Debian starts a web server that it installs; the benchmark only needs the program.
    if [[ " ${missing[*]} " = *" nginx-light "* ]] && [ -d /run/systemd/system ]; then
      "${sudo[@]}" systemctl mask nginx >"$log" 2>&1 || fail "the service nginx cannot be masked"
    fi
    if ! { "${sudo[@]}" apt-get update && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}"; } >"$log" 2>&1; then
      tail -20 "$log" >&2
      fail "apt failed; please run: sudo ${install[*]}"
    fi
    rm -f "$log"
  fi
fi

if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "setup: installing the npm packages of package-lock.json"
  npm ci --no-audit --no-fund --loglevel=error
  touch node_modules/.package-lock.json
fi
