# SPDX-License-Identifier: MIT
"""Runs the SQL of the dashboards. See fleet_dashboards.sh. Usage: fleet_dashboards.py [CHDB]"""
import json
import re
import sys
import time
import urllib.parse

from clickhouse import Newest, Server
from fleet import TABLES, load

DAY_MS = 86400000
ODD = "it's \\ 100% \"odd\"; 'ä'); drop table segment; --\\"
NAMES = "fleet", "version", "device"
# Of names that no device has: what ends a literal in SQL, in one of the ways that engines know.
ABSENT = "", "'", "''", "\\", "\\'", "\\\\'", "a' OR 1 --", "\\' OR 1 --", "') OR (1", "%27 OR 1 --", "\n", "\0", "/* AND device */", "${__from}"
WHOLE = "last_seen", "streams"  # questions of panels that are not limited to days: what is silent is not in them


def percentencode(text):
    return urllib.parse.quote(text, safe="-_.~")


def fill(text, values):
    """Replaces variables as Grafana does, in those formats that the dashboards use."""
    formats = {"": str, ":percentencode": percentencode}
    out = re.sub(r"\$\{(\w+)(:\w+)?\}", lambda m: formats[m[2] or ""](values[m[1]]), text)
    assert "$" not in re.sub(r"'[^']*'", "", out), out
    return out


def table_of(sql):
    return re.sub(r"\bFROM (stream|segment|figure|loss|hole|record)\b", r"FROM p.\1", sql)


def check_form(name, board):
    assert board["uid"] == "wallfly-" + name and board["id"] is None and board["schemaVersion"] > 36
    ids = [panel["id"] for panel in board["panels"]]
    assert len(ids) == len(set(ids)) > 6, ids
    needed = {row["id"]: row["version"] for row in board["__requires"]}
    assert all(panel["type"] in needed for panel in board["panels"]), needed
    assert re.fullmatch(r"\d+\.\d+\.\d+", needed["grafana-clickhouse-datasource"]) and re.fullmatch(r">=\d+\.\d+\.\d+", needed["grafana"])
    places = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24 and not cells & places, panel["title"]
        places |= cells
        assert panel["description"] and panel["title"], panel
        for of in panel, panel["targets"][0]:
            assert of["datasource"] == {"type": "grafana-clickhouse-datasource", "uid": "${datasource}"}, of
    variables = {v["name"]: v for v in board["templating"]["list"]}
    assert variables["datasource"]["type"] == "datasource" and variables["wallfly"]["type"] == "textbox"
    assert not any(v.get("multi") or v.get("includeAll") for v in variables.values())


LINK = (r"\$\{wallfly:raw\}/device/\$\{(device|__data\.fields\.device):percentencode\}\?"
        r"from=\$\{(__from|__data\.fields\.from_ms\.numeric)\}&until=\$\{(__to|__data\.fields\.until_ms\.numeric)\}")


def check_links(name, board):
    """Links are to the page of the device in the row, and to its dashboard; what they need is in the answer."""
    found = [link["url"] for link in board["links"] if link["type"] == "link"]
    for panel in board["panels"]:
        for override in panel["fieldConfig"]["overrides"]:
            for link in [link for p in override["properties"] if p["id"] == "links" for link in p["value"]]:
                found.append(link["url"])
                for field in re.findall(r"__data\.fields\.(\w+)", link["url"]):
                    assert re.search(r"\b%s\b" % field, panel["targets"][0]["rawSql"].split("FROM")[0]), (panel["title"], link)
    pages = [url for url in found if re.fullmatch(LINK, url)]
    boards = [url for url in found if url.startswith("/d/wallfly-device?var-device=${__data.fields.device:percentencode}&${datasource:queryparam}&")]
    assert len(pages) + len(boards) == len(found) and pages, (name, found)
    return len(pages)


def sqls(board):
    """Yields title and SQL of panels and variables."""
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["rawSql"]
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            assert variable["query"]["rawSql"] == variable["definition"]
            yield variable["name"], variable["definition"]


def run(server, boards, absent=(), **values):
    """Runs everything; only what is named in absent may have no rows. Returns the number of statements, and their rows."""
    answers = {}
    for name, board in boards.items():
        for title, sql in sqls(board):
            rows = server.rows(table_of(fill(sql, values)))
            assert rows or (name, title) in absent, (name, title, values, fill(sql, values))
            answers[name, title] = rows
    return answers


def rename(server, device, text):
    """Copies the rows of a device to one with a name that `wallfly fleet load` refuses."""
    for table in TABLES:
        columns = [name for name, in server.rows("SELECT name FROM system.columns WHERE database = 'p' AND table = '%s'" % table)]
        of = ", ".join("'%s'" % text if name == "device" else "`%s`" % name for name in columns)
        server.ask("INSERT INTO p.%s (%s) SELECT %s FROM p.%s WHERE device = '%s'" % (
            table, ", ".join("`%s`" % name for name in columns), of, table, device))


