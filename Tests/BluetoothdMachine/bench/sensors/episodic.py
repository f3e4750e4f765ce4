"""Sensors that sleep, wake up when somebody measures with them, hand over what they have, and leave."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from .peripheral import Peripheral

log = logging.getLogger(__name__)

AWAKE_SECONDS = 60.0
"""How long it advertises before it falls asleep again, with what it has still unsent."""


class Episodic(Peripheral):
    """A sensor that advertises only for a while after somebody has used it."""

    advertises_again = False

    def __init__(self, *arguments, **options):
        self._tasks: set[asyncio.Task[None]] = set()
        self._falling_asleep: asyncio.TimerHandle | None = None
        self.is_done = False
        """Whether a client has what it woke up for."""
        super().__init__(*arguments, **options)
        self.is_advertising = False

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._stay_awake()
        await super().stop()

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Does something while events are served."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:  # The link may end at any moment.
                log.info("%s: %r", self.name, error)

        task = asyncio.create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # Sleep.

    async def wake(self) -> None:
        """Advertises for a while, as when its key was pressed or a measurement has ended."""
        self.is_done = False
        self.is_advertising = True
        self._fall_asleep_later()
        await self.advertise()

    async def fall_asleep(self) -> None:
        """Ends its link, if it has one, and advertises no more."""
        self._stay_awake()
        self.is_advertising = False
        if self.connection is not None:
            await self.connection.disconnect()
        await self.advertise()

    def _disconnected(self, reason: int) -> None:
        if self.is_done:
            self._stay_awake()
            self.is_advertising = False
        elif self.is_advertising:
            self._fall_asleep_later()
        super()._disconnected(reason)

    def _fall_asleep_later(self) -> None:
        self._stay_awake()
        self._falling_asleep = asyncio.get_running_loop().call_later(AWAKE_SECONDS, self._sleep_unless_connected)

    def _stay_awake(self) -> None:
        if self._falling_asleep is not None:
            self._falling_asleep.cancel()
            self._falling_asleep = None

    def _sleep_unless_connected(self) -> None:
        if self.connection is None:
            self.run(self.fall_asleep())

    # Measurements.

    async def take(self, words: list[str]) -> None:
        """Somebody measures with it; the words say what comes out."""
        raise NotImplementedError

    async def measure(self) -> None:
        """It measures only when somebody does so with it."""
