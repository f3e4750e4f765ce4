"""The language in which a test drives the world: one command a line, one answer a line."""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import shutil
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import daemons as machine
from .daemons import Daemons, until
from .room import Room, Slot
from .sensors.cuff import Cuff
from .sensors.episodic import Episodic
from .sensors.glucose_meter import GlucoseMeter
from .sensors.libre import State
from .sensors.miaomiao import MiaoMiao
from .sensors.oximeter import Oximeter
from .sensors.peripheral import Peripheral
from .sensors.polar import PolarStrap
from .sensors.strap import Strap
from .sensors.thermometer import Thermometer

BONDS = Path("/var/lib/bluetooth")
"""Where bluetoothd keeps what it knows of devices."""


class Mistake(Exception):
    """A line is no command."""


@dataclass
class Command:
    """What a word does."""

    usage: str
    perform: Callable[..., Awaitable[str | None]]
    words: int | None = None
    """How many words it takes at most; the last one is the rest of the line as it is."""

    def split(self, rest: str) -> list[str]:
        """Splits what follows the word into arguments."""
        if self.words is None:
            return [word for word in rest.split(" ") if word]
        return rest.split(" ", self.words - 1) if rest else []

    def check(self, word: str, arguments: list[str]) -> None:
        """Raises if there are too few or too many arguments."""
        try:
            inspect.signature(self.perform).bind(None, *arguments)
        except TypeError:
            raise Mistake(f"use: {word} {self.usage}".rstrip()) from None


COMMANDS: dict[str, Command] = {}


def command(word: str, usage: str = "", words: int | None = None):
    """Makes a method of `Commands` the one that a word calls."""

    def enter(perform):
        COMMANDS[word] = Command(usage, perform, words)
        return perform

    return enter


def number(text: str) -> float:
    """A number, or NaN for "no number"."""
    return math.nan if text in ("nan", "none", "off") else float(text)


def choice(text: str, meanings: dict[str, Any]) -> Any:
    """What one of a few words means."""
    if text not in meanings:
        raise Mistake(f"expected {' or '.join(meanings)}, found {text}")
    return meanings[text]


def is_on(text: str) -> bool:
    return choice(text, {"on": True, "off": False})


