#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the dashboards for Grafana out of fleet/questions: the SQL of a panel is a question, its description the comment
in front. Usage: dashboards.py DIR: writes fleet.json, version.json and device.json

A question is for all devices and days. Where it has a comment as /* AND device */, a panel can limit it to what is chosen
in the dashboard."""
import json
import os
import re
import sys

QUESTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fleet/questions")
GRAFANA, PLUGIN = "11.6.0", "4.20.0"  # the oldest versions with what is used here
SOURCE = {"type": "grafana-clickhouse-datasource", "uid": "${datasource}"}


def chosen(variable):
    """SQL of the value of a variable. Grafana's formats for SQL (singlequote, sqlstring) leave \\ as it is, so that a value which
    ends with one would end the literal elsewhere; percentencode leaves letters, digits and -_.~ alone."""
    return "decodeURLComponent('${%s:percentencode}')" % variable


DAYS = "day BETWEEN toDate(intDiv(${__from}, 86400000)) AND toDate(intDiv(${__to}, 86400000))"
LIMITS = {"days": DAYS, "device": "device = " + chosen("device"), "kind": "kind = " + chosen("kind"), "name": "name = " + chosen("name")}
# Of the device in a row: its dashboard, and the page of wallfly fleet serve.
DASHBOARD = "/d/wallfly-device?var-device=${__data.fields.device:percentencode}&${datasource:queryparam}&${wallfly:queryparam}&${__url_time_range}"
TIME_LINE = "${wallfly:raw}/device/%s?from=%s&until=%s"
UNITS = {"ns": "/_ns$/", "percentunit": "/^rate$|_share$/", "bytes": "/^bytes$/"}
HIDDEN = {"from_ms", "until_ms"}

# Panels: title, type, question, width of 24, what limits it. A figure's kind may be given.
WIDTH, HEIGHT = 24, {"stat": 4, "table": 9, "timeseries": 9}
DASHBOARDS = {
    "fleet": ("Devices, versions and losses", (), (
        ("All devices", "stat", "totals", 24, ("days",)),
        ("Silent devices", "table", "last_seen", 12, ()),
        ("Versions", "table", "loss_by_version", 12, ("days",)),
        ("Devices that lose most", "table", "loss_rate_by_device", 12, ("days",)),
        ("Loss rate by version", "timeseries", "loss_by_day", 12, ("days",)),
        ("Largest losses", "table", "largest_losses", 12, ("days",)),
        ("Restarts", "table", "restarts_by_device", 12, ("days",)),
        ("Longest intervals", "table", "longest_intervals", 24, ("days",)))),
    "version": ("Versions of the firmware", ("kind", "name"), (
        ("Response times", "table", "figures_by_version", 24, ("days", "response")),
        ("Runs", "table", "figures_by_version", 24, ("days", "run")),
        ("Holds of mutexes", "table", "figures_by_version", 24, ("days", "hold")),
        ("All of the kind $kind", "table", "figures_by_version", 24, ("days", "kind")),
        ("p99 of $kind $name", "timeseries", "p99_by_day", 12, ("days", "kind", "name")),
        ("Devices with the longest $kind $name", "table", "figures_by_device", 12, ("days", "kind", "name")),
        ("Losses", "table", "loss_by_version", 24, ("days",)))),
    "device": ("A device", ("device",), (
        ("All of its traces", "stat", "totals", 24, ("days", "device")),
        ("Last seen", "table", "last_seen", 24, ("device",)),
        ("Records", "timeseries", "loss_over_time", 12, ("days", "device")),
        ("Largest losses", "table", "largest_losses", 12, ("days", "device")),
        ("Segments", "table", "newest_segments", 24, ("days", "device")),
        ("Figures", "table", "figures_by_device", 24, ("days", "device")),
        ("Records by name", "table", "records_by_name", 12, ("days", "device")),
        ("Traces", "table", "streams", 12, ("device",)))),
}


def question(name, limits):
    """Returns the description and the SQL of a question with limits."""
    with open(os.path.join(QUESTIONS, name + ".sql")) as f:
        text = f.read()
    words = " ".join(re.findall(r"^-- (.*)$", text, re.M))
    sql = re.sub(r"^--.*\n", "", text, flags=re.M).strip()
    for limit in limits:
        mark, condition = (limit, LIMITS[limit]) if limit in LIMITS else ("kind", "kind = '%s'" % limit)
        assert "/* AND %s */" % mark in sql, (name, limit)
        sql = sql.replace("/* AND %s */" % mark, "AND " + condition)
    return words, re.sub(r" /\* AND \w+ \*/", "", sql)


def overrides(sql, dashboard):
    def of(kind, field, **properties):
        return {"matcher": {"id": kind, "options": field}, "properties": [{"id": name, "value": value} for name, value in properties.items()]}
    found = [of("byRegexp", fields, unit=unit) for unit, fields in UNITS.items()]
    timed = "from_ms" in sql
    found += [of("byName", name, **{"custom.hidden": True}) for name in sorted(HIDDEN) if timed]
    span = ("${__data.fields.from_ms.numeric}", "${__data.fields.until_ms.numeric}") if timed else ("${__from}", "${__to}")
    if re.match(r"SELECT (.*, )?device,", sql.split("\n")[0]):
        links = [] if dashboard == "device" else [{"title": "Dashboard", "url": DASHBOARD}]
        links.append({"title": "Time line", "url": TIME_LINE % ("${__data.fields.device:percentencode}", *span), "targetBlank": True})
        found.append(of("byName", "device", links=links))
    return found


def panel(number, place, dashboard, title, kind, name, width, limits):
    words, sql = question(name, limits)
    x, y = place
    more = {"stat": {"reduceOptions": {"calcs": ["lastNotNull"], "fields": "/.*/", "values": False}, "graphMode": "none"},
            "table": {"showHeader": True}, "timeseries": {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True}}}
    return {"id": number, "title": title, "description": words, "type": kind, "datasource": SOURCE, "gridPos": {"x": x, "y": y, "w": width, "h": HEIGHT[kind]},
            "fieldConfig": {"defaults": {}, "overrides": overrides(sql, dashboard)}, "options": more[kind],
            "targets": [{"refId": "A", "datasource": SOURCE, "editorType": "sql", "queryType": "timeseries" if kind == "timeseries" else "table",
                         "format": 0 if kind == "timeseries" else 1, "rawSql": sql}]}


def panels(dashboard, rows):
    x = y = height = 0
    for number, row in enumerate(rows, 1):
        if x + row[3] > WIDTH:
            x, y, height = 0, y + height, 0
        yield panel(number, (x, y), dashboard, *row)
        x, height = x + row[3], max(height, HEIGHT[row[1]])


def variables(names):
    asked = {"device": "SELECT DISTINCT device FROM stream ORDER BY device LIMIT 10000",
             "kind": "SELECT DISTINCT kind FROM figure WHERE count > 0 AND %s ORDER BY kind" % DAYS,
             "name": "SELECT DISTINCT name FROM figure WHERE count > 0 AND %s AND %s ORDER BY name LIMIT 10000" % (DAYS, LIMITS["kind"])}
    yield {"name": "datasource", "label": "Project", "type": "datasource", "query": SOURCE["type"], "refresh": 1}
    for name in names:
        yield {"name": name, "label": name.capitalize(), "type": "query", "datasource": SOURCE, "query": {"editorType": "sql", "rawSql": asked[name]},
               "definition": asked[name], "refresh": 2, "includeAll": False, "multi": False}
    yield {"name": "wallfly", "label": "Address of wallfly fleet serve", "type": "textbox", "query": "http://127.0.0.1:7702/TOKEN",
           "current": {"text": "http://127.0.0.1:7702/TOKEN", "value": "http://127.0.0.1:7702/TOKEN"}}


def dashboard(name):
    title, names, rows = DASHBOARDS[name]
    found = list(panels(name, rows))
    needed = [("grafana", "grafana", "Grafana", ">=" + GRAFANA), ("datasource", SOURCE["type"], "ClickHouse", PLUGIN)]
    needed += [("panel", kind, kind.capitalize(), "") for kind in sorted({p["type"] for p in found})]
    return {"__requires": [dict(zip(("type", "id", "name", "version"), row)) for row in needed], "id": None, "uid": "wallfly-" + name,
            "title": "wallfly: " + title, "tags": ["wallfly"], "schemaVersion": 41, "version": 1, "editable": True, "timezone": "utc",
            "time": {"from": "now-7d", "to": "now"}, "templating": {"list": list(variables(names))}, "panels": found, "annotations": {"list": []},
            "links": [{"type": "dashboards", "tags": ["wallfly"], "title": "wallfly", "asDropdown": True, "includeVars": True, "keepTime": True},
                      *([{"type": "link", "title": "Time line", "targetBlank": True, "url": TIME_LINE % ("${device:percentencode}", "${__from}", "${__to}")}]
                        if name == "device" else [])]}


os.makedirs(sys.argv[1], exist_ok=True)
for each in DASHBOARDS:
    with open(os.path.join(sys.argv[1], each + ".json"), "w") as f:
        f.write(json.dumps(dashboard(each), indent=1) + "\n")
