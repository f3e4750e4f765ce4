"""Writes reference.json: series of RR intervals, and what neurokit2 and hrv-analysis compute of them.

The series are made as a strap would record them: breathing, slow drift and noise, beats that are ectopic, missed or
invented, and gaps. The classes of artefacts are neurokit2's, which implements the rule of Lipponen and Tarvainen by itself;
the figures are computed without artefacts, and never across them or across a gap, by both.
"""

import json
import math
import random
from pathlib import Path

import neurokit2
import numpy
from hrvanalysis import get_time_domain_features

SPOILS_NEXT = {"ectopic", "extra"}
NAMES = {"ectopic": "ectopic", "missed": "missed", "extra": "extra", "longshort": "longOrShort"}


def series(seed, seconds, mean, breathing, noise):
    """Intervals in units of 1/1024 s."""
    source = random.Random(seed)
    intervals, elapsed, drift = [], 0.0, 0.0
    while elapsed < seconds:
        drift = 0.98 * drift + source.gauss(0, noise / 4)
        length = mean + breathing * math.sin(2 * math.pi * elapsed / 4.3) + drift + source.gauss(0, noise)
        intervals.append(round(length * 1.024))
        elapsed += length / 1000
    return intervals


def disturb(intervals, faults):
    """Puts faults into a series: a dictionary of places and what happens there."""
    result, place = [], 0
    while place < len(intervals):
        fault = faults.get(place)
        if fault == "ectopic":
            early = round(intervals[place] * 0.62)
            result += [early, intervals[place] + intervals[place + 1] - early]
            place += 2
        elif fault == "missed":
            result.append(intervals[place] + intervals[place + 1])
            place += 2
        elif fault == "extra":
            part = round(intervals[place] * 0.45)
            result += [part, intervals[place] - part]
            place += 1
        elif fault == "long":
            result.append(round(intervals[place] * 1.35))
            place += 1
        else:
            result.append(intervals[place])
            place += 1
    return result


def artefacts(piece):
    """The place and the class of each artefact, by neurokit2."""
    beats = numpy.concatenate([[0], numpy.cumsum(piece)])
    found, _ = neurokit2.signal_fixpeaks(beats, sampling_rate=1024, iterative=False, method="Kubios")
    # The interval that ends with beat n is the one before it; the first beat ends none.
    return sorted((int(beat) - 1, NAMES[name]) for name in NAMES for beat in found[name] if beat > 0)


def reference(name, pieces, pause):
    found = [artefacts(piece) for piece in pieces]
    normal, times, runs, elapsed = [], [], [], 0.0
    for piece, wrong in zip(pieces, found):
        spoiled = {place for place, _ in wrong} | {place + 1 for place, kind in wrong if kind in SPOILS_NEXT}
        run = []
        for place, interval in enumerate(piece):
            elapsed += interval / 1024
            if place in spoiled:
                runs.append(run)
                run = []
                continue
            run.append(interval * 1000 / 1024)
            normal.append(interval * 1000 / 1024)
            times.append(elapsed)
        runs.append(run)
        elapsed += pause
    by_neurokit = neurokit2.hrv_time({"RRI": numpy.array(normal), "RRI_Time": numpy.array(times)})
    # hrv-analysis knows no gaps: each unbroken run by itself, weighted with its number of differences.
    runs = [run for run in runs if len(run) > 1]
    squares = sum(get_time_domain_features(run)["rmssd"] ** 2 * (len(run) - 1) for run in runs)
    differences = sum(len(run) - 1 for run in runs)
    return {
        "name": name, "pauseMilliseconds": int(pause * 1000), "pieces": pieces,
        "artefacts": [[{"place": place, "kind": kind} for place, kind in wrong] for wrong in found],
        "neurokit2": {
            "rmssd": float(by_neurokit["HRV_RMSSD"].iloc[0]), "sdnn": float(by_neurokit["HRV_SDNN"].iloc[0])},
        "hrvAnalysis": {
            "rmssd": math.sqrt(squares / differences), "sdnn": float(get_time_domain_features(normal)["sdnn"])},
    }


def main():
    adult = lambda seed, seconds: series(seed, seconds, 820, 35, 12)
    child = lambda seed, seconds: series(seed, seconds, 520, 18, 9)
    slow = lambda seed, seconds: series(seed, seconds, 1150, 60, 25)
    faults = {40: "ectopic", 90: "missed", 140: "extra", 190: "long", 240: "ectopic"}
    cases = [
        reference("an adult at rest", [adult(1, 297)], 0),
        reference("a child", [child(2, 297)], 0),
        reference("a slow heart that varies much", [slow(3, 297)], 0),
        reference("two gaps", [child(4, 60), child(5, 120), child(6, 95)], 8),
        reference("five artefacts", [disturb(adult(7, 297), faults)], 0),
        reference("ectopic beats in succession", [disturb(adult(8, 297), {60: "ectopic", 64: "ectopic", 70: "extra"})], 0),
        reference(
            "artefacts and gaps",
            [disturb(adult(9, 130), {50: "ectopic", 100: "missed"}), disturb(adult(10, 150), {30: "extra", 90: "long"})], 10),
    ]
    for case in cases:
        print(case["name"], [len(p) for p in case["pieces"]], case["neurokit2"], case["hrvAnalysis"], case["artefacts"])
    text = json.dumps(cases, indent=None).replace('{"name"', '\n{"name"')
    (Path(__file__).parent / "reference.json").write_text(text + "\n")


main()
