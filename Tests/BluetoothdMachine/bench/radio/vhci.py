"""The kernel's side of a virtual controller: /dev/vhci."""

import asyncio
import logging
import os

log = logging.getLogger(__name__)

DEVICE = "/dev/vhci"
VENDOR_PACKET = 0xFF
PRIMARY_CONTROLLER = 0x00


class VirtualController:
    """An `hciN` of the kernel; each read and each write is one HCI packet."""

    def __init__(self) -> None:
        self._sink = None
        self._index: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._descriptor = os.open(DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        asyncio.get_running_loop().add_reader(self._descriptor, self._read)
        os.write(self._descriptor, bytes([VENDOR_PACKET, PRIMARY_CONTROLLER]))

    async def index(self) -> int:
        """The number that the kernel gave it: 0 for `hci0`."""
        return await self._index

    def close(self) -> None:
        """Pulls it out: the kernel sees the controller disappear."""
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)

    def set_packet_sink(self, sink) -> None:
        """Who gets what the kernel sends (bumble's name)."""
        self._sink = sink

    def on_packet(self, packet: bytes) -> None:
        """Gives the kernel a packet (bumble's name)."""
        try:
            os.write(self._descriptor, packet)
        except OSError as error:  # The kernel takes nothing while the controller is down.
            log.debug("the kernel did not take a packet: %s", error)

    def _read(self) -> None:
        try:
            packet = os.read(self._descriptor, 4096)
        except OSError:
            return
        if not packet:
            return
        if packet[0] == VENDOR_PACKET:
            if not self._index.done():
                self._index.set_result(packet[2] | packet[3] << 8)
        elif self._sink is not None:
            self._sink.on_packet(packet)
