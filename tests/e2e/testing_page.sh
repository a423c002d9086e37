# The scripts printed in docs/testing.md work as described there, and the page lists every function.
page=$SRC/docs/testing.md
awk '/^```lua$/ {file = "page" ++n ".lua"; next} /^```$/ {file = ""} file {print >file}' "$page"
awk '/^```text$/ {on = 1; next} /^```$/ {on = 0} on' "$page" >wanted
[ -s page3.lua ] && [ -s wanted ]
cp "$SRC/examples/fixture/common.lua" .
mv page1.lua lamp.lua
cp "$BUILD/bin/fixture" .
run="exec ./fixture 127.0.0.1:{port}"
code=0
"$WALLFLY" test --timeout=30 --run="$run" lamp.lua >out 2>err || code=$?
[ $code = 1 ]
times='s/\([0-9.]+ s\)$/(TIME)/'
sed -E "$times" wanted >wanted.txt
sed -E "$times" out | diff wanted.txt -
"$WALLFLY" test --timeout=30 --run="$run" page2.lua page3.lua >out 2>err || { cat out err; exit 1; }
grep -q '^3 passed, 0 failed (' out

# All globals of scripts, except Lua's own and the functions in the page's table.
cat >names.lua <<'END'
local lua = {}
for name in ("_G _VERSION arg assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile math next os " ..
    "package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table tonumber tostring type " ..
    "utf8 warn xpcall"):gmatch("%S+") do lua[name] = true end
for name in pairs(_G) do if not lua[name] then note("name " .. name) end end
END
"$WALLFLY" test --to=tcp-listen:0 names.lua >out 2>err
sed -n 's/^ *name //p' out >names
[ "$(wc -l <names)" -gt 50 ]
while read -r name; do
    case $name in GRP_U[123]) continue ;; esac # "GRP_U0 to GRP_U4"
    grep -qE "\b$name\b" "$page" || { echo "the page does not name $name"; exit 1; }
done <names
