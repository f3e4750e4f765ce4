"""Runs in the bench's machine: has a client lose its strap again and again, and prints when it streams again.

Usage: reconnect_inside.py ROUNDS COMMAND..., a command that prints a line with "reading" or "value" for each value.
"""

import json
import os
import socket
import subprocess
import sys
import threading
import time

LIMIT = 300


class World:
    """The bench, by its control socket."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["BEDSIDE_BENCH_CONTROL"])
        self.answers = self.socket.makefile()

    def please(self, line):
        self.socket.sendall(line.encode() + b"\n")
        answer = self.answers.readline().strip()
        if answer.startswith("error"):
            sys.exit(f"{line}: {answer}")


class Values:
    """When the client printed its newest value."""

    def __init__(self, process):
        self.process = process
        self.newest = None
        self.condition = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            if '"heart_rate"' in line and '"measured"' in line:
                with self.condition:
                    self.newest = time.monotonic()
                    self.condition.notify_all()

    def next_after(self, moment):
        """The time of the first value after a moment."""
        with self.condition:
            if not self.condition.wait_for(lambda: self.newest is not None and self.newest > moment, LIMIT):
                sys.exit(f"no value came within {LIMIT} s")
            return self.newest


def main():
    rounds, command = int(sys.argv[1]), sys.argv[2:]
    world = World()
    environment = {**os.environ, "HOME": "/tmp", "XDG_STATE_HOME": "/tmp/state", "XDG_DATA_HOME": "/tmp/data"}
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True)
    values = Values(process)
    values.next_after(0)
    found = {"hangs up": [], "10 s out of range": [], "60 s out of range": []}
    for number in range(rounds):
        for kind, away in zip(found, (0, 10, 60)):
            # The phase of whatever ticks in client and daemon is another one each time.
            time.sleep(7 + number * 0.37)
            world.please("vanish hr" if away else "drop hr")
            if away:
                # The link is given up by its supervision timeout; nobody hears of it before.
                time.sleep(away)
                world.please("return hr")
            begin = time.monotonic()
            found[kind].append(values.next_after(begin) - begin)
    process.terminate()
    print(json.dumps(found))


main()
