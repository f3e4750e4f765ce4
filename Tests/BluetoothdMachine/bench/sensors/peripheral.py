"""What every peripheral has: a radio of its own, an advertisement, a link, a beat."""

from __future__ import annotations

import asyncio
import logging
import struct
from typing import TYPE_CHECKING, Any

from bumble import hci
from bumble.core import AdvertisingData
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.host import Host

from ..radio.sensor_controller import SensorController
from .gatt_server import GattServer
from .pairing import Lock

if TYPE_CHECKING:
    from ..room import Room

log = logging.getLogger(__name__)

LONGEST_ADVERTISEMENT = 31
ADVERTISING_MILLISECONDS = 100.0


class Peripheral(GattServer):
    """A peripheral of its own: controller, host, services, reachable only through the air."""

    key = ""
    """The word that stands for the first peripheral of its kind in commands."""

    words: tuple[str, ...] = ()
    """All words that stand for it."""

    advertised: tuple[int, ...] = ()
    """The 16-bit services that it advertises."""

    advertises_again = True
    """Whether it advertises by itself when a link has ended."""

    def __init__(
        self,
        room: Room,
        name: str,
        address: str,
        *,
        rssi: int = -58,
        information: tuple[str, ...] = (),
        lock: Lock = Lock.OPEN,
    ) -> None:
        super().__init__(information or ("Bedside", type(self).__name__, address[-5:].replace(":", ""), "1.0.0"), lock)
        self.room = room
        self.name = name
        self.rssi = rssi
        self.rssi_noise = 0
        self.interval = 1.0
        self.refusals = 0
        """How many of the next connections fail."""
        self.is_talking = True
        self.is_advertising = True
        self.is_on_body = True
        self.connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self.controller = SensorController(self, room.air)
        self.device = self._make_device(address)
        self.device.on("connection", self._connected)
        self.serve()

    def _make_device(self, address: str) -> Device:
        host = Host()
        host.controller = self.controller
        configuration = DeviceConfiguration(
            name=self.name,
            address=hci.Address(address),
            advertising_interval_min=ADVERTISING_MILLISECONDS,
            advertising_interval_max=ADVERTISING_MILLISECONDS,
            gap_service_enabled=False,
        )
        return Device(config=configuration, host=host)

    @property
    def address(self) -> str:
        """Its address now."""
        return self.controller.random_address.to_string(False)

    def report(self, event: str) -> None:
        self.room.report(f"{self.key or self.name} {event}")

    async def start(self) -> None:
        """Switches it on."""
        await self.device.power_on()
        await self.advertise()
        self._task = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        """Takes it away, without a word to anybody."""
        if self._task is not None:
            self._task.cancel()
        self.controller.le_legacy_advertiser.stop()
        self.controller.host = None
        self.room.air.remove_controller(self.controller)

    # Advertising.

    def advertisement(self) -> bytes:
        """Its advertisement in octets."""
        return bytes(AdvertisingData(self.advertising_data()))

    def advertising_data(self) -> list[tuple[int, bytes]]:
        """What its advertisement holds."""
        return self.with_name(self.flags_and_services())

    def scan_response(self) -> list[tuple[int, bytes]]:
        """What it adds when it is asked."""
        return [(AdvertisingData.TX_POWER_LEVEL, b"\x00")]

    def flags_and_services(self) -> list[tuple[int, bytes]]:
        """General discoverable, no BR/EDR; the services."""
        flags = (AdvertisingData.FLAGS, b"\x06")
        if not self.advertised:
            return [flags]
        services = struct.pack(f"<{len(self.advertised)}H", *self.advertised)
        return [flags, (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, services)]

    def with_name(self, data: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
        """Adds the name, cut to the place that is left.

        It is called complete all the same, as by many devices: BlueZ keeps a complete name when a short one comes.
        """
        place = LONGEST_ADVERTISEMENT - len(bytes(AdvertisingData(data))) - 2
        return [*data, (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode()[:place])]

    async def advertise(self) -> None:
        """Advertises its present data from now on; while connected it is silent anyway."""
        if self.connection is not None:
            return
        if not self.is_advertising:
            return await self.device.stop_advertising()
        await self.device.start_advertising(
            auto_restart=self.advertises_again,
            advertising_data=self.advertisement(),
            scan_response_data=bytes(AdvertisingData(self.scan_response())),
        )

    async def rotate(self, address: str | None) -> None:
        """Takes another random address."""
        if self.connection is not None:
            raise ValueError(f"{self.name} is connected")
        new = hci.Address(address) if address else hci.Address.generate_static_address()
        await self.device.stop_advertising()
        await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=new))
        self.device.random_address = new
        await self.advertise()

    # Links.

    def _connected(self, connection: Connection) -> None:
        self.connection = connection
        self.report(f"connected by {connection.peer_address.to_string(False)}")
        connection.on("disconnection", self._disconnected)

    def _disconnected(self, reason: int) -> None:
        self.connection = None
        self.subscriptions.clear()
        self.report(f"disconnected reason=0x{reason:02x}")
        asyncio.get_running_loop().call_soon(lambda: asyncio.create_task(self.advertise()))

    # Measurements.

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            # By the clock, so that the time that sending takes does not add up.
            due = max(due + self.interval, loop.time())
            await asyncio.sleep(due - loop.time())
            if self.is_talking and self.connection is not None:
                try:
                    await self.measure()
                except Exception as error:  # The link may end at any moment; the sensor goes on.
                    log.info("%s: %r", self.name, error)

    async def measure(self) -> None:
        """Sends what it measures now."""

    async def send_octets(self, octets: bytes) -> None:
        """Sends any octets in place of a measurement."""

    async def send_number(self, number: int) -> None:
        """Sends a measurement that carries a number."""

    # Reports.

    def state(self) -> dict[str, Any]:
        """What it knows of itself."""
        return {
            "name": self.name,
            "address": self.address,
            "connected": self.connection is not None,
            "mtu": self.connection.att_mtu if self.connection else None,
            "encrypted": bool(self.connection and self.connection.is_encrypted),
            "advertising": self.controller.le_legacy_advertiser.enabled,
            "in_range": self.controller not in self.room.air.out_of_range,
            "subscribed": {label: word for label, word in self.subscriptions.items() if word != "off"},
            "sent": dict(self.sent),
            "battery": self.battery,
            "rssi": self.rssi,
            "talking": self.is_talking,
            "on_body": self.is_on_body,
        }
