"""From the loss of a link to streaming again, beside bleak in a simple loop, with the real bluetoothd."""

import json
import os
import subprocess
from statistics import median

from bench_bus import Failure

HERE = os.path.dirname(os.path.realpath(__file__))
BENCH = os.path.join(HERE, "..", "BluetoothdMachine")


def run(name, command, rounds=7):
    """Answers the seconds from the loss, or from the return, to the next value: of each kind of loss a list.

    In the bench's machine in virtual time: the figures are of radio and daemon, whatever else this computer does.
    """
    answer = subprocess.run(
        [BENCH + "/run", "--virtual-time", "--limit", "900", "/usr/bin/python3", HERE + "/reconnect_inside.py",
         str(rounds), *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if answer.returncode != 0:
        raise Failure(f"{name} in the bench's machine: status {answer.returncode}: {answer.stdout[-300:]}")
    return json.loads(answer.stdout.splitlines()[-1])


def measure(program, build):
    print("Time until a strap streams again, after it hung up, or after its return into range; the median of 7 times,")
    print("with the real bluetoothd, in the bench's virtual time.")
    own = run("bedside", [program, "watch", "--json", "--connect", "Polar H10 1234"])
    other = run("bleak", [build + "/venv/bin/python", HERE + "/reconnect_bleak.py"])
    is_good = True
    for kind in own:
        mine, theirs = median(own[kind]), median(other[kind])
        print(f"{kind:24} bedside {mine:6.2f} s (at most {max(own[kind]):.2f}), bleak {theirs:6.2f} s (at most "
              f"{max(other[kind]):.2f}): {mine / theirs:.2f}")
        is_good &= mine <= theirs
    print("Wanted: at most 1 in every row.\n", flush=True)
    return is_good
