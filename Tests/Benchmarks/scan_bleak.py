"""Scans with Python's bleak and does nothing with what is heard."""

import asyncio

from bleak import BleakScanner


async def main():
    async with BleakScanner(lambda *_: None):
        await asyncio.Event().wait()


asyncio.run(main())
