#!/usr/bin/env bash
# Installs what is missing, one line each: scripts/setup.sh v8|quickjs [test|test-all|bench|bench-browser]
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
purpose=${2:-}
everything=
[ "$purpose" != test-all ] || { everything=yes purpose=test; }

fail() { echo "setup: $*" >&2; exit 1; }

node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' || fail "Node 20 or newer is needed, found $(node --version)"

# The tools to build QuickJS with.
quickjs_packages=()
command -v c++ >/dev/null || quickjs_packages+=(g++)
command -v cmake >/dev/null || quickjs_packages+=(cmake)
[ -d /usr/include/simde ] || quickjs_packages+=(libsimde-dev)

needed=()
# Packages that tests can do without; they say what they skip.
wanted=()
command -v cc >/dev/null || needed+=(gcc libc6-dev)
[ "$engine" != quickjs ] || needed+=("${quickjs_packages[@]}")
browser=
case $purpose in
  test) browser=chromium-headless-shell ;;
  bench-browser) browser=chromium ;;
esac
[ -z "$everything" ] || browser=chromium
[ -z "$browser" ] || [ -x "${CHROMIUM:-/usr/bin/$browser}" ] || needed+=("$browser")
if [ "$purpose" = bench ]; then
  command -v wrk >/dev/null || needed+=(wrk)
  PATH=$PATH:/usr/sbin command -v nginx >/dev/null || needed+=(nginx-light)
  command -v taskset >/dev/null || needed+=(util-linux)
fi
if [ "$purpose" = test ]; then
  # In tests, replicas share through the real program.
  command -v redis-server >/dev/null || wanted+=(redis-server)
  # The tests try the alert rules and a scrape of the metrics with the real program.
  command -v promtool >/dev/null || wanted+=(prometheus)
  # Typefaces of visitors' systems, or ones with the same widths: every browser test has the same ones.
  [ -d /usr/share/fonts/truetype/liberation ] || needed+=(fonts-liberation)
  [ -d /usr/share/fonts/truetype/dejavu ] || needed+=(fonts-dejavu-core)
  [ -d /usr/share/fonts/truetype/roboto/unhinted ] || needed+=(fonts-roboto-unhinted)
  [ -f /usr/share/fonts/truetype/noto/NotoSans-Bold.ttf ] || needed+=(fonts-noto-core)
fi
if [ -n "$everything" ]; then
  # The proxies and the unit of deploy/ are tried with the real programs.
  command -v caddy >/dev/null || wanted+=(caddy)
  PATH=$PATH:/usr/sbin command -v nginx >/dev/null || wanted+=(nginx-light)
  PATH=$PATH:/usr/sbin command -v haproxy >/dev/null || wanted+=(haproxy)
  PATH=$PATH:/usr/sbin command -v varnishd >/dev/null || wanted+=(varnish)
  command -v systemd-analyze >/dev/null || wanted+=(systemd)
  command -v openssl >/dev/null || wanted+=(openssl)
  /usr/bin/python3 -c 'import seccomp' 2>/dev/null || wanted+=(python3-seccomp)
  # The main journeys also run in these browsers.
  [ -x "${FIREFOX:-/usr/bin/firefox-esr}" ] || needed+=(firefox-esr)
  command -v WebKitWebDriver >/dev/null || needed+=(webkit2gtk-driver)
  command -v Xvfb >/dev/null || needed+=(xvfb)
  # The package is installed in a clean root.
  PATH=$PATH:/usr/sbin command -v debootstrap >/dev/null || wanted+=(debootstrap)
fi
# All tests also try the other engine, but can do without it.
[ -z "$everything" ] || [ "$engine" = quickjs ] || wanted+=("${quickjs_packages[@]}")

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
    echo "setup: without ${wanted[*]} some tests are skipped; please run: sudo ${install[*]}"
    install=()
  fi
  if [ ${#install[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || fail "please install: ${missing[*]}"
    echo "setup: installing ${missing[*]} with apt"
    log=$(mktemp)
    # Debian starts the servers that it installs, now and at the next boot; only the programs are needed.
    masked=()
    unmask() {
      if [ ${#masked[@]} -gt 0 ]; then
        "${sudo[@]}" systemctl unmask --quiet "${masked[@]}"
        "${sudo[@]}" systemctl disable --quiet "${masked[@]}" || true
      fi
    }
    trap unmask EXIT
    for server in nginx caddy haproxy prometheus redis-server; do
      if [[ " ${missing[*]} " = *" $server"[\ -]* ]] && [ -d /run/systemd/system ]; then
        "${sudo[@]}" systemctl mask "$server" >"$log" 2>&1 || fail "the service $server cannot be masked"
        masked+=("$server")
      fi
    done
    if ! { "${sudo[@]}" apt-get update && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}"; } >"$log" 2>&1; then
      tail -20 "$log" >&2
      fail "apt failed; please run: sudo ${install[*]}"
    fi
    rm -f "$log"
    unmask
    trap - EXIT
  fi
fi

# The executable is built from the dependencies. The packages for development take much longer to install, see
# docs/decisions/0051-first-build.md.
installed=node_modules/.package-lock.json
packages=()
[ -n "$purpose" ] || packages=(--omit=dev)
if [ ! -f $installed ] || [ package-lock.json -nt $installed ]; then
  echo "setup: installing the npm packages of package-lock.json"
  npm ci "${packages[@]}" --no-audit --no-fund --loglevel=error
  touch $installed
elif [ -n "$purpose" ] && [ ! -d node_modules/typescript ]; then
  echo "setup: installing the npm packages for development"
  built_from=$(date -r $installed +@%s.%N)
  npm ci --no-audit --no-fund --loglevel=error
  # The dependencies have not changed, so nothing is built again.
  touch -d "$built_from" $installed
fi

if [ -n "$everything" ]; then
  # For scripts/check-dependencies.sh and `make deb`.
  PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
  for tool in cargo-machete cargo-deny cargo-deb; do
    if ! command -v "$tool" >/dev/null; then
      echo "setup: installing $tool with cargo"
      cargo install --quiet --locked "$tool"
    fi
  done
fi
