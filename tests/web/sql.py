# SPDX-License-Identifier: MIT
"""SQL queries of pages. Usage: sql.py WALLFLY FILE LARGER_FILE"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from ws_client import Client

wallfly, file, larger = sys.argv[1:]
folder = tempfile.mkdtemp(dir=".")
ENDLESS = "with recursive r(n) as (select 1 union all select n + 1 from r) "


class Server:
    def __init__(self, *args):
        environment = {**os.environ, "TMPDIR": folder}
        self.p = subprocess.Popen([wallfly, "serve", "--page=0", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.url = re.search(r"http://\S+/", self.p.stdout.readline())[0]

    def end(self):
        self.p.terminate()
        _, words = self.p.communicate()
        assert self.p.returncode == 0 and "Sanitizer" not in words, (self.p.returncode, words)


def query(sql):
    return json.loads(subprocess.run([wallfly, "query", "--json", file, sql], check=True, capture_output=True).stdout)


def left():
    return glob.glob(folder + "/**/*", recursive=True)


server = Server(file)
page = Client(server.url)

# The same answers as on the command line, from all tables and views.
listed = page.ask("tables")
names = [t[0] for t in listed["tables"]] + [v[0] for v in listed["views"]]
assert {"record", "wait", "hold", "cpu_load", "longest_waits"} <= set(names), names
assert all(len(columns) > 1 for _, _, columns in listed["tables"]), listed
for name in names:
    sql = "select * from %s" % name
    answer = page.ask("sql", sql=sql)
    rows = [dict(zip(answer["columns"], row)) for row in answer["rows"]]
    wanted = query(sql)
    if name == "meta":  # has the name of the file as it was given
        rows, wanted = ([r for r in all_ if r["name"] != "source"] for all_ in (rows, wanted))
    assert rows == wanted and not answer["more"], (name, rows[:3], wanted[:3])
assert left() == [], "the database has a name: %r" % left()

# Only reading is allowed, and only of this database.
for sql in ("delete from task", "update task set name = 'x'", "insert into task(name) values ('x')", "drop table task", "create table x(y)",
            "create temp table x as select 1", "create view x as select 1", "attach '%s/a.sqlite' as a" % folder, "attach ':memory:' as a",
            "detach main", "pragma writable_schema = 1", "pragma query_only = 0", "pragma temp_store_directory = '/'", "pragma journal_mode = wal",
            "pragma hard_heap_limit = 0", "vacuum", "vacuum into '%s/v.sqlite'" % folder, "begin", "reindex", "analyze",
            "explain delete from task", "with a as (select 1) delete from task"):
    answer = page.ask("sql", sql=sql)
    assert "only queries that read" in answer.get("error", ""), (sql, answer)
for sql in ("select load_extension('libm.so.6')", "select fts3_tokenizer('simple')", "select printf('%.*c', 1000000000, 'x')",
            "select format('%1000000000d', 1)"):
    answer = page.ask("sql", sql=sql)
    assert re.search("only queries that read are allowed, without (load_extension|fts3_tokenizer|printf|format)$", answer.get("error", "")), (sql, answer)
for sql in ("select readfile('/etc/passwd')", "select writefile('x', 'y')", "select edit('x')",
            "select * from fsdir('/')", "select 1; delete from task", "select 1; select 2", "", " ; ", "selec", "select nothing from task",
            "select * from nowhere", "select '", "(" * 5000, "select " + "1+" * 5000 + "1", "select " + ",".join("1" * 400),
            "select zeroblob(1000000000)", "select 'x' like '%s'" % ("%_" * 500),
            "select 1 -- " + "x" * 70000):
    answer = page.ask("sql", sql=sql)
    assert answer.get("error"), (sql[:60], str(answer)[:200])
assert left() == [], left()
answer = page.ask("sql", sql="select *\nfrom task where nme = 1")
assert "no such column: nme, at character 26: 'nme = 1'" in answer["error"], answer
for fields in ({}, {"sql": 5}, {"sql": None}, {"sql": ["select 1"]}, {"sql": "select 1", "seconds": 0}, {"sql": "select 1", "seconds": 31},
               {"sql": "select 1", "seconds": "1"}):
    assert page.ask("sql", **fields).get("error"), fields
assert page.ask("sql", sql="select 1 as a, null, 1e999, x'41', 9223372036854775807, 'a\"b'")["rows"] == [[1, None, None, "A", 2**63 - 1, 'a"b']]
assert page.ask("sql", sql="pragma table_info(task)")["rows"], "columns can be listed"

# Answers are bounded in rows and bytes, queries in time and memory.
answer = page.ask("sql", sql=ENDLESS + "select n from r")
assert len(answer["rows"]) == 10000 and answer["more"], len(answer["rows"])
answer = page.ask("sql", sql=ENDLESS + "select n, hex(zeroblob(100000)) from r")
assert len(answer["rows"]) < 50 and answer["more"], len(answer["rows"])
answer = page.ask("sql", sql=ENDLESS + "select count(*) from r", seconds=1)
assert "stopped after 1 s" in answer["error"], answer
answer = page.ask("sql", sql="select group_concat(hex(zeroblob(5000))) from (%sselect n from r limit 10000)" % ENDLESS)
assert "too big" in answer["error"], answer
answer = page.ask("sql", sql=ENDLESS + "select n, zeroblob(250000) as b from r order by n desc", seconds=30)
assert "256 MB" in answer["error"], answer

# While a query runs, both pages get other answers; it is cancelled at will, and a page may leave. (A page that does not read for two
# minutes is closed.)
other = Client(server.url)
page.n += 1
running = page.n
page.send(json.dumps({"n": running, "op": "sql", "sql": ENDLESS + "select count(*) from r"}))
page.expect(lambda m: isinstance(m, dict) and m.get("n") == running and "progress" in m)
for client in (page, other):
    assert client.ask("rows")["rows"] and client.ask("records", number=1, before=0, after=5)["records"]
    assert "lanes" in client.ask("stats", **{"from": 0, "until": 1 << 40})["stats"]
page.send(json.dumps({"n": running, "op": "cancel"}))
assert page.expect(lambda m: isinstance(m, dict) and m.get("n") == running and "error" in m)["error"] == "cancelled"
leaving = Client(server.url)
leaving.send(json.dumps({"n": 1, "op": "sql", "sql": ENDLESS + "select count(*) from r"}))
leaving.expect(lambda m: isinstance(m, dict) and m.get("n") == 1 and "progress" in m)
leaving.send(json.dumps({"n": 2, "op": "sql", "sql": "select 1"}))
leaving.close()
assert other.ask("sql", sql="select 1")["rows"] == [[1]]

# It ends in the middle of a query; a database that becomes too large is refused, and so are queries without a console.
other.send(json.dumps({"n": 1000, "op": "sql", "sql": ENDLESS + "select count(*) from r"}))
other.expect(lambda m: isinstance(m, dict) and m.get("n") == 1000 and "progress" in m)
server.end()
server = Server("--sql=1M", larger)
assert "needs more than 1 MB" in Client(server.url).ask("sql", sql="select 1")["error"]
assert left() == [], left()
server.end()
server = Server("--sql=off", file)
assert "switched off" in Client(server.url).ask("sql", sql="select 1")["error"]
server.end()
assert left() == [], left()
bad = subprocess.run([wallfly, "serve", "--sql=never", file], capture_output=True, text=True)
assert bad.returncode == 2 and "--sql: 'never' is not a size" in bad.stderr, bad
print("queries only read, are bounded, and can be cancelled")
