# SPDX-License-Identifier: MIT
"""Commands to devices with a real broker and engine. See fleet_send.sh. Usage: fleet_send.py BUILD PHILOSOPHERS [CHDB]"""
import atexit
import os
import re
import signal
import subprocess
import sys
import time

from clickhouse import WORDS, Newest, Server, free_ports
from fleet import load, setup, url_of
from fleet_net import Agent, Broker, Gateway, Process, tcp_port, wait_until
from wf_links import WALLFLY

BUILD, PHILOSOPHERS = sys.argv[1:3]
NEWEST = len(sys.argv) > 3
PROFILES = WORDS + "</default><reader><readonly>2</readonly></reader><default>"
USER = "<%s><password>%s</password><networks><ip>127.0.0.1</ip></networks><profile>%s</profile><quota>default</quota></%s>"
USERS = USER % ("operator", "one", "default", "operator") + USER % ("guest", "two", "reader", "guest")
DONE, STATUS, PEEK = "65", "66", "68"  # records that answer
TICK, CURRENT, GAP = 3, 13, 128 + 42  # commands, and an error
REFUSED = "refused: it is no whole frames of commands"


def frame(seq, record, payload=b"", good=True):
    body = bytes([seq, record]) + payload
    body += bytes([~sum(body) & 255 if good else sum(body) & 255])
    return b"".join(bytes([0x7D, b ^ 0x20]) if b in (0x7D, 0x7E) else bytes([b]) for b in body) + b"\x7E"


class Listening(Gateway):
    """A gateway for targets on TCP."""

    def __init__(self, broker, device, *options):
        self.port = tcp_port()
        super().__init__("tcp-listen:%d" % self.port, "%s/pilot/%s" % (broker.url, device), *options)
        self.wait_for("waiting for a target")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        return self.ends()


class Target(Process):
    """The philosophers, in real time."""

    def __init__(self, gateway, name):
        atexit.register(self.kill)
        self.said = open(name + ".err", "ab")
        self.process = subprocess.Popen([PHILOSOPHERS, "-o", "tcp:127.0.0.1:%d" % gateway.port], stderr=self.said)
        gateway.wait_for("target connected")


class Topics:
    """All messages on topics of commands."""

    def __init__(self, broker):
        self.broker, self.marks = broker, 0
        self.process = subprocess.Popen(["stdbuf", "-oL", "mosquitto_sub", "-p", str(broker.port), "-t", "wf/1/mark", "-t", "wf/1/+/+/command",
                                         "-q", "1", "-F", "%t %r %x"],
                                        stdout=open("topics", "w"))
        atexit.register(self.process.kill)
        wait_until(lambda: self.publish("wf/1/mark", b"0") or "wf/1/mark" in self.words(), "a subscription")

    def words(self):
        with open("topics") as f:
            return f.read()

    def publish(self, topic, data, *options):
        with open("message", "wb") as f:
            f.write(data)
        subprocess.run(["mosquitto_pub", "-p", str(self.broker.port), "-t", topic, "-q", "1", *options, *(["-f", "message"] if data else ["-n"])],
                       check=True)

    def commands(self):
        """What came until now: topic and bytes."""
        self.marks += 1
        mark = b"mark %d" % self.marks
        self.publish("wf/1/mark", mark)
        wait_until(lambda: "wf/1/mark 0 %s\n" % mark.hex() in self.words(), "a message")
        lines = [line.split(" ") for line in self.words().splitlines()]
        return [(topic, bytes.fromhex(data)) for topic, _, data in lines if topic.endswith("/command")]


def send(server, broker, *words, device="board-1", project="pilot", code=0, says="", **environment):
    url = broker if isinstance(broker, str) else broker.url
    p = subprocess.run([WALLFLY, "fleet", "send", url_of(server), "--project=" + project, "--device=" + device, "--mqtt=" + url, *words],
                       capture_output=True, text=True, env={**os.environ, **environment})
    assert p.returncode == code and says in (p.stderr if code else p.stdout), (words, code, says, p.returncode, p.stdout, p.stderr)
    assert not code or p.stderr.count("\n") == 1 or "trying again" in p.stderr, p.stderr
    return p.stdout


def written(server, columns="device, user, text"):
    return server.rows("SELECT %s FROM pilot.command ORDER BY sent, text" % columns)


def answers(server, device):
    return server.rows("SELECT toString(id), toString(args) FROM pilot.record FINAL WHERE device = '%s' AND id IN (%s, %s, %s) ORDER BY number"
                       % (device, DONE, STATUS, PEEK))


def records(server, device):
    return int(server.rows("SELECT sum(records) FROM pilot.segment FINAL WHERE device = '%s'" % device)[0][0])


