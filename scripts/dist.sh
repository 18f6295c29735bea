#!/usr/bin/env bash
# Builds what is delivered into target/dist-kit: scripts/dist.sh v8|quickjs
#
#   vitrine              the executable, of the profile `dist`, with the list of its crates inside (cargo-auditable)
#   vitrine-crates.cdx.json, vitrine-npm.cdx.json   bills of materials (CycloneDX)
#   LICENCES.md          the licence of every crate and npm package that is in the executable
#   SHA256SUMS           checksums of all of these
#
# The executable is the same byte by byte in every folder: its date is the commit's, and the paths of this machine and the
# time of compilation are replaced. Its compilers' flags are set here, so others are refused.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
kit=target/dist-kit
flags=(--profile dist --locked --no-default-features --features "$engine")
sources=$(pwd -P)
CARGO_HOME=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
export CARGO_HOME
PATH=$PATH:$CARGO_HOME/bin

fail() { echo "dist: $*" >&2; exit 1; }

for name in RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CFLAGS CXXFLAGS; do
  [ -z "${!name:-}" ] || fail "please unset $name: it would make another executable"
done
case $sources$CARGO_HOME in
  *[[:space:]]*) fail "the compilers' flags cannot name a path with spaces: $sources, $CARGO_HOME" ;;
esac
export RUSTFLAGS="--remap-path-prefix=$sources=/vitrine --remap-path-prefix=$CARGO_HOME=/cargo"
CFLAGS="-ffile-prefix-map=$sources=/vitrine -ffile-prefix-map=$CARGO_HOME=/cargo"
# The allocator's sources name the time at which they are compiled.
CFLAGS+=' -Wno-builtin-macro-redefined -D__DATE__="" -D__TIME__=""'
export CFLAGS CXXFLAGS=$CFLAGS
# Without this the build script runs only when its inputs change, and the date is that of the last checkout.
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git show --no-patch --no-show-signature --format=%ct HEAD 2>/dev/null || stat --format %Y Cargo.toml)
fi
export SOURCE_DATE_EPOCH

mkdir -p "$kit"
rm -f "$kit"/{vitrine,*.cdx.json,LICENCES.md,SHA256SUMS}

if command -v cargo-auditable >/dev/null || cargo install --quiet --locked cargo-auditable; then
  cargo auditable build "${flags[@]}"
  # The linker section that `cargo audit bin` reads.
  readelf --wide --section-headers target/dist/vitrine | grep -q ' \.dep-v0 ' || fail "the executable lacks the list of its crates"
else
  echo "dist: cargo-auditable cannot be installed; the executable has no list of its crates" >&2
  cargo build "${flags[@]}"
fi
install -m 755 target/dist/vitrine "$kit/vitrine"
"$kit/vitrine" --version

node scripts/bill-of-materials.mjs "$engine" "$kit"
(cd "$kit" && sha256sum vitrine ./*.cdx.json LICENCES.md >SHA256SUMS && sha256sum --check --quiet SHA256SUMS)
ls -l "$kit"
