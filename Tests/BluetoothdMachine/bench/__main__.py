"""`python -m bench`: starts the world inside the machine and serves commands until the machine ends."""

from __future__ import annotations

import argparse
import asyncio
import logging
from pathlib import Path

from .commands import Commands
from .control import ControlSocket
from .daemons import Daemons
from .room import Room
from .worlds import WORLDS


async def run(options: argparse.Namespace) -> None:
    """Brings everything up, says so by creating the control socket, and serves."""
    room = Room(options.adapters)
    daemons = Daemons(options.logs)
    commands = Commands(room, daemons, options.world)
    await room.enter(options.world)
    if not options.unplugged:
        for slot in room.slots:
            await room.plug(slot)
    await daemons.start_bus()
    if not options.without_bluetoothd:
        await daemons.start_bluetoothd()
    await ControlSocket(options.control, commands).serve()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--control", type=Path, required=True, help="the UNIX socket for commands")
    parser.add_argument("--logs", type=Path, required=True, help="a folder for what the daemons say")
    parser.add_argument("--world", choices=WORLDS, default="steady", help="who is in the room")
    parser.add_argument("--adapters", type=int, default=1, help="how many adapters there are")
    parser.add_argument("--unplugged", action="store_true", help="begin without any adapter plugged in")
    parser.add_argument("--without-bluetoothd", action="store_true", help="begin without bluetoothd")
    options = parser.parse_args()
    logging.basicConfig(
        filename=options.logs / "bench.log", level=logging.INFO, format="%(asctime)s.%(msecs)03d %(name)s %(message)s",
        datefmt="%H:%M:%S",
    )  # fmt: skip
    logging.getLogger("bumble").setLevel(logging.ERROR)
    asyncio.run(run(options))


main()
