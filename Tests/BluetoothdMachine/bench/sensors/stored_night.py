"""A night that a ring has stored, and its file in the layouts of both generations, by their public descriptions."""

from __future__ import annotations

import calendar
import struct
import time
from dataclasses import dataclass

FINISHED = bytes.fromhex("48125ada")
"""What marks a file of the newer rings as finished."""


@dataclass
class StoredNight:
    """A night at 96 % with a fall of 6 % every five minutes: twelve an hour, and five minutes off the finger."""

    start: tuple[int, int, int, int, int, int] = (2026, 11, 27, 22, 41, 5)
    """By the ring's clock, which has no time zone."""
    seconds: int = 3600
    interval: int = 4

    @property
    def name(self) -> str:
        return "{:04}{:02}{:02}{:02}{:02}{:02}".format(*self.start)

    def sample(self, second: int) -> tuple[int | None, int | None, int]:
        """The saturation, the pulse rate and the movement."""
        if 1810 <= second < 2110:
            return None, None, 0
        elapsed = second % 300
        depth = min(elapsed, 40 - elapsed) * 6 // 20 if elapsed <= 40 else 0
        return 96 - depth, 60 + second // 100 % 5, 30 if elapsed in range(40, 48) else 0

    def samples(self) -> list[tuple[int | None, int | None, int]]:
        return [self.sample(second) for second in range(0, self.seconds, self.interval)]

    def older_file(self) -> bytes:
        """A file of the O2Ring and its relatives: 40 octets, and 5 for each sample."""
        samples = self.samples()
        known = [saturation for saturation, _, _ in samples if saturation is not None]
        head = struct.pack("<BBHBBBBB", 3, 0, *self.start)
        head += struct.pack("<IHH", 40 + 5 * len(samples), self.seconds, 0)
        head += bytes([round(sum(known) / len(known)), min(known)])
        content = b"".join(
            struct.pack("<BHBB", 0xFF if percent is None else percent, 0xFFFF if rate is None else rate, movement, 0)
            for percent, rate, movement in samples)  # fmt: skip
        return head.ljust(40, b"\0") + content

    def newer_file(self, is_finished: bool = True) -> bytes:
        """A file of the O2Ring S and its relatives: 10 octets, 3 for each sample, and 48 once it is finished."""
        samples = self.samples()
        octets = bytes.fromhex("01030000000000000400") + b"".join(
            bytes([0xFF if percent is None else percent, 0xFF if rate is None else rate, movement])
            for percent, rate, movement in samples)  # fmt: skip
        if not is_finished:
            return octets
        start = calendar.timegm(time.struct_time((*self.start, 0, 0, 0)))
        known = [saturation for saturation, _, _ in samples if saturation is not None]
        end = struct.pack("<I4sIIBBB", sum(octets), FINISHED, start, len(samples), self.interval, 1, 3).ljust(34, b"\0")
        return octets + (end + bytes([round(sum(known) / len(known)), min(known)])).ljust(48, b"\0")
