# SPDX-License-Identifier: MIT
"""The plugin for pytest in real runs of pytest: python -m pytest -p pytester plugin_cases.py, with WALLFLY, KERNEL,
PHILOSOPHERS (programs) and WALLFLY_LIBRARY in the environment."""

import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from wallfly import check, schema

KERNEL, PHILOSOPHERS = os.environ["KERNEL"], os.environ["PHILOSOPHERS"]
# Responses of the demonstration `mutex` (docs/kernel.md): those of `clock` are up to 23.06 ms.
PASSES = 'response(task="keys", max="5 ms")'
FAILS = 'response(task="clock", max="20 ms")'


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs pytest on a file of tests, with mutex.trace and holes.trace in its folder; returns the result."""
    for name in list(os.environ):
        if name.startswith("WALLFLY_") and name != "WALLFLY_LIBRARY":
            monkeypatch.delenv(name)
    subprocess.run([KERNEL, "-o", "mutex.trace", "mutex"], check=True)
    data = Path("mutex.trace").read_bytes()
    Path("holes.trace").write_bytes(data[:2000] + data[2400:])

    def run(tests, *options, ini=""):
        pytester.makepyfile(test_it="import pytest\n" + tests)
        pytester.makeini("[pytest]\n" + ini)
        return pytester.runpytest_subprocess("-p", "wallfly.pytest_plugin", "-p", "no:cacheprovider", "-W", "error", *options)
    return run


def of(text, trace="mutex.trace"):
    """A test with this call of the fixture."""
    return '@pytest.mark.wallfly(trace="%s")\ndef test_it(wallfly_trace): wallfly_trace.%s\n' % (trace, text)


def test_the_package_needs_no_pytest():
    code = "import wallfly, wallfly.check, wallfly.tool, wallfly.pages, sys; sys.exit('pytest' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_contents_of_a_file(run):
    result = run('''
def test_tables(wallfly_trace):
    names = {t["task"]: t["name"] for t in wallfly_trace.tables["task"]}
    assert sorted(names.values()) == ["clock", "keys", "stopwatch", "thermometer"]
    assert wallfly_trace.lanes[0]["run"] == wallfly_trace.tables["run"]
    assert sum(row.table == "record" for row in wallfly_trace.items()) == len(wallfly_trace.tables["record"]) > 100
''', "--wallfly-trace=mutex.trace")
    result.assert_outcomes(passed=1)


def test_rules_pass(run):
    assert run(of(PASSES)).ret == 0
    Path("rules.lua").write_text('loss{max = 0}\nresponse{task = "keys", max = "5 ms"}\n')
    result = run('''
def test_it(wallfly_trace, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # scripts are found by the test's file
    assert len(wallfly_trace.check("rules.lua").results) == 2
''', "--wallfly-trace=mutex.trace")
    result.assert_outcomes(passed=1)


def page_of(result, title):
    line, = [line for line in result.outlines if line.startswith(title + ": ")]
    path = Path(line[len(title) + 2:])
    text = path.read_text()
    assert text.startswith("<!doctype html>") or text.startswith("<!DOCTYPE html>")
    return path


def test_a_broken_rule_fails_with_the_tool_s_words_and_a_page(run, pytester):
    result = run(of(FAILS), "--junitxml=out.xml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*RuleFailed: fail: response clock: max 20 ms", "E * 20 ms are allowed*",
                                 "E*at 0.*s: response of clock took 23.06 ms, 20 ms are allowed", "E*thermometer runs*",
                                 "*wallfly serve *mutex.trace --at=0.25*..0.27306*", "*- wallfly page -*"])
    assert not [line for line in result.outlines if "pytest_plugin.py" in line]  # the traceback ends in the test
    path = page_of(result, "response clock: max 20 ms")
    assert "test_it0" in str(path) and list(path.parent.iterdir()) == [path]
    assert '<property name="wallfly_page" value="%s"' % path in Path("out.xml").read_text()


def test_pages_in_a_folder(run):
    """One for each failure, of rules with the same title, too; one for a hole."""
    Path("rules.lua").write_text('response{task = "clock", max = "20 ms", title = "soon"}\nloss{max = 0}\n'
                                 'response{task = "keys", max = "1 us", title = "soon"}\n')
    run(of('check("rules.lua")'), "--wallfly-pages=shown").assert_outcomes(failed=1)
    folder = Path("shown/test-it-py-test-it")
    assert sorted(p.name for p in folder.iterdir()) == ["soon-1.html", "soon.html"]
    run(of("rules(\"response{task = 'keys', max = '5 ms'} hold{max = '1 s'}\")", "holes.trace"), "--wallfly-pages=shown")
    assert sorted(p.name for p in folder.iterdir()) == ["hole-in-lane-0.html", "soon-1.html", "soon.html"]


def test_what_cannot_be_told_is_a_failure_of_its_own(run):
    result = run(of(PASSES, "holes.trace"))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*CannotTell: cannot tell: response keys: max 5 ms"])
    page_of(result, "response keys: max 5 ms")
    run(of(PASSES, "holes.trace"), ini="wallfly_undecided = xfail").assert_outcomes(xfailed=1)
    result = run(of(PASSES, "holes.trace"), "--wallfly-undecided=skip", "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["*SKIPPED*cannot tell: response keys*"])
    run(of('response(task="nobody", max="5 ms")')).assert_outcomes(failed=1)  # a name that is misspelt
    run(of('rules("loss{max = 0}", loss="ignore")', "holes.trace")).assert_outcomes(failed=1)
    run(of('check("rules.lua")', "holes.trace"), ini="wallfly_undecided = perhaps").assert_outcomes(errors=1)


def test_a_broken_rule_counts_more_than_an_undecided_one(run):
    text = of('rules("loss{max = 0}\\nresponse{task = \'keys\', max = \'5 ms\'}")', "holes.trace")
    result = run(text, "--wallfly-undecided=xfail")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*fail: loss: max 0", "E*cannot tell: response keys: max 5 ms"])


EXAMPLES = {
    "loss": 'max=0', "cpu": 'task="clock", max="90 %", window="100 ms"', "response": 'task="keys", max="5 ms", p99="4 ms"',
    "deadline": '"100 ms", task="keys"', "execution": 'task="keys", max="5 ms"', "start": 'task="keys", max="5 ms"',
    "period": 'task="keys", min="20 ms", max="40 ms"', "jitter": 'task="keys", max="5 ms"',
    "hold": 'mutex="display", max="1 s"', "wait": 'object="display", max="1 s"',
    "blocked": 'mutex="display", by="thermometer", max="1 s"', "irq": 'irq=15, max="1 ms"', "span": 'name="none", max="1 s"',
    "step": 'machine="none", max="1 s"', "queue": 'object="none", max=3', "counter": 'name="none", min=-1.5, max=1e3',
    "stack": 'task="none", min="128 B"', "heap": 'min="1 KiB"', "no_inversion": 'mutex="display"',
    "never": '"queue_send"', "after": '"task_ready", within="100 ms", expect="task_switch"',
    "order": '"clock takes display", "clock gives display"', "state": 'machine="none", from_="a", allowed=["b", "c"]',
    "sql": '"none is long", "select * from run where length_ns > 1e12"'}
UNKNOWN = {"span", "step", "queue", "counter", "stack", "heap", "state"}  # the trace has none of it
BROKEN = {"no_inversion"}


def test_every_rule_of_the_table_is_a_method(run):
    assert set(EXAMPLES) == set(schema.RULES)
    calls = ",\n".join('("%s", lambda t: t.%s(%s))' % (name, name, call) for name, call in EXAMPLES.items())
    result = run('''
from wallfly.pytest_plugin import CannotTell, RuleFailed
@pytest.mark.parametrize("name, call", [%s])
def test_rule(wallfly_trace, name, call):
    assert name in dir(wallfly_trace) and getattr(wallfly_trace, name).__doc__
    expected = CannotTell if name in %r else RuleFailed if name in %r else None
    if expected is None: assert len(call(wallfly_trace).results) == 1
    else: pytest.raises(expected, call, wallfly_trace)
def test_none(wallfly_trace):
    with pytest.raises(AttributeError, match="has no 'respond'.*response"): wallfly_trace.respond
''' % (calls, UNKNOWN, BROKEN), "--wallfly-trace=mutex.trace")
    result.assert_outcomes(passed=len(EXAMPLES) + 1)


def test_texts_become_lua(run):
    assert check.lua_rule("order", ["a", 'b"\\\n\0'], {"from_": True, "x": [1, 2.5], "none": None}) == \
        'order{"a", "b\\034\\092\\010\\000", ["from"] = true, ["x"] = {1, 2.5}}\n'
    with pytest.raises(TypeError, match="takes texts"):
        check.lua_value({})
    result = run(of('response(task="*", max="1 s", title="\\"} os.exit() -- \\n\\x1b[2J \\u00e9")'))
    result.assert_outcomes(passed=1)
    result = run(of('response(task="keys", max="5")'))  # without a unit
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ToolError: *rules.lua:1: *max*"])


# ---- recording

def test_a_program_is_run_once_for_all_tests(run):
    Path("target.sh").write_text("echo x >>runs\nexec %s --fast -s 1 -o tcp:127.0.0.1:$1\n" % PHILOSOPHERS)
    two = "def test_a(wallfly_trace): wallfly_trace.loss(max=0)\ndef test_b(wallfly_trace): wallfly_trace.loss(max=0)\n"
    run(two, ini="wallfly_run = exec sh target.sh {port}").assert_outcomes(passed=2)
    assert Path("runs").read_text() == "x\n"
    run("pytestmark = pytest.mark.wallfly(fresh=True)\n" + two, "--wallfly-run=exec sh target.sh {port}").assert_outcomes(passed=2)
    assert Path("runs").read_text() == "x\n" * 3


def test_a_program_that_goes_on_is_ended(run):
    Path("target.sh").write_text("echo $$ >pid\n%s -o tcp:127.0.0.1:$1 & echo $! >>pid\nwait\n" % PHILOSOPHERS)
    result = run('@pytest.mark.wallfly(run="sh target.sh {port}", seconds=1)\n'
                 'def test_it(wallfly_trace): assert wallfly_trace.tables["record"]\n')
    result.assert_outcomes(passed=1)
    for pid in Path("pid").read_text().split():
        state = Path("/proc/%s/stat" % pid)
        assert not state.exists() or ") Z " in state.read_text()


def test_a_source_is_recorded(run):
    data = Path("mutex.trace").read_bytes()
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve():
            with server.accept()[0] as peer:
                peer.sendall(data)
                peer.recv(1)
        threading.Thread(target=serve, daemon=True).start()
        result = run("def test_it(wallfly_trace): wallfly_trace.%s\n" % PASSES,
                     "--wallfly-trace=tcp:127.0.0.1:%d" % server.getsockname()[1], "--wallfly-seconds=1")
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize("marker, words", [
    ('run="true {port}"', "ended with exit code 0 and has not connected; it has printed nothing"),
    ('run="echo no such board; exit 9 # {port}"', "exit code 9 and has not connected; its output:*no such board"),
    ('run="%s --fast -s 1 -o tcp:127.0.0.1:{port}; echo fault; exit 99"' % PHILOSOPHERS, "ended with exit code 99; its output:*fault"),
    ('run="sleep 100 # {port}", seconds=1', "no target has connected"),
    ('run="true"', "'true' has no {port}"),
    ('trace="none.trace"', "there is no */none.trace"),
    ('run="%s nothing.py {port}"' % sys.executable, "the trace has no records"),
    ('trace="empty.trace"', "empty.trace: is empty"),
    ('trace="tcp-listen:nowhere:x"', "port 'x' is not a number"),
    ('trace="mutex.trace", run="true {port}"', "both trace and run are given"),
    ('trace="mutex.trace", second=3', "second is not a key; its keys are trace, run, seconds, options, fresh"),
    ('trace="mutex.trace", seconds=0.5', "0.5 is not a whole number of seconds"),
    ('', "where is the trace[?] Give --wallfly-trace=FILE"),
])
def test_no_trace_is_an_error_with_words(run, marker, words):
    Path("empty.trace").write_bytes(b"")
    Path("nothing.py").write_text("import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])))")
    result = run("@pytest.mark.wallfly(%s)\ndef test_it(wallfly_trace): pass\n" % marker)
    result.assert_outcomes(errors=1)
    expected = re.escape(words).replace(r"\*", "(.|\n)*").replace(r"\[\?\]", r"\?")
    assert re.search(expected, result.stdout.str()), result.stdout.str()


def test_no_tool_is_an_error(run):
    result = run("def test_it(wallfly_trace): pass\n", "--wallfly-trace=mutex.trace", "--wallfly-tool=./none")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no program './none'*--wallfly-tool*"])


def test_the_nearest_setting_wins(run, monkeypatch):
    tests = "def test_it(wallfly_trace): assert wallfly_trace.path.name == 'mutex.trace'\n"
    ini = "wallfly_trace = mutex.trace\n"
    run(tests, ini=ini).assert_outcomes(passed=1)
    monkeypatch.setenv("WALLFLY_TRACE", "holes.trace")
    run(tests, ini=ini).assert_outcomes(failed=1)
    run(tests, "--wallfly-trace=mutex.trace", ini=ini).assert_outcomes(passed=1)
    near = "pytestmark = pytest.mark.wallfly(trace='holes.trace')\n@pytest.mark.wallfly(trace='mutex.trace')\n"
    run(near + tests, "--wallfly-trace=holes.trace", ini=ini).assert_outcomes(passed=1)
    Path("sub").mkdir()  # relative to the root folder, wherever pytest is started
    run(tests, "--rootdir=.", ini=ini)
    monkeypatch.delenv("WALLFLY_TRACE")
    monkeypatch.chdir("sub")
    assert subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "wallfly.pytest_plugin", "-p", "no:cacheprovider",
                           "../test_it.py"]).returncode == 0


def test_options_reach_the_tool(run):
    tests = "def test_it(wallfly_trace): wallfly_trace.%s\n" % PASSES
    result = run(tests, "--wallfly-trace=mutex.trace", "--wallfly-options=--rate='no number'")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*--rate: 'no number'*"])
    run(tests, "--wallfly-trace=mutex.trace", "--wallfly-options=--lane=0").assert_outcomes(passed=1)


def test_pages_are_links_in_pytest_html(run, pytester):
    """A stand-in with the interface of pytest-html 4."""
    pytester.makepyfile(conftest='''
import pytest
class Html:
    class extras:
        @staticmethod
        def url(content, name="URL"): return {"content": content, "name": name}
def pytest_configure(config): config.pluginmanager.register(Html, "html")
def pytest_runtest_logreport(report):
    for extra in getattr(report, "extras", []): print("LINK", report.when, extra["name"], extra["content"])
''')
    result = run(of(FAILS), "-s")
    result.stdout.fnmatch_lines(["*LINK call response clock: max 20 ms file:///*/response-clock-max-20-ms.html"])
