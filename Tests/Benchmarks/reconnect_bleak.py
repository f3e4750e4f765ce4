"""A strap's values with Python's bleak, and the simple loop that everybody writes around it to get the link back."""

import asyncio

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError

HEART_RATE = "00002a37-0000-1000-8000-00805f9b34fb"


def notified(_, octets):
    print(f'"heart_rate" "measured" {octets[1]}', flush=True)


async def main():
    while True:
        lost = asyncio.Event()
        try:
            device = await BleakScanner.find_device_by_name("Polar H10 1234", timeout=10)
            if device is None:
                continue
            async with BleakClient(device, disconnected_callback=lambda _: lost.set()) as client:
                await client.start_notify(HEART_RATE, notified)
                await lost.wait()
        except (BleakError, TimeoutError, OSError):
            await asyncio.sleep(1)


asyncio.run(main())
