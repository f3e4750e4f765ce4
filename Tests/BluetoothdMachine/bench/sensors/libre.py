"""The memory of a FreeStyle Libre 1 sensor: 43 blocks of 8 octets, each of its three regions with a CRC."""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable

LENGTH = 344
TREND_COUNT, HISTORY_COUNT = 16, 32
RECORD_LENGTH = 6
TEMPERATURE = 6200
"""The raw temperature of skin, about; nobody reads it."""

MILLIGRAMS_PER_1000 = 117.647
"""mg/dL that 1000 raw units are, by most programs that read it."""


class State(enum.IntEnum):
    """How far a sensor's life is."""

    NEW = 1
    WARMING = 2
    ACTIVE = 3
    EXPIRED = 4
    SHUT_DOWN = 5
    FAILED = 6


def crc(octets: bytes) -> int:
    """The CRC of a region: that of HDLC without the final inversion, with its 16 bits in the other order."""
    remainder = 0xFFFF
    for octet in octets:
        remainder ^= octet
        for _ in range(8):
            remainder = remainder >> 1 ^ (0x8408 if remainder & 1 else 0)
    return int(f"{remainder:016b}"[::-1], 2)


def raw(milligrams: float) -> int:
    """The raw value of a glucose."""
    return max(0, min(0x1FFF, round(milligrams * 1000 / MILLIGRAMS_PER_1000)))


def memory(state: State, age: int, glucose: Callable[[int], float]) -> bytes:
    """The memory at an age in minutes, when `glucose` is the mg/dL of each minute of the sensor's life."""
    # A quarter of an hour is written to the history three minutes after it is over.
    quarters = max(0, (age - 3) // 15)
    trend = [b"\0" * RECORD_LENGTH] * TREND_COUNT
    for minute in range(max(1, age - TREND_COUNT + 1), age + 1):
        trend[(minute - 1) % TREND_COUNT] = _record(glucose(minute))
    history = [b"\0" * RECORD_LENGTH] * HISTORY_COUNT
    for quarter in range(max(1, quarters - HISTORY_COUNT + 1), quarters + 1):
        history[(quarter - 1) % HISTORY_COUNT] = _record(glucose(15 * quarter))
    body = bytes([age % TREND_COUNT, quarters % HISTORY_COUNT]) + b"".join(trend + history) + struct.pack("<HH", age, 0)
    return _region(bytes([0, 0, state]).ljust(22, b"\0")) + _region(body) + _region(bytes(22))


def _record(milligrams: float) -> bytes:
    return struct.pack("<HBHB", raw(milligrams), 0, TEMPERATURE, 0)


def _region(content: bytes) -> bytes:
    return struct.pack("<H", crc(content)) + content


assert crc(b"123456789") == 0x89F6
assert crc(bytes(22)) == 0x9FB4 and crc(bytes(294)) == 0xC262
