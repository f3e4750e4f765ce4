"""Writes synthetic nights with their falls of the oxygen saturation, found by an independent program.

    make_nights.py        writes nights.json beside this script; needs pobm 1.2.0 and numpy

The program below is written from the text of Jung et al. (2018) and Levy et al. (2021), in another form than Bedside's. It has
the toolbox's rules and Bedside's, which differ in five points (`TOOLBOX`, `BEDSIDE`). With the toolbox's rules it must find
exactly what pobm itself finds in each gapless night at one a second, point by point; if not, nothing is written. So what
Bedside is compared with differs from the published program by nothing but the five points, which the article "Nights" explains.
The figures of a night are those of numpy. That is right for verifying a program, and is no evidence about people.
"""

import base64
import json
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy
from pobm.obm.desat import DesaturationsMeasures

warnings.filterwarnings("ignore")


@dataclass
class Rules:
    from_before: bool  # the fall is measured from the last sample before it, not from the first lower one
    short_is_none: bool  # what is over before ten seconds is no fall, instead of one of ten seconds
    long_restarts: bool  # what is not over in time is sought again from its next step, instead of left out as a whole
    longest: int
    step: int | None  # the greatest step with which a fall begins; the threshold where None


TOOLBOX = Rules(False, False, False, 90, None)
BEDSIDE = Rules(True, True, True, 120, 10)


def falls(samples, rules, threshold=3, interval=1, bridged=10):
    """The falls as (begin, lowest, end); 0 in `samples` is no value."""
    known = [(place, int(value)) for place, value in enumerate(samples) if value]

    def joined(k):  # whether value k follows value k - 1 without too long a gap
        return k < len(known) and (known[k][0] - known[k - 1][0] - 1) * interval <= bridged

    found, k = [], 1
    while k < len(known):
        drop = known[k - 1][1] - known[k][1]
        if not rules.from_before and known[k][0] + 10 > len(samples):
            break
        if not joined(k) or not 1 <= drop <= (rules.step or threshold):
            k += 1
            continue
        begin, level = known[k - 1] if rules.from_before else known[k]

        def seconds(n):
            return (known[n][0] - begin) * interval

        # Down: it may not rise before it is deep enough.
        low = k if rules.from_before else k + 1
        while low < len(known) and known[low][1] <= known[low - 1][1] and level - known[low][1] < threshold:
            low += 1
            if not joined(low) or (rules.long_restarts and seconds(low) > rules.longest):
                low = len(known)
        if low >= len(known) or known[low][1] > known[low - 1][1]:
            k += 1
            continue
        # Up again.
        up, outcome = low + 1, "cut"
        while joined(up):
            if rules.long_restarts and seconds(up) > rules.longest:
                outcome = "long"
                break
            value = known[up][1]
            if value >= level - 1 or value - known[low][1] >= threshold:
                if seconds(up) >= 10:
                    outcome = "fall" if seconds(up) <= rules.longest else "skipped"
                    break
                if rules.short_is_none:
                    outcome = "short"
                    break
            if value <= known[low][1]:
                low = up
            up += 1
        if outcome == "fall":
            found.append((begin, known[low][0], known[up][0]))
        if outcome == "long":
            k += 1
        elif outcome == "cut":
            if not rules.from_before:
                break
            k = up + 1 if up < len(known) else len(known)
        else:
            k = up + 1
    return found


