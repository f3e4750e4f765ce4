"""A pulse oximeter."""

from __future__ import annotations

import asyncio
import math
import struct

from bumble.gatt import Service

from .medical_floats import sfloat
from .gatt_server import P, uuid
from .peripheral import Peripheral

MEASUREMENT_STATUS, DEVICE_STATUS, AMPLITUDE = 0b00100, 0b01000, 0b10000
"""Flags of PLX Continuous Measurement."""

MEASUREMENT_ONGOING = 1 << 5
LOW_PERFUSION, SENSOR_UNCONNECTED_TO_USER = 1 << 5, 1 << 11


class Oximeter(Peripheral):
    """Pulse Oximeter: PLX Continuous (2A5F) by notification, PLX Spot-check (2A5E) by indication."""

    key = "spo2"
    words = ("spo2", "oximeter", "plx", "oxi")
    appearance = 0x0C40
    advertised = (0x1822,)

    def __init__(self, *arguments, has_status: bool = False, **options):
        self.saturation = 98.0
        self.pulse = 71.0
        self.amplitude = 5.4
        self.has_status = has_status
        """Whether it sends status flags, as the PM 100 does; others send only the two numbers."""
        super().__init__(*arguments, **options)

    def vital_services(self) -> list[Service]:
        features = struct.pack("<HHHB", 0b1000011, MEASUREMENT_ONGOING, LOW_PERFUSION | SENSOR_UNCONNECTED_TO_USER, 0)
        self.spot = self.sending(0x2A5E, P.INDICATE)
        self.continuous = self.sending(0x2A5F, P.NOTIFY)
        supported = self.readable(0x2A60, features if self.has_status else b"\x00\x00")
        return [Service(uuid(0x1822), [supported, self.spot, self.continuous])]

    def advertising_data(self) -> list[tuple[int, bytes]]:
        # It gives its name only when it is asked.
        return self.flags_and_services()

    def scan_response(self) -> list[tuple[int, bytes]]:
        return self.with_name([])

    def plx(self) -> bytes:
        """PLX Continuous Measurement."""
        if not self.has_status:
            return b"\x00" + self._numbers()
        status = 0 if self.is_on_body else LOW_PERFUSION | SENSOR_UNCONNECTED_TO_USER
        amplitude = sfloat(self.amplitude if self.is_on_body else 0.0)
        flags = bytes([MEASUREMENT_STATUS | DEVICE_STATUS | AMPLITUDE])
        return flags + self._numbers() + struct.pack("<HHB", MEASUREMENT_ONGOING, status, 0) + amplitude

    def _numbers(self) -> bytes:
        if self.is_on_body:
            return sfloat(self.saturation) + sfloat(self.pulse)
        off_body = 0.0 if self.has_status else math.nan
        return 2 * sfloat(off_body)

    async def measure(self) -> None:
        await self.send(self.continuous, self.plx())

    async def send_spot_check(self) -> None:
        """A single measurement, as when a key is pressed."""
        await self.send(self.spot, b"\x00" + self._numbers())

    async def send_octets(self, octets: bytes) -> None:
        await self.send(self.continuous, octets)

    async def send_number(self, number: int) -> None:
        await self.send(self.continuous, b"\x00" + 2 * sfloat(number % 2000))

    def subscribed(self, label: str, word: str) -> None:
        # What it has measured before is sent at once to a client that asks for it.
        if label == self.label(self.spot) and word == "indicate":
            asyncio.create_task(self.send_spot_check())
