"""The air: who hears whom, and how long a packet takes."""

from __future__ import annotations

import asyncio
import collections
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from bumble import ll
from bumble.controller import Controller
from bumble.link import LocalLink

if TYPE_CHECKING:
    from .adapter import Adapter
    from .transceiver import Transceiver

log = logging.getLogger(__name__)

SUPERVISION_SECONDS = 0.42
"""Seconds of silence after which a link counts as lost: what Linux asks for."""

USUAL_LATENCY = 0.02
"""Seconds from a packet to its arrival: a connection interval of usual length."""

PACKET_SECONDS = 0.0007
"""Seconds that a packet and its acknowledgement take on the air: more packets than that do not arrive."""


Ends = tuple[Controller, Controller]
"""Who sends and who receives."""


class Air(LocalLink):
    """A radio link with range, latency and order.

    Packets of one direction arrive in the order in which they were sent, `latency` seconds later. A controller that is
    out of range neither hears nor is heard.
    """

    def __init__(self) -> None:
        super().__init__()
        self.latency = USUAL_LATENCY
        self.adapters: list[Adapter] = []
        self.out_of_range: set[Controller] = set()
        self._queues: dict[Ends, collections.deque[Callable[[], None]]] = {}
        self._last_arrivals: dict[Ends, float] = {}

    def remove_controller(self, controller: Controller) -> None:
        super().remove_controller(controller)
        self.out_of_range.discard(controller)
        for ends in [ends for ends in self._queues if controller in ends]:
            del self._queues[ends], self._last_arrivals[ends]

    def is_heard(self, a: Controller, b: Controller) -> bool:
        """Whether two controllers hear each other."""
        return a not in self.out_of_range and b not in self.out_of_range

    def _later(self, sender: Controller, receiver: Controller, arrive: Callable[[], None]) -> None:
        """Has something arrive after the latency, and one packet's time after what was sent earlier."""
        ends = (sender, receiver)
        loop = asyncio.get_running_loop()
        due = max(loop.time() + self.latency, self._last_arrivals.get(ends, 0.0) + PACKET_SECONDS)
        self._last_arrivals[ends] = due
        self._queues.setdefault(ends, collections.deque()).append(arrive)
        loop.call_at(due, self._arrive, ends)

    def _arrive(self, ends: Ends) -> None:
        queue = self._queues.get(ends)
        if queue and self.is_heard(*ends):
            try:
                queue.popleft()()
            except Exception:  # A packet of a link that has just ended must not end the air.
                log.debug("a packet was lost", exc_info=True)
        elif queue:
            queue.popleft()

    # What bumble's controllers call.

    def send_advertising_pdu(self, sender: Transceiver, packet: ll.AdvertisingPdu) -> None:
        """An advertisement goes to the other adapters, which alone listen; a wish to connect to whom it names."""
        if isinstance(packet, ll.AdvInd):
            for adapter in self.adapters:
                if adapter is not sender and adapter.is_listening and self.is_heard(sender, adapter):
                    adapter.hear(sender, packet)
            return
        receiver = self.find_le_controller(packet.advertiser_address)
        if receiver is not None and self.is_heard(sender, receiver):
            asyncio.get_running_loop().call_soon(receiver.on_ll_advertising_pdu, packet)

    def send_acl_data(self, sender: Controller, destination_address, transport, data: bytes) -> None:
        connection = sender.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection is None or receiver is None or not self.is_heard(sender, receiver):
            return
        source = connection.self_address
        self._later(sender, receiver, lambda: receiver.on_link_acl_data(source, transport, data))

    def send_ll_control_pdu(self, sender_address, receiver_address, packet: ll.ControlPdu) -> None:
        sender = self.find_le_controller(sender_address)
        receiver = self.find_le_controller(receiver_address)
        if sender is None or receiver is None or not self.is_heard(sender, receiver):
            return
        # In the queue of the data, so that the end of a link never overtakes what was sent on it.
        self._later(sender, receiver, lambda: receiver.on_ll_control_pdu(sender_address, packet))
