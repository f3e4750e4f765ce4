"""Everything at one place: the air, the adapters, who is there, and what happened."""

from __future__ import annotations

import asyncio
import collections
import logging
import time

from bumble import hci

from .radio.adapter import Adapter
from .radio.air import SUPERVISION_SECONDS, USUAL_LATENCY, Air
from .radio.vhci import VirtualController
from .sensors.peripheral import Peripheral
from .worlds import WORLDS

log = logging.getLogger(__name__)


class Slot:
    """Where an adapter can be plugged in."""

    def __init__(self, number: int) -> None:
        self.address = f"00:1B:DC:00:00:{number + 1:02X}"
        self.kernel: VirtualController | None = None
        self.adapter: Adapter | None = None


class Room:
    """The air, the adapters and the peripherals."""

    def __init__(self, slots: int) -> None:
        self.air = Air()
        self.slots = [Slot(number) for number in range(slots)]
        self.peripherals: list[Peripheral] = []
        self.events: collections.deque[str] = collections.deque(maxlen=500)

    def report(self, event: str) -> None:
        """Records an event."""
        now = time.time()
        self.events.append(f"{time.strftime('%H:%M:%S', time.localtime(now))}.{int(now * 1000) % 1000:03} {event}")
        log.info("%s", event)

    async def enter(self, world: str) -> None:
        """Fills the room anew; everybody who was there is gone."""
        if world not in WORLDS:
            raise ValueError(f"no such world: {world} (there are {', '.join(WORLDS)})")
        for peripheral in self.peripherals:
            await peripheral.stop()
        self.air.latency = USUAL_LATENCY
        self.events.clear()
        self.peripherals = WORLDS[world](self)
        for peripheral in self.peripherals:
            await peripheral.start()
        self.report(f"the world is {world}")

    # Adapters.

    @property
    def adapters(self) -> list[Adapter]:
        return [slot.adapter for slot in self.slots if slot.adapter is not None]

    async def plug(self, slot: Slot) -> None:
        """Plugs an adapter in, unless one is there; it is the kernel's when this returns."""
        if slot.adapter is not None:
            return
        slot.kernel = VirtualController()
        slot.adapter = Adapter(slot.kernel, self.air, slot.address)
        index = await slot.kernel.index()
        self.report(f"hci{index} plugged in")

    async def unplug(self, slot: Slot) -> None:
        """Pulls an adapter out."""
        if slot.adapter is None or slot.kernel is None:
            return
        slot.adapter.remove()
        slot.kernel.close()
        slot.adapter = slot.kernel = None
        self.report(f"{slot.address} unplugged")

    # Who.

    def find(self, who: str) -> list[Peripheral]:
        """The peripherals that a word stands for: a kind, an address, a name, or `all`."""
        if who == "all":
            return [peripheral for peripheral in self.peripherals if peripheral.key]
        for peripheral in self.peripherals:
            if who.lower() in peripheral.words or who.upper() == peripheral.address or who == peripheral.name:
                return [peripheral]
        raise ValueError(f"no such sensor: {who}")

    # Range.

    async def lose(self, peripherals: list[Peripheral], reason: int = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR):
        """Takes peripherals out of range; both ends of every link notice when their timers run out."""
        self.air.out_of_range.update(peripheral.controller for peripheral in peripherals)
        await asyncio.sleep(SUPERVISION_SECONDS)
        for peripheral in peripherals:
            for adapter in self.adapters:
                adapter.lose_link(peripheral.controller.random_address, reason)
            peripheral.controller.lose_links(reason)
        # What is lost is said before anything else is done.
        await asyncio.sleep(0)

    def regain(self, peripherals: list[Peripheral]) -> None:
        """Brings peripherals back into range."""
        self.air.out_of_range.difference_update(peripheral.controller for peripheral in peripherals)
