"""Fetches the nights that a ring of Viatom has stored, through BlueZ, by the public descriptions of both protocols.

Arguments: the ring's name, and perhaps "live" (it asks for live values first) or a command in hexadecimal that it sends
instead. It prints a line of JSON for the list, and one for each file: its octets and their sum, and what its samples add up
to. It shares nothing with Bedside: frames and files are taken apart here.
"""

import json
import os
import struct
import sys
import time

import dbus
import dbus.bus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

PATIENCE = 60.0
OLDER = ("8b00ace7-eb0b-49b0-bbe9-9aee0a26e1a3", "0734594a-a8e7-4b1a-a6b1-cd5243059a57")
NEWER = ("e8fb0002-a14b-98f9-831b-4e2941d01248", "e8fb0003-a14b-98f9-831b-4e2941d01248")
LOGIN = bytes.fromhex("00681588 72091cb0 98c8c7da")
DIGEST_END = bytes.fromhex("c44335f3")
FINISHED = bytes.fromhex("48125ada")


class Broken(Exception):
    """The link is lost."""


def say(**fields):
    print(json.dumps(fields), flush=True)


def checksum(octets):
    """CRC-8 of the polynomial x^8 + x^2 + x + 1, from 0."""
    remainder = 0
    for octet in octets:
        remainder ^= octet
        for _ in range(8):
            remainder = (remainder << 1 ^ (0x107 if remainder & 0x80 else 0)) & 0x1FF
    return remainder & 0xFF


