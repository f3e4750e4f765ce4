"""An adapter: the controller whose host is the kernel."""

from __future__ import annotations

import asyncio
import collections
import logging
from typing import TYPE_CHECKING

from bumble import hci, ll
from bumble.controller import Connection, Controller, LegacyAdvertiser

from .air import SUPERVISION_SECONDS, Air
from .classic import ClassicController
from .sensor_controller import LE_FEATURES
from .transceiver import Transceiver

if TYPE_CHECKING:
    from .vhci import VirtualController

log = logging.getLogger(__name__)

Report = hci.HCI_LE_Advertising_Report_Event.Report
EventType = hci.HCI_LE_Advertising_Report_Event.EventType

ESTABLISHING_SECONDS = 0.24
"""Seconds until a connection whose peer does not answer counts as failed: six connection intervals."""

CANCELLING_SECONDS = 0.005

NOT_SUPPORTED = {
    hci.HCI_LE_SET_PHY_COMMAND,
    hci.HCI_LE_SET_DEFAULT_PHY_COMMAND,
    hci.HCI_LE_READ_PHY_COMMAND,
    hci.HCI_LE_SET_PRIVACY_MODE_COMMAND,
    hci.HCI_LE_READ_TRANSMIT_POWER_COMMAND,
    hci.HCI_LE_READ_BUFFER_SIZE_V2_COMMAND,
}
"""Commands that bumble's controller offers and a controller of Bluetooth 4.2 does not have."""


