"""A glucose meter with stored measurements (Glucose Service 1.0.1)."""

from __future__ import annotations

import asyncio
import datetime
import struct
from dataclasses import dataclass

from bumble import att
from bumble.gatt import Service

from . import record_access
from .clock import DATE_TIME, Clock, date_time
from .episodic import Episodic
from .gatt_server import P, uuid
from .record_access import Code, Refused, Request

HAS_SAMPLE, HAS_CONTEXT = 0b00010, 0b10000
"""Flags of Glucose Measurement; without the third bit the concentration is in kg/L."""

CAPILLARY_WHOLE_BLOOD, FINGER = 1, 1
HAS_MEAL = 0b00000010
"""A flag of Glucose Measurement Context."""

MEALS = {"before": 1, "after": 2, "fasting": 3, "casual": 4, "bedtime": 5}
FEATURES = 0b1
"""It detects that its battery is low."""

ALREADY_IN_PROGRESS, IMPROPERLY_CONFIGURED = 0x80, 0x81
"""Errors that the Glucose Service defines."""

HOURS_BETWEEN = 6
REST_SECONDS = 0.002
"""How long it rests after each record: radios of meters hand over some hundreds of values a second at most."""


@dataclass
class Record:
    """One measurement."""

    sequence: int
    time: datetime.datetime
    milligrams: int
    meal: int = 0

    def measurement(self) -> bytes:
        """Glucose Measurement (2A18)."""
        flags = HAS_SAMPLE | (HAS_CONTEXT if self.meal else 0)
        # An SFLOAT in kg/L: 1 mg/dL is 1E-5 kg/L.
        concentration = (-5 & 0xF) << 12 | self.milligrams
        octets = struct.pack("<BH", flags, self.sequence) + date_time(self.time)
        return octets + struct.pack("<HB", concentration, FINGER << 4 | CAPILLARY_WHOLE_BLOOD)

    def context(self) -> bytes:
        """Glucose Measurement Context (2A34)."""
        return struct.pack("<BHB", HAS_MEAL, self.sequence, self.meal)


class GlucoseMeter(Episodic):
    """Hands over what it is asked for, as often as it is asked, and forgets nothing."""

    key = "meter"
    words = ("meter",)
    appearance = 0x0400
    advertised = (0x1808,)

    def __init__(self, *arguments, ahead_seconds: float = 0.0, **options):
        self.clock = Clock(ahead_seconds)
        self.records: list[Record] = []
        self.repetitions = 1
        """How often it sends each record."""
        self.is_backwards = False
        """Whether it hands over the newest record first."""
        self.breaks_after: int | None = None
        """After how many more records its link breaks."""
        self._procedure: asyncio.Task[None] | None = None
        super().__init__(*arguments, **options)

    def vital_services(self) -> list[Service]:
        self.measurement = self.sending(0x2A18, P.NOTIFY)
        self.context = self.sending(0x2A34, P.NOTIFY)
        self.control = self.sending(0x2A52, P.WRITE | P.INDICATE, write=self._asked)
        feature = self.readable(0x2A51, struct.pack("<H", FEATURES))
        clock = self.clock.characteristic(self, DATE_TIME)
        return [Service(uuid(0x1808), [self.measurement, self.context, feature, self.control, clock])]

    # What it stores.

    def store(self, count: int, first: int) -> None:
        """Has its memory hold measurements of the last days; number n measured 70 + n mod 100 mg/dL."""
        newest = self.clock.now().replace(microsecond=0) - datetime.timedelta(hours=1)
        self.records = [
            Record(
                (first + place) & 0xFFFF, newest - datetime.timedelta(hours=HOURS_BETWEEN * (count - 1 - place)),
                70 + (first + place) % 100,
            )
            for place in range(count)
        ]  # fmt: skip

    async def take(self, words: list[str]) -> None:
        """Measures: mg/dL, and perhaps before or after which meal."""
        sequence = (self.records[-1].sequence + 1 if self.records else 1) & 0xFFFF
        meal = MEALS[words[1]] if len(words) > 1 else 0
        self.records.append(Record(sequence, self.clock.now().replace(microsecond=0), int(words[0]), meal))
        await self.wake()

    # Record access.

    def _asked(self, octets: bytes) -> None:
        self.report(f"asked {octets.hex()}")
        wanted = (self.control, self.measurement)
        if any(self.subscriptions.get(self.label(each), "off") == "off" for each in wanted):
            raise att.ATT_Error(IMPROPERLY_CONFIGURED)
        request = Request.parse(octets)
        procedure = self._procedure
        if request.opcode == record_access.ABORT:
            if procedure is not None:
                procedure.cancel()
                self._procedure = None
            self.run(self.send(self.control, record_access.answer(record_access.ABORT, Code.SUCCESS)))
            return
        if procedure is not None:
            raise att.ATT_Error(ALREADY_IN_PROGRESS)
        self._procedure = self.run(self._perform(request))

    async def _perform(self, request: Request) -> None:
        try:
            answer = await self._answer(request)
        except Refused as refused:
            answer = record_access.answer(request.opcode, refused.code)
        # A client may ask for more before the confirmation of this is handled.
        self._procedure = None
        await self.send(self.control, answer)

    async def _answer(self, request: Request) -> bytes:
        match request.opcode:
            case record_access.REPORT:
                selected = request.select(self.records)
                if not selected:
                    raise Refused(Code.NO_RECORDS_FOUND)
                for record in reversed(selected) if self.is_backwards else selected:
                    for _ in range(self.repetitions):
                        await self._report(record)
                self.is_done = True
                return record_access.answer(request.opcode, Code.SUCCESS)
            case record_access.COUNT:
                return record_access.number_of_records(len(request.select(self.records)))
            case _:
                raise Refused(Code.OPCODE_NOT_SUPPORTED)

    async def _report(self, record: Record) -> None:
        if self.breaks_after is not None:
            self.breaks_after -= 1
            if self.breaks_after < 0:
                self.breaks_after = None
                self.run(self._break_link())
                await asyncio.Event().wait()
        await self.send(self.measurement, record.measurement())
        if record.meal:
            await self.send(self.context, record.context())
        await asyncio.sleep(REST_SECONDS)

    async def _break_link(self) -> None:
        await self.room.lose([self])
        self.room.regain([self])

    def _disconnected(self, reason: int) -> None:
        if self._procedure is not None:
            self._procedure.cancel()
            self._procedure = None
        super()._disconnected(reason)

    def state(self):
        return super().state() | {"stored": len(self.records), "clock_set": self.clock.is_set}
