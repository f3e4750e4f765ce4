"""Looks at the bench's world through bleak: what is advertised, measured, lost, locked and moved is what it should be.

Runs inside the machine; `check` starts it.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError
from dbus_fast import BusType
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, method

PATIENCE_SECONDS = 60.0
AGENT = "/check/agent"


def uuid(number: int) -> str:
    """The long form of a short UUID."""
    return f"0000{number:04x}-0000-1000-8000-00805f9b34fb"


class World:
    """The other end of the bench's control socket."""

    async def begin(self) -> None:
        self._reader, self._writer = await asyncio.open_unix_connection(os.environ["BEDSIDE_BENCH_CONTROL"])

    async def please(self, line: str) -> str:
        """Has something happen."""
        self._writer.write(line.encode() + b"\n")
        answer = (await self._reader.readline()).decode().rstrip("\n")
        assert not answer.startswith("error"), f"{line}: {answer}"
        return answer

    async def sensor(self, who: str) -> dict:
        """What a sensor knows of itself."""
        return json.loads(await self.please("state"))[who]


class Sensor:
    """A connected sensor and what it has sent."""

    def __init__(self, device, **options) -> None:
        self.client = BleakClient(device, **options)
        self.values: list[bytes] = []

    async def subscribe(self, number: int) -> None:
        """Collects the values of a characteristic."""
        await self.client.start_notify(uuid(number), lambda _, octets: self.values.append(bytes(octets)))

    async def write(self, number: int, octets: str) -> None:
        """Writes a value with a response."""
        await self.client.write_gatt_char(uuid(number), bytes.fromhex(octets), response=True)

    async def expect(self, octets: str) -> None:
        """Waits for a value."""
        wanted = bytes.fromhex(octets)

        async def is_there() -> bool:
            return wanted in self.values

        await until(is_there, f"the value {octets}")


async def until(is_true: Callable[[], Awaitable[bool]], what: str) -> None:
    """Waits until something is true."""
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await is_true():
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"not seen: {what}") from None


async def leave(world: World, who: str) -> None:
    """Waits until a link has ended.

    BlueZ says that it has disconnected a moment before it has: an attempt to connect before that would fail.
    """

    async def is_apart() -> bool:
        return not (await world.sensor(who))["connected"]

    await until(is_apart, "the link has ended")
    await asyncio.sleep(0.1)


async def find(name: str, **options):
    """Finds a device by its name."""
    device = await BleakScanner.find_device_by_name(name, timeout=PATIENCE_SECONDS, **options)
    assert device is not None, f"{name} is not heard"
    return device


async def measures(world: World) -> None:
    """Three sensors measure, and what they are set to measure arrives."""
    await world.please("reset steady")
    for name, number, command, octets in (
        ("CORE [1A]", 0x2A1C, "temp 38.6", "00140f00fe"),
        ("Polar H10 1234", 0x2A37, "hr 121", "1679fc01"),
        ("e-Oximeter", 0x2A5F, "spo2 91", "005b004700"),
    ):
        sensor = Sensor(await find(name))
        async with sensor.client:
            await sensor.subscribe(number)
            await world.please(command)
            await sensor.expect(octets)


async def loses_link(world: World) -> None:
    """A lost link is reported, and the sensor is there again."""
    await world.please("reset steady")
    is_lost = asyncio.Event()
    sensor = Sensor(await find("Polar H10 1234"), disconnected_callback=lambda _: is_lost.set())
    await sensor.client.connect()
    await world.please("drop hr")
    await is_lost.wait()
    await find("Polar H10 1234")


async def measures_core(world: World) -> None:
    """A CORE has its own service in the scan response, and measures through it."""
    await world.please("reset ward")
    sensor = Sensor(await find("CORE 1A2B"))
    async with sensor.client as client:
        core = "00002101-5b1e-4347-b07c-97b514dae121"
        assert (await client.read_gatt_char(core)).hex() == "05600e5c0d03"
        await world.please("off temp")
        assert (await client.read_gatt_char(core)).hex() == "05ff7f920900"


