#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the time line: how fast `wallfly serve` indexes a long trace, its memory, the time until the
page is drawn and the time of a zoom step; how fast it finds records by a text; and whether the page keeps
up with a target that sends a million records a second. Usage: page.py WALLFLY PHILOSOPHERS BUILD DIR
[--full] [--check]
--full: 10^8 records, and 60 s live, in place of 10^7 and 10 s. --file, --search, --live: only that part.
--check: exit code 1 if a goal is missed."""
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../tests/web"))
from ws_client import Client

options = [a for a in sys.argv[1:] if a.startswith("--")]
wallfly, philosophers, build, folder = [os.path.abspath(a) for a in sys.argv[1:] if not a.startswith("--")]
RECORDS, SECONDS = (10**8, 60) if "--full" in options else (10**7, 10)
RATE = 10**6  # records a second, live
PER_SECOND = 509  # records in a second of the philosophers, approximately
failed = []


def goal(name, good):
    if not good:
        failed.append(name)
    return "" if good else " (goal missed)"


class Server:
    def __init__(self, *args):
        self.said = ""
        self.start = time.monotonic()
        self.p = subprocess.Popen([wallfly, "serve", *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self.listen, daemon=True).start()
        self.url = self.wait_for(r"(http://\S+/)\s")

    def listen(self):
        for line in self.p.stdout:
            self.said += line

    def wait_for(self, pattern):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if found := re.search(pattern, self.said):
                return found[1]
            if self.p.poll() is not None:
                break
            time.sleep(0.001)
        sys.exit("page.py: no %r: %s" % (pattern, self.said))

    def memory(self):
        return int(re.search(r"VmHWM:\s+(\d+) kB", open("/proc/%d/status" % self.p.pid).read())[1]) / 1024

    def close(self):
        self.p.terminate()
        self.p.wait(60)


def statuses(client):
    while True:
        message = client.message()
        if isinstance(message, dict) and "status" in message:
            yield message["status"]


def trace(records):
    path = os.path.join(folder, "page-bench.qspy")
    subprocess.run([philosophers, "--fast", "--seconds=%d" % (records / PER_SECOND), "-o", path], check=True, stdout=subprocess.DEVNULL)
    info = json.loads(subprocess.check_output([wallfly, "info", "--json", path]))
    return path, sum(r["count"] for r in info["records"])


def browser(*args):
    """Runs page_browser.mjs and yields the JSON lines that it prints, one by one."""
    p = subprocess.Popen(["node", os.path.join(here, "page_browser.mjs"), *args], stdout=subprocess.PIPE, text=True,
                         env=dict(os.environ, BUILD=build, WALLFLY=wallfly))
    for line in p.stdout:
        yield json.loads(line)
    if p.wait():
        sys.exit("page.py: the browser failed")


def search(server, records, text):
    """Searches all records from the beginning. The list is asked for when there are hits, as the page does."""
    client, first = Client(server.url), None
    begin = time.monotonic()
    client.ask("search", which=0, text=text)
    while True:
        found = client.ask("found", which=0)
        if found["count"] and first is None:
            assert client.ask("hits", which=0, first=0, most=50)["hits"]
            first = time.monotonic() - begin
        if found["done"]:
            break
        time.sleep(0.02)
    seconds = time.monotonic() - begin
    list_begin = time.monotonic()
    client.ask("hits", which=0, first=found["count"] // 2, most=100)
    listed = time.monotonic() - list_begin
    print("page-search,%r,%d of %d records in %.2f s%s,%.1f million a second,%s,%.0f ms for 100 of the middle" %
          (text, found["count"], records, seconds, goal("search", seconds <= max(1, records / 1e8 * 15)), records / seconds / 1e6,
           "no hit" if first is None else "the first hits after %.0f ms%s" % (first * 1e3, goal("first hits", first <= 1)),
           listed * 1e3), flush=True)
    client.close()


def of_searches(server, records):
    for text in ("philo[3]", "PAUSE_STAT", "EAT_SIG in on_hungry", "1234567", "no such text"):
        search(server, records, text)


def open_file():
    """Serves a trace and waits until it is read. Returns the path, the server, and how it went."""
    path, records = trace(RECORDS)
    server = Server(path)
    told = 0
    for status in statuses(Client(server.url)):
        told += 1
        if not status["progress"]:
            break
    return path, server, records, status, told


def of_file():
    path, server, records, status, told = open_file()
    seconds = time.monotonic() - server.start
    assert status["records"] == records, (status, records)
    rate, indexed = records / seconds / 1e6, server.memory()
    print("page-index,%d records in %.2f s,%.2f million a second%s,%d bytes,progress told %d times" %
          (records, seconds, rate, goal("index", rate >= 5), os.path.getsize(path), told), flush=True)
    for out in browser("file", server.url):
        if "paint" in out:
            print("page-paint,%.0f ms from navigation to all drawn%s,%.0f ms to the first frame" %
                  (out["paint"], goal("paint", out["paint"] <= 1000), out["frame"]), flush=True)
        else:
            first = out["first"]
            print("page-zoom,%s,%d steps,drawn: p50 %.1f ms,p95 %.1f ms,at most %.1f ms%s,with all tiles: p50 %.1f ms,p95 %.1f ms,at most %.1f ms" %
                  (out["zoom"], out["steps"], first["p50"], first["p95"], first["max"], goal("zoom", first["max"] <= 100),
                   out["p50"], out["p95"], out["max"]), flush=True)
    of_searches(server, records)
    peak = server.memory()
    print("page-memory,%.0f MiB when indexed,%.0f MiB at most%s" % (indexed, peak, goal("memory", peak <= 256)), flush=True)
    server.close()
    os.remove(path)


def send(path, port, out):
    """Sends the file at a constant rate; `out` gets its largest delay."""
    size = os.path.getsize(path)
    link = socket.create_connection(("127.0.0.1", port))
    with open(path, "rb") as file:
        begin, sent, late = time.monotonic(), 0, 0
        while sent < size:
            due = min(size, int(size * (time.monotonic() - begin) / SECONDS) + 1)
            data = file.read(due - sent)
            link.sendall(data)
            sent += len(data)
            late = max(late, time.monotonic() - begin - sent / size * SECONDS)
            time.sleep(0.004)
    out.update(seconds=time.monotonic() - begin, late=late)
    link.close()


def live():
    path, records = trace(RATE * SECONDS)
    server = Server("--quiet", "--front=off", "tcp-listen:0")
    port, sent = int(server.wait_for(r"waiting for a target on .*:(\d+)\n")), {}
    sender = threading.Thread(target=send, args=(path, port, sent))
    for out in browser("live", server.url, str(SECONDS), str(records)):
        if "ready" in out:
            sender.start()
        else:
            sender.join()
            lost = records - out["records"]
            print("page-live,%.2f million records/s for %.1f s (at most %.0f ms behind its plan),%d frames,p50 %.1f ms,p95 %.1f ms,"
                  "at most %.1f ms%s,%d over 100 ms" % (records / sent["seconds"] / 1e6, sent["seconds"], sent["late"] * 1e3, out["frames"],
                                                     out["p50"], out["p95"], out["max"], goal("frames", out["max"] <= 100), out["over"]))
            print("page-live-loss,%d of %d records are not in the view%s,%d told as missing,the newest time drawn stood still for %.0f ms at most" %
                  (lost, records, goal("loss", lost == out["missing"]), out["missing"], out["still"]), flush=True)
    print("page-live-memory,%.0f MiB at most" % server.memory())
    server.close()
    os.remove(path)


def only_searches():
    path, server, records, _, _ = open_file()
    of_searches(server, records)
    print("page-search-memory,%.0f MiB at most" % server.memory())
    server.close()
    os.remove(path)


parts = {"--file": of_file, "--search": only_searches, "--live": live}
wanted = [name for name in parts if name in options] or ["--file", "--live"]
for name in wanted:
    parts[name]()
if failed:
    print("page.py: goals missed: " + ", ".join(failed))
sys.exit("--check" in options and bool(failed))