class Commands:
    """Performs commands on a room and the daemons beside it."""

    def __init__(self, room: Room, daemons: Daemons, world: str) -> None:
        self.room = room
        self.daemons = daemons
        self.world = world

    async def perform(self, line: str) -> str:
        """Does what a line says.

        Returns `ok`, a JSON text, or `error: ` and the reason; what takes a time is over then.
        """
        word, _, rest = line.partition(" ")
        known = COMMANDS.get(word.lower())
        if known is None:
            return f"error: unknown command: {word} (try help)"
        arguments = known.split(rest)
        try:
            known.check(word, arguments)
            answer = await known.perform(self, *arguments)
        except Exception as error:
            return "error: " + " ".join(f"{error or type(error).__name__}".split())
        return answer or "ok"

    def _first(self, kind: type[Peripheral]) -> Any:
        for peripheral in self.room.peripherals:
            if isinstance(peripheral, kind) and peripheral.key:
                return peripheral
        raise Mistake(f"there is no {kind.__name__.lower()}")

    # What is measured.

    @command("temp", "CELSIUS|nan")
    async def temp(self, celsius: str) -> None:
        self._first(Thermometer).celsius = number(celsius)

    @command("unit", "c|f")
    async def unit(self, unit: str) -> None:
        self._first(Thermometer).unit = choice(unit, {"c": "c", "f": "f"})

    @command("stamp", "on|off")
    async def stamp(self, word: str) -> None:
        self._first(Thermometer).has_timestamp = is_on(word)

    @command("ttype", "NUMBER|off")
    async def ttype(self, kind: str) -> None:
        self._first(Thermometer).type = None if kind == "off" else int(kind)

    @command("hr", "RATE")
    async def hr(self, rate: str) -> None:
        self._first(Strap).rate = int(rate)

    @command("contact", "on|off|none")
    async def contact(self, word: str) -> None:
        self._first(Strap).has_contact = choice(word, {"on": True, "off": False, "none": None})

    @command("rr", "MILLISECONDS...|auto|none")
    async def rr(self, *words: str) -> None:
        texts = {("auto",): None, ("none",): []}
        self._first(Strap).intervals = texts[words] if words in texts else [float(word) for word in words]

    @command("energy", "KILOJOULES|off")
    async def energy(self, word: str) -> None:
        self._first(Strap).energy = None if word == "off" else int(word)

    @command("wide", "on|off")
    async def wide(self, word: str) -> None:
        self._first(Strap).is_wide = is_on(word)

    @command("spo2", "PERCENT|nan")
    async def spo2(self, percent: str) -> None:
        self._first(Oximeter).saturation = number(percent)

    @command("pulse", "RATE|nan")
    async def pulse(self, rate: str) -> None:
        self._first(Oximeter).pulse = number(rate)

    @command("spot")
    async def spot(self) -> None:
        await self._first(Oximeter).send_spot_check()

    @command("off", "WHO")
    async def off(self, *who: str) -> None:
        for peripheral in self._who(who):
            peripheral.is_on_body = False

    @command("on", "WHO")
    async def on(self, *who: str) -> None:
        for peripheral in self._who(who):
            peripheral.is_on_body = True

    # Sensors that are used now and then.

    def _episodic(self, who: str) -> list[Episodic]:
        found = [peripheral for peripheral in self.room.find(who) if isinstance(peripheral, Episodic)]
        if not found:
            raise Mistake(f"{who} measures all the time")
        return found

    @command("measure", "WHO VALUE...")
    async def measure(self, who: str, *words: str) -> None:
        for peripheral in self._episodic(who):
            await peripheral.take(list(words))

    @command("wake", "WHO")
    async def wake(self, who: str) -> None:
        for peripheral in self._episodic(who):
            await peripheral.wake()

    @command("inflate", "MMHG")
    async def inflate(self, pressure: str) -> None:
        await self._first(Cuff).inflate(float(pressure))

    @command("records", "COUNT [FIRST]")
    async def records(self, count: str, first: str = "1") -> None:
        self._first(GlucoseMeter).store(int(count), int(first))

    @command("repeat", "TIMES")
    async def repeat(self, times: str) -> None:
        self._first(GlucoseMeter).repetitions = int(times)

    @command("lose", "WHO COUNT")
    async def lose(self, who: str, count: str) -> None:
        self._polar(who).frames_to_lose = int(count)

    @command("restart-clock", "WHO")
    async def restart_clock(self, who: str) -> None:
        self._polar(who).restart_clock()

    def _polar(self, who: str) -> PolarStrap:
        for peripheral in self.room.find(who):
            if isinstance(peripheral, PolarStrap):
                return peripheral
        raise Mistake(f"{who} streams nothing")

    @command("backwards", "on|off")
    async def backwards(self, word: str) -> None:
        self._first(GlucoseMeter).is_backwards = is_on(word)

    @command("break-after", "COUNT")
    async def break_after(self, count: str) -> None:
        self._first(GlucoseMeter).breaks_after = int(count)

    @command("glucose", "MGDL [MGDL-A-MINUTE]")
    async def glucose(self, milligrams: str, slope: str = "0") -> None:
        self._first(MiaoMiao).set_glucose(float(milligrams), float(slope))

    @command("libre", "new|warming|active|expired|shut_down|failed|missing|unknown")
    async def libre(self, word: str) -> None:
        bridge = self._first(MiaoMiao)
        bridge.is_sensor_known = word != "unknown"
        states = {state.name.lower(): state for state in State} | {"missing": None, "unknown": State.ACTIVE}
        bridge.sensor_state = choice(word, states)

    @command("patch", "[HEX...]")
    async def patch(self, *octets: str) -> None:
        self._first(MiaoMiao).patch_information = bytes.fromhex("".join(octets))

    @command("damage", "COUNT")
    async def damage(self, count: str) -> None:
        self._first(MiaoMiao).damaged = int(count)

    # How a sensor behaves.

    def _who(self, words: tuple[str, ...]) -> list[Peripheral]:
        """The sensors that the words stand for together: a name may hold spaces."""
        return self.room.find(" ".join(words) if words else "all")

    @command("battery", "WHO PERCENT")
    async def battery(self, who: str, percent: str) -> None:
        for peripheral in self.room.find(who):
            await peripheral.set_battery(int(percent))

    @command("interval", "WHO SECONDS")
    async def interval(self, who: str, seconds: str) -> None:
        for peripheral in self.room.find(who):
            peripheral.interval = float(seconds)

    @command("quiet", "[WHO]")
    async def quiet(self, *who: str) -> None:
        for peripheral in self._who(who):
            peripheral.is_talking = False

    @command("loud", "[WHO]")
    async def loud(self, *who: str) -> None:
        for peripheral in self._who(who):
            peripheral.is_talking = True

    @command("burst", "WHO COUNT [MILLISECONDS]")
    async def burst(self, who: str, count: str, milliseconds: str = "0") -> None:
        for peripheral in self.room.find(who):
            for index in range(int(count)):
                await peripheral.send_number(index)
                if float(milliseconds):
                    await asyncio.sleep(float(milliseconds) / 1000)

    @command("raw", "WHO HEX...")
    async def raw(self, who: str, *octets: str) -> None:
        for peripheral in self.room.find(who):
            await peripheral.send_octets(bytes.fromhex("".join(octets)))

    # Links.

    @command("drop", "WHO [REASON]")
    async def drop(self, who: str, reason: str = "08") -> None:
        peripherals = self.room.find(who)
        await self.room.lose(peripherals, int(reason, 16))
        self.room.regain(peripherals)

    @command("vanish", "[WHO]")
    async def vanish(self, *who: str) -> None:
        await self.room.lose(self._who(who))

    @command("return", "[WHO]")
    async def regain(self, *who: str) -> None:
        self.room.regain(self._who(who))

    @command("bye", "WHO")
    async def bye(self, *who: str) -> None:
        for peripheral in self._who(who):
            if peripheral.connection is not None:
                await peripheral.connection.disconnect()

    @command("refuse", "WHO COUNT")
    async def refuse(self, who: str, count: str, _reason: str = "") -> None:
        for peripheral in self.room.find(who):
            peripheral.refusals = int(count)

    @command("services-changed", "WHO")
    async def services_changed(self, *who: str) -> None:
        for peripheral in self._who(who):
            await peripheral.change_services()

    # Pairing.

    @command("passkey", "WHO")
    async def passkey(self, *who: str) -> str:
        """What its display shows; waits until it shows something."""
        pairing = self._who(who)[0].pairing

        async def is_shown() -> bool:
            return pairing.shown is not None

        await until(is_shown, "six digits are shown")
        return str(pairing.shown)

    @command("agree", "WHO yes|no")
    async def agree(self, who: str, word: str) -> None:
        for peripheral in self.room.find(who):
            peripheral.pairing.agrees = choice(word, {"yes": True, "no": False})

    @command("unbond", "WHO")
    async def unbond(self, *who: str) -> None:
        for peripheral in self._who(who):
            await peripheral.pairing.forget()

    # Advertising.

    @command("adv", "WHO on|off")
    async def adv(self, who: str, word: str) -> None:
        for peripheral in self.room.find(who):
            peripheral.is_advertising = is_on(word)
            await peripheral.advertise()

    @command("rename", "WHO NAME", words=2)
    async def rename(self, who: str, name: str) -> None:
        for peripheral in self.room.find(who):
            peripheral.name = name
            await peripheral.advertise()

    @command("rotate", "WHO [ADDRESS]")
    async def rotate(self, who: str, address: str | None = None) -> None:
        for peripheral in self.room.find(who):
            await peripheral.rotate(address)

    @command("rssi", "WHO DBM [NOISE]")
    async def rssi(self, who: str, dbm: str, noise: str = "0") -> None:
        for peripheral in self.room.find(who):
            peripheral.rssi, peripheral.rssi_noise = int(dbm), int(noise)
            for adapter in self.room.adapters:
                adapter.forget_reports(peripheral.controller.random_address)

    # Adapters; HCI is `hci0` and so on, and left out all.

    def _slots(self, name: str | None) -> list[Slot]:
        names = {f"hci{index}": slot for index, slot in enumerate(self.room.slots)}
        return self.room.slots if name is None else [choice(name, names)]

    def _numbers(self, name: str | None) -> list[int]:
        numbers = machine.adapters()
        return numbers if name is None else [choice(name, {f"hci{each}": each for each in numbers})]

    @command("plug", "[HCI]")
    async def plug(self, name: str | None = None) -> None:
        for slot in self._slots(name):
            await self.room.plug(slot)

    @command("unplug", "[HCI]")
    async def unplug(self, name: str | None = None) -> None:
        for slot in self._slots(name):
            await self.room.unplug(slot)

    @command("power", "on|off [HCI]")
    async def power(self, word: str, name: str | None = None) -> None:
        for each in self._numbers(name):
            await self.daemons.set_powered(each, is_on(word))

    @command("rfkill", "block|unblock [HCI]")
    async def rfkill(self, word: str, name: str | None = None) -> None:
        is_blocked = choice(word, {"block": True, "unblock": False})
        for each in self._numbers(name):
            machine.block(each, is_blocked)

    @command("dupfilter", "on|off")
    async def dupfilter(self, word: str) -> None:
        for adapter in self.room.adapters:
            adapter.filters_duplicates = is_on(word)

    @command("latency", "SECONDS")
    async def latency(self, seconds: str) -> None:
        self.room.air.latency = float(seconds)

    # The machine.

    @command("bluez-stop")
    async def bluez_stop(self) -> None:
        await self.daemons.stop_bluetoothd()

    @command("bluez-kill")
    async def bluez_kill(self) -> None:
        await self.daemons.stop_bluetoothd(signal.SIGKILL)

    @command("bluez-start")
    async def bluez_start(self) -> None:
        await self.daemons.start_bluetoothd()

    @command("bluez-restart")
    async def bluez_restart(self) -> None:
        await self.daemons.stop_bluetoothd()
        await self.daemons.start_bluetoothd()

    @command("dbus-stop")
    async def dbus_stop(self) -> None:
        await self.daemons.stop_bus()

    @command("dbus-start")
    async def dbus_start(self) -> None:
        await self.daemons.start_bus()

    @command("permit", "on|off")
    async def permit(self, word: str) -> None:
        await self.daemons.permit(is_on(word))

    @command("suspend", "SECONDS")
    async def suspend(self, seconds: str) -> None:
        await machine.suspend(int(seconds))

    @command("set-clock", "SECONDS")
    async def set_clock(self, seconds: str) -> None:
        machine.set_clock(int(seconds))

    @command("reset", "[WORLD]")
    async def reset(self, world: str | None = None) -> None:
        """Everything is as after the start: nothing is remembered, everybody is here, all daemons run."""
        await self.daemons.stop_bluetoothd()
        await self.daemons.permit(True)
        machine.block(None, False)
        for slot in self.room.slots:
            await self.room.unplug(slot)

        async def is_gone() -> bool:
            return not machine.adapters()

        await until(is_gone, "the kernel has let the adapters go")
        for bond in BONDS.iterdir():
            shutil.rmtree(bond)
        await self.room.enter(world or self.world)
        for slot in self.room.slots:
            await self.room.plug(slot)
        await self.daemons.start_bus()
        await self.daemons.start_bluetoothd()

    # Reports.

    @command("state")
    async def state(self) -> str:
        report: dict[str, Any] = {
            "adapter": bool(self.room.adapters),
            "bluetoothd": self.daemons.bluetoothd.is_running,
        }
        for peripheral in self.room.peripherals:
            key = peripheral.key if peripheral.key and peripheral.key not in report else peripheral.address
            report[key] = peripheral.state()
        return json.dumps(report)

    @command("events", "[COUNT]")
    async def events(self, count: str = "50") -> str:
        return json.dumps(list(self.room.events)[-int(count) :])

    @command("stats")
    async def stats(self) -> str:
        return json.dumps([dict(adapter.counts) for adapter in self.room.adapters])

    @command("sleep", "SECONDS")
    async def sleep(self, seconds: str) -> None:
        await asyncio.sleep(float(seconds))

    @command("help")
    async def help(self) -> str:
        lines = [f"{word} {known.usage}".rstrip() for word, known in COMMANDS.items()]
        return "; ".join(lines) + " (WHO: temp, hr, spo2, all, an address or a name; left out: all)"