def night(kind, seconds, seed):
    """The saturation of each second as a fraction."""
    random = numpy.random.default_rng(seed)
    time = numpy.arange(seconds)
    course = 96.0 + 0.4 * numpy.sin(time / 700)
    noise = numpy.convolve(random.normal(0, 1, seconds + 14), numpy.ones(15) / 15, "valid")
    if kind in ("apnoeas", "gaps", "slow ring"):
        at = 30
        while at < seconds - 120:
            down, up, depth = random.integers(12, 50), random.integers(6, 20), random.uniform(1.5, 12)
            shape = numpy.concatenate([numpy.linspace(0, depth, down), numpy.linspace(depth, 0, up)])
            course[at : at + down + up] -= shape
            at += down + up + int(random.integers(5, 90))
    elif kind == "drift":
        course -= 5 * numpy.abs(numpy.sin(time / 900))
    elif kind == "plateaus":
        at = 60
        while at < seconds - 400:
            length, depth = random.integers(60, 260), random.uniform(3, 9)
            shape = numpy.full(length, depth)
            shape[:20], shape[-10:] = numpy.linspace(0, depth, 20), numpy.linspace(depth, 0, 10)
            course[at : at + length] -= shape
            at += length + int(random.integers(40, 200))
    elif kind == "walk":
        course = 92 + numpy.cumsum(random.normal(0, 0.35, seconds))
        course = 100 - numpy.abs((course - 70) % 60 - 30)
        noise *= 3
    return course + noise * 1.2


def make(name, kind, seconds, seed, interval=1, gaps=0):
    samples = numpy.clip(numpy.round(night(kind, seconds, seed)), 50, 100).astype(numpy.uint8)[::interval]
    random = numpy.random.default_rng(seed + 1)
    for _ in range(gaps):
        begin = int(random.integers(0, len(samples)))
        samples[begin : begin + int(random.integers(1, 30))] = 0
    if interval == 1 and gaps == 0:
        for threshold in (3, 4):
            tool = DesaturationsMeasures(ODI_Threshold=threshold)
            _, begins, lows, ends = tool._DesaturationsMeasures__sc_desaturations(samples.astype(float))
            theirs = [(int(a), int(b), int(c)) for a, b, c in zip(begins, lows, ends)]
            assert theirs == falls(samples, TOOLBOX, threshold), f"{name}: differs from pobm at {threshold} %"
            if threshold == 3:
                toolbox = len(theirs)
    else:
        toolbox = None
    known = samples[samples > 0].astype(float)
    found = falls(samples, BEDSIDE, interval=interval)
    depths = [int(samples[begin]) - int(samples[low]) for begin, low, _ in found]
    print(f"{name}: {len(found)} falls, {sum(depth >= 4 for depth in depths)} of 4 %, pobm {toolbox}")
    return {
        "name": name, "interval": interval, "samples": base64.b64encode(samples.tobytes()).decode(),
        "falls": found, "pobm": toolbox, "mean": int(numpy.floor(known.mean() * 100 + 0.5)),
        "lowest": int(known.min()), "below90": int((known < 90).sum()) * interval,
        "below88": int((known < 88).sum()) * interval,
    }


def main():
    nights = [
        make("apnoeas", "apnoeas", 5400, 1), make("more apnoeas", "apnoeas", 5400, 2),
        make("slow drift", "drift", 5400, 3), make("plateaus", "plateaus", 5400, 4),
        make("random walk", "walk", 5400, 5), make("apnoeas with gaps", "gaps", 5400, 6, gaps=40),
        make("random walk with gaps", "walk", 5400, 7, gaps=60),
        make("ring with four seconds", "slow ring", 14400, 8, interval=4),
        make("ring with two seconds and gaps", "slow ring", 7200, 9, interval=2, gaps=30),
    ]
    # Many more are only compared with pobm.
    for seed in range(100, 400):
        for kind in ("apnoeas", "drift", "plateaus", "walk"):
            samples = numpy.clip(numpy.round(night(kind, 1800, seed)), 50, 100).astype(numpy.uint8)
            for threshold in (3, 4):
                tool = DesaturationsMeasures(ODI_Threshold=threshold)
                _, *points = tool._DesaturationsMeasures__sc_desaturations(samples.astype(float))
                theirs = [tuple(int(point) for point in fall) for fall in zip(*points)]
                assert theirs == falls(samples, TOOLBOX, threshold), f"{kind} {seed}"
    text = ",\n".join(json.dumps(night) for night in nights)
    (Path(__file__).parent / "nights.json").write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
