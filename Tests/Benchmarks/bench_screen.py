"""How much the screen writes beside btop, how often it draws, and whether it grows."""

import fcntl
import os
import select
import struct
import termios
import time
from statistics import median

from bench_bus import Bus, Emitter, Failure
from bench_figures import check
from bench_terminal import Terminal, memory

COLUMNS, ROWS = 200, 60
# Octets that come closer together than this belong to one frame.
FRAME_GAP = 0.004


class Recording:
    """When a program wrote to its terminal, and how much."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.writes = []

    def read_for(self, span):
        """Reads for so many seconds, and forgets what was read before."""
        self.writes = []
        deadline = time.monotonic() + span
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([self.terminal.master], [], [], left)[0]:
                break
            try:
                self.writes.append((time.monotonic(), len(os.read(self.terminal.master, 1 << 20))))
            except OSError as error:
                raise Failure("it closed its terminal") from error
        return self

    @property
    def octets(self):
        return sum(count for _, count in self.writes)

    def frames(self):
        """The times at which frames began."""
        times, last = [], 0.0
        for moment, _ in self.writes:
            if moment - last > FRAME_GAP:
                times.append(moment)
            last = moment
        return times

    def most_in_a_second(self):
        """The greatest number of frames in any second."""
        times = self.frames()
        return max((sum(1 for other in times if 0 <= other - first < 1) for first in times), default=0)


def in_terminal(command, bus, size=(COLUMNS, ROWS)):
    terminal = Terminal(command, bus.environment)
    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    return terminal


def streaming(program, build, bus, sensors, hertz, count, options=(), size=(COLUMNS, ROWS)):
    """The emitter and the program, once all sensors notify; both are to be ended by the caller."""
    emitter = Emitter(build, bus, sensors, hertz, count)
    terminal = in_terminal([program, "--connect", "all", *options], bus, size)
    # The terminal must be read meanwhile, or the program would wait for it.
    while not select.select([emitter.process.stdout], [], [], 0)[0]:
        Recording(terminal).read_for(0.1)
        if terminal.process.poll() is not None:
            raise Failure(f"it ended with status {terminal.process.returncode}")
    emitter.expect("ready")
    emitter.go()
    return emitter, terminal


def measure_writing(program, build, runs, span=20):
    print(f"Octets written to a terminal of {COLUMNS} x {ROWS} over {span} s: three sensors at 1 Hz beside btop at its")
    print(f"default delay; the median of {runs} runs.")
    own, other = [], []
    for _ in range(runs):
        with Bus() as bus:
            emitter, terminal = streaming(program, build, bus, 3, 1, span + 30)
            with emitter, terminal:
                Recording(terminal).read_for(3)
                own.append(Recording(terminal).read_for(span).octets / span)
            with in_terminal(["btop"], bus) as terminal:
                Recording(terminal).read_for(5)
                other.append(Recording(terminal).read_for(span).octets / span)
    if median(other) == 0:
        raise Failure("btop writes nothing")
    ratio = median(own) / median(other)
    print(f"bedside {median(own):.0f} octets a second, btop {median(other):.0f}.")
    is_good = check("octets to the terminal: times btop", ratio, 0.1)
    print()
    return is_good


def measure_frames(program, build, span=15):
    print("Frames: with 64 sensors at 10 Hz, and with none.")
    with Bus() as bus:
        emitter, terminal = streaming(program, build, bus, 64, 10, 10 * (span + 30))
        with emitter, terminal:
            Recording(terminal).read_for(3)
            busy = Recording(terminal).read_for(span)
    # Without bluetoothd nothing is left that could change but the clock; a listed sensor's age would.
    with Bus() as bus, in_terminal([program, "--reduce-motion"], bus) as terminal:
        Recording(terminal).read_for(5)
        quiet = Recording(terminal).read_for(span)
    print(f"at most {busy.most_in_a_second()} in a second while all stream ({len(busy.frames()) / span:.1f} on average); "
          f"{len(quiet.frames())} in {span} s with nothing to see.")
    is_good = check("frames in a second while 64 sensors stream", busy.most_in_a_second(), 30)
    # One for the minute of the clock.
    is_good &= check(f"frames in {span} s with nothing to see", len(quiet.frames()), 1)
    print()
    return is_good


def measure_growth(program, build, sensors=3, count=86_400):
    print(f"Memory while {sensors} sensors notify as often as in a day at 1 Hz ({sensors} x {count}), flat out.")
    with Bus() as bus:
        emitter, terminal = streaming(program, build, bus, sensors, 0, count)
        with emitter, terminal:
            sizes, deadline = [], time.monotonic() + 600
            while not select.select([emitter.process.stdout], [], [], 0)[0]:
                Recording(terminal).read_for(0.5)
                sizes.append(memory(terminal.process)[0])
                if time.monotonic() > deadline:
                    raise Failure("it does not come to an end within 10 min")
            Recording(terminal).read_for(5)
            end = memory(terminal.process)[0]
    if len(sizes) < 10:
        raise Failure("it was over before anything could be measured")
    early = sizes[len(sizes) // 10]
    print(f"{early:.1f} MiB resident after a tenth, at most {max(sizes):.1f}, {end:.1f} at the end. Wanted: at most 2 MiB "
          "more at the end\nthan after a tenth.\n", flush=True)
    return end - early <= 2
