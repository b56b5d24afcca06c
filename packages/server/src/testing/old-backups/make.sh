#!/usr/bin/env bash
# make.sh COMMIT: makes the fixture COMMIT/ again, with the code of that commit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(git -C "$here" rev-parse --show-toplevel)
tree=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$tree"' EXIT
git -C "$root" worktree add -q --detach "$tree" "$1"
cp -al "$root/node_modules" "$tree/node_modules"
cp "$here/$1/make.test.ts.txt" "$tree/packages/server/src/testing/make.test.ts"
cd "$tree"
OUT="$here/$1" npx vitest run packages/server/src/testing/make.test.ts
"$root/node_modules/.bin/biome" format --write "$here/$1/expected.json"
