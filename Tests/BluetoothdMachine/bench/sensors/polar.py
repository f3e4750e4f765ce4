"""A chest strap that also streams its ECG: Polar Measurement Data, as the maker's documentation describes it."""

from __future__ import annotations

import asyncio
import struct

from bumble.gatt import Service

from .gatt_server import P, uuid
from .strap import Strap

SERVICE = "FB005C80-02E7-F387-1CAD-8ACD2D8DF0C8"
CONTROL = "FB005C81-02E7-F387-1CAD-8ACD2D8DF0C8"
DATA = "FB005C82-02E7-F387-1CAD-8ACD2D8DF0C8"

SETTINGS, START, STOP, RUNNING = 1, 2, 3, 5
"""What it is told."""

ANSWER = 0xF0
SUCCESS, BAD_OPCODE, BAD_TYPE, BAD_PARAMETER, ALREADY, SMALL_MTU = 0, 1, 2, 5, 6, 10

ECG = 0
SAMPLES, RATE = 73, 130.0
ECG_SETTINGS = bytes.fromhex("00018200 01010E00")
SMALLEST_MTU = 232


def microvolts(number: int) -> int:
    """The sample of a number: a spike of a millivolt every 108 samples, and a little saw tooth between."""
    return 1000 if number % 108 == 54 else number % 7 - 20


class PolarStrap(Strap):
    """The Heart Rate Service, and beside it the Polar Measurement Data Service with an ECG."""

    def __init__(self, *arguments, **options):
        self.true_rate = RATE
        """Samples a second by a right clock; its stamps are as wrong as its clock."""
        self.frames_to_lose = 0
        self.is_streaming = False
        self._number = 0
        self._stamp = 599_616_000_000_000_000.0
        self._stream: asyncio.Task[None] | None = None
        super().__init__(*arguments, **options)

    def vital_services(self) -> list[Service]:
        features = bytes([0x0F, 0x05]) + bytes(15)
        self.control = self.sending(CONTROL, P.READ | P.WRITE | P.INDICATE, lambda: features, self._told)
        self.data = self.sending(DATA, P.NOTIFY)
        return [*super().vital_services(), Service(uuid(SERVICE), [self.control, self.data])]

    def _told(self, octets: bytes) -> None:
        self.report(f"pmd {octets.hex()}")
        asyncio.get_running_loop().call_soon(lambda: asyncio.create_task(self._answer(octets)))

    async def _answer(self, octets: bytes) -> None:
        command, kind = octets[0], octets[1] if len(octets) > 1 else 0xFF
        status, parameters = SUCCESS, b""
        if command == RUNNING:
            await self.send(self.control, bytes([ANSWER, command, 0, SUCCESS, 0, 0x40 if self.is_streaming else 0]))
            return
        if command not in (SETTINGS, START, STOP):
            status = BAD_OPCODE
        elif kind != ECG:
            status = BAD_TYPE
        elif command == SETTINGS:
            parameters = ECG_SETTINGS
        elif command == START:
            if octets[2:] != ECG_SETTINGS:
                status = BAD_PARAMETER
            elif self.connection is not None and self.connection.att_mtu < SMALLEST_MTU:
                status = SMALL_MTU
            elif self.is_streaming:
                status = ALREADY
            else:
                self._run(True)
        elif not self.is_streaming:
            status = ALREADY
        else:
            self._run(False)
        await self.send(self.control, bytes([ANSWER, command, kind, status, 0]) + parameters)

    def restart_clock(self) -> None:
        """Its clock begins anew, as after a new battery."""
        self._stamp = 599_616_000_000_000_000.0

    def _run(self, is_streaming: bool) -> None:
        self.is_streaming = is_streaming
        self.report("ecg on" if is_streaming else "ecg off")
        if is_streaming and self._stream is None:
            self._stream = asyncio.create_task(self._send_frames())

    async def stop(self) -> None:
        if self._stream is not None:
            self._stream.cancel()
        await super().stop()

    async def _send_frames(self) -> None:
        # It goes on when the link is lost: nothing but the command stops it.
        loop = asyncio.get_running_loop()
        due = loop.time()
        while self.is_streaming:
            due += SAMPLES / self.true_rate
            await asyncio.sleep(max(0.0, due - loop.time()))
            samples = [microvolts(self._number + index) for index in range(SAMPLES)]
            self._number += SAMPLES
            self._stamp += SAMPLES / RATE * 1e9
            if self.frames_to_lose > 0:
                self.frames_to_lose -= 1
                continue
            frame = struct.pack("<BQB", ECG, round(self._stamp), 0)
            frame += b"".join(sample.to_bytes(3, "little", signed=True) for sample in samples)
            if self.connection is not None:
                await self.send(self.data, frame)
        self._stream = None

    def state(self):
        return super().state() | {"streams": ["ecg"] if self.is_streaming else []}
