"""The process that sounds: how soon, at what cost, and that the monitor does not pay for it."""

import glob
import json
import os
import select
import signal
import subprocess
import time
from datetime import datetime
from statistics import median

from bench_bus import Bus, Emitter, Failure, end, processor_seconds, wake_ups
from bench_figures import check
from bench_terminal import FLASHING, memory


class Child:
    """The process that sounds, as the functions that measure expect it."""

    def __init__(self, pid):
        self.pid = pid


class Watch:
    """A monitor without a screen, whose sound card is a file that this script reads while it is written."""

    def __init__(self, program, build, options, notifications, sounds=True):
        self.command = [program, "watch", "--json", "--connect", "all", *options, *(["--sound"] if sounds else [])]
        self.build, self.notifications, self.printed = build, notifications, b""

    def __enter__(self):
        self.bus = Bus().__enter__()
        self.emitter = Emitter(self.build, self.bus, 1, 1, self.notifications).__enter__()
        fifo = self.bus.folder.name + "/heard.raw"
        os.mkfifo(fifo)
        self.card = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        configuration = self.bus.folder.name + "/alsa.conf"
        with open(configuration, "w") as file:
            file.write('pcm.null { type null }\n'
                       f'pcm.default {{ type file slave.pcm "null" file "{fifo}" format "raw" }}\n')
        self.process = subprocess.Popen(
            self.command, env={**self.bus.environment, "ALSA_CONFIG_PATH": configuration}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.emitter.wait_until_ready(self.process)
        return self

    def __exit__(self, *_):
        end(self.process)
        self.process.stdout.close()
        os.close(self.card)
        self.emitter.__exit__()
        self.bus.__exit__()

    def speaker(self):
        """The process that sounds."""
        for _ in range(200):
            for path in glob.glob(f"/proc/{self.process.pid}/task/*/children"):
                with open(path) as file:
                    for child in file.read().split():
                        with open(f"/proc/{child}/cmdline", "rb") as command:
                            if b"speaker-process" in command.read():
                                return Child(int(child))
            time.sleep(0.05)
        raise Failure("no process sounds")

    def read(self, limit):
        """Reads what is played and printed within a time, until the first sample that is heard; answers when that came."""
        deadline = time.monotonic() + limit
        while (left := deadline - time.monotonic()) > 0:
            for ready in select.select([self.card, self.process.stdout], [], [], left)[0]:
                if ready != self.card:
                    self.printed += os.read(self.process.stdout.fileno(), 65536)
                    continue
                samples = self.samples()
                if samples and any(samples):
                    return time.time()
                if not samples:
                    # Nobody has it open.
                    time.sleep(0.0002)
        return None

    def read_for(self, seconds):
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.read(left)

    def sound(self):
        """When the first sample came, in seconds since 1970."""
        heard = self.read(10)
        if heard is None:
            raise Failure("nothing sounded within 10 s")
        return heard

    def events(self, kind):
        """What was printed of a kind, with its time in seconds since 1970."""
        events = [json.loads(line) for line in self.printed.split(b"\n")[:-1]]
        return [(datetime.fromisoformat(event["t"].replace("Z", "+00:00")).timestamp(), event)
                for event in events if event["event"] == kind]

    def kill_speaker(self):
        """Kills the process that sounds, and reads what it has left; answers when it was killed."""
        os.kill(self.speaker().pid, signal.SIGKILL)
        killed = time.time()
        while self.samples() != b"":
            pass
        return killed

    def samples(self):
        """What was played since the last time: empty while nobody plays, `None` while somebody is about to."""
        try:
            return os.read(self.card, 65536)
        except BlockingIOError:
            return None


def measure(program, build, runs=5, kills=20):
    print(f"The process that sounds, with a sound card that is a file: {runs} alarms, each in a monitor of its own; then")
    print(f"{kills} kills of that process during an alarm, with a strap at 1 Hz.")
    delays, shares, absences = [], [], []
    for _ in range(runs):
        with Watch(program, build, FLASHING, 60) as watch:
            speaker = watch.speaker()
            time.sleep(1)
            watch.emitter.go()
            heard = watch.sound()
            watch.read_for(0.5)
            began = min(moment for moment, alarm in watch.events("alarm") if alarm["state"] == "active")
            delays.append((heard - began) * 1000)
            before = processor_seconds(speaker)
            watch.read_for(6)
            shares.append((processor_seconds(speaker) - before) / 6 * 100)
    with Watch(program, build, FLASHING, 60) as watch:
        watch.emitter.go()
        watch.sound()
        for _ in range(kills):
            killed = watch.kill_speaker()
            absences.append((watch.sound() - killed) * 1000)
            watch.read_for(0.7)
        moments = [moment for moment, _ in watch.events("reading")]
        apart = max(after - before for before, after in zip(moments, moments[1:])) * 1000
    with Watch(program, build, [], 60) as watch:
        speaker = watch.speaker()
        watch.emitter.go()
        time.sleep(2)
        before = wake_ups(speaker)
        time.sleep(8)
        woken = wake_ups(speaker) - before
        with_sound = memory(watch.process)[1]
        with open(f"/proc/{watch.process.pid}/maps") as file:
            mapped = sum("libasound" in line for line in file)
    with Watch(program, build, [], 60, sounds=False) as watch:
        watch.emitter.go()
        time.sleep(2)
        without = memory(watch.process)[1]
    print(f"median: {median(delays):.1f} ms to the first sample, {median(absences):.0f} ms from a kill to the next one")
    is_good = check("alarm to its first sample, the longest", max(delays), 100, "ms")
    is_good &= check("killed process to the next sample, the longest", max(absences), 2000, "ms")
    is_good &= check("readings at 1 Hz meanwhile, the longest time apart", apart, 1100, "ms")
    is_good &= check("process that sounds, silent: wake-ups in 8 s", woken, 0)
    is_good &= check("process that sounds, during an alarm: share of a core", median(shares), 3, "%")
    is_good &= check("monitor: pages of ALSA's library", mapped, 0)
    is_good &= check("monitor: own memory more than without sound", with_sound - without, 0.5, "MiB")
    print()
    return is_good
