"""The three decoders that run many times a second, as one writes them in Python, and sums over all of their fields."""

from struct import Struct

FLAGS_AND_FLOAT = Struct("<BI")
DATE_TIME = Struct("<HBBBBB")
TWO_SFLOATS = Struct("<HH")
WORD = Struct("<H")


class Malformed(Exception):
    """Octets that the characteristic does not allow."""


def decode_temperature(octets):
    if len(octets) < 5:
        raise Malformed("temperature")
    flags, temperature = FLAGS_AND_FLOAT.unpack_from(octets)
    value = {"is_fahrenheit": bool(flags & 1), "temperature": temperature, "timestamp": None, "type": None}
    position = 5
    if flags & 2:
        if len(octets) < position + 7:
            raise Malformed("time stamp")
        value["timestamp"] = DATE_TIME.unpack_from(octets, position)
        position += 7
    if flags & 4:
        if len(octets) < position + 1:
            raise Malformed("temperature type")
        value["type"] = octets[position]
    return value


def decode_heart_rate(octets):
    if len(octets) < 2:
        raise Malformed("heart rate")
    flags = octets[0]
    contact = ("not_supported", "not_supported", "not_detected", "detected")[flags >> 1 & 3]
    if flags & 1:
        if len(octets) < 3:
            raise Malformed("heart rate")
        heart_rate, position = WORD.unpack_from(octets, 1)[0], 3
    else:
        heart_rate, position = octets[1], 2
    value = {"heart_rate": heart_rate, "contact": contact, "energy_expended": None, "rr_intervals": None}
    if flags & 8:
        if len(octets) < position + 2:
            raise Malformed("energy expended")
        value["energy_expended"] = WORD.unpack_from(octets, position)[0]
        position += 2
    if flags & 16:
        count = (len(octets) - position) // 2
        value["rr_intervals"] = [WORD.unpack_from(octets, position + 2 * place)[0] for place in range(count)]
    return value


def decode_oximeter(octets):
    if len(octets) < 5:
        raise Malformed("SpO2PR-Normal")
    flags = octets[0]
    value = {"normal": TWO_SFLOATS.unpack_from(octets, 1), "fast": None, "slow": None, "measurement_status": None,
             "device_status": None, "pulse_amplitude_index": None}
    position = 5
    for bit, name in ((1, "fast"), (2, "slow")):
        if flags & bit:
            if len(octets) < position + 4:
                raise Malformed(name)
            value[name] = TWO_SFLOATS.unpack_from(octets, position)
            position += 4
    for bit, name, size in ((4, "measurement_status", 2), (8, "device_status", 3), (16, "pulse_amplitude_index", 2)):
        if flags & bit:
            if len(octets) < position + size:
                raise Malformed(name)
            value[name] = int.from_bytes(octets[position:position + size], "little")
            position += size
    return value


def sum_temperature(value):
    timestamp = value["timestamp"]
    return (value["temperature"] + value["is_fahrenheit"] + (value["type"] or 0)
            + (timestamp[0] + timestamp[4] if timestamp else 0))


def sum_heart_rate(value):
    return (value["heart_rate"] + (value["contact"] == "detected") + (value["energy_expended"] or 0)
            + sum(value["rr_intervals"] or []))


def sum_oximeter(value):
    return (sum(value["normal"]) + sum(value["fast"] or ()) + sum(value["slow"] or ())
            + (value["measurement_status"] or 0) + (value["device_status"] or 0)
            + (value["pulse_amplitude_index"] or 0))


DECODERS = {
    "2A1C": (decode_temperature, sum_temperature),
    "2A37": (decode_heart_rate, sum_heart_rate),
    "2A5F": (decode_oximeter, sum_oximeter),
}