def off(server, broker, topics):
    """Without the table nothing is sent; setup without the option does not make it."""
    setup(server, "pilot")
    send(server, broker, "tick", code=1, says="commands are off in project pilot: `wallfly fleet setup --commands` permits them")
    assert topics.commands() == [] and ["command"] not in server.rows("SHOW TABLES FROM pilot")
    p = subprocess.run([WALLFLY, "fleet", "setup", url_of(server), "--project=pilot", "--commands"], check=True, capture_output=True, text=True)
    assert "pilot: commands to devices are permitted\n" in p.stdout, p.stdout
    assert ("who sends a command, by the engine: set" if NEWEST else "who sends a command, by the engine: this engine has none") in p.stdout, p.stdout
    setup(server, "pilot")  # it stays
    assert ["command"] in server.rows("SHOW TABLES FROM pilot")
    send(server, broker, "tick", code=3, says="nothing of device board-1 is in the tables yet")
    assert topics.commands() == [] and written(server) == []


def answered(server, broker, topics):
    """The target behind a gateway obeys, and answers in its trace; names are those of its trace."""
    gateway = Listening(broker, "board-1", "--commands")
    # Garbage comes before the first good one, and shows that the gateway listens.
    wait_until(lambda: topics.publish("wf/1/pilot/board-1/command", b"no frames") or REFUSED in gateway.words(), "the gateway")
    topics.publish("wf/1/pilot/board-1/command", frame(1, TICK, b"\0"))
    gateway.wait_for("command of 5 bytes left out: no target is connected")
    target = Target(gateway, "board-1")
    wait_until(lambda: records(server, "board-1") > 100, "a segment")
    before = len(topics.commands())
    assert send(server, broker, "info;", "tick", code=2, says="no command 'info;'") == ""
    assert send(server, broker, "info; tick; current ap tuning; peek 0 4 2") == "board-1: sent 4 commands\n"
    [(topic, message)] = topics.commands()[before:]
    assert topic == "wf/1/pilot/board-1/command" and message.startswith(frame(1, 0) + frame(2, TICK, b"\0")), message
    gateway.wait_for("command of %d bytes passed on" % len(message))
    odd = [b"", b"no frames", frame(1, TICK, b"\0")[:-1], frame(1, TICK, b"\0", good=False), frame(1, TICK, b"\0") + b"x", frame(1, 20, bytes(8)),
           frame(1, 0) + b"\x7E", bytes(range(256)) * 20, bytes(100000)]
    said = gateway.words().count(" refused: ")
    for data in odd:
        topics.publish("wf/1/pilot/board-1/command", data)
    gateway.wait_for(" refused: ", said + len(odd))
    assert send(server, broker, "tick", ";", "tick", "0") == "board-1: sent 2 commands\n"
    wait_until(lambda: len(answers(server, "board-1")) >= 8, "an answer")
    got = answers(server, "board-1")
    # The gateway counts the frames of its link: nothing is missed, and nothing came that is damaged.
    assert [row[0] for row in got] == [STATUS, DONE, STATUS, PEEK, STATUS, DONE, STATUS, DONE], got
    assert [row[1] for row in got if row[0] == STATUS] == ["[%d]" % n for n in (TICK, CURRENT, TICK, TICK)], got
    host = url_of(server).replace("http://", "clickhouse://")
    # Rows of records may be there before their segment.
    wait_until(lambda: "memory at +0: " in subprocess.run([WALLFLY, "print", host + "pilot/board-1"], check=True, capture_output=True, text=True).stdout,
               "the memory in the trace")
    assert len(written(server)) == 6 and written(server, "device, text") == [["board-1", text] for text in (
        "current ap tuning", "info", "peek 0 4 2", "tick", "tick", "tick 0")], written(server)
    assert {row[0] for row in written(server, "user")} == {"default"}
    [[soon]] = server.rows("SELECT toUInt8(max(sent) <= now() AND min(sent) > now() - 3600) FROM pilot.command")
    assert soon == "1"
    target.kill()
    # One that the broker has kept is of another time.
    topics.publish("wf/1/pilot/board-1/command", frame(1, TICK, b"\0"), "-r")
    gateway.end()
    gateway = Listening(broker, "board-1", "--commands")
    gateway.wait_for("refused: the broker has kept it from earlier (retained)")
    topics.publish("wf/1/pilot/board-1/command", b"", "-r")
    gateway.end()


