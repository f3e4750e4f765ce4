"""A central made with bleak, which shares no code with the library: it uses the heart rate sensor of a name.

`heart_rate_central.py NAME ADAPTER` answers each line with a line: connect, location, subscribe, rate (the next one),
reset (the energy counter), refused (a command that does not exist), unsubscribe, disconnect.
"""

import asyncio
import sys

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError

PATIENCE_SECONDS = 60.0


def uuid(number: int) -> str:
    """The long form of a short UUID."""
    return f"0000{number:04x}-0000-1000-8000-00805f9b34fb"


MEASUREMENT, LOCATION, CONTROL_POINT = uuid(0x2A37), uuid(0x2A38), uuid(0x2A39)


class Central:
    """A connection to the sensor, and the rates that it has sent."""

    def __init__(self, name: str, adapter: str) -> None:
        self._name, self._adapter = name, adapter
        self._client: BleakClient | None = None
        self._rates: asyncio.Queue[int] = asyncio.Queue()

    async def connect(self) -> str:
        device = await BleakScanner.find_device_by_name(
            self._name, timeout=PATIENCE_SECONDS, bluez={"adapter": self._adapter})
        if device is None:
            return "not heard"
        self._client = BleakClient(device, timeout=PATIENCE_SECONDS)
        await self._client.connect()
        return self._client.address

    async def location(self) -> str:
        return (await self._client.read_gatt_char(LOCATION)).hex()

    async def subscribe(self) -> str:
        await self._client.start_notify(MEASUREMENT, self._receive)
        return "ok"

    def _receive(self, _, octets: bytearray) -> None:
        length = 2 if octets[0] & 1 else 1
        self._rates.put_nowait(int.from_bytes(octets[1 : 1 + length], "little"))

    async def rate(self) -> str:
        return str(await asyncio.wait_for(self._rates.get(), PATIENCE_SECONDS))

    async def reset(self) -> str:
        await self._client.write_gatt_char(CONTROL_POINT, b"\x01", response=True)
        return "ok"

    async def refused(self) -> str:
        try:
            await self._client.write_gatt_char(CONTROL_POINT, b"\x02", response=True)
        except BleakError as error:
            return str(error)
        return "taken"

    async def unsubscribe(self) -> str:
        await self._client.stop_notify(MEASUREMENT)
        return "ok"

    async def disconnect(self) -> str:
        await self._client.disconnect()
        return "ok"


async def main() -> None:
    central = Central(*sys.argv[1:])
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        try:
            answer = await getattr(central, line.strip())()
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(" ".join(answer.split()), flush=True)


asyncio.run(main())
