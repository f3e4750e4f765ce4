"""What receiving waves costs, from the bus to a line of JSON and to the store, and whether every sample arrives once."""

import json
import subprocess
import time
from collections import defaultdict
from statistics import median

from bench_bus import Bus, Emitter, Failure, end, processor_seconds
from bench_figures import check as check_figure
from bench_notifications import Lines
from bench_terminal import COLUMNS, ROWS, Terminal

ECG_HERTZ, PLETH_HERTZ, PLETH_SAMPLES = 130, 75, 25
# How many times the C program that receives the same notifications a program may take.
BOUND = 1.2

SETTINGS = [
    # title, sensors: a strap and an oximeter in turn; samples in a notification of the ECG
    ("ECG, 73 samples each", 1, 73),
    # The smallest packets that Bluetooth LE allows: 20 octets.
    ("ECG, 3 samples each", 1, 3),
    ("16 sensors", 16, 73),
]
# For so many seconds nothing is measured: a program makes statements and types, and BlueZ is asked for the last time.
WARM_UP, SPAN = 6, 15


def commands(program, build):
    watch = [program, "watch", "--json", "--waves", "--connect", "all"]
    notify = [build + "/notify", "--waves"]
    return {
        "C libdbus": notify,
        "lines": watch + ["--no-record"],
        "C + SQLite": ["/bin/sh", "-c", 'exec "$@" "$XDG_DATA_HOME/notify.sqlite"', "sh", *notify],
        "recording": watch + ["--set", "recording.waves=true"],
    }


def ecg_sample(number):
    """As waves.c makes them."""
    phase, noise = number % 104, number * 7 % 13
    if 20 <= phase < 32:
        return 90 + noise
    if 40 <= phase < 46:
        return (-80, 400, 1100, 700, -250, -120)[phase - 40] + noise
    return (240 if 62 <= phase < 78 else 0) + noise


def pleth_sample(number):
    phase = number % 60
    return 20000 + number * 5 % 11 + (phase * 400 if phase < 12 else (60 - phase) * 100)


def check(lines, sensors, samples, seconds):
    """Every sample once, in its order, as far as one could come; the values tell."""
    waves, values = defaultdict(list), defaultdict(int)
    for line in b"".join(lines.chunks).splitlines():
        event = json.loads(line)
        number = int(event["sensor"]["address"][-2:], 16) if "sensor" in event else None
        if event["event"] == "wave" and "samples" in event:
            waves[number] += event["samples"]
        elif event["event"] == "reading" and event["state"] == "measured":
            values[number] += 1
    for number in range(sensors):
        if values[number] < seconds - 2:
            raise Failure(f"sensor {number}: {values[number]} values in {seconds} s")
        if samples == 0:
            continue
        hertz, sample = (PLETH_HERTZ, pleth_sample) if number % 2 else (ECG_HERTZ, ecg_sample)
        found = waves[number]
        if found != [sample(place) for place in range(len(found))]:
            raise Failure(f"sensor {number}: samples are missing, doubled or out of order")
        if len(found) < (seconds - 2) * hertz:
            raise Failure(f"sensor {number}: {len(found)} samples in {seconds} s of {hertz} Hz")


