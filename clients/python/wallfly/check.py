# SPDX-License-Identifier: MIT
"""`wallfly check`: rules on a trace, their results, and pages that show the failures."""

import re
from pathlib import Path
from typing import NamedTuple

PASSED, FAILED, UNDECIDED = "pass", "fail", "cannot tell"
SHOWN = 3  # failures of a rule in a text
PAGES = 10  # in one report
_AROUND = 2.0  # a page shows that many lengths of the failure before and after it,
_AROUND_LEAST_S = 0.005  # at least this time


class Result(NamedTuple):
    """A rule and what became of it; members as in `check --json` (docs/check.md)."""
    lane: int
    rule: str
    title: str
    file: str
    line: int
    verdict: str
    text: str
    failures: list

    def __str__(self):
        lines = ["%s: %s" % (self.verdict, self.title), "    %s" % self.text]
        for failure in self.failures[:SHOWN]:
            at = "" if failure["time"] is None else "at %.6f s: " % failure["time"]
            lines += ["    %s%s" % (at, failure["text"])] + ["        %s" % r for r in failure["records"]]
        if len(self.failures) > SHOWN:
            lines.append("    and %d more" % (len(self.failures) - SHOWN))
        if self.failures and self.failures[0]["command"]:
            lines.append("    %s" % self.failures[0]["command"])
        return "\n".join(lines)


class Report:
    """The results of a run, in the order of lanes and scripts."""

    def __init__(self, data):
        self.results = [Result(*(row[name] for name in Result._fields)) for trace in data["traces"]
                        for row in trace["rules"]]

    def of(self, verdict):
        return [r for r in self.results if r.verdict == verdict]

    def __str__(self):
        """What is wrong; or that nothing is."""
        wrong = self.of(FAILED) + self.of(UNDECIDED)
        return "\n".join(map(str, wrong)) if wrong else "all %d rules passed" % len(self.results)


def check(tool, trace, scripts, options=()):
    """Runs `wallfly check` with these scripts. A broken script or trace is a ToolError."""
    __tracebackhide__ = True
    return Report(tool.json("check", "--json", *options, trace, *scripts, codes=(0, 1, 5)))


def lua_value(value):
    """The value as Lua. Texts may have any characters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "{%s}" % ", ".join(map(lua_value, value))
    if not isinstance(value, str):
        raise TypeError("%r: a rule takes texts, numbers, True, False and lists of them" % (value,))
    escaped = re.sub(r'[\\"\x00-\x1f\x7f]', lambda found: "\\%03d" % ord(found.group()), value)
    return '"%s"' % escaped


def lua_rule(name, values, keys):
    """The call of a rule. Keys that are words of Python have a _ behind them: from_."""
    parts = [lua_value(v) for v in values]
    parts += ["[%s] = %s" % (lua_value(key.rstrip("_")), lua_value(v)) for key, v in keys.items() if v is not None]
    return "%s{%s}\n" % (name, ", ".join(parts))


# ---- pages

def slug(text, most=60):
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:most].strip("-") or "rule"


def _hole(tool, trace, options, lane):
    """The first hole of the lane, in seconds of the target's clock; without a rate in ticks."""
    for data in tool.json("stats", "--json", *options, trace)["lanes"]:
        if data["lane"] == lane and data["holes"]:
            unit = 1e9 if data["unit"] == "ns" else 1
            hole = data["holes"][0]
            return [(hole[end] if hole[end] is not None else hole["from"] or 0) / unit for end in ("from", "until")]
    return None


def _window(tool, trace, options, hz, result):
    """What a page shows: its name and the time, in seconds or ticks; None: nothing of it has a place."""
    if result.failures:
        worst = result.failures[0]
        return slug(result.title), worst["from"] / (hz or 1), worst["to"] / (hz or 1)
    hole = _hole(tool, trace, options, result.lane)
    return hole and ("hole-in-lane-%d" % result.lane, *hole)


def _write_page(tool, trace, options, hz, result, window, path):
    _, begin, end = window
    around = max(_AROUND * (end - begin), _AROUND_LEAST_S if hz else _AROUND_LEAST_S * 1e6)
    path.parent.mkdir(parents=True, exist_ok=True)
    tool.run("page", *options, "--lane=%d" % result.lane, "--time=target", "--from=%.9f" % max(0, begin - around),
             "--until=%.9f" % (end + around), "--output=%s" % path, trace)


def write_pages(tool, trace, report, folder, options=()):
    """Writes a page for each rule that did not pass, of its worst failure; one of the first hole for those that cannot
    be decided. Returns (result, path, note): the path is None where there is no page, and the note says why."""
    hz = tool.info(trace, options)["target"]["hz"]
    made, paths = [], {}
    for result in report.of(FAILED) + report.of(UNDECIDED):
        window = _window(tool, trace, options, hz, result)
        if window is None:
            made.append((result, None, "no page: nothing of it has a place in the trace"))
        elif window not in paths and len(paths) == PAGES:
            made.append((result, None, "no page: there are %d already" % PAGES))
        else:
            if window not in paths:
                same = sum(name == window[0] for name, *_ in paths)
                paths[window] = Path(folder) / (window[0] + ("-%d" % same if same else "") + ".html")
                _write_page(tool, trace, options, hz, result, window, paths[window])
            made.append((result, paths[window], ""))
    return made
