#!/bin/sh
# Builds the tool, the libraries and the examples as a user does, and fails on a warning. Usage: warnings.sh all |
# COMPILER-LEVEL..., e.g. gcc-O3, clang-Os, gcc-LTO
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

build() {
    compiler=${1%%-*}
    flags=-${1#*-}
    [ "$flags" != -LTO ] || flags="-O2 -flto$([ "$compiler" = clang ] || echo =auto)"
    {
        cmake -S . -B "$dir/$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWALLFLY_WERROR=ON \
            -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS_RELEASE="$flags -DNDEBUG" \
            -DCMAKE_EXE_LINKER_FLAGS="-Wl,--fatal-warnings -Werror" -DCMAKE_MODULE_LINKER_FLAGS=-Werror &&
            cmake --build "$dir/$1" -- -k 0
    } >"$dir/log" 2>&1 && ! grep -E 'warning:|CMake Warning' "$dir/log" || return 1
}

if [ "$1" = all ]; then
    set --
    for compiler in gcc clang; do
        for level in O0 O2 O3 Os LTO; do set -- "$@" $compiler-$level; done
    done
fi
for config; do
    start=$(date +%s)
    result=done
    build "$config" || {
        result=FAILED
        failed=1
        grep -E -A 4 '(warning|error):|undefined reference|CMake (Warning|Error)' "$dir/log" | head -n 60
    }
    rm -rf "${dir:?}/$config"
    echo "== no warning with $config: $result, $(($(date +%s) - start)) s"
done
exit $failed
