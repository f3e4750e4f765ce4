"""The same lines as notify.c and `bedside watch --json --connect all`, with Python's bleak."""

import asyncio
import datetime
import json
import struct
import sys

from bleak import BleakClient, BleakScanner


def sfloat(octets):
    (code,) = struct.unpack("<H", octets)
    mantissa, exponent = code & 0xFFF, code >> 12
    mantissa -= 0x1000 if mantissa >= 0x800 else 0
    exponent -= 16 if exponent >= 8 else 0
    return mantissa * 10.0**exponent


def heart_rate(octets):
    rate = struct.unpack_from("<H", octets, 1)[0] if octets[0] & 1 else octets[1]
    return [("heart_rate", rate, "/min")]


def temperature(octets):
    mantissa = int.from_bytes(octets[1:4], "little", signed=True)
    exponent = int.from_bytes(octets[4:5], "little", signed=True)
    return [("body_temperature", round(mantissa * 10.0**exponent, 6), "Cel")]


def oximetry(octets):
    return [("spo2", sfloat(octets[1:3]), "%"), ("pulse_rate", sfloat(octets[3:5]), "/min")]


KINDS = {
    "00002a37-0000-1000-8000-00805f9b34fb": ("heart_rate_strap", heart_rate),
    "00002a1c-0000-1000-8000-00805f9b34fb": ("thermometer", temperature),
    "00002a5f-0000-1000-8000-00805f9b34fb": ("oximeter", oximetry),
}


def printer(device, kind, decode):
    sensor = {"address": device.address, "name": device.name, "kind": kind}

    def notified(_, octets):
        for vital, value, unit in decode(octets):
            time = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
            line = {
                "v": 1, "t": time, "event": "reading", "sensor": sensor, "vital": vital, "state": "measured",
                "value": value, "unit": unit, "quality": "good",
            }
            sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    return notified


async def main(wanted):
    found = {}
    complete = asyncio.Event()

    def heard(device, _):
        found[device.address] = device
        if len(found) == wanted:
            complete.set()

    async with BleakScanner(heard):
        await complete.wait()
    for device in found.values():
        client = BleakClient(device)
        await client.connect()
        for characteristic in client.services.characteristics.values():
            if characteristic.uuid in KINDS:
                kind, decode = KINDS[characteristic.uuid]
                # As the other programs do it, and as bluetoothd allows it for indications.
                await client.start_notify(
                    characteristic, printer(device, kind, decode), bluez={"use_start_notify": True})
    await asyncio.Event().wait()


asyncio.run(main(int(sys.argv[1])))
