# The page in web/bundle equals the build of web/src with the pinned tools, byte for byte, and the types in web/src are
# right.
dir=$("$SRC/web/install.sh" "$BUILD")
(cd "$dir" && ./node_modules/.bin/tsc --noEmit) || { echo "the types in web/src are wrong"; exit 1; }
made=$PWD/made
(cd "$dir" && node build.mjs "$made")
for name in page.html page.js page.css LICENSES; do
    [ -s "$made/$name" ] || { echo "build.mjs makes no $name"; exit 1; }
done
same() { diff -rq "$made" "$1" || { echo "web/bundle is not what web/src makes: run make web"; return 1; }; }
same "$SRC/web/bundle"

# The check detects a different bundle.
cp -r "$SRC/web/bundle" other
printf ' ' >>other/page.js
if same other >log; then echo "a changed bundle passes"; exit 1; fi
grep -q 'run make web' log

# The download size in the browser, and the share of third-party code.
size=$(cat "$made"/page.* | gzip -9n | wc -c)
[ "$size" -lt 150000 ] || { echo "the page has $size bytes when packed, 150000 are the limit"; exit 1; }
for name in preact uplot; do grep -q "^$name [0-9]" "$made/LICENSES" || { echo "LICENSES does not name $name"; exit 1; }; done
[ "$(grep -c 'Permission is hereby granted' "$made/LICENSES")" -ge 2 ]
