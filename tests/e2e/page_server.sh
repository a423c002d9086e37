# `wallfly serve` for pages: messages and answers, for a file and a target.
"$PHILOSOPHERS" --fast -s 20 --ring=1000000 -o p.bin
"$BUILD/bin/slots" -o slots.kev --events=5000 --pause=0 --slots=1024 2>/dev/null # some are lost
cp "$SRC/examples/slots/main.c" no_trace
timeout 1500 python3 -B "$SRC/tests/e2e/page_server.py" "$WALLFLY" "$PHILOSOPHERS" "$SRC/tests/web"

# Invalid options are reported in one line, and no address is printed in this case.
. "$SRC/tests/cli/lib/fails.sh"
fails 2 "port '99999' is not a number" serve p.bin --page=99999
fails 2 "a token has 16 to 64 characters" serve p.bin --token=short
fails 2 "a token has 16 to 64 characters" serve p.bin --token=0123456789abcdef/
fails 2 "--keep: '1' is not a size of 16M or more" serve tcp-listen:0 --keep=1
fails 2 "--keep: '1M' is not a size of 16M or more" serve tcp-listen:0 --keep=1M
fails 2 "--page=off --front=off: nothing is left to serve" serve p.bin --page=off --front=off
fails 2 "--page=off --front=off: nothing is left to serve" serve p.bin --page=off
fails 2 "--page and --front: a file is served to one of them" serve p.bin --page=0 --front=0
fails 2 "--record goes with a target, or with --front=PORT" serve p.bin --record=x.wfr
fails 2 "--allow-commands goes with a target, or with --front=PORT" serve p.bin --allow-commands
fails 2 "--keep goes with a target, or with --front=PORT" serve p.bin --keep=100M
fails 2 "--ram-image and --lane are for files" serve tcp-listen:0 --lane=1
fails 2 "usage: wallfly serve" serve
fails 3 "nothere.bin: No such file" serve nothere.bin
code=0
TMPDIR=/nowhere timeout 20 "$WALLFLY" serve p.bin >out 2>err || code=$?
[ "$code" = 3 ] && grep -q 'TMPDIR names the folder' err || { cat err; exit 1; }
fails 3 "no_trace: not a QP/Spy trace" serve no_trace
fails 3 "no_trace: not a QP/Spy trace" serve no_trace --rate=1000
printf 'TRACE_HEADER_BEGIN::' >no_slots
fails 3 "no_slots: not a kernel-event log" serve no_slots
fails 3 "no_slots:0: no black box" serve --ram-image=no_slots

# The page's size in the binary is limited.
size=0
for file in page.html page.js page.css; do
    size=$((size + $(gzip -9nc "$SRC/web/bundle/$file" | wc -c)))
done
[ "$size" -lt 150000 ] || { echo "web/bundle: $size bytes packed, 150000 at most"; exit 1; }
