# SPDX-License-Identifier: MIT
"""A client of `wallfly serve` (QSPY's front-end protocol): commands to a target, and its trace. Reads files with traces, too."""

from .answers import Line
from .decode import Element, Record, TargetInfo
from .errors import (Detached, Error, ExpectError, HostError, LossError, Losses, LossWarning,
                     NoServer, Refused, Timeout)
from .files import Row, Table, Trace, open, rows
from .frontend import KINDS, FrontEnd
from .link import BINARY, KNOWN, TEXT

__version__ = "0.1.0"
__all__ = ["BINARY", "Detached", "Element", "Error", "ExpectError", "FrontEnd", "HostError",
           "KINDS", "KNOWN", "Line", "LossError", "LossWarning", "Losses", "NoServer", "Record", "Refused",
           "Row", "TEXT", "Table", "TargetInfo", "Timeout", "Trace", "open", "rows"]
