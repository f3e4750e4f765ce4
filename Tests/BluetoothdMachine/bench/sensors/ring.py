"""Rings of Viatom, of both generations, that have stored a night: as public descriptions have their protocols."""

from __future__ import annotations

import asyncio
import json
import struct
from datetime import datetime, timedelta

from bumble.core import AdvertisingData
from bumble.gatt import Service

from .gatt_server import P, uuid
from .peripheral import Peripheral
from .stored_night import StoredNight

CHUNK = 512
DEADLY = {
    "older": {0x18, 0x19, 0x1A},
    "newer": {0xE2, 0xE3, 0xE5, 0xE6, 0xE7, 0xEA, 0xEB, 0xEE, 0xF5, 0xF6, 0xF7, 0xF8, 0xFA},
}
"""What erases nights, or ends a ring."""


def checksum(octets: bytes) -> int:
    """CRC-8, polynomial 0x07, from 0."""
    value = 0
    for octet in octets:
        value ^= octet
        for _ in range(8):
            value = value << 1 & 0xFF ^ (0x07 if value & 0x80 else 0)
    return value


class Ring(Peripheral):
    """Collects requests that come in pieces, and answers each."""

    generation = ""
    service, requests, answers = "", "", ""
    marker = 0
    writing = P.WRITE | P.WRITE_WITHOUT_RESPONSE
    words = ("ring",)

    def __init__(self, *arguments, **options):
        self.files: dict[str, bytes] = {}
        self.opened: bytes | None = None
        self.forbidden: list[int] = []
        self.counts = {"opened": 0, "closed": 0, "chunks": 0}
        self.ahead = timedelta()
        """By how much its clock is ahead."""
        self._pending = b""
        super().__init__(*arguments, **options)

    def services(self) -> list[Service]:
        # It has no battery service: its battery is in its answers.
        return [self._device_information(), *self.vital_services()]

    def vital_services(self) -> list[Service]:
        self.output = self.sending(self.answers, P.NOTIFY)
        told = self.writable(self.requests, self._told, self.writing)
        return [Service(uuid(self.service), [told, self.output])]

    def scan_response(self) -> list[tuple[int, bytes]]:
        return [(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(uuid(self.service)))]

    @property
    def clock(self) -> datetime:
        return datetime.now() + self.ahead

    def _connected(self, connection) -> None:
        self._pending, self.opened = b"", None
        super()._connected(connection)

    def _told(self, octets: bytes) -> None:
        self._pending += octets
        while (start := self._pending.find(bytes([self.marker]))) >= 0:
            self._pending = self._pending[start:]
            if len(self._pending) < 8:
                return
            end = 8 + struct.unpack_from("<H", self._pending, 5)[0]
            if self._pending[1] ^ self._pending[2] != 0xFF:
                self._pending = self._pending[1:]
                continue
            if len(self._pending) < end:
                return
            frame, self._pending = self._pending[:end], self._pending[end:]
            if checksum(frame[:-1]) == frame[-1]:
                asyncio.get_running_loop().call_soon(lambda: asyncio.create_task(self._answer(frame)))
        self._pending = b""

    async def _answer(self, frame: bytes) -> None:
        if self.forbidden:
            return
        if frame[1] in DEADLY[self.generation]:
            # It is dead from now on.
            self.forbidden.append(frame[1])
            self.report(f"forbidden command {frame[1]:02x}")
            self.is_advertising = False
            if self.connection is not None:
                await self.connection.disconnect()
            return
        answer = self.answer(frame)
        if answer is not None:
            answer += bytes([checksum(answer)])
            piece = self.piece()
            for start in range(0, len(answer), piece):
                await self.send(self.output, answer[start : start + piece])

    def piece(self) -> int:
        """How many octets a notification has at most."""
        return 20

    def answer(self, frame: bytes) -> bytes | None:
        """The answer to a request, without its checksum."""
        raise NotImplementedError

    def open(self, name: str) -> bytes | None:
        """Opens a file; its length in octets."""
        self.opened = self.files.get(name)
        if self.opened is None:
            return None
        self.counts["opened"] += 1
        return struct.pack("<I", len(self.opened))

    def close(self) -> None:
        self.counts["closed"] += self.opened is not None
        self.opened = None

    def chunk(self, place: int) -> bytes:
        self.counts["chunks"] += 1
        return (self.opened or b"")[place : place + CHUNK]

    def state(self):
        return super().state() | {"files": self.counts | {"forbidden": [f"{code:02X}" for code in self.forbidden]}}


