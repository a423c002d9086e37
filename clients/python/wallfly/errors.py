# SPDX-License-Identifier: MIT
"""Errors and losses. Each error has a text that states what to do."""

from dataclasses import dataclass


class Error(Exception):
    """Base class of this package's errors."""


class NoServer(Error, ConnectionError):
    """No server answers at the port, or no longer."""


class Detached(Error, ConnectionError):
    """The server has ended or has detached this front end."""


class Timeout(Error, TimeoutError):
    """The expected answer or data did not arrive in time."""


class HostError(Error):
    """The server rejects a command: an unknown name, no target, commands not allowed."""


class Refused(Error):
    """The target answered a command with an error."""


class ExpectError(Error, AssertionError):
    """The next line was not the expected one, or none came."""


class LossError(Error):
    """Packets or records were lost, and on_loss is "raise"."""


class LossWarning(UserWarning):
    """Packets or records were lost, and on_loss is "warn"."""


@dataclass
class Losses:
    """Packets and records that were lost. Sequence numbers have 8 bits: gaps are seen modulo 256."""
    lines: int = 0  # packets of the server itself, mostly text
    records: int = 0  # records of the target, lost on the way to the client
    unread: int = 0  # dropped because they were not read (unread_max)
    malformed: int = 0  # invalid packets; records that do not fit their layout
    told: int = 0  # packets that the server reports as dropped for lack of room; seen as gaps too
    sent: int = 0  # gaps that the server saw in the client's packets

    @property
    def total(self) -> int:
        """0 when nothing was lost; a loss may be in more than one count."""
        return self.lines + self.records + self.unread + self.malformed + self.told + \
            self.sent
