# SPDX-License-Identifier: MIT
"""What can go wrong, each with a text that says what to do."""

from dataclasses import dataclass


class Error(Exception):
    """All of this package's own."""


class NoServer(Error, ConnectionError):
    """Nobody answers at the port, or no longer."""


class Detached(Error, ConnectionError):
    """The server has ended or has let this front end go."""


class Timeout(Error, TimeoutError):
    """What was asked for did not come in time."""


class HostError(Error):
    """The server does not do it: an unknown name, no target, commands not allowed."""


class Refused(Error):
    """The target answered a command with an error."""


class ExpectError(Error, AssertionError):
    """Another line came than the one expected, or none."""


class LossError(Error):
    """Something was lost, and on_loss is "raise"."""


class LossWarning(UserWarning):
    """Something was lost, and on_loss is "warn"."""


@dataclass
class Losses:
    """What did not get here. Sequence numbers have 8 bits: of a gap of 256 only the rest is seen."""
    lines: int = 0  # packets of the server's own: text, mostly
    records: int = 0  # of the target, on their way from it to here
    unread: int = 0  # given up because nobody read them (unread_max)
    malformed: int = 0  # packets that make no sense; records that do not fit their layout
    told: int = 0  # packets the server had no room for, as it says; seen as gaps too
    sent: int = 0  # gaps the server saw in the packets from here

    @property
    def total(self) -> int:
        """0 when nothing was lost; what was lost may be in more than one count."""
        return self.lines + self.records + self.unread + self.malformed + self.told + \
            self.sent
