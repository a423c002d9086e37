# Commands to the philosophers on this machine, over TCP, then the host tools read the trace.
python3 "$SRC/tests/ports/talk.py" trace.bin --tcp "$PHILOSOPHERS" -s 100 -o "tcp:127.0.0.1:{port}"
"$WALLFLY" info --json trace.bin | python3 -c '
import json, sys
ledger = json.load(sys.stdin)["ledger"]
assert ledger["missing"] == ledger["bytes_bad"] == ledger["malformed"] == ledger["unknown"] == 0, ledger
'
"$WALLFLY" print --style=qspy trace.bin >qspy.txt
grep -q 'Trg-Ack  QS_RX_EVENT' qspy.txt
grep -q 'Trg-Peek Offs=0,Size=4,Num=2,Data=<00000032,7E7E7E7E>' qspy.txt
grep -q 'Query-AO Obj=table,State=' qspy.txt
