#!/usr/bin/env bash
# Builds what is delivered a second time, in another folder of this machine, and fails unless the executable is the same
# byte by byte:
#   scripts/reproduce.sh v8|quickjs      after `make dist`
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
again=target/again/sources

rm -rf target/again
mkdir -p "$again"
# The files that git would take from this folder, so that changes without a commit are compared too.
git ls-files -z --cached --others --exclude-standard |
  while IFS= read -r -d '' file; do if [ -f "$file" ]; then printf '%s\0' "$file"; fi; done |
  xargs -0 cp --no-dereference --parents --preserve=timestamps --target-directory "$again"
cp -a node_modules "$again/node_modules"
export VITRINE_BUILD_COMMIT=${VITRINE_BUILD_COMMIT:-$(git rev-parse HEAD)}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git show --no-patch --no-show-signature --format=%ct HEAD)}
"$again/scripts/dist.sh" "$engine"
cmp target/dist-kit/vitrine "$again/target/dist-kit/vitrine" || { echo "reproduce: the executables differ" >&2; exit 1; }
echo "reproduce: the executables of two folders are the same"
rm -rf target/again
