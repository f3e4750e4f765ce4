"""Measures the hot decoders of VitalDecoders beside the same decoders in C and in Python: part of `make bench`.

How to read it: the ratios count, not the times. Each time is the least processor time of several tries over the same
64 values, as a client of the library sees it. All three must find the same in every value. The exit status is 1 when a
wish is not met.
"""

import subprocess
import sys
import time

from decoders import DECODERS


def nanoseconds(decode, values):
    best = float("inf")
    for _ in range(7):
        start = time.process_time_ns()
        for _ in range(200):
            for value in values:
                decode(value)
        best = min(best, (time.process_time_ns() - start) / (200 * len(values)))
    return best


def main():
    print("Processor time of one decode; the least of 7 tries.")
    print(f"{'':26}{'C -O2':>10}{'Swift':>10}{'Python':>12}{'Swift/C':>10}{'Python/Swift':>14}{'allocations':>13}")
    is_good = True
    program = subprocess.run([sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True)
    for line in program.stdout.splitlines():
        name, count, octets, expected, swift, c, allocations = line.split("\t")
        count, octets = int(count), bytes.fromhex(octets)
        values = [octets[start:start + count] for start in range(0, len(octets), count)]
        decode, total = DECODERS[name.split()[0]]
        if sum(total(decode(value)) for value in values) != int(expected):
            print(f"{name}: Python and Swift differ")
            is_good = False
            continue
        swift, c, python = float(swift), float(c), nanoseconds(decode, values)
        print(f"{name:26}{c:7.1f} ns{swift:7.1f} ns{python:9.0f} ns{swift / c:10.2f}{python / swift:14.0f}"
              f"{float(allocations):13.2f}", flush=True)
        if "with 2 RR" not in name:
            is_good &= swift <= 2 * c and python >= 100 * swift and float(allocations) == 0
    print("Wanted: Swift/C at most 2, Python/Swift at least 100, no allocation; with RR intervals their list is one.\n")
    return 0 if is_good else 1


raise SystemExit(main())
