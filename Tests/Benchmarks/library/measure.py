"""Has five tasks done by programs of the libraries and of Python's bleak beside each other: part of `make bench`.

How to read it: the ratios count, not the times, which depend on the machine and on what else it does. A time is the
processor time of a program from its start to its end with all its threads, by the kernel's account; the simulator, its
bus and this script are not part of it. Each run has a simulator of its own with the same scenario, the programs run in
turn, and the median counts. The exit status is 1 when a program did not print what its task asks for.
"""

import argparse
import os
import pathlib
import pty
import re
import select
import socket
import statistics
import subprocess
import time

import lines

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 120
# How many rates are printed until the link is lost, and how many in all.
BEFORE_LOSS, RATES = 500, 1000
PACKETS = re.compile(r"10000 packets, 200000 octets\s*")
CONTROL = re.compile(r"battery: 87 %\s+worn at: chest\s+The energy counter was reset\.\s*")
SENSORS = 15
# What each task is, the program of bleak, and the nearest thing among bluer's examples.
TASKS = {
    "rates": ("heart rates of the nearest sensor, again after a loss", "rates", None),
    "nearby": ("what is nearby: name, strength, services", "nearby", "discover_devices"),
    "control": ("read two characteristics, write one", "control", "gatt_client"),
    "packets": ("count 10,000 notifications at 500 a second", "packets", None),
    "packets-loop": ("the same, read on the thread that receives", "packets", None),
    "sensor": ("be a heart rate sensor", None, "gatt_server_cb"),
}


class Failure(Exception):
    """A program did not do its task."""


class World:
    """A simulated bluetoothd with the sensors of the scenario."""

    def __init__(self, builds):
        self.process = subprocess.Popen(
            [builds / "bluez-simulator", HERE / "scenario.json5"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise Failure("the simulator does not start")

    def please(self, line):
        path = re.search(r"path=([^,]+)", self.address)[1]
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(os.path.join(os.path.dirname(path), "control"))
            control.sendall(line.encode() + b"\n")
            answer = control.makefile().readline().strip()
        if answer != "ok":
            raise Failure(f"{line}: {answer}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Client:
    """A program at a terminal, where it writes every line at once."""

    def __init__(self, world, command):
        self.terminal, inside = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=inside, stderr=inside,
            env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": world.address, "LANG": "C.UTF-8"})
        os.close(inside)
        self.output = b""
        self.deadline = time.monotonic() + PATIENCE

    def read(self):
        """Reads what is there, waiting for it; returns whether more may come."""
        if not select.select([self.terminal], [], [], max(0, self.deadline - time.monotonic()))[0]:
            raise Failure(f"it is not done after {PATIENCE} s; its last words: {self.text()[-300:]!r}")
        try:
            octets = os.read(self.terminal, 65536)
        except OSError:
            # That is how a terminal of Linux says that the program has closed it.
            return False
        self.output += octets
        return True

    def read_until(self, condition):
        while not condition():
            if not self.read():
                raise Failure(f"it ended; its last words: {self.text()[-300:]!r}")

    def text(self):
        return self.output.decode(errors="replace")

    def wait(self):
        """Waits for the end of the program; returns its status and the seconds of processor time that it took."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode, usage.ru_utime + usage.ru_stime

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()
        os.close(self.terminal)


def count_of_rates(client):
    return sum(line.strip().isdigit() for line in client.output.split(b"\n")[:-1])


def seconds(builds, task, command):
    """The processor time of a program that does a task."""
    with World(builds) as world, Client(world, command) as client:
        if task == "sensor":
            client.read_until(lambda: "are served by hci0" in client.text())
        elif task == "rates":
            client.read_until(lambda: count_of_rates(client) >= BEFORE_LOSS)
            world.please("drop hr")
            client.read_until(lambda: count_of_rates(client) >= RATES)
        if task in ("sensor", "rates"):
            # They have no end of their own.
            client.process.terminate()
            return client.wait()[1]
        while client.read():
            pass
        status, taken = client.wait()
        is_right = {
            "nearby": lambda text: len(text.splitlines()) == SENSORS and text.count(" dBm: ") == SENSORS,
            "control": CONTROL.fullmatch,
            "packets": PACKETS.fullmatch,
            "packets-loop": PACKETS.fullmatch,
        }[task]
        if status != 0 or not is_right(client.text()):
            raise Failure(f"it ended with {status}: {client.text()[-300:]!r}")
        return taken


def seconds_of(command):
    """The processor time of a command that needs nothing."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("builds", type=pathlib.Path, help="where the programs of Swift and the simulator are")
    parser.add_argument("python", help="an interpreter that has bleak")
    parser.add_argument("bluer", type=pathlib.Path, nargs="?", help="a clone of bluer, to count its examples")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    print(f"The same tasks in these libraries and in Python's bleak; the median of {chosen.rounds} runs in turn.")
    print(f"{'':66}{'lines of code':>22}{'processor time':>25}")
    print(f"{'':66}{'ours':>8}{'bleak':>7}{'bluer':>7}{'ours':>9}{'bleak':>9}{'ratio':>7}")
    is_good = True
    for task, (meaning, theirs, example) in TASKS.items():
        counts = [lines.of_file(HERE / "Sources" / task / "main.swift"), None, None]
        commands = {"ours": [chosen.builds / task]}
        if theirs:
            counts[1] = lines.of_file(HERE / "bleak" / f"{theirs}.py")
            commands["bleak"] = [chosen.python, HERE / "bleak" / f"{theirs}.py"]
        if example and chosen.bluer:
            counts[2] = lines.of_file(chosen.bluer / "bluer" / "examples" / f"{example}.rs")
        times = {name: [] for name in commands}
        for _ in range(chosen.rounds):
            for name, command in commands.items():
                try:
                    times[name].append(seconds(chosen.builds, task, command))
                except Failure as failure:
                    print(f"{task}, {name}: {failure}")
                    is_good = False
        counted = "".join(f"{count or '–':>{width}}" for count, width in zip(counts, (8, 7, 7)))
        medians = {name: statistics.median(taken) for name, taken in times.items() if taken}
        measured = ""
        if len(medians) == 2:
            measured = "".join(f"{median * 1000:6.0f} ms" for median in medians.values())
            measured += f"{medians['bleak'] / medians['ours']:7.2f}"
        print(f"{task:13}{meaning:53}{counted}{measured}", flush=True)
    alone = statistics.median(seconds_of([chosen.python, "-c", "import bleak"]) for _ in range(chosen.rounds))
    print(f"The ratio is bleak's time to ours. Python's start with bleak is {alone * 1000:.0f} ms of its time.\n")
    return 0 if is_good else 1


raise SystemExit(main())
