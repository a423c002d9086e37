# SPDX-License-Identifier: MIT
"""Perfetto's trace_processor for scripts: Processor(folder).ask(trace, queries), rows as lists."""
import json
import os
import subprocess
import sys

# Rows that show that trace_processor did not accept everything.
WRONG = "select name, severity, value from stats where severity in ('error', 'data_loss') and value != 0"


class Processor:
    def __init__(self, folder):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trace_processor.mjs")
        self.node = subprocess.Popen(["node", script, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, trace, queries):
        """Loads a trace (None: the previous one) and answers queries: rows."""
        return [rows for _, rows in self.tables(trace, queries)]

    def table(self, trace, query):
        """Returns columns and rows."""
        return self.tables(trace, [query])[0]

    def tables(self, trace, queries):
        """Ends the program on an error of any kind."""
        line = json.dumps({"trace": trace and os.path.abspath(trace), "sql": [WRONG] + queries}) + "\n"
        self.node.stdin.write(line.encode())
        self.node.stdin.flush()
        answer = self.node.stdout.readline()
        answer = json.loads(answer) if answer else {"error": "trace_processor has ended"}
        if "error" in answer:
            sys.exit("%s: %s" % (trace, answer["error"]))
        (_, wrong), *results = [(r["columns"], r["rows"]) for r in answer["results"]]
        if wrong:
            sys.exit("%s: trace_processor says %s" % (trace, wrong))
        return results

    def close(self):
        self.node.stdin.close()
        if self.node.wait(60) != 0:
            sys.exit("trace_processor: exit code %d" % self.node.returncode)
