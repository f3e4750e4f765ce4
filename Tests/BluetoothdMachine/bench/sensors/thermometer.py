"""Thermometers: any with the Health Thermometer Service, and CORE with its own service besides."""

from __future__ import annotations

import asyncio
import math
import struct
import time

from bumble.core import UUID, AdvertisingData
from bumble.gatt import Service

from .medical_floats import float32, hundredths
from .gatt_server import P, uuid
from .peripheral import Peripheral

CORE_SERVICE = "00002100-5B1E-4347-B07C-97B514DAE121"
CORE_TEMPERATURE = "00002101-5B1E-4347-B07C-97B514DAE121"
CORE_CONTROL_POINT = "00002102-5B1E-4347-B07C-97B514DAE121"

QUALITY_INVALID = 0
QUALITY_GOOD = 3
ROOM_CELSIUS = 24.5
"""What the skin thermometer of a CORE measures that lies on a table."""

CONTROL_RESPONSE = 0x80
CONTROL_SUCCESS, CONTROL_UNSUPPORTED, CONTROL_INVALID = 1, 2, 3
EXTERNAL_HEART_RATE = 0x13
HEART_RATE_FLAG, RATE_RECEIVED = 0x10, 0x20


class Thermometer(Peripheral):
    """Health Thermometer: Temperature Measurement (2A1C) by indication."""

    key = "temp"
    words = ("temp", "core", "thermometer")
    appearance = 0x0300
    advertised = (0x1809, 0x180A)

    def __init__(self, *arguments, **options):
        self.celsius = 36.8
        self.unit = "c"
        self.has_timestamp = False
        self.type: int | None = None
        super().__init__(*arguments, **options)

    def vital_services(self) -> list[Service]:
        self.measurement = self.sending(0x2A1C, P.INDICATE)
        return [Service(uuid(0x1809), [self.measurement, self.readable(0x2A1D, b"\x02")])]

    def in_unit(self, celsius: float) -> float:
        """A temperature in the unit that it sends."""
        return celsius * 9 / 5 + 32 if self.unit == "f" else celsius

    @property
    def shown_celsius(self) -> float:
        """What it measures where it is."""
        return self.celsius if self.is_on_body else math.nan

    def temperature(self) -> bytes:
        """Temperature Measurement."""
        flags = (self.unit == "f") | self.has_timestamp << 1 | (self.type is not None) << 2
        octets = bytes([flags]) + float32(self.in_unit(self.shown_celsius))
        if self.has_timestamp:
            now = time.localtime()
            octets += struct.pack("<H5B", now.tm_year, now.tm_mon, now.tm_mday, now.tm_hour, now.tm_min, now.tm_sec)
        if self.type is not None:
            octets += bytes([self.type])
        return octets

    async def measure(self) -> None:
        await self.send(self.measurement, self.temperature())

    async def send_octets(self, octets: bytes) -> None:
        await self.send(self.measurement, octets)

    async def send_number(self, number: int) -> None:
        await self.send(self.measurement, b"\x00" + float32(number, 0))


class Core(Thermometer):
    """CORE: the Health Thermometer's measurement, and Core Body Temperature (2101)."""

    advertised = (0x1809,)

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.type = 2
        self.skin_celsius = 34.2
        self.told_rate: int | None = None

    def vital_services(self) -> list[Service]:
        self.core = self.sending(CORE_TEMPERATURE, P.READ | P.NOTIFY, self.core_temperature)
        self.control = self.sending(CORE_CONTROL_POINT, P.WRITE | P.INDICATE, write=self._control)
        service = Service(uuid(CORE_SERVICE), [self.core, self.control])
        return [*super().vital_services(), service]

    def _control(self, octets: bytes) -> None:
        """Takes a heart rate from outside, and nothing else."""
        request = octets[0] if octets else 0
        result = CONTROL_UNSUPPORTED
        if request == EXTERNAL_HEART_RATE:
            result = CONTROL_SUCCESS if len(octets) <= 2 else CONTROL_INVALID
            if result == CONTROL_SUCCESS:
                self.told_rate = octets[1] if len(octets) == 2 else None
        answer = bytes([CONTROL_RESPONSE, request, result])
        asyncio.get_running_loop().call_soon(lambda: asyncio.create_task(self.send(self.control, answer)))

    def advertising_data(self) -> list[tuple[int, bytes]]:
        # The company greenTEG, layout 0, "measuring", and thousandths of a degree; here the one of its start.
        beacon = struct.pack("<HBBH", 0x0BF6, 0, 4, round(self.celsius * 1000))
        data = self.flags_and_services() + [(AdvertisingData.MANUFACTURER_SPECIFIC_DATA, beacon)]
        return self.with_name(data)

    def scan_response(self) -> list[tuple[int, bytes]]:
        # A CORE lists its own service only when it is asked.
        return [
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, struct.pack("<HH", 0x180A, 0x180F)),
            (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(UUID(CORE_SERVICE))),
        ]

    def core_temperature(self) -> bytes:
        """Core Body Temperature with skin temperature and quality, in its compact form."""
        skin = self.skin_celsius if self.is_on_body else ROOM_CELSIUS
        quality = QUALITY_INVALID if math.isnan(self.shown_celsius) else QUALITY_GOOD
        flags = 0b101 | (self.unit == "f") << 3
        temperatures = hundredths(self.in_unit(self.shown_celsius)) + hundredths(self.in_unit(skin))
        if self.told_rate is None:
            return bytes([flags]) + temperatures + bytes([quality])
        return bytes([flags | HEART_RATE_FLAG]) + temperatures + bytes([quality | RATE_RECEIVED, self.told_rate])

    async def measure(self) -> None:
        await super().measure()
        await self.send(self.core, self.core_temperature())
