#!/bin/sh
# Runs a step of the Makefile and prints its name and duration; prints the output only of tests, scripts, or a step that
# fails. Usage: step.sh NAME COMMAND...
set -u
name=$1
shift
start=$(date +%s)
case $1 in
ctest | scripts/*) "$@" ; code=$? ;;
*)
    log=$(mktemp)
    "$@" >"$log" 2>&1
    code=$?
    [ $code -eq 0 ] || cat "$log"
    rm -f "$log"
    ;;
esac
result=done
[ $code -eq 0 ] || result=FAILED
echo "== $name: $result, $(($(date +%s) - start)) s"
exit $code
