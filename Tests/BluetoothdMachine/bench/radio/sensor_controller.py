"""The controller inside a sensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bumble import hci
from bumble.controller import Controller

if TYPE_CHECKING:
    from ..sensors.peripheral import Peripheral
    from .air import Air

LE_FEATURES = (
    hci.LeFeatureMask.LE_ENCRYPTION
    | hci.LeFeatureMask.CONNECTION_PARAMETERS_REQUEST_PROCEDURE
    | hci.LeFeatureMask.EXTENDED_REJECT_INDICATION
    | hci.LeFeatureMask.PERIPHERAL_INITIATED_FEATURE_EXCHANGE
    | hci.LeFeatureMask.LE_PING
    | hci.LeFeatureMask.LE_DATA_PACKET_LENGTH_EXTENSION
)
"""Of a Bluetooth 4.2 controller: legacy advertising, no privacy."""


class SensorController(Controller):
    """Advertises in the way of Bluetooth 4.2, and notices when its link is gone."""

    hci_version = hci.HCI_VERSION_BLUETOOTH_CORE_4_2
    lmp_version = hci.HCI_VERSION_BLUETOOTH_CORE_4_2
    le_features = LE_FEATURES
    le_acl_data_packet_length = 251
    total_num_le_acl_data_packets = 16

    def __init__(self, sensor: Peripheral, air: Air) -> None:
        super().__init__(sensor.name, link=air)
        self.sensor = sensor

    def lose_links(self, reason: int) -> None:
        """Its supervision timer has run out."""
        for connection in list(self.le_connections.values()):
            self.on_le_disconnected(connection, reason)
