#!/usr/bin/env bash
# Builds what is delivered a second time, in another folder, and fails unless the executable is the same byte by byte:
#   scripts/reproduce.sh v8|quickjs      after `make dist`
set -euo pipefail
cd "$(dirname "$0")/.."
engine=$1
again=target/again/sources

rm -rf target/again
mkdir -p "$again"
# What git would take from this folder, so that changes without a commit are compared too.
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --preserve=timestamps --target-directory "$again"
cp -al node_modules "$again/node_modules"
VITRINE_BUILD_COMMIT=$(git rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git show --no-patch --no-show-signature --format=%ct HEAD)
export VITRINE_BUILD_COMMIT SOURCE_DATE_EPOCH
"$again/scripts/dist.sh" "$engine"
cmp target/dist-kit/vitrine "$again/target/dist-kit/vitrine"
echo "reproduce: the executables of two folders are the same"
rm -rf target/again
