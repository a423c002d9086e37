# SPDX-License-Identifier: MIT
"""python3 -m wallfly.pages TRACE RULES.lua...: a page for each rule of `wallfly check` that did not pass, as
HTML files that need nothing but a browser."""

import argparse
import sys

from .check import check, write_pages
from .errors import Error
from .tool import Tool


def main(args=None):
    parser = argparse.ArgumentParser(prog="python3 -m wallfly.pages", description=__doc__)
    parser.add_argument("trace")
    parser.add_argument("rules", nargs="+", help="scripts of rules")
    parser.add_argument("--output", metavar="DIR", default="pages", help="folder of the pages (pages)")
    parser.add_argument("--tool", metavar="PROGRAM", help="the program wallfly")
    parser.add_argument("--option", action="append", default=[], metavar="OPTION",
                        help="an option for reading the trace, as --option=--elf=firmware.elf; may be repeated")
    given = parser.parse_args(args)
    try:
        tool = Tool(given.tool)
        report = check(tool, given.trace, given.rules, given.option)
        for result, path, note in write_pages(tool, given.trace, report, given.output, given.option):
            print("%s: %s" % (result.title, path or note))
    except Error as problem:
        print("wallfly.pages: %s" % problem, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
