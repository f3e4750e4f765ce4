"""Lists what is nearby, with name, strength of the signal and services."""

import asyncio

from bleak import BleakScanner


async def main() -> None:
    found = await BleakScanner.discover(timeout=3, return_adv=True)
    for device, advertisement in found.values():
        services = " ".join(advertisement.service_uuids)
        print(f"{device.address} {device.name or '?'} {advertisement.rssi} dBm: {services}")


asyncio.run(main())
