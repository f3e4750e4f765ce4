"""What a hundred peripherals on the air cost, and what ten minutes of 64 fast sensors do to the memory."""

import subprocess
import time

import bench_notifications
from bench_bus import Bus, Emitter, Failure, end, processor_seconds
from bench_terminal import COLUMNS, ROWS, Terminal, memory

PERIPHERALS, HERTZ = 100, 5


def scanners(program, build):
    return {
        "dashboard": [program, "--no-welcome"],
        "watch": [program, "watch", "--json"],
        "bleak": [build + "/venv/bin/python", __file__.replace("bench_crowd", "scan_bleak")],
    }


def share(name, command, build, span):
    """The percentage of a core that a program takes while everybody advertises."""
    with Bus() as bus, Emitter(build, bus, PERIPHERALS, "advertise", HERTZ, HERTZ * (span + 20)) as emitter:
        if name == "dashboard":
            with Terminal(command, bus.environment) as terminal:
                terminal.read_in_background()
                return measured_share(terminal.process, emitter, span)
        process = subprocess.Popen(command, env=bus.environment, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        try:
            return measured_share(process, emitter, span)
        finally:
            end(process)


def measured_share(process, emitter, span):
    emitter.wait_until_ready(process)
    emitter.go()
    time.sleep(3)
    before = processor_seconds(process)
    time.sleep(span)
    if process.poll() is not None:
        raise Failure(f"it ended with status {process.returncode}")
    return 100 * (processor_seconds(process) - before) / span


def measure_crowd(program, build, span=20):
    print(f"Processor time while {PERIPHERALS} peripherals are heard {HERTZ} times a second each, over {span} s; the")
    print(f"dashboard lists them in a terminal of {COLUMNS} x {ROWS}, bleak does nothing with them.")
    shares = {name: share(name, command, build, span) for name, command in scanners(program, build).items()}
    print(", ".join(f"{name} {percent:.2f} %" for name, percent in shares.items()) + " of a core; "
          f"dashboard/bleak {shares['dashboard'] / shares['bleak']:.2f}. Wanted: the dashboard below 5 %.\n", flush=True)
    return shares["dashboard"] < 5


def measure_endurance(program, build, minutes=10):
    """64 sensors, ten notifications a second each: nothing lost, and no memory gained after the first minute."""
    sensors, hertz = 64, 10
    count = hertz * 60 * minutes
    print(f"{sensors} sensors x {hertz} Hz for {minutes} minutes: what is lost, and the memory after the first minute "
          "and at the end.", flush=True)
    readings = sum(len(bench_notifications.VALUES[number % 3]) for number in range(sensors)) * count
    is_good = True
    with Bus() as bus, Emitter(build, bus, sensors, hertz, count) as emitter:
        with Terminal([program, "--connect", "all"], bus.environment) as terminal:
            terminal.read_in_background()
            watch = subprocess.Popen(
                [program, "watch", "--json", "--connect", "all"], env=bus.environment, stdout=subprocess.PIPE,
                stdin=subprocess.DEVNULL)
            try:
                emitter.wait_until_ready(watch)
                # The dashboard has its notifications, too, a little later.
                time.sleep(5)
                lines = bench_notifications.Lines(watch.stdout)
                emitter.go()
                if not lines.read(readings // minutes, limit=10):
                    raise Failure(f"{lines.readings} of {readings} readings came")
                early = {"watch": memory(watch)[0], "dashboard": memory(terminal.process)[0]}
                if not lines.read(readings, limit=10):
                    raise Failure(f"{lines.readings} of {readings} readings came")
                late = {"watch": memory(watch)[0], "dashboard": memory(terminal.process)[0]}
                bench_notifications.check(lines, sensors, count)
                for name in early:
                    gain = late[name] - early[name]
                    print(f"{name}: {early[name]:.1f} MiB after a minute, {late[name]:.1f} MiB at the end")
                    is_good &= gain < 1
            finally:
                end(watch)
                watch.stdout.close()
    print(f"All of {readings} readings came once and in order. Wanted: that, and less than 1 MiB gained.\n", flush=True)
    return is_good
