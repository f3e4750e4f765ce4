"""Reads the battery level of a heart rate sensor and where it is worn, and resets its energy counter."""

import asyncio

from bleak import BleakClient, BleakScanner
from bleak.uuids import normalize_uuid_16

HEART_RATE = normalize_uuid_16(0x180D)
BATTERY_LEVEL = normalize_uuid_16(0x2A19)
LOCATION = normalize_uuid_16(0x2A38)
CONTROL_POINT = normalize_uuid_16(0x2A39)
LOCATIONS = ["other", "chest", "wrist", "finger", "hand", "ear lobe", "foot"]


async def main() -> None:
    device = await BleakScanner.find_device_by_filter(
        lambda _, advertisement: HEART_RATE in advertisement.service_uuids)
    if device is None:
        raise SystemExit("No heart rate sensor was heard.")
    async with BleakClient(device) as client:
        battery = await client.read_gatt_char(BATTERY_LEVEL)
        print(f"battery: {battery[0]} %")
        location = await client.read_gatt_char(LOCATION)
        print(f"worn at: {LOCATIONS[location[0]]}")
        await client.write_gatt_char(CONTROL_POINT, bytes([1]), response=True)
        print("The energy counter was reset.")


asyncio.run(main())