class Link:
    """A connected device, and what it notifies."""

    def __init__(self, name):
        DBusGMainLoop(set_as_default=True)
        self.context = GLib.MainContext.default()
        self.bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
        self.received, self.is_lost, self.notifying = bytearray(), False, None
        self.adapter = self.interface("/org/bluez/hci0", "Adapter1")
        self.adapter.StartDiscovery()
        self.path = self.until(lambda: self.find("Device1", Name=name), f"{name} is not heard")
        self.adapter.StopDiscovery()
        self.watch(self.path, self.device_changed)
        self.connect()

    def watch(self, path, handler):
        self.bus.add_signal_receiver(handler, "PropertiesChanged", "org.freedesktop.DBus.Properties", path=path)

    def connect(self):
        self.until(self.is_connected, "it cannot be connected to")
        self.is_lost = False
        self.until(lambda: self.property(self.path, "Device1", "ServicesResolved"), "its services are not resolved")
        for is_newer, (write, notify) in ((False, OLDER), (True, NEWER)):
            writing, notifying = (self.find("GattCharacteristic1", UUID=uuid) for uuid in (write, notify))
            if writing and notifying:
                self.is_newer, self.writing = is_newer, self.interface(writing, "GattCharacteristic1")
                if self.notifying is None:
                    self.watch(notifying, self.changed)
                self.notifying = notifying
                self.interface(notifying, "GattCharacteristic1").StartNotify()
                return
        raise SystemExit("it is no ring")

    def is_connected(self):
        try:
            self.interface(self.path, "Device1").Connect()
        except dbus.DBusException:
            return False
        return True

    def interface(self, path, name):
        return dbus.Interface(self.bus.get_object("org.bluez", path, introspect=False), f"org.bluez.{name}")

    def property(self, path, name, key):
        found = self.bus.get_object("org.bluez", path, introspect=False)
        return found.Get(f"org.bluez.{name}", key, dbus_interface="org.freedesktop.DBus.Properties")

    def find(self, name, **properties):
        manager = dbus.Interface(
            self.bus.get_object("org.bluez", "/", introspect=False), "org.freedesktop.DBus.ObjectManager")
        for path, interfaces in manager.GetManagedObjects().items():
            held = interfaces.get(f"org.bluez.{name}")
            if held is not None and all(held.get(key) == value for key, value in properties.items()):
                return path
        return None

    def device_changed(self, _interface, values, _gone):
        if values.get("Connected") == 0:
            self.is_lost = True

    def changed(self, _interface, values, _gone):
        self.received += bytes(values.get("Value", b""))

    def until(self, seen, complaint, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while not (found := seen()):
            if time.monotonic() > end:
                raise SystemExit(complaint)
            # Something that wakes it up while nothing comes.
            timer = GLib.timeout_add(20, lambda: False)
            self.context.iteration(True)
            if self.context.find_source_by_id(timer):
                GLib.source_remove(timer)
        return found

    def write(self, octets):
        for start in range(0, len(octets), 20):
            self.writing.WriteValue(dbus.ByteArray(octets[start : start + 20]), dbus.Dictionary({}, signature="sv"))

    def exchange(self, octets, seconds=PATIENCE):
        """Writes a request and returns the answer's frame."""
        self.received.clear()
        try:
            self.write(octets)
        except dbus.DBusException as error:
            raise Broken from error

        def frame():
            if self.is_lost:
                raise Broken
            if len(self.received) < 8:
                return None
            length = 8 + struct.unpack_from("<H", self.received, 5)[0]
            return bytes(self.received[:length]) if len(self.received) >= length else None

        answer = self.until(frame, f"{octets.hex()} is not answered", seconds)
        assert answer[0] == (0xA5 if self.is_newer else 0x55), answer.hex()
        assert answer[1] ^ answer[2] == 0xFF and checksum(answer[:-1]) == answer[-1], answer.hex()
        return answer


class Older:
    """O2Ring and relatives: an answer does not say to what it is one."""

    def __init__(self, link):
        self.link = link

    def request(self, command, data=b"", block=0):
        octets = struct.pack("<BBBHH", 0xAA, command, command ^ 0xFF, block, len(data)) + data
        return octets + bytes([checksum(octets)])

    def ask(self, command, data=b"", block=0):
        answer = self.link.exchange(self.request(command, data, block))
        return None if answer[1] else answer[7:-1]

    def begin(self):
        assert self.ask(0x16, json.dumps({"SetTIME": time.strftime("%Y-%m-%d,%H:%M:%S")}).encode()) is not None

    def live(self):
        self.ask(0x17)

    def names(self):
        return [name for name in json.loads(self.ask(0x14))["FileList"].split(",") if name]

    def read(self, name):
        size = self.ask(0x03, name.encode() + b"\0")
        if size is None:
            return None
        content, block = b"", 0
        while len(content) < struct.unpack("<I", size)[0]:
            part = self.ask(0x04, block=block)
            if not part:
                break
            content, block = content + part, block + 1
        self.ask(0x05)
        return content

    @staticmethod
    def samples(content):
        return [struct.unpack_from("<BHBB", content, place) for place in range(40, len(content) - 4, 5)]

    @staticmethod
    def is_finished(content):
        return struct.unpack_from("<I", content, 9)[0] == len(content)

    no_pulse = 0xFFFF


class Newer:
    """O2Ring S and relatives."""

    def __init__(self, link):
        self.link, self.number = link, 0

    def request(self, command, data=b""):
        self.number = self.number % 254 + 1
        octets = struct.pack("<BBBBBH", 0xA5, command, command ^ 0xFF, 0, self.number, len(data)) + data
        return octets + bytes([checksum(octets)])

    def ask(self, command, data=b""):
        answer = self.link.exchange(self.request(command, data))
        assert answer[1] == command and answer[4] == self.number, answer.hex()
        if answer[3] != 1:
            say(refused=f"{command:02x}", flag=f"{answer[3]:02x}")
            return None
        return answer[7:-1]

    def begin(self):
        hidden = bytes(a ^ b for a, b in zip(struct.pack("<I", int(time.time())), DIGEST_END))
        self.link.write(self.request(0xFF, LOGIN + hidden))
        assert self.ask(0x10, b"\0") is not None
        now = time.localtime()
        assert self.ask(0xC0, struct.pack("<HBBBBBB", *now[:6], 0)) is not None
        assert len(self.ask(0x00)) == 40
        information = self.ask(0xE1)
        assert len(information) == 60 and struct.unpack_from("<HBB", information, 24) == tuple(now[:3])
        assert len(self.ask(0xE4)) == 4

    def live(self):
        self.ask(0x04)

    def names(self):
        listed = self.ask(0xF1)
        assert len(listed) == 1 + 16 * listed[0]
        return [listed[place : place + 16].rstrip(b"\0").decode() for place in range(1, len(listed), 16)]

    def read(self, name):
        self.ask(0xF4)
        size = self.ask(0xF2, name.encode().ljust(20, b"\0"))
        if size is None:
            return None
        content = b""
        while len(content) < struct.unpack_from("<I", size)[0]:
            part = self.ask(0xF3, struct.pack("<I", len(content)))
            if not part:
                break
            content += part
        self.ask(0xF4)
        return content

    @classmethod
    def samples(cls, content):
        end = len(content) - (48 if cls.is_finished(content) else 0)
        return [tuple(content[place : place + 3]) for place in range(10, end - 2, 3)]

    @staticmethod
    def is_finished(content):
        return content[-44:-40] == FINISHED and content[-48:-44] == struct.pack("<I", sum(content[:-48]))

    no_pulse = 0xFF


def falls(saturations, usual=96, depth=3):
    """How often the saturation falls so far below its usual value."""
    count, is_low = 0, False
    for saturation in saturations:
        if not is_low and saturation <= usual - depth:
            count, is_low = count + 1, True
        elif is_low and saturation >= usual - 1:
            is_low = False
    return count


def report(ring, name, content):
    samples = ring.samples(content)
    saturations = [sample[0] for sample in samples if sample[0] != 0xFF]
    say(
        name=name, octets=len(content), sum=sum(content), finished=ring.is_finished(content), samples=len(samples),
        saturation=sum(saturations), pulse=sum(sample[1] for sample in samples if sample[1] != ring.no_pulse),
        movement=sum(sample[2] & 0x3F for sample in samples), none=len(samples) - len(saturations),
        falls=falls(saturations))


def main():
    name, *order = sys.argv[1:]
    link = Link(name)
    ring = (Newer if link.is_newer else Older)(link)
    ring.begin()
    if order == ["live"]:
        ring.live()
    elif order:
        link.write(ring.request(int(order[0], 16)))
        link.until(lambda: link.is_lost, "the ring lives on")
        return say(dead=True)
    names = ring.names()
    say(names=names)
    for name in names:
        while True:
            try:
                content = ring.read(name)
                break
            except Broken:
                say(broken=name)
                link.connect()
                ring.begin()
        if content is None:
            say(name=name, octets=None)
        else:
            report(ring, name, content)


main()
