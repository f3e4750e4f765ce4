"""Who is in the room: worlds by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .sensors.cuff import Cuff
from .sensors.glucose_meter import GlucoseMeter
from .sensors.miaomiao import MiaoMiao
from .sensors.oximeter import Oximeter
from .sensors.pairing import Lock
from .sensors.peripheral import Peripheral
from .sensors.polar import PolarStrap
from .sensors.ring import NewerRing, OlderRing
from .sensors.stranger import Stranger
from .sensors.strap import Strap
from .sensors.thermometer import Core, Thermometer

if TYPE_CHECKING:
    from .room import Room


def steady(room: Room, strap: type[Strap] = Strap) -> list[Peripheral]:
    """Three sensors whose values stand still: those of the simulator's scenario of this name."""
    return [
        Thermometer(room, "CORE [1A]", "C0:52:49:00:00:01", information=("Rig", "CORE", "0001", "1.0.0")),
        strap(room, "Polar H10 1234", "C0:52:49:00:00:02", information=("Rig", "H10", "1234", "5.0.0")),
        Oximeter(room, "e-Oximeter", "C0:52:49:00:00:03", information=("Rig", "e-Oximeter", "42", "2.1")),
    ]


def ward(room: Room) -> list[Peripheral]:
    """The sensors and the neighbours of the simulator's ward evening, with values that stand still."""
    return [
        Core(room, "CORE 1A2B", "C0:52:49:1A:2B:01", information=("Simulated", "CORE 2", "1A2B", "0.8.1")),
        Strap(
            room, "Polar H10 4A2C1B23", "C0:52:49:4A:2C:02", rssi=-63,
            information=("Simulated", "H10", "4A2C1B23", "5.0.0"),
        ),
        Oximeter(
            room, "e-Oximeter", "C0:52:49:00:50:03", rssi=-67, has_status=True,
            information=("Simulated", "PM 100", "5003", "2.1"),
        ),
        Stranger(room, "JBL Flip 5", "F4:BC:DA:33:71:9E", rssi=-81, company=0x0057, data=bytes.fromhex("0D1E0100")),
        Stranger(
            room, "[TV] Samsung 7 Series", "E4:1C:AE:0B:42:D7", rssi=-88, company=0x0075,
            data=bytes.fromhex("42040180"),
        ),
    ]  # fmt: skip


def nonsense(room: Room) -> list[Peripheral]:
    """The steady three among strangers whose advertisements are hostile, wrong or both."""
    return steady(room) + [
        # A name that would take over a terminal.
        Stranger(room, "\x1b]0;owned\x07\x1b[2J\x1b[31m", "C0:52:49:BA:D0:01", rssi=-50),
        # Right to left, a byte order mark, a zero-width joiner, a line end.
        Stranger(room, "\u202eRATS 01H raloP\ufeff\u200d\n\r\t", "C0:52:49:BA:D0:02", rssi=-55),
        # Not UTF-8.
        Stranger(room, "latin", "C0:52:49:BA:D0:03", raw=bytes.fromhex("020106 0609 FFFEC3285C")),
        # A sensor's name and service, and measures nothing.
        Impostor(room, "Polar H10 1234", "C0:52:49:BA:D0:04", rssi=-45),
        # A length that leads beyond the end; a structure of length 0 in the middle; nothing at all.
        Stranger(room, "overlong", "C0:52:49:BA:D0:05", raw=bytes.fromhex("020106 1E09 4142")),
        Stranger(room, "hole", "C0:52:49:BA:D0:06", raw=bytes.fromhex("020106 00 0409 4F6464")),
        Stranger(room, "empty", "C0:52:49:BA:D0:07", raw=b""),
        # Odd services: three octets of 16-bit UUIDs, a base UUID that is none, service data without an owner.
        Stranger(
            room, "odd", "C0:52:49:BA:D0:08", raw=bytes.fromhex("020106 04030D180F 0316FFFF 0DFFF60B00FF7F00000000FF00")
        ),
        # A CORE beacon cut short.
        Stranger(room, "CORE", "C0:52:49:BA:D0:09", company=0x0BF6, data=b"\x00"),
    ]


class Impostor(Strap):
    """Advertises as a strap, and refuses everything that a strap would do."""

    key = ""
    words = ()

    def services(self):
        return []


def crowd(room: Room) -> list[Peripheral]:
    """The steady three among a hundred others, as on a ward or in a train."""
    return steady(room) + [
        Stranger(
            room, f"Stranger {number:03}", f"C0:52:49:C0:00:{number:02X}", rssi=-95 + number % 60,
            company=0x0075, data=bytes([number]),
        )
        for number in range(1, 101)
    ]  # fmt: skip


def stream(room: Room) -> list[Peripheral]:
    """Sixty-four straps that measure ten times a second."""
    straps = [Strap(room, f"Strap {number:02}", f"C0:52:49:57:00:{number:02X}") for number in range(1, 65)]
    for strap in straps:
        strap.interval = 0.1
    return straps


def pairing(room: Room) -> list[Peripheral]:
    """Three sensors that want a bond before they send anything, each in its own way."""
    return [
        Strap(room, "Bond Strap", "C0:52:49:B0:00:01", lock=Lock.BOND),
        Oximeter(room, "Passkey Oximeter", "C0:52:49:B0:00:02", lock=Lock.PASSKEY),
        Thermometer(room, "Compare Thermometer", "C0:52:49:B0:00:03", lock=Lock.COMPARISON),
    ]


def conversing(room: Room) -> list[Peripheral]:
    """The steady three, and sensors that must be conversed with: two of them sleep, and have wrong clocks."""
    return steady(room) + [
        Cuff(room, "BM 54", "C0:52:49:C0:4E:01", ahead_seconds=3 * 3600, information=("Rig", "BM 54", "54", "1.0")),
        GlucoseMeter(room, "Contour 4711", "C0:52:49:C0:4E:02", ahead_seconds=-86_400),
        MiaoMiao(room, "miaomiao", "C0:52:49:C0:4E:03"),
    ]


def waves(room: Room) -> list[Peripheral]:
    """The steady three, whose strap also streams its ECG."""
    return steady(room, PolarStrap)


def nights(room: Room) -> list[Peripheral]:
    """The steady three, and a ring of each generation that has stored a night."""
    return steady(room) + [
        OlderRing(room, "O2Ring 0418", "C0:52:49:53:00:01"),
        NewerRing(room, "O2Ring S 0418", "C0:52:49:53:00:02"),
    ]


WORLDS: dict[str, Callable[[Room], list[Peripheral]]] = {
    world.__name__: world for world in (steady, ward, nonsense, crowd, stream, pairing, conversing, waves, nights)
}
