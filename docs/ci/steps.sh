#!/bin/sh
# The steps of docs/ci.md: builds a firmware, runs it in QEMU, and checks its trace.
# Usage: steps.sh [STEP...]; without a step: tool build record good check diff pages.
# The exit code is that of the first step that cannot be done; else 1 if check or diff say no; 5 if they cannot tell.
set -u
here=$(dirname "$0")
wallfly_source=$(cd "${WALLFLY_SOURCE:-$here/../..}" && pwd) || exit 2 # a checkout of wallfly
wallfly=${WALLFLY:-}                          # its program, if it is there already
out=${OUT:-ci-out}
seconds=${SECONDS_MAX:-60} # the firmware of this example ends by itself
mkdir -p "$out"
[ -n "$wallfly" ] || wallfly=$out/tool/bin/wallfly
elf=$out/firmware/control.elf # names and texts

# ---- what is yours: how the firmware is built, and how it runs with its serial line at this port

build_firmware() {
    # shellcheck disable=SC2086
    cmake -S "$wallfly_source/examples/boards" -B "$out/firmware" -G Ninja -DBOARD=mps2-an385 \
        --toolchain "$wallfly_source/cmake/arm-none-eabi.cmake" -DCMAKE_C_FLAGS="${FIRMWARE_FLAGS:-}" &&
        cmake --build "$out/firmware" --target control
}

run_firmware() { # PORT
    exec qemu-system-arm -M mps2-an385 -nographic -monitor none -icount shift=6 \
        -semihosting-config enable=on,target=native -serial "tcp:127.0.0.1:$1,nodelay=on" \
        -kernel "$elf" </dev/null
}

# ---- the steps

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

step_packages() {
    # shellcheck disable=SC2046
    as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends ca-certificates curl git \
        gcc-arm-none-eabi python3 qemu-system-arm $(awk '/^\[/ {on = $0 == "[tool]"; next} on && /^[a-z]/' \
            "$wallfly_source/scripts/packages.txt")
}

step_tool() {
    [ ! -x "$wallfly" ] || return 0
    cmake -S "$wallfly_source" -B "$out/tool" -G Ninja && cmake --build "$out/tool" --target wallfly
}

step_build() { build_firmware; }

# Records until the firmware has ended, at most $seconds.
step_record() {
    "$wallfly" record tcp-listen:0 --once --seconds="$seconds" --force --output="$out/trace.wfr" 2>"$out/record.log" &
    recorder=$!
    until port=$(sed -n 's/.*waiting for a target on .*:\([0-9]*\)$/\1/p' "$out/record.log") && [ -n "$port" ]; do
        kill -0 $recorder 2>/dev/null || { cat "$out/record.log"; return 3; }
        sleep 0.05
    done
    (run_firmware "$port") &
    firmware=$!
    wait $recorder
    recorded=$?
    cat "$out/record.log"
    # One that has not ended by itself is still connected.
    grep -q ': target disconnected$' "$out/record.log" || kill $firmware 2>/dev/null
    wait $firmware
    ended=$?
    [ $recorded = 0 ] || return $recorded
    case $ended in
    0 | 143) ;; # 143: it was still running
    *) echo "the firmware ended with exit code $ended"; return 3 ;;
    esac
}

# Where GitHub runs it, failures are annotations of the rules' lines.
step_check() {
    "$wallfly" check --elf="$elf" --junit="$out/check.xml" ${GITHUB_ACTIONS:+--github} "$out/trace.wfr" "$here/rules.lua"
}

# The profile of the last good run of the main branch, from its artifacts. GOOD: a file, where no service has it.
step_good() {
    rm -rf "$out/good"
    mkdir "$out/good"
    if [ -n "${GOOD:-}" ]; then
        cp "$GOOD" "$out/good/profile.wfs"
    elif [ -n "${GITHUB_ACTIONS:-}" ]; then
        good_of_github
    elif [ -n "${GITLAB_CI:-}" ]; then
        good_of_gitlab
    fi
}

good_of_github() {
    run=$(gh run list --workflow "$GITHUB_WORKFLOW" --branch main --status success --limit 1 \
        --json databaseId --jq '.[].databaseId') || return 3
    [ -z "$run" ] || gh run download "$run" --name profile --dir "$out/good"
}

good_of_gitlab() {
    status=$(curl --silent --show-error --location --header "JOB-TOKEN: $CI_JOB_TOKEN" \
        --output "$out/good/profile.wfs" --write-out '%{http_code}' \
        "$CI_API_V4_URL/projects/$CI_PROJECT_ID/jobs/artifacts/$CI_DEFAULT_BRANCH/raw/$out/profile.wfs?job=$CI_JOB_NAME") || return 3
    [ "$status" != 200 ] || return 0
    rm -f "$out/good/profile.wfs"
    [ "$status" = 404 ] || { echo "the profile of $CI_DEFAULT_BRANCH: HTTP status $status"; return 3; }
}

step_diff() {
    "$wallfly" stats --elf="$elf" --save="$out/profile.wfs" "$out/trace.wfr" || return
    if [ ! -e "$out/good/profile.wfs" ]; then
        echo "There is no profile of the main branch yet: nothing is compared."
        return 0
    fi
    "$wallfly" diff --junit="$out/diff.xml" --fail-on="execution p99 +10 %" --fail-on="response p99 +10 %" \
        "$out/good/profile.wfs" "$out/profile.wfs"
}

# A page for each rule that did not pass.
step_pages() {
    PYTHONPATH=$wallfly_source/clients/python python3 -m wallfly.pages --tool="$wallfly" --option=--elf="$elf" \
        --output="$out/pages" "$out/trace.wfr" "$here/rules.lua"
}

# ---- all of them

[ $# -gt 0 ] || set -- tool build record good check diff pages
result=0
for step; do
    echo "== $step"
    code=0
    "step_$step" || code=$?
    case $step:$code in
    *:0) ;;
    check:1 | diff:1) result=1 ;;
    check:5 | diff:5) [ $result = 1 ] || result=5 ;;
    *) echo "== $step failed, exit code $code"; exit $code ;;
    esac
done
exit $result
