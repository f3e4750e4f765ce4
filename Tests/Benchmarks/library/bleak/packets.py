"""Counts ten thousand notifications that come fast, through a socket past the message bus."""

import asyncio

from bleak import BleakClient, BleakScanner
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.uuids import normalize_uuid_16

SOURCE = normalize_uuid_16(0xFFF0)
PACKETS = normalize_uuid_16(0xFFF1)


async def main() -> None:
    device = await BleakScanner.find_device_by_filter(
        lambda _, advertisement: SOURCE in advertisement.service_uuids)
    if device is None:
        raise SystemExit("No source of packets was heard.")
    count = octets = 0
    complete = asyncio.Event()

    def received(_: BleakGATTCharacteristic, packet: bytearray) -> None:
        nonlocal count, octets
        if complete.is_set():
            return
        count += 1
        octets += len(packet)
        if count == 10_000:
            complete.set()

    async with BleakClient(device) as client:
        await client.start_notify(PACKETS, received, bluez={"use_start_notify": False})
        await complete.wait()
    print(f"{count} packets, {octets} octets")


asyncio.run(main())
