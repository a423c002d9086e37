# `wallfly help licences` names everything in the binary: linked libraries, and third-party parts of its page. So does a
# file of `wallfly page`. Neither names anything else.
"$WALLFLY" help licences >got
"$WALLFLY" help licenses | cmp - got
fail() { echo "$1"; exit 1; }

# The full texts: our own and others'.
contains() { python3 -c 'import sys; sys.exit(open(sys.argv[1]).read().strip() not in open(sys.argv[2]).read())' "$1" "$2"; }
contains "$SRC/LICENSE" got || fail "LICENSE is not in help licences"
contains "$SRC/web/bundle/LICENSES" got || fail "web/bundle/LICENSES is not in help licences"

# Libraries: the list against the program's loaded libraries, in both directions. A build with sanitizers also loads
# theirs, and with them libcap, a library of libwebsockets that other builds drop.
listed() { sed -n '/^== Libraries/,$ s/^\(lib[^ ]*\.so\) .* .*/\1/p' "$1" | sort; }
sanitizers=gcc_s
if readelf -d "$WALLFLY" | grep -q 'NEEDED.*libasan'; then sanitizers="asan|ubsan|gcc_s|cap"; fi
needed() { readelf -d "$WALLFLY" | sed -n 's/.*(NEEDED).*\[\(lib[^]]*\.so\)[.0-9]*\]/\1/p' | sort | grep -vE "^lib($sanitizers)\.so$"; }
same() { # LISTED NEEDED
    diff "$1" "$2" >differ && return
    sed -n 's/^< /help licences names a library that is not linked: /p; s/^> /help licences does not name a linked library: /p' differ
    return 1
}
listed got >listed
needed >needed
[ "$(wc -l <needed)" -ge 5 ] || fail "readelf shows no libraries"
same listed needed

# Static libraries are wallfly's own, by the list of the build, or empty ones of the C library.
if [ -f "$BUILD/build.ninja" ]; then
    sed -n '/^build bin\/wallfly:/,/^$/ s/^ *LINK_LIBRARIES = //p' "$BUILD/build.ninja" | tr ' ' '\n' | grep '\.a$' >archives
    [ -s archives ] || fail "build.ninja does not tell what is linked"
    if grep -vE '(^|/)lib(wallfly|wallfly_[a-z]*|pthread|dl|rt)\.a$' archives; then fail "a static library is not in the list"; fi
fi

# The page's packages: those in package-lock.json that are not build tools, with their versions.
python3 - "$SRC/web/package-lock.json" >locked <<'END'
import json, sys
for path, package in json.load(open(sys.argv[1]))["packages"].items():
    if path and not package.get("dev"):
        print(path.removeprefix("node_modules/"), package["version"])
END
sort -o locked locked
bundled() { sed -n 's/^\([a-z@][^ ]*\) \([0-9][0-9.]*\) (.*)$/\1 \2/p' "$1" | sort; }
bundled got | diff locked - || fail "help licences and web/package-lock.json differ (make web)"

# A page file: a comment contains all of them.
"$PHILOSOPHERS" --fast --seconds=1 -o t.bin
"$WALLFLY" page t.bin -o t.html 2>log
sed -n '/^<!--$/,/-->/p' t.html >comment
bundled comment | diff locked - || fail "the file of wallfly page lacks a notice"
contains "$SRC/LICENSE" comment || fail "the file of wallfly page lacks the licence of wallfly"
[ "$(grep -c 'Permission is hereby granted' comment)" -ge 3 ] || fail "a notice lacks its text"

# The checks detect a missing or an extra entry.
sed '/^libuv\.so/d' got >less
listed less >listed
if same listed needed >/dev/null; then fail "a library that is not listed passes"; fi
{ cat got && echo "libother.so      other             MIT"; } >more
listed more >listed
if same listed needed >/dev/null; then fail "a library that is not linked passes"; fi
