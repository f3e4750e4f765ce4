"""What an event costs in reducer and alarm engine, beside what receiving it from the bus costs."""

import subprocess
from statistics import median

import bench_notifications

# How many sensors, and whether the trends are full of a day's values.
SETTINGS = [(1, "empty"), (1, "full"), (64, "empty"), (64, "full")]
# How much more an event may cost where it should cost the same; the rest is the machine's noise.
FLAT = 1.5


def reduce(build):
    """Nanoseconds of processor time for one event, by number of sensors and history."""
    output = subprocess.run([build + "/monitoring/release/monitoring"], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in output.splitlines()]
    return {(int(sensors), history): float(cost) for sensors, history, cost in rows}


def measure(build, runs):
    print("Processor time for one reading in reducer and alarm engine, limits crossed and alarms raised and ended among")
    print("them, beside receiving one notification from the bus in C (libdbus, three sensors flat out); the median of",
          runs, "runs.")
    costs, received = {setting: [] for setting in SETTINGS}, []
    command = bench_notifications.commands("", build, 3)["C libdbus"]
    # In turn, so that whatever else the machine does concerns all alike.
    for _ in range(runs):
        received.append(bench_notifications.run(command, build, 3, 0, 20000)[0] * 1000)
        found = reduce(build)
        for setting in SETTINGS:
            costs[setting].append(found[setting])
    own, other = {setting: median(values) for setting, values in costs.items()}, median(received)
    for (sensors, history), cost in own.items():
        noun = "sensor, " if sensors == 1 else "sensors,"
        print(f"{sensors:3} {noun} {history:5} history {cost:8.0f} ns: {cost / other:.3f} of receiving ({other:.0f} ns)")
    cheapest, dearest = min(own.values()), max(own.values())
    print(f"The dearest is {dearest / cheapest:.2f} of the cheapest. Wanted: each below 0.25 of receiving, and the same from "
          f"1 to 64\nsensors and from an empty to a full history (at most {FLAT}).\n", flush=True)
    return dearest < other / 4 and dearest <= FLAT * cheapest
