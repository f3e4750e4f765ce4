"""The controller inside a sensor."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from bumble import hci

from .transceiver import Transceiver

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


class SensorController(Transceiver):
    """Advertises in the way of Bluetooth 4.2, and notices when its link is gone."""

    hci_version = hci.HCI_VERSION_BLUETOOTH_CORE_4_2
    lmp_version = hci.HCI_VERSION_BLUETOOTH_CORE_4_2
    le_features = LE_FEATURES
    le_acl_data_packet_length = 251
    total_num_le_acl_data_packets = 16

    def __init__(self, sensor: Peripheral, air: Air) -> None:
        super().__init__(sensor.name, link=air)
        self.sensor = sensor

    @property
    def rssi(self) -> int:
        return self.sensor.rssi

    def measure_rssi(self) -> int:
        return self.rssi + random.randint(-self.sensor.rssi_noise, self.sensor.rssi_noise)

    def refuses_link(self) -> bool:
        if not self.sensor.refusals:
            return False
        self.sensor.refusals -= 1
        return True

    def lose_links(self, reason: int) -> None:
        """The supervision timers of all links have run out."""
        for address in list(self.le_connections):
            self.lose_link(address, reason)
