"""What one notification costs on its way from the bus to a line of JSON, and whether every one arrives once."""

import json
import select
import subprocess
import tempfile
import time
from collections import defaultdict
from statistics import median

from bench_bus import Bus, Emitter, Failure, end, processor_seconds, wake_ups
from bench_figures import check as check_figure

SETTINGS = [
    # title, sensors, hertz of each, notifications of each
    ("3 sensors x 1 Hz", 3, 1, 20),
    ("64 sensors x 10 Hz", 64, 10, 100),
    ("3 sensors, flat out", 3, 0, 20000),
]
# By title: how many times the C program that records a notification may take, and how many times the script.
BOUNDS = {"3 sensors x 1 Hz": (1.4, 0.6), "64 sensors x 10 Hz": (1.6, 0.6)}

# As emitter.c makes them, for every third sensor: the vitals with the value of the n-th notification.
VALUES = [
    {"heart_rate": lambda n: 60 + n % 40},
    {"body_temperature": lambda n: (360 + n % 20) / 10},
    {"spo2": lambda n: 95 + n % 5, "pulse_rate": lambda n: 60 + n % 40},
]


# Half of the heart rates are above it, so that alarms begin and end with each round of values.
ALARMING = ["--set", "limits.heart_rate.high=80"]


def commands(program, build, sensors):
    watch = [program, "watch", "--json", "--connect", "all"]
    bleak = [build + "/venv/bin/python", __file__.replace("bench_notifications", "notify_bleak"), str(sensors)]
    return {
        "C libdbus": [build + "/notify"],
        "C + SQLite": ["/bin/sh", "-c", 'exec "$0" "$XDG_DATA_HOME/notify.sqlite"', build + "/notify"],
        "recording": watch,
        "alarming": watch + ALARMING,
        "no record": watch + ["--no-record"],
        "bleak": bleak,
        "bleak + sqlite3": ["/bin/sh", "-c", 'exec "$@" "$XDG_DATA_HOME/bleak.sqlite"', "sh", *bleak],
    }


class Lines:
    """What a program prints, counted as it comes and looked at afterwards."""

    def __init__(self, stream):
        self.stream = stream
        self.chunks = []
        self.readings = 0
        self.tail = b""

    def read(self, until, limit):
        """Reads until so many readings have come; answers whether they have before `limit` seconds without any."""
        while self.readings < until:
            if not select.select([self.stream], [], [], limit)[0]:
                return False
            chunk = self.stream.read1(1 << 20)
            if not chunk:
                return False
            self.chunks.append(chunk)
            # A word may be cut in two; it ends a little before the line does.
            text = self.tail + chunk
            end = text.rfind(b"\n") + 1
            self.readings += text[:end].count(b'"reading"')
            self.tail = text[end:]
        return True

    def read_for(self, seconds):
        """Reads for so many seconds."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self.stream], [], [], left)[0]:
                chunk = self.stream.read1(1 << 20)
                if not chunk:
                    raise Failure("it closed its output")
                self.chunks.append(chunk)


def check(lines, sensors, count):
    """Every notification once, in its order: the values tell."""
    values = defaultdict(list)
    for line in b"".join(lines.chunks).splitlines():
        reading = json.loads(line)
        if reading["event"] == "reading" and reading["state"] == "measured":
            number = int(reading["sensor"]["address"][-2:], 16)
            values[number, reading["vital"]].append(reading["value"])
    for number in range(sensors):
        for vital, value in VALUES[number % 3].items():
            wanted = [value(n) for n in range(count)]
            found = values[number, vital]
            if found != wanted:
                raise Failure(f"sensor {number}: {len(found)} of {len(wanted)} {vital} values, or in another order")


# For so many seconds values come that are not measured: a program makes statements, types and its first status for them.
WARM_UP = 6


def run(command, build, sensors, hertz, count, store=None):
    """Answers processor time (us) and wake-ups for each notification; `store` is another folder for the store."""
    readings_a_round = sum(len(VALUES[number % 3]) for number in range(sensors))
    first = WARM_UP * hertz
    readings = readings_a_round * (first + count)
    with Bus() as bus, Emitter(build, bus, sensors, hertz, first + count) as emitter:
        environment = bus.environment if store is None else {**bus.environment, "XDG_DATA_HOME": store}
        client = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            emitter.wait_until_ready(client)
            # What follows the start of the last sensor is not part of the measurement.
            time.sleep(2)
            lines = Lines(client.stdout)
            emitter.go()
            lines.read(readings_a_round * first, limit=10)
            time_before, waits_before = processor_seconds(client), wake_ups(client)
            if not lines.read(readings, limit=10):
                raise Failure(f"{lines.readings} of {readings} readings came")
            cost, waits = processor_seconds(client) - time_before, wake_ups(client) - waits_before
            # Whatever came twice comes now.
            lines.read(readings + 1, limit=0.3)
            check(lines, sensors, first + count)
            return cost * 1e6 / (sensors * count), waits / (sensors * count)
        finally:
            end(client)
            client.stdout.close()


def check_wake_ups(title, command, build, sensors, count):
    """Counts the wake-ups where nobody waits for a disk."""
    with tempfile.TemporaryDirectory(prefix="bedside-bench-", dir="/dev/shm") as store:
        try:
            wait = run(command, build, sensors, 1, count, store)[1]
        except Failure as failure:
            print(f"{title}: recording in memory failed: {failure}")
            return False
    return check_figure(f"{title}, recording in memory: wake-ups each", wait, 1 + 1 / sensors)


def measure(program, build, runs, settings=SETTINGS, names=None):
    print("Processor time for one notification, from the bus to a line of JSON; the median of", runs, "runs.")
    print("Every notification is counted: none may be lost, doubled or out of order. Wake-ups are voluntary switches of")
    print("all threads, those that wait for the disk among them; without these where the store is in memory.")
    names = names or list(commands(program, build, 0))
    print(f"{'':22}" + "".join(f"{name:>17}" for name in names))
    is_good = True
    for title, sensors, hertz, count in settings:
        costs, waits = defaultdict(list), defaultdict(list)
        # In turn, so that whatever else the machine does concerns all alike.
        for _ in range(runs):
            for name in names:
                try:
                    cost, wait = run(commands(program, build, sensors)[name], build, sensors, hertz, count)
                    costs[name].append(cost)
                    waits[name].append(wait)
                except Failure as failure:
                    print(f"{title}: {name} failed: {failure}")
                    is_good = False
        row = {name: median(values) for name, values in costs.items()}
        print(f"{title:22}" + "".join(f"{row[name]:14.1f} us" if name in row else f"{'failed':>17}" for name in names))
        print(f"{'wake-ups each':22}"
              + "".join(f"{median(waits[name]):17.2f}" if name in waits else f"{'-':>17}" for name in names), flush=True)
        for peer, bound in zip(("C + SQLite", "bleak + sqlite3"), BOUNDS.get(title, ())):
            if {"recording", peer} <= row.keys():
                is_good &= check_figure(f"{title}, recording: times {peer}", row["recording"] / row[peer], bound)
        if hertz == 1 and "recording" in waits:
            # One for each notification, and one a second for everything else.
            is_good &= check_wake_ups(title, commands(program, build, sensors)["recording"], build, sensors, count)
    print()
    return is_good
