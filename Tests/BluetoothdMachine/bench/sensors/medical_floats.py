"""IEEE 11073-20601 numbers, as the medical profiles send them."""

import math
import struct

FLOAT_NAN = 0x007FFFFF
SFLOAT_NAN = 0x07FF


def float32(value: float, decimals: int = 2) -> bytes:
    """A FLOAT: 24 bits of mantissa and 8 of a decimal exponent; NaN is "no number"."""
    if math.isnan(value):
        return struct.pack("<I", FLOAT_NAN)
    mantissa = round(value * 10**decimals)
    return struct.pack("<i", mantissa)[:3] + struct.pack("<b", -decimals)


def sfloat(value: float) -> bytes:
    """An SFLOAT: 12 bits of mantissa and 4 of a decimal exponent; tenths are sent only where there are some."""
    if math.isnan(value):
        return struct.pack("<H", SFLOAT_NAN)
    tenths = round(value * 10)
    exponent, mantissa = (0, tenths // 10) if tenths % 10 == 0 else (-1, tenths)
    return struct.pack("<H", (exponent & 0xF) << 12 | (mantissa & 0xFFF))


def hundredths(value: float) -> bytes:
    """A sint16 of hundredths, as CORE sends temperatures; NaN is 0x7FFF, "not available"."""
    return struct.pack("<h", 0x7FFF if math.isnan(value) else round(value * 100))
