# The example: byte-identical runs, no loss with a sufficient ring, an exact loss count with a smaller one, and no error
# line in its QSPY text.
"$PHILOSOPHERS" --fast -s 20 -o a.bin
"$PHILOSOPHERS" --fast -s 20 -o b.bin
cmp a.bin b.bin
"$WALLFLY" info --json a.bin | python3 -c '
import json, sys
i = json.load(sys.stdin)
ledger, count = i["ledger"], {r["name"]: r["count"] for r in i["records"]}
assert ledger["missing"] == ledger["bytes_bad"] == ledger["malformed"] == ledger["unknown"] == 0
assert ledger["exact"] and ledger["bytes"] == ledger["bytes_good"]
assert i["target"]["hz"] == 10000000 and i["target"]["qs_version"] == 740
assert count["tick"] == 2000
assert count["active_post"] == count["active_get"] + count["active_get_last"]
assert count["mpool_get"] == count["mpool_put"] == count["new"] == count["gc"]
assert count["dispatch"] == count["active_post"]
'
"$WALLFLY" print --style=qspy a.bin | grep 'ERROR' && exit 1
for ring in 128 150 300 1000 5000; do
    "$PHILOSOPHERS" --fast -s 5 --ring=$ring --stall=200 -o small.bin
    "$WALLFLY" info --json small.bin | python3 -c '
import json, sys
l = json.load(sys.stdin)["ledger"]
assert l["exact"] and l["missing"] == l["given_up"] > 0, l
assert l["records"] + l["missing"] >= 2783, l
assert l["bytes_bad"] == 0 or l["bad_checksum"] > 0
'
done
for options in '--ring=10' '--philosophers=1' '--seconds=x' 'surplus' '--nothing'; do
    code=0
    "$PHILOSOPHERS" $options 2>err || code=$?
    [ "$code" = 2 ] && [ -s err ]
done
"$PHILOSOPHERS" --help | grep -q 'usage: philosophers'
