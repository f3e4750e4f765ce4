"""The Record Access Control Point (2A52) of a sensor that stores measurements."""

from __future__ import annotations

import datetime
import enum
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

REPORT, DELETE, ABORT, COUNT, COUNT_ANSWER, ANSWER = 1, 2, 3, 4, 5, 6
"""Opcodes."""

NULL, ALL, UP_TO, FROM, WITHIN, FIRST, LAST = range(7)
"""Operators."""

BY_SEQUENCE, BY_TIME = 1, 2
"""Filter types of the Glucose Service: sequence number, and user-facing time."""


class Code(enum.IntEnum):
    """How a procedure ended."""

    SUCCESS = 1
    OPCODE_NOT_SUPPORTED = 2
    INVALID_OPERATOR = 3
    OPERATOR_NOT_SUPPORTED = 4
    INVALID_OPERAND = 5
    NO_RECORDS_FOUND = 6
    ABORT_UNSUCCESSFUL = 7
    PROCEDURE_NOT_COMPLETED = 8
    OPERAND_NOT_SUPPORTED = 9


class Refused(Exception):
    """A request that cannot be carried out."""

    def __init__(self, code: Code) -> None:
        super().__init__(code.name)
        self.code = code


class Stored(Protocol):
    """What a filter looks at."""

    sequence: int

    time: datetime.datetime


Record = TypeVar("Record", bound=Stored)


@dataclass
class Request:
    """What a client asks for."""

    opcode: int
    operator: int
    operand: bytes

    @classmethod
    def parse(cls, octets: bytes) -> Request:
        """Reads what was written; the missing is zero, as in an empty write."""
        opcode, operator = bytes(octets[:2]).ljust(2, b"\0")
        return cls(opcode, operator, octets[2:])

    def select(self, records: Sequence[Record]) -> list[Record]:
        """The records that it is about, in the order in which they are stored."""
        if self.operator in (ALL, FIRST, LAST):
            if self.operand:
                raise Refused(Code.INVALID_OPERAND)
            return list({ALL: records, FIRST: records[:1], LAST: records[-1:]}[self.operator])
        if self.operator == NULL:
            raise Refused(Code.INVALID_OPERATOR)
        if self.operator not in (UP_TO, FROM, WITHIN):
            raise Refused(Code.OPERATOR_NOT_SUPPORTED)
        limits = self._limits()
        least, greatest = limits[0], limits[-1]
        if least > greatest:
            raise Refused(Code.INVALID_OPERAND)
        return [
            record
            for record in records
            if (self.operator == UP_TO or self._key(record) >= least)
            and (self.operator == FROM or self._key(record) <= greatest)
        ]

    def _key(self, record: Stored) -> int | datetime.datetime:
        return record.sequence if self.operand[0] == BY_SEQUENCE else record.time

    def _limits(self) -> list:
        if not self.operand:
            raise Refused(Code.INVALID_OPERAND)
        layouts = {BY_SEQUENCE: "<H", BY_TIME: "<H5B"}
        if self.operand[0] not in layouts:
            raise Refused(Code.OPERAND_NOT_SUPPORTED)
        layout, values = layouts[self.operand[0]], self.operand[1:]
        count = 2 if self.operator == WITHIN else 1
        if len(values) != count * struct.calcsize(layout):
            raise Refused(Code.INVALID_OPERAND)
        parts = list(struct.iter_unpack(layout, values))
        if self.operand[0] == BY_SEQUENCE:
            return [part[0] for part in parts]
        try:
            return [datetime.datetime(*part) for part in parts]
        except ValueError:
            raise Refused(Code.INVALID_OPERAND) from None


def answer(request: int, code: Code) -> bytes:
    """The answer that ends a procedure."""
    return bytes([ANSWER, NULL, request, code])


def number_of_records(count: int) -> bytes:
    """The answer to a question for the number of records."""
    return struct.pack("<BBH", COUNT_ANSWER, NULL, count)