def not_asked_to(server, broker, topics):
    """A gateway without the option passes nothing on; one over HTTP cannot."""
    gateway = Listening(broker, "board-2")
    target = Target(gateway, "board-2")
    wait_until(lambda: records(server, "board-2") > 100, "a segment")
    send(server, broker, "tick", device="board-2")
    sent = records(server, "board-2")
    wait_until(lambda: records(server, "board-2") > sent + 2000, "more of the trace")
    assert answers(server, "board-2") == []
    target.kill()
    assert "command of" not in gateway.end()
    p = subprocess.run([WALLFLY, "record", "tcp-listen:0", "--to=http://127.0.0.1:1/pilot/d", "--commands"], capture_output=True, text=True)
    assert p.returncode == 2 and "--commands: only with --to=mqtt:" in p.stderr, p
    p = subprocess.run([WALLFLY, "record", "tcp-listen:0", "--commands"], capture_output=True, text=True)
    assert p.returncode == 2 and "--commands: only with --to" in p.stderr, p


def own_network(server, broker, topics):
    """A device with a network of its own obeys, too. Each message counts from 1: the second one has a gap, which does no harm."""
    device = subprocess.Popen([BUILD + "/bin/mqtt_device", "127.0.0.1", str(broker.port), "pilot", "board-3", "100000"])
    atexit.register(device.kill)
    wait_until(lambda: records(server, "board-3") > 100, "a segment")
    for n in range(2):
        send(server, broker, "tick;tick", device="board-3")
        wait_until(lambda: len(answers(server, "board-3")) >= 4 + 5 * n, "an answer")
    codes = [row[1] for row in answers(server, "board-3") if row[0] == STATUS]
    assert codes == ["[%d]" % n for n in (TICK, TICK, GAP, TICK, TICK)], codes
    device.kill()
    device.wait()


def bad(server, broker, topics):
    """If one command is wrong, none is sent, and none written down. So it is while there is no broker."""
    before, rows = topics.commands(), written(server)
    for words, says in ((["pek 0"], "no command 'pek'"), (["tick; peek 0 3 1"], "peek 0 3 1: SIZE: '3' is not 1, 2 or 4"),
                        (["tick", ";", "peek", "0"], "peek 0: peek: SIZE is missing"), (["tick; current ap it's"], "it's"),
                        (["current", "ap", "\\'); DROP TABLE pilot.command; --"], "DROP TABLE"), (["tick \"open"], "\""),
                        (["filter", "-tran"], "begin with all, none or only:NAME"), ([" # nothing"], "no command")):
        send(server, broker, *words, code=2, says=says)
    send(server, broker, "poke 0 1" + 300 * " 0", code=2, says="words")
    send(server, broker, 70 * ("poke 0 4" + 255 * " 0" + ";"), code=2, says="the commands have more than 65536 bytes")
    [port] = free_ports(1)
    send(server, "mqtt://127.0.0.1:%d" % port, "--timeout=0.3", "tick", code=3, says="no connection to the broker in 0.3 s; nothing was sent")
    send(server, "http://127.0.0.1", "tick", code=2, says="--mqtt: 'http://127.0.0.1' is no mqtt://")
    send(server, broker, "tick", device="a'b", code=2, says="is no name of a device")
    send(server, broker, "tick", device="board-9", code=3, says="nothing of device board-9 is in the tables")
    send(server, broker, "tick", project="it's", code=2, says="--project:")
    send(server, broker, "--timeout=x", "tick", code=2, says="--timeout: 'x'")
    send("http://127.0.0.1:9", broker, "tick", code=3, says="the engine does not answer")
    for option, says in ("--device=d", "--mqtt=URL is missing"), ("--mqtt=mqtt://h", "--device=NAME is missing"):
        p = subprocess.run([WALLFLY, "fleet", "send", url_of(server), option, "tick"], capture_output=True, text=True)
        assert p.returncode == 2 and says in p.stderr, p
    assert topics.commands() == before and written(server) == rows


def odd_names(server, broker, topics):
    """An object with a hostile name: it is found, and its command is written down as it is."""
    name = "it's \\ \"x\"; DROP TABLE pilot.command; -- \u00e4 '"
    with open("odd.bin", "ab") as f:
        f.write(frame(1, 61, (0x1234).to_bytes(8, "little") + name.encode() + b"\0"))
    load(server, "pilot", "odd.bin", device="odd", make=False)
    before = topics.commands()
    assert send(server, broker, "current", "ap", name, ";", "filter", "all", "-tran", device="odd") == "odd: sent 2 commands\n"
    [(topic, message)] = topics.commands()[len(before):]
    assert topic == "wf/1/pilot/odd/command" and message.startswith(frame(1, CURRENT, b"\5" + (0x1234).to_bytes(8, "little"))), message
    rows = server.rows("SELECT hex(text) FROM pilot.command WHERE device = 'odd' ORDER BY text")
    quoted = '"%s"' % name.replace("\\", "\\\\").replace('"', '\\"')
    assert [bytes.fromhex(text).decode() for text, in rows] == ["current ap " + quoted, "filter all -tran"], rows
    # The text is a command, as it was sent.
    assert send(server, broker, "current ap " + quoted, device="odd") == "odd: sent 1 command\n"
    assert topics.commands()[-1][1] == message[:len(frame(1, CURRENT, b"\5" + bytes(8)))]


