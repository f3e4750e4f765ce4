"""The dashboard beside htop and btop: processor time, latency, start and memory, in a terminal of the same size."""

import fcntl
import os
import re
import select
import struct
import subprocess
import tempfile
import termios
import threading
import time
from statistics import median, quantiles

from bench_bus import Bus, Emitter, Failure, end, processor_seconds
from bench_figures import check
from bench_processes import ProcessTable, count

COLUMNS, ROWS = 120, 40
# The greatest resident memory of a monitor in MiB, and size of its stripped program in MB.
RESIDENT, INSTALLED = 20, 18


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


# The strap's values are above it, so an alarm of high priority flashes all the time.
FLASHING = ["--set", "limits.heart_rate.high=56", "--set", "limits.heart_rate.severe_high=57"]


def programs(program):
    # The word is part of the last thing that each draws.
    return {
        "bedside": ([program, "--connect", "all", "--no-welcome"], b"quit"), "htop": (["htop"], b"Quit"),
        "btop": (["btop", "--utf-force"], b"menu"),
    }


# The kinds of a screen: what is set, how long it runs before it is measured, and how many times the processor time of
# other programs it may take.
KINDS = {
    "calm": ([], 3, {"htop": 1.0, "btop": 0.6}),
    "calm, after a minute": ([], 63, {"htop": 0.8}),
    "flashing": (FLASHING, 3, {"htop": 1.5}),
}


def memory(process):
    """Resident memory in MiB, and what of it nobody else has: neither pages of files nor shared ones."""
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        fields = dict(re.findall(r"^(\w+): +(\d+) kB$", file.read(), re.MULTILINE))
    return int(fields["Rss"]) / 1024, int(fields["Private_Dirty"]) / 1024


def forget_pages(program):
    """Has the system read a program anew, as after a start of the computer.

    A file that was just written is in memory in large pieces, and newer kernels count such a piece as resident in a
    process that uses an octet of it (Linux 6.18).
    """
    descriptor = os.open(program, os.O_RDONLY)
    try:
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def measure_dashboard(program, build, runs, span=30, kinds=tuple(KINDS)):
    print(f"Processor time over {span} s in a terminal of {COLUMNS} x {ROWS}; three sensors at 1 Hz beside htop and btop at")
    print(f"their default delays, which list the {count()} processes that run here; the median of {runs} runs.")
    forget_pages(program)
    is_good = count() < 100
    if not is_good:
        print("Their work grows with the processes: there are too many here for the bounds.")
    for kind in kinds:
        options, wait, bounds = KINDS[kind]
        costs, size = dashboard_costs(program, build, runs, span, options, wait, bounds)
        print(f"{kind}: " + ", ".join(f"{name} {cost:.0f} ms" for name, cost in costs.items()))
        for peer, bound in bounds.items():
            is_good &= check(f"dashboard, {kind}: times {peer}", costs["bedside"] / costs[peer], bound)
        is_good &= check(f"dashboard, {kind}: resident memory", size, RESIDENT, "MiB")
    print()
    return is_good


def measure_memory(program, build):
    print("Resident memory of `watch`: three sensors at 1 Hz, and 64 flat out at its greatest.")
    forget_pages(program)
    sizes = {}
    for title, sensors, hertz, notifications in (("3 x 1 Hz", 3, 1, 20), ("64 flat out", 64, 0, 2000)):
        with Bus() as bus, Emitter(build, bus, sensors, hertz, notifications) as emitter:
            watch = subprocess.Popen(
                [program, "watch", "--json", "--connect", "all"], env=bus.environment, stdout=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL)
            try:
                emitter.wait_until_ready(watch)
                emitter.go()
                sizes[title] = 0
                while not select.select([emitter.process.stdout], [], [], 0.05)[0]:
                    sizes[title] = max(sizes[title], memory(watch)[0])
                sizes[title] = max(sizes[title], memory(watch)[0])
            finally:
                end(watch)
    is_good = check("watch, 3 x 1 Hz: resident memory", sizes["3 x 1 Hz"], RESIDENT, "MiB")
    is_good &= check("watch, 64 flat out: resident memory", sizes["64 flat out"], RESIDENT, "MiB")
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, program], check=True)
        is_good &= check("installed and stripped", os.path.getsize(stripped.name) / 1e6, INSTALLED, "MB")
    print()
    return is_good


def dashboard_costs(program, build, runs, span, options, wait, peers):
    """Milliseconds of processor time of bedside and its peers in turn, and the resident memory of bedside in MiB."""
    commands = programs(program)
    costs, sizes = {name: [] for name in ("bedside", *peers)}, []
    for _ in range(runs):
        for name, found in costs.items():
            command, word = commands[name]
            with Bus() as bus, Emitter(build, bus, 3, 1, wait + span + 30) as emitter:
                command = command + options if name == "bedside" else command
                with Terminal(command, bus.environment) as terminal:
                    terminal.read_until(word, 20)
                    terminal.read_in_background()
                    if name == "bedside":
                        emitter.wait_until_ready(terminal.process)
                        emitter.go()
                    time.sleep(wait)
                    before = processor_seconds(terminal.process)
                    time.sleep(span)
                    found.append(processor_seconds(terminal.process) - before)
                    if name == "bedside":
                        sizes.append(memory(terminal.process)[0])
    return {name: median(found) * 1000 for name, found in costs.items()}, median(sizes)


def measure_latency(program, build, count=300):
    print("Time from the signal on the bus to the first octets in the terminal, with one sensor that sends", count)
    print("changes, while they are recorded: with calm values, and while an alarm flashes.")
    is_good = True
    for kind, options in (("calm", []), ("flashing", FLASHING)):
        found = latencies(program, build, count, options)
        middle, rare = median(found), quantiles(found, n=100)[98]
        print(f"{kind}: median {middle:.2f} ms, 99 % within {rare:.2f} ms, all within {max(found):.2f} ms")
        is_good &= check(f"to the glass, {kind}: median", middle, 1, "ms")
        is_good &= check(f"to the glass, {kind}: 99 %", rare, 5, "ms")
    print()
    return is_good


def latencies(program, build, count, options):
    """From a signal on the bus to the terminal, in milliseconds."""
    with Bus() as bus:
        ends = os.openpty()
        # The emitter itself reads the terminal while it measures, on the same clock as it sends.
        with Emitter(build, bus, 1, "latency", count, terminal=ends[0]) as emitter:
            with Terminal([program, "--connect", "all", *options], bus.environment, ends) as terminal:
                while not select.select([emitter.process.stdout], [], [], 0)[0]:
                    if terminal.process.poll() is not None:
                        raise Failure(f"it ended with status {terminal.process.returncode}")
                    terminal.read_for(0.1)
                emitter.expect("ready")
                emitter.go()
                found = []
                while (line := emitter.process.stdout.readline().split()) and line[0] == "latency":
                    if line[1] == "none":
                        raise Failure("a change was not drawn within 2 s")
                    found.append(float(line[1]) / 1000)
    return found


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
            for name in found:
                command, word = programs(program)[name]
                with Terminal(command[:1], bus.environment) as terminal:
                    found[name].append(terminal.read_until(word, 20) * 1000)
                    terminal.read_in_background()
    own, other = median(found["bedside"]), median(found["htop"])
    print(f"bedside {own:.1f} ms, htop {other:.1f} ms: {own / other:.2f} of htop's.")
    is_good = check("first frame, empty history", own, 20, "ms")
    print()
    return is_good
