# SPDX-License-Identifier: MIT
"""What tests of a fleet's tables share: setup, load, and checksums of a project."""
import os
import subprocess

from wf_links import WALLFLY

TABLES = "stream", "segment", "figure", "loss", "hole", "record"  # of traces
NOT_OF_ROWS = "changed", "source"  # they say when and from where a stream was first loaded
made = set()


def url_of(server):
    return server if isinstance(server, str) else server.url


def setup(server, project):
    subprocess.run([WALLFLY, "fleet", "setup", url_of(server), "--project=" + project], check=True, stdout=subprocess.DEVNULL)


def command(server, project, *files, device=None, records=None, image=False, anew=False, **options):
    more = ["--%s=%s" % (name.replace("_", "-"), value) for name, value in options.items()]
    if device is not None:
        more.append("--device=" + device)
    if records:
        more.append("--records" if records is True else "--records=" + records)
    return [WALLFLY, "fleet", "load", url_of(server), "--project=" + project, *more, *(["--ram-image"] if image else []),
            *(["--anew"] if anew else []), *files]


def load(server, project, *files, code=0, words="", allow=None, make=True, stdin=None, **options):
    """Loads files, and makes the tables of a new project. Returns the messages.
    words: they have these; allow: what is not an error may have these."""
    if make and (url_of(server), project) not in made:
        setup(server, project)
        made.add((url_of(server), project))
    p = subprocess.run(command(server, project, *files, **options), capture_output=True, text=True, stdin=stdin)
    assert p.returncode == code and words in p.stderr, (files, options, p)
    assert code or not p.stderr or (allow and allow in p.stderr), p.stderr
    return p.stderr


def columns(server, project, table):
    return [name for name, in server.rows(
        "SELECT name FROM system.columns WHERE database = '%s' AND table = '%s'" % (project, table)) if name not in NOT_OF_ROWS]


def checksums(server, project, final="FINAL", but=(), where="1"):
    """Returns for each table the number of rows and a sum over all of their columns but some."""
    return {table: server.rows("SELECT count(), sum(cityHash64(%s)) FROM %s.%s %s WHERE %s" % (
        ", ".join("toString(`%s`)" % c for c in columns(server, project, table) if c not in but), project, table, final, where))[0] for table in TABLES}


def rows_once(server, project):
    """After merging no row is there twice."""
    wanted = checksums(server, project)
    for table in TABLES:
        server.ask("OPTIMIZE TABLE %s.%s FINAL" % (project, table))
    assert checksums(server, project, "") == wanted, (checksums(server, project, ""), wanted)


# When a stream was first loaded, its day, and whether the count is confirmed yet.
NOT_OF_LOADING = "origin_ns", "day", "second", "exact", "revision"
FIGURES = ("SELECT device, kind, name, offset, count, sum, least, most, open, in_holes, marked, "
           "cityHash64(`classes.class`, `classes.n`) FROM %s.figure FINAL WHERE %s AND count + open + in_holes > 0 %s "
           "ORDER BY device, kind, name, offset")
BUT_LAST = "AND (device, offset) NOT IN (SELECT device, max(offset) FROM %s.segment GROUP BY device)"


def same_rows(server, project, wanted, but_last=False, where="1"):
    """The rows of two projects are the same, however they were loaded.
    but_last: but for the figures of last segments, of streams that have not ended; where: of some devices"""
    found = [checksums(server, name, but=NOT_OF_LOADING, where=where) for name in (wanted, project)]
    for sums in found:
        sums.pop("figure")  # has rows without intervals, for those that were replaced
        sums.pop("stream")
    assert found[0] == found[1], (project, found)
    figures = [server.rows(FIGURES % (name, where, BUT_LAST % name if but_last else "")) for name in (wanted, project)]
    assert figures[0] == figures[1] and len(figures[0]) > 10, project
    rows_once(server, project)