async def moves_services(world: World) -> None:
    """New services are found at their new handles, and measure."""

    async def is_watched() -> bool:
        return "2a19" in (await world.sensor("hr"))["subscribed"]

    await world.please("reset steady")
    sensor = Sensor(await find("Polar H10 1234"))
    async with sensor.client as client:
        old = client.services.get_characteristic(uuid(0x2A37)).handle
        # When BlueZ has read everything, it subscribes to the battery by itself.
        await until(is_watched, "BlueZ watches the battery")
        await world.please("services-changed hr")
        assert not await is_watched()
        await until(is_watched, "BlueZ watches the battery at its new place")
    await leave(world, "hr")
    sensor = Sensor(await find("Polar H10 1234"))
    async with sensor.client as client:
        assert client.services.get_characteristic(uuid(0x2A37)).handle != old
        await sensor.subscribe(0x2A37)
        await sensor.expect("16485503")


class Agent(ServiceInterface):
    """Answers what a person would be asked."""

    def __init__(self, world: World) -> None:
        super().__init__("org.bluez.Agent1")
        self._world = world

    @method()
    async def RequestPasskey(self, device: "o") -> "u":
        return int(await self._world.please("passkey spo2"))

    @method()
    async def RequestConfirmation(self, device: "o", passkey: "u") -> None:
        assert int(await self._world.please("passkey temp")) == passkey

    @method()
    def Cancel(self) -> None:
        pass

    @method()
    def Release(self) -> None:
        pass


async def wants_bonds(world: World) -> None:
    """Sensors that want a bond send nothing without one, and everything with it."""
    await world.please("reset pairing")
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    bus.export(AGENT, Agent(world))
    introspection = await bus.introspect("org.bluez", "/org/bluez")
    manager = bus.get_proxy_object("org.bluez", "/org/bluez", introspection).get_interface("org.bluez.AgentManager1")
    await manager.call_register_agent(AGENT, "KeyboardDisplay")
    await manager.call_request_default_agent(AGENT)
    for name, who, number, octets in (
        ("Bond Strap", "hr", 0x2A37, "16485503"),
        ("Passkey Oximeter", "spo2", 0x2A5F, "0062004700"),
        ("Compare Thermometer", "temp", 0x2A1C, "00600e00fe"),
    ):
        sensor = Sensor(await find(name))
        async with sensor.client as client:
            await client.pair()
            assert (await world.sensor(who))["encrypted"], name
            await sensor.subscribe(number)
            await sensor.expect(octets)
    bus.disconnect()


async def has_adapters(world: World) -> None:
    """Both adapters hear the same sensors, and each can go alone."""
    await world.please("reset steady")
    for adapter in ("hci0", "hci1"):
        await find("e-Oximeter", bluez={"adapter": adapter})
    await world.please("unplug hci0")
    try:
        await find("e-Oximeter", bluez={"adapter": "hci0"})
    except BleakError:
        pass
    else:
        raise AssertionError("an adapter that is unplugged hears")
    await find("e-Oximeter", bluez={"adapter": "hci1"})


async def survives_nonsense(world: World) -> None:
    """Among strangers that send nonsense the sensors are found."""
    await world.please("reset nonsense")
    for name in ("CORE [1A]", "Polar H10 1234", "e-Oximeter"):
        await find(name)


async def measures_pressure(world: World) -> None:
    """A cuff sleeps, hands over what it measured when its clock is set, and sleeps again."""

    async def is_asleep() -> bool:
        return not (await world.sensor("cuff"))["connected"]

    await world.please("reset conversing")
    await world.please("measure cuff 120 80 72 4")
    sensor = Sensor(await find("BM 54"))
    async with sensor.client:
        await sensor.subscribe(0x2A36)
        await sensor.subscribe(0x2A35)
        await world.please("inflate 150")
        await sensor.expect("009600ff07ff07")
        assert (await world.sensor("cuff"))["stored"] == 1
        await sensor.write(0x2A2B, "EA070102030405050000")
        await until(is_asleep, "the cuff has handed over its measurement, and left")
    value = sensor.values[-1]
    # 120/80, mean 93, pulse 72, irregular pulse, around the time that the cuff took it for.
    assert value[:7].hex() == "16780050005d00" and value[14:].hex() == "48000400", value.hex()
    assert not (await world.sensor("cuff"))["advertising"]


