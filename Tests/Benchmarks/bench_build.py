"""How long somebody waits who changes Bedside: from a clone to live numbers and to green tests, and from a changed line to
its test.

The bounds are those of an idle computer with two cores. Everything happens in clones of the last commit.
"""

import re
import subprocess
import tempfile
import time
from pathlib import Path

from bench_bus import Failure
from bench_figures import check

ROOT = Path(__file__).resolve().parent.parent.parent

# What is changed, and the module whose tests are run then.
MODULE = "Monitoring"
CHANGED = Path("Sources/Patient/Monitoring/Fever/SampleDate.swift")


def measure():
    """Prints the seconds of each step; answers whether all bounds hold."""
    with tempfile.TemporaryDirectory(prefix="bedside-build-") as folder:
        first = clone(folder, "first")
        holds = [
            check("make run, from a clone to live numbers", seconds(first, "make", "run", live()), 120, "s"),
            check("make test, after make run", seconds(first, "make", "test"), 480, "s"),
        ]
        only = ["make", "test", f"ONLY={MODULE}"]
        holds.append(check(f"{' '.join(only[1:])}, nothing changed", seconds(first, *only), 60, "s"))
        change(first, lambda text: re.sub(r"(private static let \w+(?:: \w+)? = )(\S+)", r"\g<1>0 + \2", text, count=1))
        holds.append(check("a private line, to the end of its module's tests", seconds(first, *only), 60, "s"))
        change(first, lambda text: text + "\npublic func addedFunction(_ number: Int) -> Int { number + 1 }\n")
        holds.append(check("a public function, to the end of its module's tests", seconds(first, *only), 150, "s"))
        second = clone(folder, "second")
        holds.append(check("make test, from a clone", seconds(second, "make", "test"), 720, "s"))
    return all(holds)


def clone(folder, name):
    """A clone of the last commit, without anything that was built."""
    place = Path(folder) / name
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(place)], check=True)
    return place


def live():
    """The option that ends the dashboard's sibling with the first live number."""
    return "ARGS=watch --json --simulate --connect all --count 1"


def change(place, edit):
    """Changes a source file, which must become another one."""
    text = (place / CHANGED).read_text()
    changed = edit(text)
    assert changed != text, CHANGED
    (place / CHANGED).write_text(changed)


def seconds(place, *command):
    """How long a command takes; one that fails ends this part with what it printed."""
    begin = time.monotonic()
    result = subprocess.run(command, cwd=place, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    taken = time.monotonic() - begin
    if result.returncode:
        printed = result.stdout[-4000:] + result.stderr[-2000:]
        raise Failure(f"{' '.join(command)} ended with status {result.returncode}\n{printed}")
    return taken
