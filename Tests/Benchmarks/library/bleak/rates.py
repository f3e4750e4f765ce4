"""Prints the heart rates of the nearest sensor, and finds it again whenever its link is lost."""

import asyncio

from bleak import BleakClient, BleakScanner
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.exc import BleakError
from bleak.uuids import normalize_uuid_16

HEART_RATE = normalize_uuid_16(0x180D)
MEASUREMENT = normalize_uuid_16(0x2A37)


def received(_: BleakGATTCharacteristic, octets: bytearray) -> None:
    # The lowest flag says that the rate has two octets.
    print(int.from_bytes(octets[1:3], "little") if octets[0] & 1 else octets[1])


async def main() -> None:
    found = await BleakScanner.discover(timeout=3, return_adv=True, service_uuids=[HEART_RATE])
    if not found:
        raise SystemExit("No heart rate sensor was heard.")
    device, _ = max(found.values(), key=lambda entry: entry[1].rssi)
    while True:
        lost = asyncio.Event()
        try:
            async with BleakClient(device, lambda _: lost.set()) as client:
                await client.start_notify(MEASUREMENT, received)
                await lost.wait()
        except (BleakError, TimeoutError):
            # BlueZ forgets a device that it has not heard for a while.
            device = await BleakScanner.find_device_by_address(device.address) or device


asyncio.run(main())
