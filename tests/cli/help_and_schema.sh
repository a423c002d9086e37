# Help of every command, and the schema as JSON.
"$WALLFLY" help | grep -q 'print .*Prints a trace'
for command in print info convert schema help; do
    "$WALLFLY" help "$command" | grep -q "^usage: wallfly $command"
    "$WALLFLY" "$command" --help | cmp - "$(f=$(mktemp); "$WALLFLY" help "$command" >"$f"; echo "$f")"
done
"$WALLFLY" --version | grep -q '^wallfly [0-9]'
"$WALLFLY" schema --json | python3 -c '
import json, sys
schema = json.load(sys.stdin)
records = schema["records"]
assert len({r["name"] for r in records}) == len(records)
assert {r["id"] for r in records} == {*range(84), *range(85, 100)}
post = next(r for r in records if r["id"] == 14)
assert [f["name"] for f in post["fields"]] == "time sender sig obj pool ref free min".split()
assert post["qs_name"] == "QS_QF_ACTIVE_POST" and post["group"] == "AO"
assert schema["user"]["record"]["fields"][1]["type"] == "ELEMS"
ids = [(g["first"], g["last"]) for g in schema["id_groups"]]
assert all(a[1] + 1 == b[0] for a, b in zip(ids, ids[1:])) and ids[0][0] == 1 and ids[-1][1] == 127
assert schema["user_groups"][-1]["first"] == schema["user"]["first"] == 100
assert len(schema["elements"]) == 16 and schema["commands"][16] == "QS_RX_EVENT"
'
"$WALLFLY" schema --md | grep -q '^| 14 | active_post | QS_QF_ACTIVE_POST |'