def users(server, broker, topics):
    """Who sends is who the engine says; who must not insert sends nothing."""
    host = url_of(server)
    assert send(host.replace("//", "//operator@"), broker, "tick", device="odd", WALLFLY_PASSWORD="one") == "odd: sent 1 command\n"
    send(host, broker, "--user=operator", "tick", device="odd", WALLFLY_PASSWORD="one")
    assert server.rows("SELECT user, count() FROM pilot.command WHERE device = 'odd' AND text = 'tick' GROUP BY user") == [["operator", "2"]]
    before, rows = topics.commands(), written(server)
    send(host, broker, "--user=guest", "tick", device="odd", code=3, says="readonly", WALLFLY_PASSWORD="two")
    send(host, broker, "--user=operator", "tick", device="odd", code=3, says="Wrong password", WALLFLY_PASSWORD="three")
    assert topics.commands() == before and written(server) == rows


def engine_knows(server, broker, topics):
    """Nobody can write another user down."""
    try:
        server.ask("INSERT INTO pilot.command (device, sent, user, text) VALUES ('odd', now(), 'another', 'tick')")
    except AssertionError as error:
        assert "MATERIALIZED" in str(error), error
    else:
        sys.exit("the engine takes another user")


class LockedBroker(Broker):
    """With the file of docs/fleet.md that says who may what."""

    def __init__(self, *names):
        atexit.register(self.kill)
        with open(os.environ["SRC"] + "/docs/fleet.md") as f:
            [rules] = re.findall(r"acl_file`:\n\n((?: {6}.*\n)+)", f.read())
        with open("acl", "w") as f:
            f.write(re.sub("^ {6}", "", rules, flags=re.M))
        with open("passwords", "w") as f:
            f.writelines("%s:word of %s\n" % (name, name) for name in names)
        subprocess.run(["mosquitto_passwd", "-U", "passwords"], check=True)
        [self.port] = free_ports(1)
        self.url = "mqtt://127.0.0.1:%d" % self.port
        with open("broker.conf", "w") as f:
            f.write("listener %d 127.0.0.1\nallow_anonymous false\npassword_file passwords\nacl_file acl\nuser root\n" % self.port)
        self.start()


def by_the_broker(server, broker, topics):
    """A broker as the page says: others cannot send without a row."""
    locked = LockedBroker("operator", "odd", "board-1")
    owner = "mqtt://odd@127.0.0.1:%d" % locked.port
    with open("secret", "w") as f:
        f.write("word of odd\n")
    locked.url = owner
    gateway = Listening(locked, "odd", "--commands", "--secret-file=secret")
    with open("message", "wb") as f:
        f.write(frame(1, 0))
    operator, words = "mqtt://operator@127.0.0.1:%d" % locked.port, {"WALLFLY_MQTT_PASSWORD": "word of operator"}
    left_out = "command of 5 bytes left out: no target is connected"
    wait_until(lambda: send(server, operator, "tick", device="odd", **words) and left_out in gateway.words(), "the gateway")
    for name in "odd", "board-1":
        subprocess.run(["mosquitto_pub", "-p", str(locked.port), "-u", name, "-P", "word of " + name, "-t", "wf/1/pilot/odd/command", "-q", "1",
                        "-f", "message"], check=True)
    count = gateway.words().count(left_out)
    send(server, operator, "tick", device="odd", **words)
    gateway.wait_for(left_out, count + 1)
    assert "command of 4 bytes" not in gateway.words(), gateway.words()
    rows = written(server)
    send(server, operator, "--timeout=0.5", "tick", device="odd", code=3, says="no connection", WALLFLY_MQTT_PASSWORD="no")
    assert written(server) == rows
    gateway.end()
    locked.kill()


with Newest("engine", sys.argv[3]) if NEWEST else Server("engine", profile=PROFILES, users=USERS) as engine:
    broker = Broker()
    topics = Topics(broker)
    off(engine, broker, topics)
    agent = Agent(engine, "pilot", broker, "--records", "--grow=1")
    for test in answered, not_asked_to, own_network, bad, odd_names, engine_knows if NEWEST else users, by_the_broker:
        test(engine, broker, topics)
        print("ok", test.__name__, flush=True)
    agent.end()
    broker.kill()