async def stores_glucose(world: World) -> None:
    """A glucose meter counts, selects, hands over and refuses as its control point is told."""
    await world.please("reset conversing")
    await world.please("records 1000")
    await world.please("measure meter 105 before")
    sensor = Sensor(await find("Contour 4711"))
    async with sensor.client:
        try:
            await sensor.write(0x2A52, "0101")
        except BleakError:
            pass
        else:
            raise AssertionError("it obeys who has not subscribed")
        for number in (0x2A18, 0x2A34, 0x2A52):
            await sensor.subscribe(number)
        for request, answer in (
            ("0401", "0500e903"),
            ("0106", "06000101"),
            ("01040102000400", "06000101"),
            ("010301EA03", "06000106"),
            ("0100", "06000103"),
            ("0107", "06000104"),
            ("010401040002 00", "06000105"),
            ("0103030100", "06000109"),
            ("0201", "06000202"),
            ("0300", "06000301"),
        ):
            sensor.values.clear()
            await sensor.write(0x2A52, request)
            await sensor.expect(answer)
            numbers = [int.from_bytes(value[1:3], "little") for value in sensor.values if len(value) == 13]
            assert numbers == {"0106": [1001], "01040102000400": [2, 3, 4]}.get(request, []), (request, numbers)
            # The newest was taken before a meal: 105 mg/dL, capillary whole blood, from a finger.
            assert request != "0106" or sensor.values[0].hex().endswith("69b011") and b"\x02\xe9\x03\x01" in sensor.values
        sensor.values.clear()
        await sensor.write(0x2A52, "0101")
        await sensor.write(0x2A52, "0300")
        await sensor.expect("06000301")
        assert len(sensor.values) < 1000


async def reads_libre(world: World) -> None:
    """A MiaoMiao sends an image of 344 octets in pieces, and asks about a new sensor first."""
    await world.please("reset conversing")
    await world.please("glucose 120")
    sensor = Sensor(await find("miaomiao"))
    async with sensor.client as client:
        notify, write = (f"6e40000{number}-b5a3-f393-e0a9-e50e24dcca9e" for number in (3, 2))
        await client.start_notify(notify, lambda _, octets: sensor.values.append(bytes(octets)))
        for state, octets in (("missing", "34"), ("unknown", "32")):
            await world.please(f"libre {state}")
            await client.write_gatt_char(write, b"\xf0", response=False)
            await sensor.expect(octets)
        sensor.values.clear()
        await client.write_gatt_char(write, b"\xd3\x01", response=False)
        await client.write_gatt_char(write, b"\xf0", response=False)

        async def is_whole() -> bool:
            return len(b"".join(sensor.values)) == 363

        await until(is_whole, "a packet of 363 octets")
    packet = b"".join(sensor.values)
    assert packet[:3].hex() == "28016b" and packet[11:13].hex() == "07e0" and packet[-1] == 0x29
    assert packet[18 + 28 : 18 + 30].hex() == "fc03", "120 mg/dL are 1020 raw units"


class RingReader:
    """Asks a ring one thing after the other, and puts the pieces of its answers together."""

    def __init__(self, sensor: Sensor, requests: str) -> None:
        self._sensor, self._requests = sensor, requests

    @staticmethod
    def checksum(octets: bytes) -> int:
        value = 0
        for bit in (octet >> shift & 1 for octet in octets + b"\0" for shift in range(7, -1, -1)):
            value = value << 1 | bit
            value ^= 0x107 if value & 0x100 else 0
        return value

    async def write(self, octets: bytes) -> None:
        octets += bytes([self.checksum(octets)])
        for start in range(0, len(octets), 20):
            await self._sensor.client.write_gatt_char(self._requests, octets[start : start + 20], response=False)

    async def ask(self, head: str, data: bytes = b"") -> bytes:
        """Writes a request of marker, command and two octets; returns the answer without its checksum."""
        self._sensor.values.clear()
        marker, command, *rest = bytes.fromhex(head)
        await self.write(bytes([marker, command, command ^ 0xFF, *rest]) + len(data).to_bytes(2, "little") + data)

        async def is_whole() -> bool:
            octets = b"".join(self._sensor.values)
            return len(octets) >= 8 and len(octets) == 8 + int.from_bytes(octets[5:7], "little")

        await until(is_whole, f"the answer to {head}")
        octets = b"".join(self._sensor.values)
        assert self.checksum(octets[:-1]) == octets[-1], octets.hex()
        return octets[:-1]


