"""A MiaoMiao: a bridge that lies on a FreeStyle Libre 1 and sends its memory through the Nordic UART service."""

from __future__ import annotations

import asyncio
import struct

from bumble.gatt import Service

from . import libre
from .gatt_server import P, uuid
from .peripheral import Peripheral

UART = "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"
UART_WRITE = "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"
UART_NOTIFY = "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"

READ, SET_INTERVAL, ACCEPT_SENSOR = 0xF0, 0xD1, 0xD3
"""What it is told."""

PACKET, NEW_SENSOR, NO_SENSOR, END = 0x28, 0x32, 0x34, 0x29
"""What its answers begin with, and what a packet ends with."""

PACKET_LENGTH = 363
PIECE = 20
FIRMWARE, HARDWARE = 0x0007, 0x1001


class MiaoMiao(Peripheral):
    """Sends the memory of the sensor below it when it is asked, and every five minutes."""

    key = "miaomiao"
    words = ("miaomiao", "libre")

    def __init__(self, *arguments, **options):
        self.sensor_state: libre.State | None = libre.State.ACTIVE
        """`None`: there is no sensor below it."""
        self.is_sensor_known = True
        """Whether a client has accepted the sensor."""
        self.identifier = bytes.fromhex("2093690500A007E0")
        self.patch_information = b""
        """Six octets that tell the kind of the sensor; only newer firmware sends them."""
        self.damaged = 0
        """How many of the next packets have an octet wrong."""
        self._glucose, self._slope, self._since = 110.0, 0.0, 0
        super().__init__(*arguments, **options)
        self._switched_on = asyncio.get_running_loop().time()
        self.first_age = 3000
        """The sensor's age in minutes when the MiaoMiao was put on it."""
        self.interval = 300.0

    def services(self) -> list[Service]:
        # It has no battery service: its battery level is in the packet.
        return [self._device_information(), *self.vital_services()]

    def vital_services(self) -> list[Service]:
        self.output = self.sending(UART_NOTIFY, P.NOTIFY)
        told = self.writable(UART_WRITE, self._told, P.WRITE | P.WRITE_WITHOUT_RESPONSE)
        return [Service(uuid(UART), [told, self.output])]

    # The sensor below it.

    @property
    def age(self) -> int:
        """The sensor's age in minutes."""
        elapsed = asyncio.get_running_loop().time() - self._switched_on
        return self.first_age + int(elapsed // 60)

    def glucose(self, minute: int) -> float:
        """mg/dL in a minute of the sensor's life."""
        return max(20.0, min(600.0, self._glucose + self._slope * (minute - self._since)))

    def set_glucose(self, milligrams: float, slope: float) -> None:
        """Has it be so high now, and rise by so many mg/dL a minute before and after."""
        self._glucose, self._slope, self._since = milligrams, slope, self.age

    # The conversation.

    def _told(self, octets: bytes) -> None:
        self.report(f"told {octets.hex()}")
        loop = asyncio.get_running_loop()
        if octets == bytes([READ]):
            loop.create_task(self.measure())
        elif octets[:1] == bytes([SET_INTERVAL]) and len(octets) == 2:
            self.interval = 60.0 * max(1, octets[1])
            loop.create_task(self.send(self.output, bytes([SET_INTERVAL, 1])))
        elif octets == bytes([ACCEPT_SENSOR, 1]):
            self.is_sensor_known = True

    async def measure(self) -> None:
        if self.sensor_state is None:
            await self.send(self.output, bytes([NO_SENSOR]))
        elif not self.is_sensor_known:
            await self.send(self.output, bytes([NEW_SENSOR]))
        else:
            await self._send_in_pieces(self.packet())
            if self.patch_information:
                await self.send(self.output, self.patch_information)

    async def _send_in_pieces(self, packet: bytes) -> None:
        for start in range(0, len(packet), PIECE):
            await self.send(self.output, packet[start : start + PIECE])

    def packet(self) -> bytes:
        """A packet with the memory."""
        state = self.sensor_state or libre.State.FAILED
        image = bytearray(libre.memory(state, self.age, self.glucose))
        if self.damaged:
            self.damaged -= 1
            image[200] ^= 0x10
        head = struct.pack(">BHH", PACKET, PACKET_LENGTH, self.age) + self.identifier
        head += struct.pack(">BHH", self.battery, FIRMWARE, HARDWARE)
        return head + bytes(image) + bytes([END])

    async def send_octets(self, octets: bytes) -> None:
        await self._send_in_pieces(octets)

    def state(self):
        return super().state() | {"age": self.age, "glucose": self.glucose(self.age)}
