# SPDX-License-Identifier: MIT
"""ClickHouse on the loopback, Debian's or the newest, with a folder of its own, for the time of a test."""
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

CONFIG = """<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>{folder}/server.log</log><errorlog>{folder}/server.err</errorlog></logger>
  <http_port>{http}</http_port> <tcp_port>{tcp}</tcp_port> <listen_host>127.0.0.1</listen_host>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <mark_cache_size>268435456</mark_cache_size> <uncompressed_cache_size>0</uncompressed_cache_size>
  <path>{folder}/data/</path> <tmp_path>{folder}/tmp/</tmp_path>
  <user_files_path>{folder}/user_files/</user_files_path> <format_schema_path>{folder}/schemas/</format_schema_path>
  <users_config>{folder}/users.xml</users_config>
  {more}
  <default_profile>default</default_profile> <default_database>default</default_database> <timezone>UTC</timezone>
</yandex>
"""
USERS = """<?xml version="1.0"?>
<yandex>
  <profiles><default><max_threads>2</max_threads>{profile}</default></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks>
    <profile>default</profile><quota>default</quota></default>{users}</users>
  <quotas><default></default></quotas>
</yandex>
"""
WORDS = "<allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type>"
START_S = 120


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


class Engine:
    """What both engines have: url, and a process that answers there."""

    def start(self, command):
        self.command = command
        out = open(os.path.join(self.folder, "out"), "ab")
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            try:
                if urllib.request.urlopen(self.url, timeout=5).read() == b"Ok.\n":
                    return
            except OSError:
                time.sleep(0.05)
            if self.process.poll() is not None:
                break
        self.stop()
        with open(os.path.join(self.folder, "out"), errors="replace") as f:
            sys.exit("%s does not start:\n%s" % (command[0], f.read()[-2000:]))

    def stop(self):
        self.process.kill()  # nothing of it is needed any more
        self.process.wait()

    def restart(self):
        """Starts it again in the same folder and at the same port, after it was killed."""
        self.start(self.command)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def ask(self, query, data=None):
        """Sends a query by HTTP, with the data of an INSERT, and returns the answer."""
        url, body = (self.url, query.encode()) if data is None else (self.url + "?" + urllib.parse.urlencode({"query": query}), data)
        try:
            return urllib.request.urlopen(urllib.request.Request(url, body), timeout=START_S).read()
        except urllib.error.HTTPError as error:
            raise AssertionError("%s: %s" % (query, error.read().decode(errors="replace"))) from None

    def rows(self, query):
        """Returns the rows of an answer, as lists of texts."""
        return [line.split("\t") for line in self.ask(query).decode().splitlines()]


class Server(Engine):
    """Debian's. profile: XML of what its users may do, of itself tables with LowCardinality; users, more: XML of more users and
    of its configuration."""

    def __init__(self, folder, profile=WORDS, users="", more=""):
        if not shutil.which("clickhouse-server"):
            sys.exit("clickhouse-server is missing: install the packages of the part 'cli' (make setup-cli)")
        self.folder = os.path.abspath(folder)
        http, self.tcp = free_ports(2)
        self.url = "http://127.0.0.1:%d/" % http
        for name in ("data", "tmp", "user_files", "schemas"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        for name, text in (("config.xml", CONFIG), ("users.xml", USERS)):
            with open(os.path.join(self.folder, name), "w") as f:
                f.write(text.format(folder=self.folder, http=http, tcp=self.tcp, profile=profile, users=users, more=more))
        self.start(["clickhouse-server", "--config-file=" + os.path.join(self.folder, "config.xml")])

    def client(self, query):
        """Returns what the engine's own client writes."""
        return subprocess.run(["clickhouse-client", "--port", str(self.tcp), "--query", query], check=True, capture_output=True).stdout


class Newest(Engine):
    """The newest one, which needs no password and has no users. program: the folder of tests/e2e/chdb/install.sh."""

    def __init__(self, folder, program):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        [port] = free_ports(1)
        self.url = "http://127.0.0.1:%d/" % port
        self.start(["node", os.path.join(program, "server.cjs"), self.folder, str(port)])
