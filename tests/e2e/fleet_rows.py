# SPDX-License-Identifier: MIT
"""Inserts the blocks of fleet_rows.sh into ClickHouse and compares. Usage: fleet_rows.py WALLFLY [CHDB]
CHDB: the folder of the newest engine (tests/e2e/chdb/install.sh), in place of Debian's server, whose client it lacks."""
import json
import subprocess
import sys

from clickhouse import Newest, Server

wallfly = sys.argv[1]
TABLES = "stream", "segment", "figure", "loss", "hole", "record"
TRACES = "mutex", "whole", "lossy", "unnamed"


def run(*args):
    return json.loads(subprocess.run([wallfly, *args], check=True, capture_output=True).stdout)


def block(folder, table):
    with open("%s/%s.native" % (folder, table), "rb") as f:
        return f.read()


def insert(server, table, data):
    server.ask("INSERT INTO %s FORMAT Native" % table, data)


def compare_bytes(server, folder, tables):
    compared = 0
    for table in tables:
        insert(server, "plain_" + table, block(folder, table))
        back = server.client("SELECT * FROM plain_%s FORMAT Native" % table)
        if back:  # the client writes no block without rows
            assert back == block(folder, table), (folder, table)
            compared += 1
        server.ask("TRUNCATE TABLE plain_" + table)
    return compared


def of_trace(name):
    stream = {"mutex": "dev-1", "lossy": "dev-3", "unnamed": "dev-4"}.get(name)
    return "device = '%s'" % stream if stream else "device like 'it%'"


def compare_counts(server, name):
    ledger = run("info", "--json", name + ".bin")["ledger"]
    where = of_trace(name)
    [(records, missing, length, spans)] = server.rows(
        "SELECT sum(records), sum(missing), sum(length), sum(records_span) FROM segment FINAL WHERE " + where)
    assert (int(records), int(missing), int(length)) == (ledger["records"], ledger["missing"], ledger["bytes"]), (name, records, missing)
    [(rows, losses)] = server.rows("SELECT (SELECT count() FROM record FINAL WHERE %s), (SELECT count() FROM loss FINAL WHERE %s)" % (where, where))
    assert int(rows) + int(losses) == int(spans) and (int(losses) > 0) == (ledger["holes"] > 0), (name, rows, losses, spans)
    print("%s: %s records, %s missing in %s losses" % (name, records, missing, losses))


def compare_records(server, name):
    wanted = run("query", "--json", name + ".bin", "select number, id, name, tick, core from record where kind in ('record', 'odd') order by number")
    hz = run("info", "--json", name + ".bin")["target"]["hz"]
    got = server.rows("SELECT number, id, name, ns, core FROM record FINAL WHERE %s ORDER BY number" % of_trace(name))
    assert len(got) == len(wanted)
    for (number, ident, title, ns, core), row in zip(got, wanted):
        assert (int(number), int(ident), title, int(core)) == (row["number"], row["id"], row["name"], row["core"]), (number, row)
        assert row["tick"] is None or int(ns) == row["tick"] * 10**9 // hz, (ns, row)


# Kinds of figures that the statistics have under the same name.
SAME = {"task": ("response", "execution", "start", "period", "jitter", "run"), "object": ("hold", "wait"), "machine": ("step",)}


def compare_figures(server, name):
    lane = run("stats", "--json", "--time=target", name + ".bin")["lanes"][0]
    got = {(kind, of): [int(n) for n in numbers] for kind, of, *numbers in server.rows(
        "SELECT kind, name, sum(count), min(least), max(most) FROM figure FINAL "
        "WHERE %s AND count > 0 GROUP BY kind, name" % of_trace(name))}
    compared = 0
    for group, kinds in SAME.items():
        for row in lane[group]:
            for kind in kinds:
                figure = row.get(kind)
                if not figure or not figure["count"]:
                    continue
                assert got[kind, row["name"]] == [figure["count"], figure["min"], figure["max"]], (name, kind, row["name"], got, figure)
                compared += 1
    print("%s: %d figures" % (name, compared))
    assert compared > 4
    return lane


def compare_quantiles(server, lane):
    """p99 out of the classes, added up over segments, against the statistics' own."""
    wanted = next(row for row in lane["object"] if row["name"] == "display")["hold"]
    [(count, numbers, counts)] = server.rows(
        "SELECT sum(count), (sumMap(classes.class, classes.n) AS m).1, m.2 FROM figure FINAL WHERE kind = 'hold' AND name = 'display'")
    numbers, counts = json.loads(numbers), json.loads(counts)
    assert sum(counts) == int(count) == wanted["count"] and numbers == sorted(numbers)
    seen, at = 0, 0
    while seen + counts[at] < 0.99 * int(count):
        seen += counts[at]
        at += 1
    page, place = divmod(numbers[at], 64)
    begin = (64 + place) << (page - 1) if page else place
    assert begin <= wanted["p99"] <= begin * (1 + 1 / 64), (begin, wanted["p99"])


def run_all(server):
    for folder in ("mutex", "wide"):
        with open(folder + "/tables.sql") as f:
            for line in f:
                server.ask(line)
    if isinstance(server, Server):
        same = sum(compare_bytes(server, name, TABLES) for name in TRACES)
        assert same == 4 * len(TABLES) - 6, same  # without losses no row of loss and hole
        assert compare_bytes(server, "wide", ["wide"]) == 1
        print("%d blocks have the bytes that the client writes" % (same + 1))
    for turn in range(2):  # twice is as once
        for name in TRACES:
            for table in TABLES:
                insert(server, table, block(name, table))
    for name in TRACES:
        compare_counts(server, name)
        compare_records(server, name)
    lanes = {name: compare_figures(server, name) for name in ("mutex", "whole")}
    compare_quantiles(server, lanes["mutex"])
    assert server.rows("SELECT DISTINCT source FROM stream WHERE device = 'dev-1'") == [["mutex.bin"]]
    devices = [device for device, in server.rows("SELECT DISTINCT device FROM segment ORDER BY device")]
    assert len(devices) == 4 and any("drop table" in device for device in devices), devices


with Newest("engine", sys.argv[2]) if len(sys.argv) > 2 else Server("engine") as engine:
    run_all(engine)
