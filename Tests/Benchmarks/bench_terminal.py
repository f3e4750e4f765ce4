"""The dashboard beside htop: processor time, latency, start and memory, in a terminal of the same size."""

import fcntl
import os
import re
import select
import struct
import subprocess
import termios
import threading
import time
from statistics import median, quantiles

from bench_bus import Bus, Emitter, Failure, end, processor_seconds
from bench_processes import ProcessTable, count

COLUMNS, ROWS = 120, 40


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, command, environment, ends=None, size=(COLUMNS, ROWS)):
        self.master, slave = ends or os.openpty()
        # How many octets were read in the background.
        self.octets = 0
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            command, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.drain = None

    def read_until(self, word, limit):
        """Reads until a word, or what a pattern matches, was drawn; answers how many seconds after the start."""
        pattern = re.compile(re.escape(word)) if isinstance(word, bytes) else word
        drawn = b""
        deadline = time.monotonic() + limit
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                try:
                    drawn += os.read(self.master, 65536)
                except OSError:
                    break
                # Colours may change within the word.
                if pattern.search(re.sub(rb"\x1b[\[(][0-9;?]*[A-Za-z]", b"", drawn)):
                    return time.monotonic() - self.started
        raise Failure(f"it did not draw {pattern.pattern!r} within {limit} s")

    def read_for(self, seconds):
        """Reads whatever is drawn within a time."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                try:
                    os.read(self.master, 65536)
                except OSError:
                    return

    def read_in_background(self):
        def read():
            try:
                while drawn := os.read(self.master, 65536):
                    self.octets += len(drawn)
            except OSError:
                pass
        self.drain = threading.Thread(target=read, daemon=True)
        self.drain.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)
        if self.drain:
            self.drain.join()
        os.close(self.master)


def programs(program):
    # The word is part of the bar of keys, the last thing that both draw.
    return {"bedside": ([program, "--connect", "all", "--no-welcome"], b"quit"), "htop": (["htop"], b"Quit")}


def memory(process):
    """Resident memory in MiB, and what of it nobody else has: neither pages of files nor shared ones."""
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        fields = dict(re.findall(r"^(\w+): +(\d+) kB$", file.read(), re.MULTILINE))
    return int(fields["Rss"]) / 1024, int(fields["Private_Dirty"]) / 1024


def measure_dashboard(program, build, runs, span=30, desktop=200):
    print(f"Processor time over {span} s in a terminal of {COLUMNS} x {ROWS}; three sensors at 1 Hz beside htop at its")
    print(f"default delay; the median of {runs} runs.")
    bare, _ = dashboard_costs(program, build, runs, span)
    print(f"With the {count()} processes that run here: bedside {bare['bedside']:.0f} ms, htop {bare['htop']:.0f} ms: "
          f"{bare['bedside'] / bare['htop']:.2f} of htop's.")
    # What htop does grows with the processes that it lists; a container has few.
    with ProcessTable(desktop):
        costs, sizes = dashboard_costs(program, build, runs, span)
    own, other = costs["bedside"], costs["htop"]
    print(f"With {desktop} processes, fewer than a PC with a desktop has: bedside {own:.0f} ms, htop {other:.0f} ms: "
          f"{own / other:.2f} of htop's. Wanted: below 1.")
    taken = sizes["bedside"][1]
    print("Memory: " + ", ".join(
        f"{name} {size[1]:.1f} MiB of its own, {size[0]:.1f} MiB with pages of files" for name, size in sizes.items())
        + ".\nWanted: below 8 MiB of its own.\n", flush=True)
    return own < other and taken < 8


def dashboard_costs(program, build, runs, span):
    """Milliseconds of processor time of bedside and htop in turn, and their memory()."""
    costs, sizes = {"bedside": [], "htop": []}, {"bedside": [], "htop": []}
    for _ in range(runs):
        for name, (command, word) in programs(program).items():
            with Bus() as bus, Emitter(build, bus, 3, 1, span + 30) as emitter:
                with Terminal(command, bus.environment) as terminal:
                    terminal.read_until(word, 20)
                    terminal.read_in_background()
                    if name == "bedside":
                        emitter.wait_until_ready(terminal.process)
                        emitter.go()
                    time.sleep(3)
                    before = processor_seconds(terminal.process)
                    time.sleep(span)
                    costs[name].append(processor_seconds(terminal.process) - before)
                    sizes[name].append(memory(terminal.process))
    return ({name: median(found) * 1000 for name, found in costs.items()},
            {name: [median(column) for column in zip(*found)] for name, found in sizes.items()})


def measure_latency(program, build, count=300):
    print("Time from the signal on the bus to the first octets in the terminal, with one sensor that sends", count,
          "changes.")
    with Bus() as bus:
        ends = os.openpty()
        # The emitter itself reads the terminal while it measures, on the same clock as it sends.
        with Emitter(build, bus, 1, "latency", count, terminal=ends[0]) as emitter:
            with Terminal([program, "--connect", "all"], bus.environment, ends) as terminal:
                while not select.select([emitter.process.stdout], [], [], 0)[0]:
                    if terminal.process.poll() is not None:
                        raise Failure(f"it ended with status {terminal.process.returncode}")
                    if select.select([terminal.master], [], [], 0.1)[0]:
                        os.read(terminal.master, 65536)
                emitter.expect("ready")
                emitter.go()
                found = []
                while (line := emitter.process.stdout.readline().split()) and line[0] == "latency":
                    if line[1] == "none":
                        raise Failure("a change was not drawn within 2 s")
                    found.append(float(line[1]) / 1000)
    middle, rare = median(found), quantiles(found, n=100)[98]
    print(f"median {middle:.2f} ms, 99 % within {rare:.2f} ms, all within {max(found):.2f} ms. Wanted: a median below "
          "5 ms, 99 % within 40 ms;\nwhere the last frame is younger than 33 ms (the clock has just ticked) a change waits for the rest.\n",
          flush=True)
    return middle < 5 and rare < 40


def measure_alarm_latency(program, build, count=200):
    print("Time from a value that crosses a limit without delay, on the bus, to its alarm in the terminal, beside that of a")
    print(f"value that crosses none, in turn; {count // 2} of each.")
    command = [program, "--connect", "all", "--set", "limits.heart_rate.minimum_hold=0s"]
    with Bus() as bus:
        ends = os.openpty()
        with Emitter(build, bus, 1, "latency", count, terminal=ends[0], word="HR HIGH") as emitter:
            with Terminal(command, bus.environment, ends) as terminal:
                while not select.select([emitter.process.stdout], [], [], 0)[0]:
                    if terminal.process.poll() is not None:
                        raise Failure(f"it ended with status {terminal.process.returncode}")
                    if select.select([terminal.master], [], [], 0.1)[0]:
                        os.read(terminal.master, 65536)
                emitter.expect("ready")
                emitter.go()
                plain, alarms, apart = [], [], []
                while (line := emitter.process.stdout.readline().split()) and line[0] in ("latency", "alarm"):
                    if line[1] == "none":
                        raise Failure("a change was not drawn within 2 s")
                    if line[0] == "latency":
                        plain.append(float(line[1]) / 1000)
                    else:
                        alarms.append(float(line[2]) / 1000)
                        apart.append((float(line[2]) - float(line[1])) / 1000)
    own, other = median(alarms), median(plain)
    print(f"alarm: median {own:.2f} ms, all within {max(alarms):.2f} ms; plain value: median {other:.2f} ms, all within "
          f"{max(plain):.2f} ms;")
    print(f"from the first octets of the alarm's frame to its words: median {median(apart):.2f} ms, at most {max(apart):.2f} ms.")
    print("Wanted: the same frame, so that the words follow the first octets within less than a frame of 33 ms, and a\n"
          "median within one frame.\n", flush=True)
    return own < 33 and max(apart) < 33


def measure_start(program, build, runs=15):
    print("Time from the start of the program to its first whole frame; the median of", runs, "runs.")
    found = {"bedside": [], "htop": []}
    with Bus() as bus, Emitter(build, bus, 3, 1, 1):
        for _ in range(runs):
            for name, (command, word) in programs(program).items():
                with Terminal(command[:1], bus.environment) as terminal:
                    found[name].append(terminal.read_until(word, 20) * 1000)
                    terminal.read_in_background()
    own, other = median(found["bedside"]), median(found["htop"])
    print(f"bedside {own:.1f} ms, htop {other:.1f} ms: {own / other:.2f} of htop's. Wanted: at most 2.\n", flush=True)
    return own <= 2 * other
