# For scripts of calls that must be refused.

# fails CODE PATTERN ARGUMENTS...: the tool ends with the code, has written nothing to standard output,
# and one line to standard error, its own, that the pattern (grep's) is in. Both are in `out` and `err`.
fails() {
    want=$1 pattern=$2 code=0
    shift 2
    timeout 60 "$WALLFLY" "$@" >out 2>err || code=$?
    if [ "$code" != "$want" ] || [ -s out ] || [ "$(wc -l <err)" != 1 ] ||
        ! grep -q '^wallfly\( [a-z]*\)\{0,1\}: ' err || ! grep -q -e "$pattern" err; then
        echo "wallfly $*: exit code $code, expected $want and '$pattern':"
        cat out err
        exit 1
    fi
}
