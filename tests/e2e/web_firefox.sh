#!/bin/sh
# Tests of the page in Debian's Firefox; `make test-long` runs nearly all (TESTS). Not complaints: they are of Chromium.
set -eu
for name in ${TESTS:-names menus export search truth}; do
    echo "$name"
    mkdir "$name"
    (cd "$name" && BROWSER=firefox sh -eu "$SRC/tests/e2e/web_$name.sh")
done
