"""The same lines as notify.c and `bedside watch --json --connect all`, with Python's bleak; with a path it also records."""

import asyncio
import datetime
import json
import sqlite3
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


class Store:
    """Readings in a file of SQLite, by the rules of notify.c."""

    # How long readings wait, in milliseconds, and how many at most.
    BATCH, MOST = 600, 200

    def __init__(self, path):
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
            "CREATE TABLE reading (ms, sensor, vital, value, PRIMARY KEY (ms, sensor, vital)) WITHOUT ROWID;"
            "CREATE TABLE minute (minute, sensor, vital, low, high, count, PRIMARY KEY (minute, sensor, vital)) "
            "WITHOUT ROWID;")
        self.waiting = []

    def add(self, milliseconds, sensor, vital, value):
        self.waiting.append((milliseconds, sensor, vital, value))
        if milliseconds - self.waiting[0][0] < self.BATCH and len(self.waiting) < self.MOST:
            return
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany("INSERT OR IGNORE INTO reading VALUES (?, ?, ?, ?)", self.waiting)
        self.connection.executemany(
            "INSERT INTO minute VALUES (?1 / 60000, ?2, ?3, ?4, ?4, 1) "
            "ON CONFLICT DO UPDATE SET low = min(low, ?4), high = max(high, ?4), count = count + 1", self.waiting)
        self.connection.execute("COMMIT")
        self.waiting = []


def printer(device, kind, decode, store):
    sensor = {"address": device.address, "name": device.name, "kind": kind}

    def notified(_, octets):
        for vital, value, unit in decode(octets):
            now = datetime.datetime.now(datetime.timezone.utc)
            if store:
                store.add(int(now.timestamp() * 1000), device.address, vital, value)
            time = now.isoformat(timespec="milliseconds")
            line = {
                "v": 1, "t": time, "event": "reading", "sensor": sensor, "vital": vital, "state": "measured",
                "value": value, "unit": unit, "quality": "good",
            }
            sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    return notified


async def main(wanted, path=None):
    store = path and Store(path)
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
                    characteristic, printer(device, kind, decode, store), bluez={"use_start_notify": True})
    await asyncio.Event().wait()


asyncio.run(main(int(sys.argv[1]), *sys.argv[2:]))
