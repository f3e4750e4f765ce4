"""A blood-pressure monitor (Blood Pressure Service 1.1.1)."""

from __future__ import annotations

import asyncio
import struct

from bumble.gatt import Service

from .clock import CURRENT_TIME, DATE_TIME, Clock, date_time
from .episodic import Episodic
from .gatt_server import P, uuid
from .medical_floats import SFLOAT_NAN, sfloat

HAS_TIMESTAMP, HAS_PULSE, HAS_STATUS = 0b00010, 0b00100, 0b10000
"""Flags of Blood Pressure Measurement; without the first bit the unit is mmHg."""

FEATURES = 0b000111
"""It detects body movement, a loose cuff and an irregular pulse."""

LINGER_SECONDS = 2.0
"""How long it stays connected after it has handed over everything."""


class Cuff(Episodic):
    """Hands over every measurement once, by indication, when a client has set its clock; then it leaves."""

    key = "cuff"
    words = ("cuff", "bp")
    appearance = 0x0380
    advertised = (0x1810,)

    def __init__(self, *arguments, clock: int = CURRENT_TIME, ahead_seconds: float = 0.0, **options):
        self.clock = Clock(ahead_seconds)
        self._clock_number = clock
        """The characteristic that its clock is set by; A&D and Nipro have Date Time."""
        self.stored: list[bytes] = []
        self._is_handing_over = False
        super().__init__(*arguments, **options)

    def vital_services(self) -> list[Service]:
        self.measurement = self.sending(0x2A35, P.INDICATE)
        self.inflation = self.sending(0x2A36, P.NOTIFY)
        pressure = [self.measurement, self.inflation, self.readable(0x2A49, struct.pack("<H", FEATURES))]
        clock = self.clock.characteristic(self, self._clock_number, self._hand_over)
        if self._clock_number == DATE_TIME:
            return [Service(uuid(0x1810), [*pressure, clock])]
        return [Service(uuid(0x1810), pressure), Service(uuid(0x1805), [clock])]

    async def take(self, words: list[str]) -> None:
        """Measures: systolic, diastolic, pulse, and the bits of the measurement's status in hexadecimal."""
        systolic, diastolic, pulse = (float(word) for word in words[:3])
        status = int(words[3], 16) if len(words) > 3 else 0
        octets = bytes([HAS_TIMESTAMP | HAS_PULSE | HAS_STATUS])
        octets += sfloat(systolic) + sfloat(diastolic) + sfloat(round(diastolic + (systolic - diastolic) / 3))
        octets += date_time(self.clock.now()) + sfloat(pulse) + struct.pack("<H", status)
        self.stored.append(octets)
        self.is_done = False
        if self.connection is None:
            await self.wake()
        self._hand_over()

    async def inflate(self, pressure: float) -> None:
        """Notifies the pressure in the cuff while it measures (2A36)."""
        await self.send(self.inflation, b"\x00" + sfloat(pressure) + 2 * struct.pack("<H", SFLOAT_NAN))

    async def send_octets(self, octets: bytes) -> None:
        await self.send(self.measurement, octets)

    def subscribed(self, label: str, word: str) -> None:
        self._hand_over()

    def _hand_over(self) -> None:
        if self.stored and self.clock.is_set and not self._is_handing_over:
            self._is_handing_over = True
            self.run(self._send_stored())

    async def _send_stored(self) -> None:
        try:
            while self.stored:
                if not await self.send(self.measurement, self.stored[0]):
                    return
                del self.stored[0]
                self.report("handed over a measurement")
            self.is_done = True
        finally:
            self._is_handing_over = False
        await asyncio.sleep(LINGER_SECONDS)
        if not self.stored:
            await self.fall_asleep()

    def state(self):
        return super().state() | {"stored": len(self.stored), "clock_set": self.clock.is_set}
