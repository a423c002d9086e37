# For scripts of calls that must be refused.

# fails CODE PATTERN ARGUMENTS...: the tool must end with the code, write nothing to standard output, and one line of
# its own to standard error that matches the pattern (grep). Both outputs are in `out` and `err`.
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