def limited(boards, mark):
    return {(name, title) for name, board in boards.items() for title, sql in sqls(board) if mark in sql}


def all_rows(server, boards, times):
    # With names whose figures are of all devices, and of records that were loaded.
    answers = run(server, boards, device="restart", kind="step", name="philo[0]", absent={("device", "Largest losses"), ("device", "Records by name")}, **times)
    totals = answers["fleet", "All devices"][0]
    assert totals[:3] == ["8", "3", "8"] and int(totals[4]) > 1000, totals
    lossy = answers["fleet", "Devices that lose most"][0]
    assert lossy[0] == "lossy" and float(lossy[4]) > 0.05, lossy
    assert answers["fleet", "Largest losses"][0][0] == "lossy"
    assert [row[0] for row in answers["fleet", "Restarts"]] == ["restart"], answers["fleet", "Restarts"]
    assert [row[0] for row in answers["fleet", "Versions"]] == sorted(["2.0.3", "2.1.0", ODD_TEXT]), answers["fleet", "Versions"]
    assert {row[1] for row in answers["version", "Response times"]} == {"clock", "keys", "stopwatch", "thermometer"}
    # A step of the slower version takes an eighth more, also in its p99.
    steps = {row[2]: row for row in answers["version", "All of the kind $kind"] if row[1] == "philo[0]"}
    assert 1.08 < int(steps["2.1.0"][5]) / int(steps["2.0.3"][5]) < 1.18, steps
    assert all(int(row[4]) <= int(row[5]) <= int(row[6]) for row in steps.values()), steps
    marked = {row[2]: float(row[7]) for row in answers["version", "Runs"]}
    assert marked["2.0.3"] == 0 and marked["2.1.0"] > 0, marked
    assert sorted(row[0] for row in answers["device", "device"]) == sorted(["a-1", "a-2", "b-1", "b-2", "lossy", "odd", "restart", ODD_TEXT])
    # What a link needs: the segments of a device, within the times of its link.
    for row in answers["device", "Segments"]:
        assert row[0] == "restart" and times["__from"] < int(row[8]) < int(row[9]) < times["__to"], row
    return len(answers)


def hostile(server, boards, times):
    answers = run(server, boards, device=ODD, kind="response", name="keys", absent={("device", "Largest losses")}, **times)
    for title in "Last seen", "Segments", "Traces":
        assert {row[0] for row in answers["device", title]} == {ODD_TEXT}, answers["device", title]
    of_device = limited(boards, "{device:")
    assert len(of_device) == 8
    tables = server.rows("SELECT count() FROM p.segment")
    for text in ABSENT:
        answers = run(server, boards, device=text, kind=text, name=text, absent=answers.keys(), **times)
        for name, title in of_device | limited(boards, "{kind:") | limited(boards, "{name:"):
            assert not answers[name, title], (title, text, answers[name, title])
    assert server.rows("SELECT count() FROM p.segment") == tables


# Before the first trace there is nothing, but for what is not limited to days.
def days(server, boards, times):
    before = {"__from": times["__from"] - 10 * DAY_MS, "__to": times["__from"] - 5 * DAY_MS}
    timed = limited(boards, "${__from}")
    answers = run(server, boards, device="restart", kind="step", name="philo[0]", absent=timed, **before)
    assert not any(answers[key] for key in timed), answers
    assert {title for _, title in answers.keys() - timed} == {"Silent devices", "Last seen", "Traces", "device"}


# How the engines write it in their answers.
ODD_TEXT = ODD.replace("\\", "\\\\").replace("'", "\\'")
boards = {}
for name in NAMES:
    with open("made/%s.json" % name) as f:
        boards[name] = json.load(f)
    check_form(name, boards[name])
assert len({board["uid"] for board in boards.values()}) == 3
print("%d links to pages" % sum(check_links(*item) for item in boards.items()))

with Newest("engine", sys.argv[1]) if len(sys.argv) > 1 else Server("engine") as engine:
    load(engine, "p", "a-1.bin", "a-2.bin", device="{file}", version="2.0.3", records=True)
    load(engine, "p", "b-1.bin", "b-2.bin", device="{file}", version="2.1.0")
    load(engine, "p", "lossy.bin", device="lossy", version="2.1.0")
    load(engine, "p", "restart.bin", device="restart", version="2.1.0", stream=7)
    load(engine, "p", "mutex.bin", device="odd", version=ODD, records=True)
    rename(engine, "odd", ODD_TEXT)
    now = int(time.time() * 1000)
    times = {"__from": now - 2 * DAY_MS, "__to": now + 2 * DAY_MS}
    print("%d statements" % all_rows(engine, boards, times))
    hostile(engine, boards, times)
    days(engine, boards, times)
