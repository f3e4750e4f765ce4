"""What a frame costs: with a day of history beside two minutes of it, and beside a refresh of btop at the same size."""

import os
import tempfile
import time
from statistics import median

from bench_bus import Bus, Emitter, Failure, processor_seconds
from bench_figures import check
from bench_terminal import Terminal

COLUMNS, ROWS = 200, 60
BTOP_REFRESH = 2.0


def frames(build, *what, count=60, size=(COLUMNS, ROWS)):
    """Nanoseconds a frame as Drawing/main.swift tells them, by window or by the number of waves."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results")
        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
        with Terminal([f"{build}/drawing", str(count), results, *what], environment, size=size) as terminal:
            terminal.read_in_background()
            if terminal.process.wait(600) != 0:
                raise Failure(f"drawing ended with status {terminal.process.returncode}")
        with open(results) as file:
            lines = [line.split() for line in file]
    return {line[0]: [int(number) for number in line[1:]] for line in lines}


def btop(span):
    """Processor time of one refresh in nanoseconds, and octets a second."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_CONFIG_HOME=folder, HOME=folder)
        with Terminal(["btop", "--utf-force"], environment, size=(COLUMNS, ROWS)) as terminal:
            terminal.read_in_background()
            time.sleep(5)
            if terminal.process.poll() is not None:
                raise Failure(f"btop ended with status {terminal.process.returncode}")
            before, octets = processor_seconds(terminal.process), terminal.octets
            time.sleep(span)
            cost = processor_seconds(terminal.process) - before
            return cost * 1e9 / (span / BTOP_REFRESH), (terminal.octets - octets) / span


def own_octets(program, build, span):
    """Octets a second of the dashboard with three sensors at 1 Hz."""
    with Bus() as bus, Emitter(build, bus, 3, 1, span + 30) as emitter:
        command = [program, "--connect", "all"]
        with Terminal(command, bus.environment, size=(COLUMNS, ROWS)) as terminal:
            terminal.read_until(b"quit", 20)
            terminal.read_in_background()
            emitter.wait_until_ready(terminal.process)
            emitter.go()
            time.sleep(3)
            octets = terminal.octets
            time.sleep(span)
            return (terminal.octets - octets) / span


def measure_waves(build, size=(120, 40)):
    costs = frames(build, "waves", size=size)
    (one, one_painted), (two, two_painted) = costs["1"], costs["2"]
    print(f"A frame of {size[0]} x {size[1]} in which one wave moves on: drawn {one / 1000:.0f} us, with painting "
          f"{one_painted / 1000:.0f} us; two waves, all that the screen\nshows: {two / 1000:.0f} us, {two_painted / 1000:.0f} us. "
          "Three would take as much more as the second does:")
    return check("three waves ten times a second: share of a core", (2 * two_painted - one_painted) * 1e3 / 1e9, 3, "%")


def measure(program, build, runs, span=20):
    print(f"Processor time of one frame of {COLUMNS} x {ROWS} with a day of readings at 1 Hz of every vital beside two")
    print("minutes of them, in turn in one process; the median of 60 frames.")
    is_good = True
    worst = 0
    costs = frames(build)
    for window, (short, long, short_painted, long_painted) in costs.items():
        ratio = long / short
        is_good &= ratio <= 1.25
        worst = max(worst, long_painted)
        print(f"{window:>4}: drawn {long / 1000:.0f} us and {short / 1000:.0f} us: {ratio:.2f}; with painting "
              f"{long_painted / 1000:.0f} us and {short_painted / 1000:.0f} us.")
    print("Wanted: about 1, at most 1.25.")
    is_good &= measure_waves(build)
    refreshes, octets = zip(*(btop(span) for _ in range(runs)))
    other = median(refreshes)
    print(f"The dearest of these frames, painted, {worst / 1000:.0f} us; a refresh of btop {other / 1000:.0f} us (all it "
          f"does in {BTOP_REFRESH:.0f} s,\nreading /proc too): {worst / other:.3f}. Wanted: at most 0.2.")
    own, theirs = own_octets(program, build, span), median(octets)
    print(f"To the terminal, three sensors at 1 Hz: {own:.0f} octets a second, btop {theirs:.0f}: {own / theirs:.2f}. "
          "Wanted: below 0.25.\n", flush=True)
    return is_good and worst <= other / 5 and own < theirs / 4
