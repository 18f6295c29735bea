#!/usr/bin/env bash
# Builds what is delivered into target/dist-kit: scripts/dist.sh v8|quickjs
#
#   vitrine              the executable, of the profile `dist`, with the list of its crates inside (cargo-auditable)
#   vitrine-crates.cdx.json, vitrine-npm.cdx.json   bills of materials (CycloneDX)
#   LICENCES.md          the licence of every crate and npm package that is in the executable
#   SHA256SUMS           checksums of all of these
#
# The executable is the same byte by byte wherever the folder of the sources is: neither paths nor the time get
# into it. Its date is the commit's.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
kit=target/dist-kit
flags=(--profile dist --locked --no-default-features --features "$engine")
cargo_home=${CARGO_HOME:-$HOME/.cargo}
PATH=$PATH:$cargo_home/bin
export RUSTFLAGS="--remap-path-prefix=$PWD=/vitrine --remap-path-prefix=$cargo_home=/cargo"
# The allocator's sources name the time at which they are compiled.
c_flags="-ffile-prefix-map=$PWD=/vitrine -ffile-prefix-map=$cargo_home=/cargo"
c_flags+=' -Wno-builtin-macro-redefined -D__DATE__="" -D__TIME__=""'
export CFLAGS=$c_flags CXXFLAGS=$c_flags

mkdir -p "$kit"
rm -f "$kit"/{vitrine,*.cdx.json,LICENCES.md,SHA256SUMS}

if command -v cargo-auditable >/dev/null || cargo install --quiet --locked cargo-auditable; then
  cargo auditable build "${flags[@]}"
  # The linker section that `cargo audit bin` reads.
  readelf --wide --section-headers target/dist/vitrine | grep -q ' \.dep-v0 ' || { echo "dist: the executable lacks the list of its crates" >&2; exit 1; }
else
  echo "dist: cargo-auditable cannot be installed; the executable has no list of its crates" >&2
  cargo build "${flags[@]}"
fi
install -m 755 target/dist/vitrine "$kit/vitrine"
"$kit/vitrine" --version

node scripts/bill-of-materials.mjs "$engine" "$kit"
npm sbom --omit=dev --sbom-format=cyclonedx >"$kit/vitrine-npm.cdx.json"
(cd "$kit" && sha256sum vitrine ./*.cdx.json LICENCES.md >SHA256SUMS && sha256sum --check --quiet SHA256SUMS)
ls -l "$kit"
