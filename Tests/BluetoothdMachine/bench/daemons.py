"""The message bus and bluetoothd, started and stopped as a computer does."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

log = logging.getLogger(__name__)

BLUETOOTHD = "/usr/libexec/bluetooth/bluetoothd"
BUS_SOCKET = Path("/run/dbus/system_bus_socket")
REFUSAL = Path("/etc/dbus-1/system.d/zz-bedside-refusal.conf")
POLICY = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <policy context="mandatory">
    <deny send_destination="org.bluez"/>
  </policy>
</busconfig>
"""
"""Even root obeys it."""

PATIENCE_SECONDS = 60.0
"""Only decides how long a failure takes."""


class DaemonFailure(Exception):
    """A daemon does not do what it should."""


async def until(is_true: Callable[[], Awaitable[bool]], what: str) -> None:
    """Waits until something is true."""
    loop = asyncio.get_running_loop()
    limit = loop.time() + PATIENCE_SECONDS
    while not await is_true():
        if loop.time() > limit:
            raise DaemonFailure(f"after {PATIENCE_SECONDS:.0f} s still not: {what}")
        await asyncio.sleep(0.05)


class Daemon:
    """A program that runs beside everything else; what it says goes to a file."""

    def __init__(self, arguments: list[str], logs: Path) -> None:
        self.name = Path(arguments[0]).name
        self._arguments = arguments
        self._log = logs / f"{self.name}.log"
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        with self._log.open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                *self._arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def must_run(self) -> None:
        """Raises if it has ended by itself."""
        if self._process is not None and self._process.returncode is not None:
            raise DaemonFailure(f"{self.name} ended with status {self._process.returncode}")

    async def end(self, number: signal.Signals) -> None:
        """Ends it by a signal and waits until it is gone."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)
        await self._process.wait()


class Daemons:
    """The system bus, and bluetoothd on it."""

    def __init__(self, logs: Path) -> None:
        # As their units of Debian's packages start them.
        self.bus = Daemon(["/usr/bin/dbus-daemon", "--system", "--nofork", "--nopidfile"], logs)
        self.bluetoothd = Daemon([BLUETOOTHD, "--nodetach"], logs)

    async def start_bus(self) -> None:
        """Starts the bus, unless it runs; returns when it answers."""
        if self.bus.is_running:
            return
        BUS_SOCKET.parent.mkdir(parents=True, exist_ok=True)
        BUS_SOCKET.unlink(missing_ok=True)
        await self.bus.start()

        async def is_answering() -> bool:
            self.bus.must_run()
            return await self._call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetId") is not None

        await until(is_answering, "the message bus answers")

    async def stop_bus(self) -> None:
        """Ends the bus; bluetoothd, which cannot live without it, leaves too."""
        await self.bus.end(signal.SIGTERM)
        BUS_SOCKET.unlink(missing_ok=True)
        await self.stop_bluetoothd()

    async def stop_bluetoothd(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ends bluetoothd, if it runs."""
        if self.bluetoothd.is_running:
            await self.bluetoothd.end(number)

    async def start_bluetoothd(self) -> None:
        """Starts bluetoothd, unless it runs; returns when all adapters are there and have been powered."""
        if self.bluetoothd.is_running:
            return
        await self.bluetoothd.start()
        await self.settle()

    async def settle(self) -> None:
        """Waits until bluetoothd knows all adapters and has powered those that it may."""
        await until(self._has_settled, "bluetoothd has powered its adapters")

    async def _has_settled(self) -> bool:
        self.bluetoothd.must_run()
        if (
            await self._call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetNameOwner", "string:org.bluez")
            is None
        ):
            return False
        if REFUSAL.exists():  # It cannot be asked any more.
            return True
        for number in adapters():
            if not await self.get_powered(number) and not is_blocked(number):
                return False
        return True

    async def get_powered(self, number: int) -> bool:
        """Whether an adapter is on."""
        arguments = ["string:org.bluez.Adapter1", "string:Powered"]
        answer = await self._call(
            "org.bluez", f"/org/bluez/hci{number}", "org.freedesktop.DBus.Properties.Get", *arguments
        )
        return answer is not None and "true" in answer

    async def set_powered(self, number: int, is_on: bool) -> None:
        """Switches an adapter on or off, as any other program may."""
        arguments = ["string:org.bluez.Adapter1", "string:Powered", f"variant:boolean:{str(is_on).lower()}"]
        answer = await self._call(
            "org.bluez", f"/org/bluez/hci{number}", "org.freedesktop.DBus.Properties.Set", *arguments
        )
        if answer is None:
            raise DaemonFailure(f"bluetoothd would not switch hci{number} {'on' if is_on else 'off'}")

    async def permit(self, is_permitted: bool) -> None:
        """Lets the bus's policy forbid, or no longer forbid, that anybody calls bluetoothd."""
        if is_permitted and not REFUSAL.exists():
            return
        if is_permitted:
            REFUSAL.unlink()
        else:
            REFUSAL.write_text(POLICY)
        if self.bus.is_running:
            await self._call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.ReloadConfig")

    @staticmethod
    async def _call(name: str, path: str, method: str, *arguments: str) -> str | None:
        """Calls a method by another program's hands; `None` if that fails."""
        process = await asyncio.create_subprocess_exec(
            "dbus-send", "--system", "--print-reply", f"--dest={name}", path, method, *arguments,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        output, _ = await process.communicate()
        return output.decode(errors="replace") if process.returncode == 0 else None


def adapters() -> list[int]:
    """The numbers of the kernel's adapters; the folder holds their links, too."""
    names = [each.name for each in Path("/sys/class/bluetooth").glob("hci*")]
    return sorted(int(name[3:]) for name in names if name[3:].isdigit())


def _switches(number: int | None) -> list[Path]:
    folders = Path("/sys/class/rfkill").glob("rfkill*")
    wanted = None if number is None else f"hci{number}"
    return [each / "soft" for each in folders if wanted in (None, (each / "name").read_text().strip())]


def is_blocked(number: int) -> bool:
    """Whether rfkill blocks an adapter."""
    return any(switch.read_text().strip() == "1" for switch in _switches(number))


def block(number: int | None, is_blocked: bool) -> None:
    """Blocks an adapter, or all, by rfkill."""
    for switch in _switches(number):
        switch.write_text("1" if is_blocked else "0")


SUSPEND = """
import sys, time

def slept():
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)

before = slept()
alarm = "/sys/class/rtc/rtc0/wakealarm"
with open(alarm, "w") as file: file.write("0")
with open(alarm, "w") as file: file.write("+" + sys.argv[1])
# "freeze" would stop the processes, but not the clock that stands still while a computer sleeps.
with open("/sys/power/state", "w") as file: file.write("mem")
sys.exit(slept() - before < int(sys.argv[1]) / 2)
"""


async def suspend(seconds: int) -> None:
    """Lets the machine sleep and wake up by its clock's alarm.

    Another process does it, because the kernel talks to the adapters, which are played by this one, on its way.
    """
    process = await asyncio.create_subprocess_exec("/usr/bin/python3", "-c", SUSPEND, str(seconds))
    if await process.wait():
        raise DaemonFailure("the machine does not sleep")


def set_clock(seconds: int) -> None:
    """Sets the machine's wall clock ahead by a number of seconds, or back by a negative number."""
    time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)
