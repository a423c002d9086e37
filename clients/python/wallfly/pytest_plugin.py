# SPDX-License-Identifier: MIT
"""pytest: the fixture `wallfly_trace`, the trace of a target with the rules of `wallfly check` as assertions.

    @pytest.mark.wallfly(run="./firmware.sh {port}", seconds=5)
    def test_boot(wallfly_trace):
        wallfly_trace.check("rules.lua")
        wallfly_trace.response(task="control", max="5 ms")
        assert wallfly_trace.tables["task"][0]["name"] == "control"

docs/python.md describes it."""

import os
import shlex
import tempfile
from pathlib import Path

import pytest

from . import files, schema
from .check import FAILED, UNDECIDED, check, lua_rule, slug, write_pages
from .errors import Error
from .tool import NoTrace, Recording, Tool, is_source, record

# Name, metavariable, sentence. Each is an option --wallfly-NAME, a variable WALLFLY_NAME (of the program: WALLFLY), a
# line wallfly_NAME in the ini file; all but `tool`, `pages` and `undecided` are keys of the marker, too.
SETTINGS = (
    ("trace", "FILE|SOURCE", "the trace, or a source to record, as in `wallfly record`"),
    ("run", "COMMAND", "start the target with this shell command; {port} in it is the port to which it connects"),
    ("seconds", "S", "record this long (10); a target of run may end earlier"),
    ("options", "OPTIONS", "options for reading the trace, as --elf=firmware.elf"),
    ("tool", "PROGRAM", "the program `wallfly`"),
    ("pages", "DIR", "write the pages of failures into this folder (default: a temporary one of each test)"),
    ("undecided", "HOW", "what a test is whose rules cannot be decided: fail (the default), xfail or skip"),
)
_OF_TESTS = ("trace", "run", "seconds", "options", "fresh")
_HOWS = ("fail", "xfail", "skip")
_pages = pytest.StashKey()  # of a test: (title, path, note)
_session = pytest.StashKey()


class RuleFailed(AssertionError):
    """A rule is broken."""


class CannotTell(AssertionError):
    """No rule is broken, but one cannot be decided: data that would decide it is missing."""


def pytest_addoption(parser):
    group = parser.getgroup("wallfly", "traces of embedded targets")
    for name, metavar, sentence in SETTINGS:
        group.addoption("--wallfly-" + name, metavar=metavar, help=sentence)
        parser.addini("wallfly_" + name, sentence, default="")


def pytest_configure(config):
    config.addinivalue_line("markers", "wallfly(%s=None): where the fixture wallfly_trace has its trace from"
                            % "=None, ".join(_OF_TESTS))


# ---- settings

def _levels(config, marker):
    """Where settings may be given, the strongest first: (values by name, folder of relative paths)."""
    variable = {name: "WALLFLY_" + name.upper() for name, *_ in SETTINGS}
    variable["tool"] = "WALLFLY"
    here, root = config.invocation_params.dir, config.rootpath
    yield marker, root
    yield {name: config.getoption("wallfly_" + name) for name in variable}, here
    yield {name: os.environ.get(variable[name]) for name in variable}, here
    yield {name: config.getini("wallfly_" + name) for name in variable}, root


class _Settings:
    """The settings of a test. `folder`: of the level that has trace or run."""

    def __init__(self, config, marker):
        self.trace = self.run = self.folder = None
        values = {}
        for level, folder in _levels(config, marker):
            given = {name: value for name, value in level.items() if value not in (None, "")}
            if "trace" in given and "run" in given:
                raise NoTrace("wallfly: both trace and run are given; give one of them")
            if not (self.trace or self.run) and ("trace" in given or "run" in given):
                self.trace, self.run, self.folder = given.get("trace"), given.get("run"), folder
            if "pages" in given:
                given["pages"] = folder / given["pages"]
            values = {**given, **values}
        self.fresh = bool(values.get("fresh"))
        self.tool, self.pages = values.get("tool"), values.get("pages")
        self.undecided = values.get("undecided", "fail")
        options = values.get("options", ())
        self.options = tuple(shlex.split(options) if isinstance(options, str) else options)
        self.seconds = self._whole(values.get("seconds", 10))
        if self.undecided not in _HOWS:
            raise NoTrace("wallfly_undecided: %r is none of %s" % (self.undecided, ", ".join(_HOWS)))
        if not (self.trace or self.run):
            raise NoTrace("wallfly_trace: where is the trace? Give --wallfly-trace=FILE, --wallfly-run='COMMAND {port}', "
                          "their lines in the ini file, or @pytest.mark.wallfly(run=...)")

    @staticmethod
    def _whole(seconds):
        try:
            number = int(str(seconds))
        except ValueError:
            number = 0
        if number < 1:
            raise NoTrace("wallfly_seconds: %r is not a whole number of seconds" % (seconds,))
        return number


def _marker(item):
    """The keys of all markers of the test; those of the nearest one win."""
    keys = {}
    for marker in item.iter_markers("wallfly"):
        unknown = set(marker.kwargs) - set(_OF_TESTS)
        if unknown or marker.args:
            raise NoTrace("@pytest.mark.wallfly: %s is not a key; its keys are %s"
                          % (", ".join(sorted(unknown)) or repr(marker.args[0]), ", ".join(_OF_TESTS)))
        source = "trace" in keys or "run" in keys
        keys = {**{k: v for k, v in marker.kwargs.items() if not (source and k in ("trace", "run"))}, **keys}
    return keys


