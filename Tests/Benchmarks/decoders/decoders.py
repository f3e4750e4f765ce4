"""The three decoders that run many times a second, as one writes them in Python, and sums over all of their fields."""

from dataclasses import dataclass
from enum import Enum
from struct import Struct
from typing import NamedTuple

FLAGS_AND_FLOAT = Struct("<BI")
DATE_TIME = Struct("<HBBBBB")
TWO_SFLOATS = Struct("<HH")
WORD = Struct("<H")


class Malformed(Exception):
    """Octets that the characteristic does not allow."""


class Special(Enum):
    NAN = "NaN"
    POSITIVE_INFINITY = "+INFINITY"
    NEGATIVE_INFINITY = "-INFINITY"
    NOT_AT_THIS_RESOLUTION = "NRes"
    RESERVED = "Reserved"


class Number(NamedTuple):
    mantissa: int
    exponent: int


class Contact(Enum):
    NOT_SUPPORTED = 0
    NOT_DETECTED = 2
    DETECTED = 3


@dataclass(slots=True)
class Temperature:
    temperature: Number | Special
    is_fahrenheit: bool
    timestamp: tuple | None = None
    type: int | None = None


@dataclass(slots=True)
class HeartRate:
    heart_rate: int
    contact: Contact
    energy_expended: int | None = None
    rr_intervals: list | None = None


@dataclass(slots=True)
class Oximeter:
    normal: tuple
    fast: tuple | None = None
    slow: tuple | None = None
    measurement_status: int | None = None
    device_status: int | None = None
    pulse_amplitude_index: Number | Special | None = None


SPECIALS_32 = {0x007FFFFF: Special.NAN, 0x007FFFFE: Special.POSITIVE_INFINITY, 0x00800002: Special.NEGATIVE_INFINITY,
               0x00800000: Special.NOT_AT_THIS_RESOLUTION, 0x00800001: Special.RESERVED}
SPECIALS_16 = {0x07FF: Special.NAN, 0x07FE: Special.POSITIVE_INFINITY, 0x0802: Special.NEGATIVE_INFINITY,
               0x0800: Special.NOT_AT_THIS_RESOLUTION, 0x0801: Special.RESERVED}
CONTACTS = (Contact.NOT_SUPPORTED, Contact.NOT_SUPPORTED, Contact.NOT_DETECTED, Contact.DETECTED)


def float32(word):
    if word in SPECIALS_32:
        return SPECIALS_32[word]
    mantissa, exponent = word & 0xFFFFFF, word >> 24
    return Number(mantissa - 0x1000000 if mantissa & 0x800000 else mantissa,
                  exponent - 0x100 if exponent & 0x80 else exponent)


def float16(word):
    if word in SPECIALS_16:
        return SPECIALS_16[word]
    mantissa, exponent = word & 0xFFF, word >> 12
    return Number(mantissa - 0x1000 if mantissa & 0x800 else mantissa, exponent - 0x10 if exponent & 8 else exponent)


def decode_temperature(octets):
    if len(octets) < 5:
        raise Malformed("temperature")
    flags, word = FLAGS_AND_FLOAT.unpack_from(octets)
    value = Temperature(float32(word), bool(flags & 1))
    position = 5
    if flags & 2:
        if len(octets) < position + 7:
            raise Malformed("time stamp")
        value.timestamp = DATE_TIME.unpack_from(octets, position)
        position += 7
    if flags & 4:
        if len(octets) < position + 1:
            raise Malformed("temperature type")
        value.type = octets[position]
    return value


def decode_heart_rate(octets):
    if len(octets) < 2:
        raise Malformed("heart rate")
    flags = octets[0]
    if flags & 1:
        if len(octets) < 3:
            raise Malformed("heart rate")
        heart_rate, position = WORD.unpack_from(octets, 1)[0], 3
    else:
        heart_rate, position = octets[1], 2
    value = HeartRate(heart_rate, CONTACTS[flags >> 1 & 3])
    if flags & 8:
        if len(octets) < position + 2:
            raise Malformed("energy expended")
        value.energy_expended = WORD.unpack_from(octets, position)[0]
        position += 2
    if flags & 16:
        count = (len(octets) - position) // 2
        value.rr_intervals = [WORD.unpack_from(octets, position + 2 * place)[0] for place in range(count)]
    return value


def pair(octets, position):
    if len(octets) < position + 4:
        raise Malformed("saturation and pulse rate")
    saturation, rate = TWO_SFLOATS.unpack_from(octets, position)
    return float16(saturation), float16(rate)


def word(octets, position, size):
    if len(octets) < position + size:
        raise Malformed("status")
    return int.from_bytes(octets[position:position + size], "little")


def decode_oximeter(octets):
    if not octets:
        raise Malformed("flags")
    flags = octets[0]
    value = Oximeter(pair(octets, 1))
    position = 5
    if flags & 1:
        value.fast = pair(octets, position)
        position += 4
    if flags & 2:
        value.slow = pair(octets, position)
        position += 4
    if flags & 4:
        value.measurement_status = word(octets, position, 2)
        position += 2
    if flags & 8:
        value.device_status = word(octets, position, 3)
        position += 3
    if flags & 16:
        value.pulse_amplitude_index = float16(word(octets, position, 2))
    return value


def sum_number(number):
    return sum(number) if isinstance(number, Number) else 1


def sum_pair(pair):
    return sum(map(sum_number, pair or ()))


def sum_temperature(value):
    timestamp = value.timestamp
    return (sum_number(value.temperature) + value.is_fahrenheit + (value.type or 0)
            + (timestamp[0] + timestamp[4] if timestamp else 0))


def sum_heart_rate(value):
    return (value.heart_rate + (value.contact is Contact.DETECTED) + (value.energy_expended or 0)
            + sum(value.rr_intervals or []))


def sum_oximeter(value):
    return (sum_pair(value.normal) + sum_pair(value.fast) + sum_pair(value.slow)
            + (value.measurement_status or 0) + (value.device_status or 0)
            + (0 if value.pulse_amplitude_index is None else sum_number(value.pulse_amplitude_index)))


DECODERS = {
    "2A1C": (decode_temperature, sum_temperature),
    "2A37": (decode_heart_rate, sum_heart_rate),
    "2A5F": (decode_oximeter, sum_oximeter),
}