def run(command, build, sensors, samples):
    """Answers the processor time of a second in microseconds."""
    seconds = WARM_UP + SPAN
    with Bus() as bus, Emitter(build, bus, sensors, "waves", seconds + 2, samples) as emitter:
        client = subprocess.Popen(command, env=bus.environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            emitter.wait_until_ready(client)
            time.sleep(2)
            lines = Lines(client.stdout)
            emitter.go()
            lines.read_for(WARM_UP)
            before, began = processor_seconds(client), time.monotonic()
            lines.read_for(SPAN)
            cost, took = processor_seconds(client) - before, time.monotonic() - began
            lines.read_for(1)
            check(lines, sensors, samples, seconds)
            return cost * 1e6 / took
        finally:
            end(client)
            client.stdout.close()


def measure(program, build, runs):
    print(f"Processor time of a second of waves, from the bus to lines of JSON, and with recording, over {SPAN} s; the")
    print(f"median of {runs} runs in turn. Every sample is looked at: none may be lost, doubled or out of order. The straps")
    print("send their heart rate once a second, too; the first row is that alone.")
    found = commands(program, build)
    print(f"{'':22}" + "".join(f"{name:>15}" for name in found))
    rows, is_good = {}, True
    for title, sensors, samples in [("heart rate alone", 1, 0), *SETTINGS]:
        costs = defaultdict(list)
        for _ in range(runs):
            for name, command in found.items():
                try:
                    costs[name].append(run(command, build, sensors, samples))
                except Failure as failure:
                    print(f"{title}: {name} failed: {failure}")
                    is_good = False
        rows[title] = {name: median(values) for name, values in costs.items()}
        print(f"{title:22}" + "".join(f"{rows[title].get(name, 0):12.0f} us" for name in found), flush=True)
    values = rows["heart rate alone"]
    for title, sensors, _ in SETTINGS:
        row = rows[title]
        for name, peer in (("lines", "C libdbus"), ("recording", "C + SQLite")):
            if not {name, peer} <= row.keys() & values.keys():
                continue
            is_good &= check_figure(f"waves, {title}, {name}: times {peer}", row[name] / row[peer], BOUND)
            if sensors == 1:
                ratio = (row[name] - values[name]) / (row[peer] - values[peer])
                is_good &= check_figure(f"waves, {title}, {name}, without the heart rate: times {peer}", ratio, BOUND)
    print()
    return is_good


# Which part of a core a dashboard may take that draws ten times a second, and octets a second to the terminal.
CORE_SHARE, OCTETS = 0.03, 8000


def screen_costs(command, build, word, span, samples):
    """Which part of a core a program in a terminal takes, and octets a second; no sensors without a number of samples."""
    wait = 8
    with Bus() as bus, Emitter(build, bus, 2, "waves", wait + span + 30, samples or 0) as emitter:
        with Terminal(command, bus.environment) as terminal:
            terminal.read_until(word, 20)
            terminal.read_in_background()
            if samples is not None:
                emitter.wait_until_ready(terminal.process)
                emitter.go()
            time.sleep(wait)
            before, octets = processor_seconds(terminal.process), terminal.octets
            time.sleep(span)
            cost = processor_seconds(terminal.process) - before
            return cost / span, (terminal.octets - octets) / span


def measure_screen(program, build, runs, span=20):
    print(f"Processor time of the whole program over {span} s in a terminal of {COLUMNS} x {ROWS}, with an ECG and a")
    print("plethysmogram, all that a screen shows, beside htop at its default delay, in turn; the median of", runs, "runs.")
    dashboard = [program, "--connect", "all", "--no-welcome"]
    found = {
        "bedside, two waves": (dashboard, b"quit", 73),
        "bedside, values only": (dashboard + ["--set", "screen.waves=off"], b"quit", 0),
        "htop": (["htop"], b"Quit", None),
    }
    costs = defaultdict(list)
    for _ in range(runs):
        for name, (command, word, samples) in found.items():
            costs[name].append(screen_costs(command, build, word, span, samples))
    shares = {name: median(share for share, _ in values) for name, values in costs.items()}
    octets = {name: median(count for _, count in values) for name, values in costs.items()}
    for name in found:
        print(f"{name:22}{shares[name]:8.2%} of a core, {octets[name]:6.0f} octets a second")
    waves, values = "bedside, two waves", "bedside, values only"
    is_good = check_figure("dashboard, two waves: share of a core", shares[waves] * 100, CORE_SHARE * 100, "%")
    is_good &= check_figure("dashboard, two waves: octets a second", octets[waves], OCTETS)
    more_share, more_octets = ((found[waves] - found[values]) / 2 for found in (shares, octets))
    print(f"A third wave would add about {more_share:.2%} of a core and {more_octets:.0f} octets a second.\n", flush=True)
    return is_good