class Adapter(ClassicController):
    """A dual-mode controller of Bluetooth 4.2, as strict as a USB dongle.

    What bumble's own lacks and Linux asks for: scan responses of their own, filtering of duplicates, the accept list,
    cancelled and failed connections, reset, signal strength. It advertises as a sensor does, if its host wants it to, so
    that another adapter may connect to it.
    """

    hci_version = hci.HCI_VERSION_BLUETOOTH_CORE_4_2
    lmp_version = hci.HCI_VERSION_BLUETOOTH_CORE_4_2
    le_features = LE_FEATURES
    manufacturer_company_identifier = 0x0002
    acl_data_packet_length = 251
    le_acl_data_packet_length = 251
    total_num_le_acl_data_packets = 8
    supported_max_tx_octets = supported_max_rx_octets = 251
    supported_max_tx_time = supported_max_rx_time = 2120
    supported_commands = Controller.supported_commands - NOT_SUPPORTED

    def __init__(self, kernel: VirtualController, air: Air, address: str) -> None:
        super().__init__("adapter", host_source=kernel, host_sink=kernel, link=air, public_address=address)
        self.air = air
        self.filters_duplicates = True
        self.counts: collections.Counter[str] = collections.Counter()
        self._accepted: set[tuple[int, bytes]] = set()
        self._reported: set[tuple[bytes, bytes, bytes]] = set()
        air.adapters.append(self)

    def remove(self) -> None:
        """Takes it out of the air; the other end of every link notices after a while."""
        self._let_links_die()
        self.air.adapters.remove(self)
        self.air.remove_controller(self)
        self.forget_inquiry()
        self.forget_advertisement()
        self.host = None

    def _let_links_die(self) -> None:
        for connection in self.le_connections.values():
            peer = self._peer(connection)
            if peer is not None and (theirs := peer.le_connections.get(connection.self_address)):
                asyncio.get_running_loop().call_later(SUPERVISION_SECONDS, self._end_forgotten_link, peer, theirs)
        self.le_connections.clear()

    @staticmethod
    def _end_forgotten_link(peer: Transceiver, connection: Connection) -> None:
        """Ends a link whose other end has forgotten it, unless it has ended or has been replaced meanwhile."""
        if peer.le_connections.get(connection.peer_address) is connection:
            peer.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)

    def _peer(self, connection: Connection) -> Transceiver | None:
        """Who is at the other end of a link."""
        return self.air.find_le_controller(connection.peer_address)

    # Scanning.

    @property
    def is_listening(self) -> bool:
        """Whether it would notice an advertisement."""
        return self.le_scan_enable or self.pending_le_connection is not None

    def hear(self, sender: Transceiver, advertisement: ll.AdvInd) -> None:
        """Reports an advertisement, and connects if it waits for its sender."""
        address = advertisement.advertiser_address
        if self.le_scan_enable and self._is_accepted(address):
            self._report(sender, advertisement)
        pending = self.pending_le_connection
        if pending is not None and pending.peer_address == address and address not in self.le_connections:
            self._connect(sender)

    def forget_reports(self, address: hci.Address | None = None) -> None:
        """Reports a sender, or every one, anew although nothing has changed."""
        wanted = None if address is None else bytes(address)
        self._reported = {key for key in self._reported if wanted is not None and key[0] != wanted}

    def _is_accepted(self, address: hci.Address) -> bool:
        return not self.le_scanning_filter_policy & 1 or (address.address_type, bytes(address)) in self._accepted

    def _report(self, sender: Transceiver, advertisement: ll.AdvInd) -> None:
        address, data = advertisement.advertiser_address, advertisement.data
        response = sender.le_legacy_advertiser.scan_response_data
        if self.filter_duplicates and self.filters_duplicates:
            key = (bytes(address), bytes(data), bytes(response))
            if key in self._reported:
                return
            self._reported.add(key)
        rssi = sender.measure_rssi()
        is_active = self.le_scan_type == 1
        for kind, octets in [(EventType.ADV_IND, data)] + ([(EventType.SCAN_RSP, response)] if is_active else []):
            report = Report(event_type=kind, address_type=address.address_type, address=address, data=octets, rssi=rssi)
            self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([report]))
            self.counts["reports"] += 1

    def on_hci_le_set_scan_enable_command(self, command):
        if command.le_scan_enable and not self.le_scan_enable:
            self.forget_reports()
        self.counts["scan_on" if command.le_scan_enable else "scan_off"] += 1
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self._accepted.clear()
        return super().on_hci_le_clear_filter_accept_list_command(command)

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        self._accepted.add((int(command.address_type), bytes(command.address)))
        return super().on_hci_le_add_device_to_filter_accept_list_command(command)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        self._accepted.discard((int(command.address_type), bytes(command.address)))
        return super().on_hci_le_remove_device_from_filter_accept_list_command(command)

    # Advertising.

    def on_hci_le_set_advertising_parameters_command(self, command):
        if self.le_legacy_advertiser.enabled:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        return super().on_hci_le_set_advertising_parameters_command(command)

    def on_hci_le_set_advertising_enable_command(self, command):
        self.counts["advertising_on" if command.advertising_enable else "advertising_off"] += 1
        return super().on_hci_le_set_advertising_enable_command(command)

    def forget_advertisement(self) -> None:
        """Advertises no more, and forgets what it advertised."""
        self.le_legacy_advertiser.stop()
        self.le_legacy_advertiser = LegacyAdvertiser(self)

    # Links.

    def _connect(self, sender: Transceiver) -> None:
        address = self.pending_le_connection.peer_address
        self.counts["connections"] += 1
        if not sender.refuses_link():
            self.create_le_connection(address)
            return
        # It never answers on the new link: Connection Complete, and then an error.
        was_heard = sender not in self.air.out_of_range
        self.air.out_of_range.add(sender)
        self.create_le_connection(address)

        def fail() -> None:
            if was_heard:
                self.air.out_of_range.discard(sender)
            self.lose_link(address, hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR)

        asyncio.get_running_loop().call_later(ESTABLISHING_SECONDS, fail)

    def on_hci_le_create_connection_cancel_command(self, command):
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        event = hci.HCI_LE_Connection_Complete_Event(
            status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
            connection_handle=0,
            role=hci.Role.CENTRAL,
            peer_address_type=pending.peer_address.address_type,
            peer_address=pending.peer_address,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        asyncio.get_running_loop().call_later(CANCELLING_SECONDS, self.send_hci_packet, event)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def on_hci_disconnect_command(self, command):
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        connection = self.find_le_connection_by_handle(command.connection_handle)
        if connection is None:
            return None
        connection.send_ll_control_pdu(ll.TerminateInd(command.reason))

        # The link is over when the other end has answered.
        def end(connection: Connection = connection) -> None:
            if self.le_connections.get(connection.peer_address) is connection:
                self.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_TERMINATED_BY_LOCAL_HOST_ERROR)

        asyncio.get_running_loop().call_later(2 * self.air.latency, end)
        return None

    # The rest of what Linux asks for.

    def on_hci_reset_command(self, command):
        self.le_scan_enable = False
        self.pending_le_connection = None
        self.forget_inquiry()
        self.forget_advertisement()
        self._accepted.clear()
        self.forget_reports()
        self._let_links_die()
        return super().on_hci_reset_command(command)

    def on_hci_read_rssi_command(self, command):
        connection = self.find_le_connection_by_handle(command.handle)
        peer = self._peer(connection) if connection else None
        unknown = hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
        return hci.HCI_Read_RSSI_ReturnParameters(
            status=hci.HCI_ErrorCode.SUCCESS if peer else unknown,
            handle=command.handle,
            rssi=peer.rssi if peer else 127,
        )

    def on_hci_command(self, command):
        # Whatever is not answered would stop the kernel for two seconds.
        log.info("the adapter does not know %s", command.name)
        unknown = hci.HCI_ErrorCode.UNKNOWN_HCI_COMMAND_ERROR
        if isinstance(command, hci.HCI_SyncCommand):
            return hci.HCI_StatusReturnParameters(unknown)
        self._send_hci_command_status(unknown, command.op_code)
        return None

    def on_hci_read_remote_version_information_command(self, command):
        self._send_hci_command_status(hci.HCI_COMMAND_STATUS_PENDING, command.op_code)
        self.send_hci_packet(
            hci.HCI_Read_Remote_Version_Information_Complete_Event(
                status=hci.HCI_ErrorCode.SUCCESS,
                connection_handle=command.connection_handle,
                version=hci.HCI_VERSION_BLUETOOTH_CORE_4_2,
                manufacturer_name=0x0059,
                subversion=0,
            )
        )