class OlderRing(Ring):
    """An O2Ring: its answers do not say to what they are answers."""

    key = "o2ring"
    generation = "older"
    service = "14839AC4-7D7E-415C-9A42-167340CF2339"
    requests = "8B00ACE7-EB0B-49B0-BBE9-9AEE0A26E1A3"
    answers = "0734594A-A8E7-4B1A-A6B1-CD5243059A57"
    marker = 0xAA

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        night = StoredNight()
        self.files[night.name] = night.older_file()

    def identity(self) -> bytes:
        facts = {
            "SN": "2115000418", "SoftwareVer": "1.9.0", "BranchCode": "15010000",
            "CurTIME": self.clock.strftime("%Y-%m-%d,%H:%M:%S"), "CurBAT": "84%", "CurBatState": "0",
            "FileList": "".join(name + "," for name in self.files),
        }  # fmt: skip
        return json.dumps(facts).encode()

    def set_clock(self, settings: bytes) -> bool:
        try:
            text = json.loads(settings).get("SetTIME")
            if text is not None:
                self.ahead = datetime.strptime(text, "%Y-%m-%d,%H:%M:%S") - datetime.now()
        except (ValueError, AttributeError):
            return False
        return True

    def answer(self, frame: bytes) -> bytes | None:
        command, block, data = frame[1], struct.unpack_from("<H", frame, 3)[0], frame[7:-1]
        status, content = 0, b""
        if command == 0x14:
            content = self.identity()
        elif command == 0x16:
            status = 0 if self.set_clock(data) else 1
        elif command == 0x17:
            # 97 %, 61 a minute, battery, perfusion index; the octet behind says whether it is worn.
            content = struct.pack("<BHIBBBBB", 97, 61, 0, 84, 0, 0, 25, 1) if self.is_on_body else bytes(12)
        elif command == 0x03:
            size = self.open(data.rstrip(b"\0").decode("ascii", "replace"))
            status, content = (1, b"") if size is None else (0, size)
        elif command == 0x04 and self.opened is not None:
            content = self.chunk(block * CHUNK)
        elif command == 0x05:
            self.close()
        elif command != 0x15:
            # Nothing is known of how it answers the wave's 1B, so it refuses it.
            status = 1
        return struct.pack("<BBBHH", 0x55, status, status ^ 0xFF, block, len(content)) + content


class NewerRing(Ring):
    """An O2Ring S: it opens files only in the right order, and not after live values."""

    key = "o2ring-s"
    generation = "newer"
    service = "E8FB0001-A14B-98F9-831B-4E2941D01248"
    requests = "E8FB0002-A14B-98F9-831B-4E2941D01248"
    answers = "E8FB0003-A14B-98F9-831B-4E2941D01248"
    marker = 0xA5
    writing = P.WRITE_WITHOUT_RESPONSE
    words = ("ring-s",)

    LOGIN = bytes.fromhex("0068158872091cb0")
    DONE, NO_FILE, REFUSED, UNSUPPORTED = 0x01, 0xE0, 0xF2, 0xFD

    def __init__(self, *arguments, **options):
        self.seen: set[int] = set()
        """What it was asked for in this link."""
        super().__init__(*arguments, **options)
        night = StoredNight(interval=1)
        self.files[night.name] = night.newer_file()

    def _connected(self, connection) -> None:
        self.seen = set()
        super()._connected(connection)

    def piece(self) -> int:
        return self.connection.att_mtu - 3 if self.connection is not None else 20

    def identity(self) -> bytes:
        now = self.clock
        head = bytes.fromhex("4200050001020000003244303130303031014008521601 00")
        clock = struct.pack("<HBBBBB", now.year, now.month, now.day, now.hour, now.minute, now.second)
        return (head + clock + bytes.fromhex("e00700000000") + b"\x0a2632300418").ljust(60, b"\0")

    def answer(self, frame: bytes) -> bytes | None:
        command, data = frame[1], frame[7:-1]
        if command != 0xFF or data[:8] == self.LOGIN:
            self.seen.add(command)
        result = self.result(command, data)
        if result is None:
            return None
        flag, content = result
        return struct.pack("<BBBBBH", 0xA5, command, command ^ 0xFF, flag, frame[4], len(content)) + content

    def result(self, command: int, data: bytes) -> tuple[int, bytes] | None:
        """The flag of the answer and what it holds; `None`: no answer."""
        is_logged_in = 0xFF in self.seen
        if command == 0xFF:
            return None
        if command == 0x10 or command == 0xC0 and len(data) == 8:
            return self.DONE, b""
        if command == 0x00:
            return self.DONE, bytes([0x31, 88, 50, 120, 20, 20, 0, 2, 1, 0]).ljust(40, b"\0")
        if command == 0xE1:
            return self.DONE, self.identity()
        if command == 0xE4:
            return self.DONE, bytes([0, 84, 0x7A, 0x0F])
        if command == 0x04:
            worn = self.is_on_body
            values = (2, 1, 97, 25, 61) if worn else (2, 0, 0, 0, 0)
            return self.DONE, struct.pack("<IBBBBHBBBB", 60, *values, 0, 0, 0, 84).ljust(26, b"\0")
        if command == 0xF1:
            if not is_logged_in:
                return None
            names = b"".join(name.encode().ljust(16, b"\0") for name in self.files)
            return self.DONE, bytes([len(self.files)]) + names
        if command == 0xF2:
            # Too early, with a small MTU, or while a file is open, it is not even refused.
            is_small = self.connection is not None and self.connection.att_mtu < 247
            if not {0xFF, 0x10, 0x00} <= self.seen or self.opened is not None or is_small:
                return None
            if 0x04 in self.seen:
                return self.REFUSED, b""
            size = self.open(data[:16].rstrip(b"\0").decode("ascii", "replace"))
            return (self.NO_FILE, b"") if size is None else (self.DONE, size)
        if command == 0xF3:
            if self.opened is None or len(data) != 4:
                return self.NO_FILE, b""
            return self.DONE, self.chunk(struct.unpack("<I", data)[0])
        if command == 0xF4:
            self.close()
            return self.DONE, b""
        return self.UNSUPPORTED, b""
