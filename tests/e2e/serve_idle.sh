# A server whose target has disconnected waits for the next one without using the processor.
python3 - "$WALLFLY" "$SRC/tests/e2e" <<'END2'
import sys, time
sys.path.insert(0, sys.argv[2])
from front_client import *
server = Server(sys.argv[1], '--quiet')
def used(): # in ticks of 10 ms
    return sum(int(n) for n in open(f'/proc/{server.process.pid}/stat').read().rsplit(')', 1)[1].split()[11:13])
first = Target(server)
second = Target(server) # has to wait
first.start()
first.socket.close()
second.start()
FrontEnd(server, 1)
second.socket.close()
before = used()
time.sleep(1)
assert used() - before < 30, used() - before # a loop that spins takes most of 100
assert server.counter(server.stop(), 'records') == 4
END2
