"""The part of BR/EDR that Linux needs to bring up a dual-mode controller; there is no peer."""

from __future__ import annotations

import asyncio

from bumble import hci

from .transceiver import Transceiver

COMMAND_COMPLETE = 0x0E
CONNECTION_COMPLETE = 0x03
INQUIRY_COMPLETE = 0x01
EVENT_PACKET = 0x04
PAGE_TIMEOUT = 0x04
PAGE_SECONDS = 5.12
INQUIRY_UNIT_SECONDS = 1.28

_F = hci.LmpFeatureMask

FEATURES = (
    _F.LMP_3_SLOT_PACKETS
    | _F.LMP_5_SLOT_PACKETS
    | _F.ENCRYPTION
    | _F.ROLE_SWITCH
    | _F.SNIFF_MODE
    | _F.POWER_CONTROL
    | _F.RSSI_WITH_INQUIRY_RESULTS
    | _F.LE_SUPPORTED_CONTROLLER
    | _F.EXTENDED_INQUIRY_RESPONSE
    | _F.SECURE_SIMPLE_PAIRING_CONTROLLER_SUPPORT
    | _F.SIMULTANEOUS_LE_AND_BR_EDR_TO_SAME_DEVICE_CAPABLE_CONTROLLER
    | _F.EXTENDED_FEATURES
)

ANSWERS = {
    0x0C05: "00",  # Set Event Filter
    0x0C0D: "0000000000",  # Read Stored Link Key
    0x0C12: "000000",  # Delete Stored Link Key
    0x0C16: "00",  # Write Connection Accept Timeout
    0x0C18: "00",  # Write Page Timeout
    0x0C1B: "0000081200",  # Read Page Scan Activity
    0x0C1C: "00",  # Write Page Scan Activity
    0x0C1E: "00",  # Write Inquiry Scan Activity
    0x0C20: "00",  # Write Authentication Enable
    0x0C25: "006000",  # Read Voice Setting
    0x0C26: "00",  # Write Voice Setting
    0x0C38: "0001",  # Read Number Of Supported IAC
    0x0C39: "0001338b9e",  # Read Current IAC LAP
    0x0C3A: "00",  # Write Current IAC LAP
    0x0C45: "00",  # Write Inquiry Mode
    0x0C46: "0000",  # Read Page Scan Type
    0x0C47: "00",  # Write Page Scan Type
    0x0C58: "0000",  # Read Inquiry Response Transmit Power Level
    0x080F: "00",  # Write Default Link Policy Settings
}
"""Commands that are answered with the same octets every time, the status first."""


class ClassicController(Transceiver):
    """Answers the BR/EDR commands of Linux; an inquiry finds nothing, and a page times out."""

    lmp_features = FEATURES
    lmp_features_max_page_number = 1

    _inquiry: asyncio.TimerHandle | None = None

    def on_packet(self, packet: bytes) -> None:
        code = packet[1] | packet[2] << 8 if packet[0] == hci.HCI_COMMAND_PACKET else None
        loop = asyncio.get_running_loop()
        if code in ANSWERS:
            self._complete(code, bytes.fromhex(ANSWERS[code]))
        elif code == hci.HCI_INQUIRY_COMMAND:
            self._send_hci_command_status(0, code)
            self._inquiry = loop.call_later(packet[7] * INQUIRY_UNIT_SECONDS, self._end_inquiry)
        elif code == hci.HCI_INQUIRY_CANCEL_COMMAND:
            self.forget_inquiry()
            self._complete(code, b"\x00")
        elif code == hci.HCI_CREATE_CONNECTION_COMMAND:
            self._send_hci_command_status(0, code)
            answer = bytes([PAGE_TIMEOUT, 0, 0]) + packet[4:10] + b"\x01\x00"
            loop.call_later(PAGE_SECONDS, self._send_event, CONNECTION_COMPLETE, answer)
        else:
            super().on_packet(packet)

    def forget_inquiry(self) -> None:
        """Ends an inquiry without a word."""
        if self._inquiry is not None:
            self._inquiry.cancel()
            self._inquiry = None

    def _end_inquiry(self) -> None:
        self._inquiry = None
        self._send_event(INQUIRY_COMPLETE, b"\x00")

    def _complete(self, code: int, parameters: bytes) -> None:
        body = bytes([1, code & 0xFF, code >> 8]) + parameters
        asyncio.get_running_loop().call_soon(self._send_event, COMMAND_COMPLETE, body)

    def _send_event(self, event: int, body: bytes) -> None:
        if self.host is not None:
            self.host.on_packet(bytes([EVENT_PACKET, event, len(body)]) + body)