class _Session:
    """Programs and recordings of a run of pytest: tests with the same settings share one."""

    def __init__(self):
        self.tools, self.recordings = {}, {}

    def tool(self, program):
        if program not in self.tools:
            self.tools[program] = Tool(program)
        return self.tools[program]

    def trace(self, settings, factory):
        if settings.trace and not is_source(settings.trace):
            path = settings.folder / settings.trace
            if not path.exists():
                raise NoTrace("wallfly_trace: there is no %s" % path)
            return Recording(path)
        key = (settings.tool, settings.trace, settings.run, settings.seconds)
        if settings.fresh or key not in self.recordings:
            path = factory.mktemp("wallfly") / "trace.wfr"
            self.recordings[key] = record(self.tool(settings.tool), path, settings.trace, settings.run, settings.seconds,
                                          settings.folder)
            if self.recordings[key].exit_code:
                made = self.recordings.pop(key)
                raise NoTrace("the program of run ended with exit code %d; its output:\n%s"
                              % (made.exit_code, made.output[-4000:]))
        return self.recordings[key]


# ---- the fixture

class CheckedTrace:
    """A trace. Each rule of docs/check.md is a method: what has keys there has the same here, as texts with units."""

    def __init__(self, tool, recording, settings, folder, pages_folder, pages):
        self.path, self.output = recording.path, recording.output
        self.options = settings.options
        self._tool, self._undecided, self._folder = tool, settings.undecided, folder
        self._pages_folder, self._pages, self._opened = pages_folder, pages, None

    # -- the contents

    @property
    def lanes(self):
        """Tables by lane (docs/tables.md), read by libwallfly at the first use."""
        return self._open().lanes

    @property
    def tables(self):
        """The tables of the only lane: tables["task"], tables["run"], ..."""
        return self._open().tables

    def items(self):
        """Yields the rows of all tables as the file is read; memory does not grow with it."""
        return files.rows(self.path)

    def _open(self):
        if self._opened is None:
            self._opened = files.open(self.path)
        return self._opened

    # -- the rules

    def check(self, *scripts, **options):
        """Asserts all rules of these scripts; relative to the folder of the test's file. Options are those of
        `wallfly check`: from_=1.5, until=2, loss="fail"."""
        __tracebackhide__ = True
        if not scripts:
            raise TypeError("check: which script? check(\"rules.lua\")")
        return self._assert([self._folder / script for script in scripts], options)

    def rules(self, text, **options):
        """Asserts rules that are given as text, as in a script."""
        __tracebackhide__ = True
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "rules.lua"
            script.write_bytes(text.encode("utf-8", "surrogateescape"))
            return self._assert([script], options)

    def __getattr__(self, name):
        if name not in schema.RULES:
            raise AttributeError("wallfly_trace has no %r; rules are %s" % (name, ", ".join(schema.RULES)))

        def rule(*values, **keys):
            __tracebackhide__ = True
            return self.rules(lua_rule(name, values, keys))
        rule.__name__, rule.__doc__ = name, schema.RULES[name]
        return rule

    def __dir__(self):
        return [*super().__dir__(), *schema.RULES]

    def _assert(self, scripts, options):
        __tracebackhide__ = True
        words = ["--%s=%s" % (key.rstrip("_"), value) for key, value in options.items()]
        report = check(self._tool, self.path, scripts, [*self.options, *words])
        failed, undecided = report.of(FAILED), report.of(UNDECIDED)
        if failed or undecided:
            self._attach(report)
        if failed:
            raise RuleFailed(str(report))
        if undecided and self._undecided != "fail":
            {"xfail": pytest.xfail, "skip": pytest.skip}[self._undecided](str(report))
        if undecided:
            raise CannotTell(str(report))
        return report

    def _attach(self, report):
        try:
            made = write_pages(self._tool, self.path, report, self._pages_folder, self.options)
        except Error as problem:  # the rules' verdict is what matters
            made = [(result, None, "no page: %s" % problem) for result in report.of(FAILED) + report.of(UNDECIDED)]
        self._pages.extend((result.title, path, note) for result, path, note in made)


@pytest.fixture
def wallfly_trace(request, tmp_path_factory):
    """The trace of a target, with the rules of `wallfly check` as assertions."""
    try:
        return _open_trace(request, tmp_path_factory)
    except Error as e:
        problem = str(e)
    pytest.fail(problem, pytrace=False)


def _open_trace(request, factory):
    item, config = request.node, request.config
    session = config.stash.setdefault(_session, _Session())
    settings = _Settings(config, _marker(item))
    tool = session.tool(settings.tool)
    recording = session.trace(settings, factory)
    tool.info(recording.path, settings.options)
    folder = settings.pages / slug(item.nodeid, 100) if settings.pages else request.getfixturevalue("tmp_path")
    return CheckedTrace(tool, recording, settings, item.path.parent, folder, item.stash.setdefault(_pages, []))


# ---- reports

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    pages = item.stash.get(_pages, [])
    if call.when != "call" or not pages:
        return
    for title, path, note in pages:
        report.sections.append(("wallfly page", "%s: %s" % (title, path or note)))
        if path:
            item.user_properties.append(("wallfly_page", str(path)))
    html = item.config.pluginmanager.getplugin("html")
    if html is None:  # pytest-html 4
        return
    links = [html.extras.url(path.resolve().as_uri(), name=title) for title, path, _ in pages if path]
    report.extras = list(getattr(report, "extras", [])) + links
