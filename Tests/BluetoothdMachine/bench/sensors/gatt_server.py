"""What a peripheral offers to a client: services, values, subscriptions."""

from __future__ import annotations

import asyncio
import collections
import struct
from collections.abc import Callable
from typing import Any

from bumble import att, core
from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service

from .pairing import Lock, Pairing

P = Characteristic.Properties
Permissions = Characteristic.Permissions

LARGEST_MTU = 247
CONFIRMATION_SECONDS = 5.0
ALL_HANDLES = struct.pack("<HH", 0x0001, 0xFFFF)


def uuid(value: int | str) -> UUID:
    """A UUID from its 16 bits, or from its text."""
    return UUID.from_16_bits(value) if isinstance(value, int) else UUID(value)


class GattServer:
    """The services of a peripheral.

    Subclasses say what they measure (`vital_services`) and call `serve` when they know who they are.
    """

    name: str
    device: Device
    appearance = 0

    def __init__(self, information: tuple[str, ...], lock: Lock) -> None:
        self.information = information
        """Manufacturer, model, serial number and firmware."""
        self.battery = 87
        self.pairing = Pairing(self, lock)
        self.subscriptions: dict[str, str] = {}
        self.sent: collections.Counter[str] = collections.Counter()
        self._is_reversed = False

    def report(self, event: str) -> None:
        """Records an event of this peripheral."""
        raise NotImplementedError

    # Services.

    def serve(self) -> None:
        """Offers its services through its device, and pairs as it does."""
        self.device.pairing_config_factory = lambda _: self.pairing.configuration()
        self.device.gatt_server.max_mtu = LARGEST_MTU
        services = [self._generic_access(), *self.services()]
        self.device.add_services(services[::-1] if self._is_reversed else services)

    async def change_services(self) -> None:
        """Moves its services to other handles, as new firmware may, and reports it by Service Changed (2A05)."""
        server, generic = self.device.gatt_server, self.device.gatt_service
        changed = generic.service_changed_characteristic
        handle = changed.handle
        server.services.clear()
        server.attributes.clear()
        server.attributes_by_handle.clear()
        # The Generic Attribute Service stays the first, so that a client that waits for the change is notified.
        server.add_service(generic)
        for values in server.subscribers.values():
            for other in [other for other in values if other != handle]:
                del values[other]
        self.subscriptions.clear()
        self._is_reversed = not self._is_reversed
        self.serve()
        self.report("services changed")
        await self.device.indicate_subscribers(changed, ALL_HANDLES)

    def services(self) -> list[Service]:
        """Its services, in the order of their handles."""
        return [self._device_information(), self._battery(), *self.vital_services()]

    def vital_services(self) -> list[Service]:
        """What it measures, as services."""
        return []

    def _generic_access(self) -> Service:
        name = self.readable(0x2A00, lambda: self.name.encode())
        return Service(uuid(0x1800), [name, self.readable(0x2A01, struct.pack("<H", self.appearance))])

    def _device_information(self) -> Service:
        texts = zip((0x2A29, 0x2A24, 0x2A25, 0x2A26), self.information)
        return Service(uuid(0x180A), [self.readable(number, text.encode()) for number, text in texts])

    def _battery(self) -> Service:
        level = self.sending(0x2A19, P.READ | P.NOTIFY, lambda: bytes([self.battery]), is_vital=False)
        self._battery_level = level
        return Service(uuid(0x180F), [level])

    # Characteristics.

    def readable(self, number: int | str, value: bytes | Callable[[], bytes]) -> Characteristic:
        """A characteristic that can be read."""
        content = value if isinstance(value, bytes) else CharacteristicValue(read=lambda _: value())
        return Characteristic(uuid(number), P.READ, Permissions.READABLE, content)

    def writable(
        self, number: int | str, write: Callable[[bytes], None], properties: P = P.WRITE
    ) -> Characteristic:
        """A characteristic that can only be written, with a response if nothing else is said."""
        content = CharacteristicValue(read=self._refuse_reading, write=lambda _, value: write(value))
        return Characteristic(uuid(number), properties, Permissions.WRITEABLE, content)

    def setting(
        self, number: int | str, value: Callable[[], bytes], write: Callable[[bytes], None]
    ) -> Characteristic:
        """A characteristic that can be read, and written with a response."""
        content = CharacteristicValue(read=lambda _: value(), write=lambda _, octets: write(octets))
        return Characteristic(uuid(number), P.READ | P.WRITE, Permissions.READABLE | Permissions.WRITEABLE, content)

    def sending(
        self,
        number: int | str,
        properties: P,
        value: Callable[[], bytes] | None = None,
        write: Callable[[bytes], None] | None = None,
        is_vital: bool = True,
    ) -> Characteristic:
        """A characteristic that is notified or indicated, and perhaps read or written; behind the lock if vital."""
        permissions = Permissions(0) if value is None else Permissions.READABLE
        if write is not None:
            permissions |= Permissions.WRITEABLE
        content = CharacteristicValue(
            read=self._refuse_reading if value is None else lambda _: value(),
            write=None if write is None else lambda _, octets: write(octets),
        )
        characteristic = Characteristic(uuid(number), properties, permissions, content)
        if is_vital:
            self.pairing.guard(characteristic)
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

    # Values.

    def _subscribed(self, label: str, notify: bool, indicate: bool) -> None:
        word = "notify" if notify else "indicate" if indicate else "off"
        self.subscriptions[label] = word
        self.report(f"cccd {label} {word}")
        asyncio.get_running_loop().call_soon(self.subscribed, label, word)

    def subscribed(self, label: str, word: str) -> None:
        """Somebody subscribed to a characteristic, or no longer does."""

    async def send(self, characteristic: Characteristic, octets: bytes) -> bool:
        """Sends a value the way it was subscribed to, if it was.

        Returns whether it was sent and, where it was indicated, confirmed.
        """
        label = self.label(characteristic)
        word = self.subscriptions.get(label, "off")
        if word == "off":
            return False
        self.sent[label] += 1
        if word == "notify":
            await self.device.notify_subscribers(characteristic, octets)
            return True
        try:
            # A client that does not confirm must not stop the sensor.
            await asyncio.wait_for(self.device.indicate_subscribers(characteristic, octets), CONFIRMATION_SECONDS)
        except (TimeoutError, asyncio.TimeoutError, core.ProtocolError):
            self.report(f"indication {label} not confirmed")
            return False
        return True

    async def set_battery(self, percent: int) -> None:
        """Changes the battery's level and notifies the subscribers."""
        self.battery = percent
        await self.send(self._battery_level, bytes([percent]))
