#!/usr/bin/env python3
"""A neutral client: Python bleak scans, connects, reads and receives from the simulator.

    python3 -m venv venv && venv/bin/pip install bleak
    DBUS_SYSTEM_BUS_ADDRESS=$(address of `bedside simulate steady`) venv/bin/python bleak_check.py

Expects the built-in scenario `steady` and drives its sensors through io.bedside.Simulator1.
Exits 0 only if everything was seen; needs nothing but bleak (and dbus-fast, which bleak brings).
"""
import asyncio
import math
import struct
import sys
import time

from bleak import BleakClient, BleakScanner
from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus

BEGIN = time.monotonic()
FAILED = []


def uuid(short):
    return f"0000{short:04x}-0000-1000-8000-00805f9b34fb"


def say(*words):
    print(f"{time.monotonic() - BEGIN:7.3f}", *words, flush=True)


def check(is_right, what):
    say("PASS" if is_right else "FAIL", what)
    if not is_right:
        FAILED.append(what)


def temperature(octets):
    if octets[1:5] == b"\xff\xff\x7f\x00":
        return math.nan
    return round(int.from_bytes(octets[1:4], "little", signed=True) * 10.0 ** struct.unpack("b", octets[4:5])[0], 2)


def heart_rate(octets):
    return octets[1], bool(octets[0] & 2)


def saturation(octets):
    word = struct.unpack("<H", octets[1:3])[0]
    if word & 0xFFF == 0x7FF:
        return math.nan
    exponent = word >> 12
    return (word & 0xFFF) * 10.0 ** (exponent - 16 if exponent & 8 else exponent)


SENSORS = {
    "CORE [1A]": (0x1809, 0x2A1C, temperature),
    "Polar H10 1234": (0x180D, 0x2A37, heart_rate),
    "e-Oximeter": (0x1822, 0x2A5F, saturation),
}


async def until(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end and not condition():
        await asyncio.sleep(0.02)
    return bool(condition())


class Simulator:
    """Drives the simulated sensors."""

    def __init__(self, bus):
        self.bus = bus

    async def do(self, line):
        reply = await self.bus.call(Message(
            destination="io.bedside.Simulator", path="/bedside/simulator", interface="io.bedside.Simulator1",
            member="Do", signature="s", body=[line]))
        assert reply.message_type == MessageType.METHOD_RETURN and reply.body == ["ok"], (line, reply.body)


async def main():
    simulator = Simulator(await MessageBus(bus_type=BusType.SYSTEM).connect())
    found = {}

    def seen(device, advertisement):
        if device.name in SENSORS:
            found.setdefault(device.name, (device, advertisement))

    async with BleakScanner(seen):
        await until(lambda: len(found) == len(SENSORS))
    check(set(found) == set(SENSORS), "all sensors are discovered")
    for name, (service, _, _) in SENSORS.items():
        check(uuid(service) in found[name][1].service_uuids, f"{name} advertises {service:04X}")

    values = {name: [] for name in SENSORS}
    lost, clients = set(), {}

    async def attach(name):
        service, characteristic, decode = SENSORS[name]
        client = BleakClient(found[name][0], disconnected_callback=lambda _: lost.add(name))
        await client.connect()
        check(client.services.get_service(uuid(service)) is not None, f"{name} has the service {service:04X}")
        await client.start_notify(uuid(characteristic), lambda _, data: values[name].append(decode(bytes(data))))
        clients[name] = client

    for name in SENSORS:
        await attach(name)
    check(await until(lambda: all(len(values[name]) >= 3 for name in SENSORS)), "three values come from each")
    check([values[name][-1] for name in SENSORS] == [36.8, (72, True), 98], f"the values are right: {values}")

    strap = clients["Polar H10 1234"]
    check(bytes(await strap.read_gatt_char(uuid(0x2A29))) == b"Rig", "the manufacturer's name can be read")
    check(bytes(await strap.read_gatt_char(uuid(0x2A19))) == bytes([87]), "the battery level can be read")

    for line in ("temp 38.6", "hr 121", "spo2 91"):
        await simulator.do(line)
    check(await until(lambda: [values[name][-1] for name in SENSORS] == [38.6, (121, True), 91]), "changes arrive")
    for line in ("temp nan", "contact off", "spo2 nan"):
        await simulator.do(line)
    check(await until(lambda: math.isnan(values["CORE [1A]"][-1]) and not values["Polar H10 1234"][-1][1]
                      and math.isnan(values["e-Oximeter"][-1])), "sensors say that they are off the body")

    await simulator.do("quiet spo2")
    await asyncio.sleep(0.1)
    before = len(values["e-Oximeter"])
    await simulator.do("burst spo2 200")
    check(await until(lambda: values["e-Oximeter"][before:] == list(range(200))), "a burst of 200 arrives whole")

    await simulator.do("drop hr")
    check(await until(lambda: "Polar H10 1234" in lost), "a lost link is noticed")
    before = len(values["Polar H10 1234"])
    await attach("Polar H10 1234")
    check(await until(lambda: len(values["Polar H10 1234"]) > before), "values come after a reconnection")

    lost.clear()
    for client in clients.values():
        await client.disconnect()
    check(await until(lambda: len(lost) == 3), "three disconnections are reported")
    say("FAILED: " + "; ".join(FAILED) if FAILED else "all passed")
    return 1 if FAILED else 0


sys.exit(asyncio.run(main()))
