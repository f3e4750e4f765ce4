"""A sensor's own clock, which is wrong until a client sets it."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable

from bumble import att
from bumble.gatt import Characteristic

from .gatt_server import GattServer

DATE_TIME = 0x2A08
CURRENT_TIME = 0x2A2B


class Clock:
    """Local time without a zone, which is as far ahead of the machine's as it happens to be."""

    def __init__(self, ahead_seconds: float = 0.0) -> None:
        self._ahead = datetime.timedelta(seconds=ahead_seconds)
        self.is_set = False
        """Whether a client has set it."""

    def now(self) -> datetime.datetime:
        """What it shows."""
        return datetime.datetime.now() + self._ahead

    def set(self, octets: bytes) -> None:
        """Sets it by a Date Time, whatever follows."""
        try:
            time = datetime.datetime(*struct.unpack_from("<H5B", octets))
        except (ValueError, struct.error):
            raise att.ATT_Error(att.ErrorCode.OUT_OF_RANGE) from None
        self._ahead = time - datetime.datetime.now()
        self.is_set = True

    def characteristic(
        self, server: GattServer, number: int, then: Callable[[], None] = lambda: None
    ) -> Characteristic:
        """Makes the characteristic through which it is read and set: `DATE_TIME` or `CURRENT_TIME`.

        `then` is called when it was set.
        """

        def write(octets: bytes) -> None:
            if len(octets) != len(self._octets(number)):
                raise att.ATT_Error(att.ErrorCode.INVALID_ATTRIBUTE_LENGTH)
            self.set(octets)
            server.report(f"clock set to {self.now():%Y-%m-%d %H:%M:%S}")
            then()

        return server.setting(number, lambda: self._octets(number), write)

    def _octets(self, number: int) -> bytes:
        now = self.now()
        octets = date_time(now)
        if number == CURRENT_TIME:
            # Day of the week from Monday 1, fractions of 1/256 s, no reason of an adjustment.
            octets += bytes([now.isoweekday(), now.microsecond * 256 // 1_000_000, 0])
        return octets


def date_time(time: datetime.datetime) -> bytes:
    """A Date Time (2A08)."""
    return struct.pack("<H5B", time.year, time.month, time.day, time.hour, time.minute, time.second)
