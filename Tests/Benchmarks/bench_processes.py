"""A process table of the size that a PC has, for programs whose work grows with it."""

import os
import subprocess


def count():
    return sum(name.isdigit() for name in os.listdir("/proc"))


class ProcessTable:
    """Holds as many sleeping processes as are missing from `wanted`."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.sleepers = []

    def __enter__(self):
        # Each of its own, as on a PC: threads would be one line in a list of processes.
        self.sleepers = [
            subprocess.Popen(["sleep", "infinity"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            for _ in range(max(0, self.wanted - count()))]
        return self

    def __exit__(self, *_):
        for sleeper in self.sleepers:
            sleeper.kill()
        for sleeper in self.sleepers:
            sleeper.wait()
