# docs/ci: its steps on the firmware in QEMU. A good build passes; a slower one is refused by check and diff; of one whose
# trace has holes nothing is told. The workflows run these steps, and docs/ci.md shows what they print.
for tool in arm-none-eabi-gcc qemu-system-arm cmake ninja curl; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: run make setup"; exit 1; }
done
export PYTHONDONTWRITEBYTECODE=1 WALLFLY_SOURCE="$SRC"
ln -s "$SRC/docs" docs
unset GITHUB_ACTIONS GITLAB_CI GOOD || :
for python in python3 /usr/bin/python3; do # Debian's has yaml
    if "$python" -c 'import yaml' 2>/dev/null; then break; fi
done

steps() { # EXIT_CODE STEP...: with this exit code; the output is in `out`
    wanted=$1 code=0
    shift
    sh docs/ci/steps.sh "$@" >out 2>&1 || code=$?
    [ $code = "$wanted" ] || { cat out; echo "steps.sh $*: exit code $code, not $wanted"; exit 1; }
}
has() { grep -q -- "$1" "${2:-out}" || { cat "${2:-out}"; echo "${2:-out} has no '$1'"; exit 1; }; }
has_not() { ! grep -q -- "$1" "${2:-out}" || { cat "${2:-out}"; echo "${2:-out} has '$1'"; exit 1; }; }

# ---- the first build of main, and an equal one that is compared with it
export OUT=main
steps 0 build record good check diff
has 'no profile of the main branch'
"$WALLFLY" info --strict main/trace.wfr >info
has ' 14[0-9]* arrived intact' info
cp out first
export GOOD=main/profile.wfs OUT=equal
mkdir equal
cp -r main/firmware main/trace.wfr equal
steps 0 record check good diff
has_not '<failure' equal/check.xml
has_not '<failure' equal/diff.xml
steps 0 pages
[ ! -e equal/pages ]

# ---- a slower one
export OUT=slow FIRMWARE_FLAGS=-DTAPS=96
steps 0 build record
steps 1 check good
cp out slow_check
has '<failure' slow/check.xml
has 'execution control' slow/check.xml
steps 1 good diff
cp out slow_diff
has '<failure' slow/diff.xml
has 'control' slow/diff.xml
steps 1 good check diff
steps 0 pages
has '^execution control: max 100 us: slow/pages/execution-control-max-100-us.html$'
page=slow/pages/execution-control-max-100-us.html
grep -q '"duty"' $page && grep -q '"filter"' $page || { echo "$page: names of the program are missing"; exit 1; }

# ---- holes: a ring that is too small
export OUT=holes FIRMWARE_FLAGS=-DRING=256
steps 0 build record
steps 5 check
cp out holes_check
has_not '<failure' holes/check.xml
has '<error' holes/check.xml
steps 0 pages
has "^execution control: max 100 us: holes/pages/hole-in-lane-0.html$"
[ -s holes/pages/hole-in-lane-0.html ]

# ---- what cannot be done ends the steps at once
export OUT=broken FIRMWARE_FLAGS=-DTAPS=none
code=0
sh docs/ci/steps.sh build record >out 2>&1 || code=$?
[ $code != 0 ] && has '== build failed' && has_not '== record'
export OUT=none FIRMWARE_FLAGS= SECONDS_MAX=1
steps 3 record
has 'the firmware ended with exit code 1$'
unset SECONDS_MAX

# ---- the profile of main, from GitHub's and GitLab's artifacts
unset GOOD
mkdir -p bin served
cat >bin/gh <<'STUB'
#!/bin/sh
echo "$*" >>gh.log
case "$1 $2" in
"run list") [ ! -e no_runs ] && echo 42 || : ;;
"run download") [ "$3" = 42 ] && cp main/profile.wfs "$7/profile.wfs" ;;
esac
STUB
chmod +x bin/gh
PATH=$PWD/bin:$PATH
export OUT=slow GITHUB_ACTIONS=true GITHUB_WORKFLOW=timing
steps 1 good diff
has 'run list --workflow timing --branch main --status success' gh.log
has 'run download 42 --name profile --dir slow/good' gh.log
steps 1 check
has '^::error file=docs/ci/rules.lua,line='
: >no_runs
steps 0 good diff
unset GITHUB_ACTIONS
"$python" "$SRC/tests/e2e/ci.py" serve main/profile.wfs url &
server=$!
trap 'kill $server' EXIT
until [ -s url ]; do kill -0 $server && sleep 0.05; done
export GITLAB_CI=true CI_PROJECT_ID=7 CI_JOB_TOKEN=secret CI_DEFAULT_BRANCH=main CI_JOB_NAME=timing
CI_API_V4_URL=$(cat url)
export CI_API_V4_URL
steps 1 good diff
export CI_PROJECT_ID=8 # has no artifact yet
steps 0 good diff
export CI_PROJECT_ID=9
steps 3 good
has 'HTTP status 500'
unset GITLAB_CI

# ---- packages: those of Debian that the tests of targets have, too
cat >bin/apt-get <<'STUB'
#!/bin/sh
echo "$*" >>apt.log
STUB
cat >bin/sudo <<'STUB'
#!/bin/sh
exec "$@"
STUB
chmod +x bin/apt-get bin/sudo
steps 0 packages
has '^update' apt.log
has '^install .* gcc-arm-none-eabi .* cmake .* pkg-config$' apt.log

"$python" "$SRC/tests/e2e/ci.py" check "$SRC" first slow_check slow_diff holes_check
echo "a good build, a slower one, one with holes; workflows and docs/ci.md agree"