async def hands_over_older_night(world: World) -> None:
    """An O2Ring names its night in JSON, and hands it over in blocks that have numbers."""
    await world.please("reset nights")
    sensor = Sensor(await find("O2Ring 0418"))
    async with sensor.client as client:
        await client.start_notify(
            "0734594a-a8e7-4b1a-a6b1-cd5243059a57", lambda _, octets: sensor.values.append(bytes(octets)))
        ring = RingReader(sensor, "8b00ace7-eb0b-49b0-bbe9-9aee0a26e1a3")
        facts = json.loads((await ring.ask("AA140000"))[7:])
        assert facts["FileList"] == "20261127224105,", facts
        size = await ring.ask("AA030000", b"20261127224105\0")
        assert size[1] == 0 and int.from_bytes(size[7:], "little") == 40 + 5 * 900, size.hex()
        content = b""
        for block in range(9):
            content += (await ring.ask(f"AA04{block:02x}00"))[7:]
        assert len(content) == 4540 and content[:9].hex() == "0300ea070b1b162905"
        assert (await ring.ask("AA050000"))[1] == 0
        assert (await ring.ask("AA030000", b"20240101000000\0"))[1] != 0
    saturations = content[40::5]
    assert min(saturations) == 90 and saturations.count(0xFF) == 75
    files = (await world.sensor("o2ring"))["files"]
    assert files == {"opened": 1, "closed": 1, "chunks": 9, "forbidden": []}, files


async def hands_over_newer_night(world: World) -> None:
    """An O2Ring S hands its night over after a login, never after live values, and dies of a command that erases."""
    await world.please("reset nights")
    name = b"20261127224105".ljust(20, b"\0")
    device = await find("O2Ring S 0418")
    login = bytes.fromhex("00681588 72091cb0 98c8c7da 44788499")

    async def begin(sensor: Sensor) -> RingReader:
        await sensor.client.start_notify(
            "e8fb0003-a14b-98f9-831b-4e2941d01248", lambda _, octets: sensor.values.append(bytes(octets)))
        ring = RingReader(sensor, "e8fb0002-a14b-98f9-831b-4e2941d01248")
        await ring.write(bytes.fromhex("a5ff0000001000") + login)
        assert (await ring.ask("A5100001", b"\0"))[3] == 1
        assert len(await ring.ask("A5000002")) == 47
        return ring

    sensor = Sensor(device)
    async with sensor.client:
        ring = await begin(sensor)
        assert (await ring.ask("A5F10003"))[7:] == b"\x01" + name[:16]
        size = await ring.ask("A5F20004", name)
        assert size[3] == 1 and int.from_bytes(size[7:], "little") == 10 + 3 * 3600 + 48, size.hex()
        content = b""
        while len(content) < 10858:
            part = (await ring.ask("A5F30005", len(content).to_bytes(4, "little")))[7:]
            assert 0 < len(part) <= 512
            content += part
        assert (await ring.ask("A5F40006"))[3] == 1
        assert content[-44:-40].hex() == "48125ada" and int.from_bytes(content[-48:-44], "little") == sum(content[:-48])
        assert min(content[10:-48:3]) == 90 and content[10:-48:3].count(0xFF) == 300
        assert (await ring.ask("A5040007"))[13] == 97
        assert (await ring.ask("A5F20008", name))[3] == 0xF2
    await leave(world, "o2ring-s")
    is_lost = asyncio.Event()
    sensor = Sensor(await find("O2Ring S 0418"), disconnected_callback=lambda _: is_lost.set())
    await sensor.client.connect()
    ring = await begin(sensor)
    await ring.write(bytes.fromhex("a5e31c00090000"))
    await is_lost.wait()
    assert (await world.sensor("o2ring-s"))["files"]["forbidden"] == ["E3"]


CHECKS: list[Callable[[World], Awaitable[None]]] = [
    measures,
    loses_link,
    measures_core,
    moves_services,
    wants_bonds,
    has_adapters,
    survives_nonsense,
    measures_pressure,
    stores_glucose,
    reads_libre,
    hands_over_older_night,
    hands_over_newer_night,
]


async def main() -> int:
    world = World()
    await world.begin()
    failures = 0
    for check in CHECKS:
        try:
            await check(world)
            print(f"ok       {check.__doc__}", flush=True)
        except Exception as error:
            failures += 1
            print(f"FAILED   {check.__doc__}\n         {type(error).__name__}: {error}", flush=True)
    return 1 if failures else 0


sys.exit(asyncio.run(main()))
