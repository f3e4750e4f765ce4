"""A heart-rate strap."""

from __future__ import annotations

import struct

from bumble.gatt import Service

from .gatt_server import P, uuid
from .peripheral import Peripheral

CONTACT_SUPPORTED = 0b100
CONTACT_DETECTED = 0b010
CHEST = b"\x01"
RESET_ENERGY = b"\x01"


class Strap(Peripheral):
    """Heart Rate: Heart Rate Measurement (2A37) by notification."""

    key = "hr"
    words = ("hr", "heart", "polar", "strap")
    appearance = 0x0341
    advertised = (0x180D,)

    def __init__(self, *arguments, **options):
        self.rate = 72
        self.has_contact: bool | None = True
        self.intervals: list[float] | None = None
        """RR intervals in milliseconds; `None`: one that fits the rate."""
        self.energy: int | None = None
        self.is_wide = False
        super().__init__(*arguments, **options)

    def vital_services(self) -> list[Service]:
        self.measurement = self.sending(0x2A37, P.NOTIFY)
        control = self.writable(0x2A39, self._control)
        return [Service(uuid(0x180D), [self.measurement, self.readable(0x2A38, CHEST), control])]

    def _control(self, octets: bytes) -> None:
        self.report(f"control point {octets.hex()}")
        if octets == RESET_ENERGY:
            self.energy = 0

    def heart_rate(self) -> bytes:
        """Heart Rate Measurement.

        Off the body the rate goes on as it last was, as straps do: only the contact bits change.
        """
        contact = self.has_contact and self.is_on_body if self.has_contact is not None else None
        flags = 0 if contact is None else CONTACT_SUPPORTED | (CONTACT_DETECTED if contact else 0)
        is_wide = self.is_wide or self.rate > 255
        octets = struct.pack("<H" if is_wide else "<B", self.rate)
        if self.energy is not None:
            flags |= 0b1000
            octets += struct.pack("<H", self.energy)
        intervals = self.intervals
        if intervals is None:
            intervals = [60_000 / self.rate] if self.rate and contact is not False else []
        if intervals:
            flags |= 0b10000
            octets += b"".join(struct.pack("<H", min(0xFFFF, round(each * 1.024))) for each in intervals)
        return bytes([flags | is_wide]) + octets

    async def measure(self) -> None:
        await self.send(self.measurement, self.heart_rate())

    async def send_octets(self, octets: bytes) -> None:
        await self.send(self.measurement, octets)

    async def send_number(self, number: int) -> None:
        await self.send(self.measurement, bytes([0, number & 0xFF]))
