"""How a sensor pairs, when it wants a bond before it sends anything."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR, Characteristic, Descriptor
from bumble.pairing import PairingConfig, PairingDelegate

if TYPE_CHECKING:
    from .gatt_server import GattServer

Permissions = Characteristic.Permissions
IO = PairingDelegate.IoCapability


class Lock(enum.Enum):
    """What must have happened before a sensor sends measurements."""

    OPEN = "nothing"
    BOND = "a bond without a question: it has neither keys nor a display"
    PASSKEY = "a bond with the six digits that its display shows"
    COMPARISON = "a bond after both sides have shown the same six digits and somebody has agreed on both"


IO_CAPABILITIES = {
    Lock.OPEN: IO.NO_OUTPUT_NO_INPUT,
    Lock.BOND: IO.NO_OUTPUT_NO_INPUT,
    Lock.PASSKEY: IO.DISPLAY_OUTPUT_ONLY,
    Lock.COMPARISON: IO.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
}


class Pairing(PairingDelegate):
    """The sensor's side of pairing: its display, and the finger on its key."""

    def __init__(self, sensor: GattServer, lock: Lock) -> None:
        super().__init__(IO_CAPABILITIES[lock])
        self._sensor = sensor
        self._lock = lock
        self.shown: str | None = None
        """The six digits on its display."""
        self.agrees = True
        """Whether somebody confirms them there."""

    def configuration(self) -> PairingConfig:
        """What bumble asks for."""
        is_protected = self._lock in (Lock.PASSKEY, Lock.COMPARISON)
        return PairingConfig(sc=True, mitm=is_protected, bonding=True, delegate=self)

    async def display_number(self, number: int, digits: int) -> None:
        self._show(number)

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self._show(number)
        return self.agrees

    def _show(self, number: int) -> None:
        self.shown = f"{number:06}"
        self._sensor.report(f"shows {self.shown}")

    def guard(self, characteristic: Characteristic) -> None:
        """Allows subscriptions to a characteristic only with the bond."""
        permissions = Permissions.READABLE | Permissions.WRITEABLE
        if self._lock is Lock.OPEN:
            return
        permissions |= Permissions.WRITE_REQUIRES_ENCRYPTION
        if self._lock is not Lock.BOND:
            permissions |= Permissions.WRITE_REQUIRES_AUTHENTICATION
        value = self._sensor.device.gatt_server.make_descriptor_value(characteristic)
        kind = GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR
        characteristic.descriptors = [Descriptor(kind, permissions, value)]

    async def forget(self) -> None:
        """Forgets every bond, as after a new battery or a reset of the sensor."""
        await self._sensor.device.keystore.delete_all()
        self.shown = None
