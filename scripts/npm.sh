# Sourced by the install.sh of a folder with a package-lock.json (versions and hashes), so that the lock is held until
# that script has ended.

fail() {
    echo "wallfly: $0: $1" >&2
    exit 1
}

need() {
    for program; do
        command -v "$program" >/dev/null || fail "$program is missing: run make setup"
    done
}

# npm_install FROM TO: installs the packages of the folder FROM into TO, once. No package runs install scripts.
npm_install() {
    need node npm
    mkdir -p "$2"
    exec 9>"$2/lock"
    flock 9
    if cmp -s "$1/package-lock.json" "$2/installed"; then return; fi
    cp "$1/package.json" "$1/package-lock.json" "$2"
    (cd "$2" && npm ci --include=dev --ignore-scripts --no-audit --no-fund >log 2>&1) || {
        cat "$2/log" >&2
        fail "npm ci failed (see above); it needs a package registry, or its cache"
    }
    cp "$2/package-lock.json" "$2/installed"
}
