"""What every peripheral has: an advertisement, services, a link, a battery."""

from __future__ import annotations

import asyncio
import collections
import logging
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bumble import att, core, hci
from bumble.core import UUID, AdvertisingData
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.pairing import PairingConfig

from ..radio.sensor_controller import SensorController

if TYPE_CHECKING:
    from ..room import Room

log = logging.getLogger(__name__)

P = Characteristic.Properties
Permissions = Characteristic.Permissions

LONGEST_ADVERTISEMENT = 31
LARGEST_MTU = 247
CONFIRMATION_SECONDS = 5.0


def uuid(value: int | str) -> UUID:
    """A UUID from its 16 bits, or from its text."""
    return UUID.from_16_bits(value) if isinstance(value, int) else UUID(value)


class Peripheral:
    """A peripheral of its own: controller, host, services, reachable only through the air."""

    key = ""
    """The word that stands for the first peripheral of its kind in commands."""

    words: tuple[str, ...] = ()
    """All words that stand for it."""

    appearance = 0
    advertised: tuple[int | str, ...] = ()
    """The services that it advertises."""

    def __init__(self, room: Room, name: str, address: str, *, rssi: int = -58, information: tuple[str, ...] = ()):
        self.room = room
        self.name = name
        self.rssi = rssi
        self.rssi_noise = 0
        self.interval = 1.0
        self.battery = 87
        self.refusals = 0
        self.is_talking = True
        self.is_advertising = True
        self.is_on_body = True
        self.connection: Connection | None = None
        self.subscriptions: dict[str, str] = {}
        self.sent: collections.Counter[str] = collections.Counter()
        self.information = information or ("Bench", type(self).__name__, address[-5:].replace(":", ""), "1.0.0")
        self._task: asyncio.Task[None] | None = None
        self.controller = SensorController(self, room.air)
        self.device = self._make_device(address)
        self.device.add_services([self._generic_access(), *self.services()])
        self.device.gatt_server.max_mtu = LARGEST_MTU
        self.device.on("connection", self._connected)

    def _make_device(self, address: str) -> Device:
        host = Host()
        host.controller = self.controller
        milliseconds = 100.0
        configuration = DeviceConfiguration(
            name=self.name,
            address=hci.Address(address),
            advertising_interval_min=milliseconds,
            advertising_interval_max=milliseconds,
            gap_service_enabled=False,
        )
        device = Device(config=configuration, host=host)
        device.pairing_config_factory = self.pairing
        return device

    def pairing(self, connection: Connection) -> PairingConfig:
        """How it pairs: without a question, if it is asked to."""
        return PairingConfig(sc=True, mitm=False, bonding=True)

    @property
    def address(self) -> str:
        """Its address now."""
        return self.controller.random_address.to_string(False)

    @property
    def is_in_range(self) -> bool:
        return self.controller not in self.room.air.out_of_range

    # Services.

    def services(self) -> list[Service]:
        """Its services, in the order of their handles."""
        services = [self._device_information(), self._battery()]
        return services + self.vital_services()

    def vital_services(self) -> list[Service]:
        """What it measures, as services."""
        return []

    def _generic_access(self) -> Service:
        return Service(
            uuid(0x1800),
            [
                self.readable(0x2A00, lambda: self.name.encode()),
                self.readable(0x2A01, lambda: struct.pack("<H", self.appearance)),
            ],
        )

    def _device_information(self) -> Service:
        texts = zip((0x2A29, 0x2A24, 0x2A25, 0x2A26), self.information)
        return Service(uuid(0x180A), [self.readable(number, text.encode()) for number, text in texts])

    def _battery(self) -> Service:
        self.battery_characteristic = self.sending(0x2A19, P.READ | P.NOTIFY, lambda: bytes([self.battery]))
        return Service(uuid(0x180F), [self.battery_characteristic])

    def readable(self, number: int | str, value: bytes | Callable[[], bytes]) -> Characteristic:
        """A characteristic that can be read."""
        content = value if isinstance(value, bytes) else CharacteristicValue(read=lambda _: value())
        return Characteristic(uuid(number), P.READ, Permissions.READABLE, content)

    def writable(self, number: int | str, write: Callable[[bytes], None]) -> Characteristic:
        """A characteristic that can only be written, with a response."""
        content = CharacteristicValue(read=self._refuse_reading, write=lambda _, value: write(value))
        return Characteristic(uuid(number), P.WRITE, Permissions.WRITEABLE, content)

    def sending(
        self,
        number: int | str,
        properties: P,
        value: Callable[[], bytes] | None = None,
        write: Callable[[bytes], None] | None = None,
    ) -> Characteristic:
        """A characteristic that is notified or indicated, and perhaps read or written."""
        permissions = Permissions(0) if value is None else Permissions.READABLE
        if write is not None:
            permissions |= Permissions.WRITEABLE
        content = CharacteristicValue(
            read=self._refuse_reading if value is None else lambda _: value(),
            write=None if write is None else lambda _, octets: write(octets),
        )
        characteristic = Characteristic(uuid(number), properties, permissions, content)
        label = self.label(characteristic)
        characteristic.on(
            Characteristic.EVENT_SUBSCRIPTION,
            lambda _, notify, indicate: self._subscribed(label, notify, indicate),
        )
        return characteristic

    @staticmethod
    def _refuse_reading(_connection: Any) -> bytes:
        raise att.ATT_Error(att.ErrorCode.READ_NOT_PERMITTED)

    @staticmethod
    def label(characteristic: Characteristic) -> str:
        """A characteristic's name in reports: its UUID, short where it has a short one."""
        return characteristic.uuid.to_hex_str("-").lower()

    # Advertising.

    def advertising_data(self) -> list[tuple[int, bytes]]:
        """What its advertisement holds."""
        return self.with_name(self.flags_and_services())

    def advertisement(self) -> bytes:
        """Its advertisement in octets."""
        return bytes(AdvertisingData(self.advertising_data()))

    def scan_response(self) -> list[tuple[int, bytes]]:
        """What it adds when it is asked."""
        return [(AdvertisingData.TX_POWER_LEVEL, b"\x00")]

    def with_name(self, data: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
        """Adds the name, cut to the place that is left.

        It is called complete all the same, as by many devices: BlueZ keeps a complete name when a short one comes.
        """
        place = LONGEST_ADVERTISEMENT - len(bytes(AdvertisingData(data))) - 2
        return [*data, (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode()[:place])]

    def flags_and_services(self) -> list[tuple[int, bytes]]:
        """General discoverable, no BR/EDR; the 16-bit services."""
        short = b"".join(struct.pack("<H", number) for number in self.advertised if isinstance(number, int))
        flags = (AdvertisingData.FLAGS, b"\x06")
        return [flags, (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, short)] if short else [flags]

    async def start(self) -> None:
        """Switches it on."""
        await self.device.power_on()
        await self.advertise()
        self._task = asyncio.create_task(self._measure())

    async def stop(self) -> None:
        """Takes it away, without a word to anybody."""
        if self._task is not None:
            self._task.cancel()
        self.controller.le_legacy_advertiser.stop()
        self.controller.host = None
        self.room.air.remove_controller(self.controller)

    async def advertise(self) -> None:
        """Begins to advertise, or goes on with what is to be advertised now."""
        if self.connection is not None:
            return
        if not self.is_advertising:
            return await self.device.stop_advertising()
        await self.device.start_advertising(
            auto_restart=True,
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
        self.room.tell(f"{self.key or self.name} connected by {connection.peer_address}")
        connection.on("disconnection", self._disconnected)

    def _disconnected(self, reason: int) -> None:
        self.connection = None
        self.subscriptions.clear()
        self.room.tell(f"{self.key or self.name} disconnected reason=0x{reason:02x}")
        asyncio.get_running_loop().call_soon(lambda: asyncio.create_task(self.advertise()))

    def _subscribed(self, label: str, notify: bool, indicate: bool) -> None:
        word = "notify" if notify else "indicate" if indicate else "off"
        self.subscriptions[label] = word
        self.room.tell(f"{self.key or self.name} cccd {label} {word}")
        asyncio.get_running_loop().call_soon(self.subscribed, label, word)

    def subscribed(self, label: str, word: str) -> None:
        """Somebody subscribed to a characteristic, or no longer does."""

    # Measurements.

    async def _measure(self) -> None:
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

    async def send(self, characteristic: Characteristic, octets: bytes) -> None:
        """Sends a value the way it was subscribed to, if it was."""
        label = self.label(characteristic)
        word = self.subscriptions.get(label, "off")
        if word == "off" or self.connection is None:
            return
        self.sent[label] += 1
        if word == "notify":
            return await self.device.notify_subscribers(characteristic, octets)
        try:
            # A client that does not confirm must not stop the sensor.
            await asyncio.wait_for(self.device.indicate_subscribers(characteristic, octets), CONFIRMATION_SECONDS)
        except (TimeoutError, asyncio.TimeoutError, core.ProtocolError):
            self.room.tell(f"{self.key or self.name} indication {label} not confirmed")

    async def set_battery(self, percent: int) -> None:
        """Changes the battery's level and tells whoever wants to know."""
        self.battery = percent
        await self.send(self.battery_characteristic, bytes([percent]))

    # Reports.

    def state(self) -> dict[str, Any]:
        """What the sensor knows of itself, for `state`."""
        return {
            "name": self.name,
            "address": self.address,
            "connected": self.connection is not None,
            "mtu": self.connection.att_mtu if self.connection else None,
            "advertising": self.controller.le_legacy_advertiser.enabled,
            "in_range": self.is_in_range,
            "subscribed": {label: word for label, word in self.subscriptions.items() if word != "off"},
            "sent": dict(self.sent),
            "battery": self.battery,
            "rssi": self.rssi,
            "talking": self.is_talking,
            "on_body": self.is_on_body,
        }
