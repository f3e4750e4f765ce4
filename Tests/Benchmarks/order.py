"""Traces which functions run, and writes their names in the order in which the linker should put them: `make order`.

A monitor handles a value a second: each time, its functions come from memory, page by page. So those that run for every
value lie side by side, those that only draw behind them, then those of the start; what did not run comes last and stays
on the disk. The order is only about time and memory: names that no longer exist are ignored, new functions come last.
"""

import argparse
import re
import subprocess
import tempfile
import time
from collections import Counter

from bench_bus import Bus, Emitter, Failure, end
from bench_terminal import FLASHING, Terminal

SENSORS, SECONDS = 3, 30
# What confines the program to its files runs at its start, but not in Valgrind, whose kernel knows no Landlock; and what it
# calls: reading files whole, and lists of folders, sorted and split.
UNTRACED = re.compile("|".join((
    "Confinement", "Landlock", "FileAccess", "UserFiles10DescriptorV7readAll", "SettingsV4WardV5files",
    r"(_stableSortImpl|6sorted2by).*ShySSG_Tt1G5", r"^\$sSa6append10contentsOf.*s5UInt8V_s10ArraySliceV",
    r"^\$sSl.*10firstIndex2of.*_tFSs_Tg5$", r"^\$sSs5index5after", r"^\$sSaySSGWOh$")))
# What runs for about each value of a sensor is called at least as often as one of them sends.
OFTEN = SECONDS - 2


def valgrind(calls, command):
    return ["valgrind", "--quiet", "--tool=callgrind", "--demangle=no", "--compress-strings=no", "--compress-pos=no",
            "--callgrind-out-file=" + calls, *command]


def trace_lines(program, build, calls):
    """`watch` with recording, while alarms begin and end."""
    command = [program, "watch", "--json", "--connect", "all", "--set", "limits.heart_rate.high=80"]
    with Bus() as bus, Emitter(build, bus, SENSORS, 1, SECONDS) as emitter:
        client = subprocess.Popen(
            valgrind(calls, command), env=bus.environment, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        try:
            emitter.wait_until_ready(client)
            emitter.go()
            emitter.expect("done")
            # The last values are recorded within a second.
            time.sleep(2)
        finally:
            end(client)


def trace_screen(program, build, calls):
    """The dashboard, while an alarm flashes."""
    command = [program, "--connect", "all", "--no-welcome", *FLASHING[:2]]
    with Bus() as bus, Emitter(build, bus, SENSORS, 1, SECONDS) as emitter:
        with Terminal(valgrind(calls, command), bus.environment) as terminal:
            terminal.read_in_background()
            emitter.wait_until_ready(terminal.process)
            emitter.go()
            emitter.expect("done")
            time.sleep(2)


def read_calls(path, functions):
    """How often each of these functions was called; 0 for one that ran without a call, such as the first of a thread."""
    counts, called = Counter(), None
    with open(path) as file:
        for line in file:
            # Callgrind appends the depth of a recursion.
            if line.startswith("fn="):
                counts[re.sub(r"'\d+$", "", line[3:].strip())] += 0
            elif line.startswith("cfn="):
                called = re.sub(r"'\d+$", "", line[4:].strip())
            elif line.startswith("calls="):
                counts[called] += int(line[6:].split()[0])
    return {name: count for name, count in counts.items() if name in functions}


def read_functions(program):
    """The addresses of the program's own functions."""
    listing = subprocess.run(["nm", "--defined-only", program], capture_output=True, text=True, check=True).stdout
    entries = (line.split() for line in listing.splitlines())
    return {entry[2]: int(entry[0], 16) for entry in entries if len(entry) == 3 and entry[1] in "tTwW"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="a release build of bedside, with its symbols")
    parser.add_argument("--build", required=True, help="where emitter.c was built")
    parser.add_argument("--output", required=True, help="the file for the linker")
    chosen = parser.parse_args()
    functions = read_functions(chosen.program)
    with tempfile.TemporaryDirectory(prefix="bedside-order-") as folder:
        # Valgrind would read the debugging information for minutes.
        program = folder + "/bedside"
        subprocess.run(["strip", "--strip-debug", "-o", program, chosen.program], check=True)
        trace_lines(program, chosen.build, folder + "/lines")
        trace_screen(program, chosen.build, folder + "/screen")
        lines, screen = (read_calls(folder + name, functions) for name in ("/lines", "/screen"))

    lines = {name: 0 for name in functions if UNTRACED.search(name)} | lines

    def group(name):
        if lines.get(name, 0) >= OFTEN:
            return 0
        if screen.get(name, 0) >= OFTEN:
            return 1
        return 2 if name in lines else 3

    # Within a group they stay as they are: neighbours in a source file often run together.
    names = sorted(lines.keys() | screen.keys(), key=lambda name: (group(name), functions[name], name))
    if len(names) < 1000:
        raise Failure(f"only {len(names)} functions ran: is the program stripped?")
    with open(chosen.output, "w") as file:
        file.writelines(name + "\n" for name in names)
    print(f"{len(names)} of {len(functions)} functions are ordered in {chosen.output}.")


main()
