"""What the others in the air know of a controller."""

from __future__ import annotations

from bumble import hci
from bumble.controller import Controller


class Transceiver(Controller):
    """A controller that is heard, and that notices when a link is gone."""

    rssi = -58
    """How strong the others hear it, in dBm."""

    def measure_rssi(self) -> int:
        """How strong one of its packets is."""
        return self.rssi

    def refuses_link(self) -> bool:
        """Whether it does not answer on the link that begins now."""
        return False

    def lose_link(self, address: hci.Address, reason: int) -> None:
        """The supervision timer of the link with this address has run out."""
        connection = self.le_connections.get(address)
        if connection is not None:
            self.on_le_disconnected(connection, reason)
