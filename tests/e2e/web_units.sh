#!/bin/sh
# SPDX-License-Identifier: MIT
# The page's sources have no type errors, and its parts pass their tests (web/test).
set -eu
dir=$("$SRC/web/install.sh" "$BUILD")
(cd "$dir" && npx tsc --noEmit)
sh "$SRC/web/test.sh" "$BUILD" >out 2>&1 || { cat out; exit 1; }
grep -q '^# fail 0$' out
[ "$(sed -n 's/^# pass //p' out)" -gt 50 ]
