"""Writes synthetic records of a chest strap with known breathing: its ECG and the acceleration of the chest.

    make_records.py                    writes records.json beside this script, a few short ones for the tests
    make_records.py FOLDER [MINUTES]   writes a file for each of several hundred records, to measure a table of errors

The shape of a beat and the course of a breath are neurokit2's (`ecg_simulate`, `rsp_simulate`), and so are the times of the
breaths that count as true (`rsp_findpeaks`). Breathing changes the height of a beat, its baseline, the time between two beats
and the inclination of the chest, each by an amount and a delay of its own, which differ from record to record; slow waves, the
beat of the heart in the acceleration, muscle noise and the strap's own filter are added. That is right for verifying a method,
and is no evidence about people.
"""

import base64
import itertools
import json
import sys
import warnings
from pathlib import Path

import neurokit2
import numpy
from scipy import signal

warnings.filterwarnings("ignore")
FINE = 520  # samples a second while a record is made: four times those of the strap
ECG_RATE, ACC_RATE = 130, 26


def breathing(rate, seconds, seed, style):
    """The course of breathing from -1 to 1, and the times of its maxima."""
    if style == "pauses":
        # Half a minute of breathing, then 20 s without.
        course, _ = breathing(rate, seconds, seed, "plain")
        time = numpy.arange(len(course)) / FINE
        course = course * numpy.clip(numpy.minimum(numpy.mod(time, 50) / 2, (30 - numpy.mod(time, 50)) / 2), 0, 1)
    else:
        course = neurokit2.rsp_simulate(
            duration=seconds + 20, sampling_rate=100, respiratory_rate=rate, noise=0.0, random_state=seed,
            method="breathmetrics" if style == "natural" else "sinusoidal")
        course = signal.resample_poly(course - numpy.mean(course), FINE, 100)[: seconds * FINE]
        course = course / (numpy.percentile(course, 97) - numpy.percentile(course, 3)) * 2
    clean = signal.decimate(signal.decimate(course, 4), 5)
    peaks = neurokit2.rsp_findpeaks(clean, sampling_rate=26, method="khodadad2018")["RSP_Peaks"]
    return course, numpy.array(peaks) / 26


def beat_shape(heart_rate, seed):
    """One beat around its R peak, 1 high, by neurokit2's model of the ECG."""
    ecg = neurokit2.ecg_simulate(
        duration=20, sampling_rate=FINE, heart_rate=heart_rate, heart_rate_std=0.01, noise=0, random_state=seed)
    peaks = neurokit2.ecg_peaks(ecg, sampling_rate=FINE)[1]["ECG_R_Peaks"]
    before, after = int(0.25 * FINE), int(0.45 * FINE)
    beats = [ecg[p - before : p + after] for p in peaks if p > before and p + after < len(ecg)]
    shape = numpy.mean(beats, axis=0)
    shape = (shape - numpy.median(shape)) * signal.windows.tukey(len(shape), 0.15)
    return shape / numpy.max(shape), before


def beat_times(heart_rate, course, settings, random):
    """Times of beats: an integral of the rate, which breathing and slow waves change (IPFM)."""
    time = numpy.arange(len(course)) / FINE
    slow = numpy.sin(2 * numpy.pi * 0.1 * time + random.uniform(0, 6) + 0.8 * numpy.sin(2 * numpy.pi * 0.013 * time))
    shift = int(settings["rsa_delay"] * FINE)
    rate = heart_rate / 60 * (1 + settings["rsa"] * numpy.roll(course, shift) + settings["slow"] * slow)
    if settings["rhythm"] == "fibrillation":
        times, now = [], 0.3
        while now < time[-1] - 0.5:
            times.append(now)
            now += max(0.3, 60 / heart_rate * random.gamma(20, 1 / 20))
        return numpy.array(times)
    phase = numpy.cumsum(rate) / FINE
    beats = numpy.interp(numpy.arange(0.5, phase[-1]), phase, time)
    beats = beats + random.normal(0, 0.003, len(beats))
    if settings["rhythm"] == "ectopic":
        early = random.random(len(beats)) < 0.1
        early[1:] &= ~early[:-1]
        intervals = numpy.diff(beats, append=beats[-1] + 1)
        beats = beats - early * 0.35 * intervals
    return beats[(beats > 0.3) & (beats < time[-1] - 0.5)]


def record(heart_rate, rate, seconds, noise, seed, style="natural", rhythm="sinus", motion="rest", weak=None):
    random = numpy.random.default_rng(seed)
    settings = {
        "rsa": random.uniform(0.01, 0.06), "rsa_delay": random.uniform(0, 1), "slow": random.uniform(0, 0.025),
        "height": random.uniform(0.03, 0.15), "baseline": random.uniform(0.03, 0.15), "rhythm": rhythm,
        "tilt": random.uniform(8, 30),
    }
    if weak:
        settings[weak] = 0
    course, breaths = breathing(rate, seconds, seed, style)
    length = len(course)
    shape, before = beat_shape(heart_rate, seed)
    times = beat_times(heart_rate, course, settings, random)
    volts = random.uniform(500, 1500)
    delays = random.uniform(0, 0.8, 3)
    course_of = lambda delay: numpy.roll(course, int(delay * FINE))
    ecg, heart = numpy.zeros(length + FINE), numpy.zeros(length + FINE)
    height = 1 + settings["height"] * course_of(delays[0])
    ring = numpy.arange(int(0.4 * FINE)) / FINE
    ring = numpy.exp(-ring / 0.08) * numpy.sin(2 * numpy.pi * 7 * ring)
    for time in times:
        place = int(round(time * FINE))
        start = place - before
        if start < 0:
            continue
        ecg[start : start + len(shape)] += shape * height[min(place, length - 1)] * volts
        heart[place : place + len(ring)] += ring
    ecg, heart = ecg[:length], heart[:length]
    ecg += settings["baseline"] * volts * course_of(delays[1])
    wander = signal.lfilter(*signal.butter(1, 0.3, fs=FINE), random.normal(0, 1, length))
    ecg += noise * 2 * wander / (numpy.std(wander) or 1)
    muscle = signal.lfilter(*signal.butter(2, [15, 45], "band", fs=FINE), random.normal(0, 1, length))
    ecg += noise * muscle / numpy.std(muscle)
    direction = random.normal(0, 1, 3)
    direction /= numpy.linalg.norm(direction)
    gravity = random.normal(0, 1, 3)
    gravity *= 1000 / numpy.linalg.norm(gravity)
    pulse = random.normal(0, 1, 3)
    pulse *= random.uniform(2, 8) / numpy.linalg.norm(pulse)
    acceleration = (
        gravity[:, None] + direction[:, None] * settings["tilt"] / 2 * course_of(delays[2])
        + pulse[:, None] * heart + random.normal(0, 3 * (FINE / 100) ** 0.5, (3, length)))
    if motion == "walking":
        clock = numpy.arange(length) / FINE
        for axis in range(3):
            acceleration[axis] += random.uniform(60, 200) * numpy.sin(2 * numpy.pi * 1.8 * clock + random.uniform(0, 6))
        ecg += 0.1 * volts * numpy.sin(2 * numpy.pi * 1.8 * clock)
    if motion == "restless":
        # Somebody who turns or stretches every ten seconds.
        for start in numpy.arange(3, seconds - 3, 10):
            place = int((start + random.uniform(-2, 2)) * FINE)
            burst = signal.windows.hann(2 * FINE)
            acceleration[:, place : place + len(burst)] += random.normal(0, 250, (3, 1)) * burst
            ecg[place : place + len(burst)] += random.normal(0, volts / 2) * burst
    # The strap: 0.7 to 40 Hz, 130 samples a second, whole microvolts.
    strap = signal.lfilter(*signal.butter(1, 0.7, "high", fs=FINE), ecg)
    strap = signal.lfilter(*signal.butter(2, 40, fs=FINE), strap)[:: FINE // ECG_RATE]
    chest = signal.sosfilt(signal.butter(2, 10, fs=FINE, output="sos"), acceleration, zi=None)[:, :: FINE // ACC_RATE]
    # The first seconds are the filters'.
    cut = 4
    return {
        "heartRate": heart_rate, "breathing": rate, "noise": noise, "style": style, "rhythm": rhythm, "motion": motion,
        "weak": weak or "none",
        "breaths": [round(float(b) - cut, 3) for b in breaths if b > cut],
        "beats": [round(float(b) - cut, 3) for b in times if b > cut],
        "ecg": numpy.clip(numpy.round(strap[cut * ECG_RATE :]), -32000, 32000).astype("<i2"),
        "acceleration": numpy.clip(numpy.round(chest[:, cut * ACC_RATE :].T), -32000, 32000).astype("<i2"),
    }


def coded(made):
    return made | {
        key: base64.b64encode(made[key].tobytes()).decode() for key in ("ecg", "acceleration")
    }


def few():
    plan = [
        dict(heart_rate=62, rate=7, noise=20, seed=1), dict(heart_rate=58, rate=12, noise=20, seed=2),
        dict(heart_rate=75, rate=16, noise=40, seed=3), dict(heart_rate=95, rate=24, noise=20, seed=4),
        dict(heart_rate=118, rate=34, noise=20, seed=5),
        dict(heart_rate=85, rate=15, noise=20, seed=6, rhythm="fibrillation"),
        dict(heart_rate=80, rate=15, noise=20, seed=7, motion="walking"),
        dict(heart_rate=50, rate=36, noise=10, seed=8, style="sinusoidal"),
    ]
    return [coded(record(seconds=60, **entry)) for entry in plan]


def many(seconds):
    seed = 100
    for rate, heart, noise in itertools.product(
        (6, 8, 10, 12, 15, 18, 21, 25, 30, 36, 40), (50, 60, 75, 90, 105, 120), (10, 40, 80)):
        seed += 1
        yield dict(heart_rate=heart, rate=rate, noise=noise, seed=seed)
    for rate, heart in itertools.product((8, 12, 16, 20, 26), (55, 70, 90)):
        for weak in ("rsa", "height", "baseline", "tilt"):
            seed += 1
            yield dict(heart_rate=heart, rate=rate, noise=20, seed=seed, weak=weak)
        for style in ("sinusoidal", "pauses"):
            seed += 1
            yield dict(heart_rate=heart, rate=rate, noise=20, seed=seed, style=style)
        for rhythm in ("fibrillation", "ectopic"):
            seed += 1
            yield dict(heart_rate=heart, rate=rate, noise=20, seed=seed, rhythm=rhythm)
        for motion in ("walking", "restless"):
            seed += 1
            yield dict(heart_rate=heart, rate=rate, noise=20, seed=seed, motion=motion)


if len(sys.argv) == 1:
    Path(__file__).with_name("records.json").write_text(json.dumps(few(), separators=(",", ":")) + "\n")
else:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    seconds = int(float(sys.argv[2]) * 60) if len(sys.argv) > 2 else 180
    for number, entry in enumerate(many(seconds)):
        (folder / f"{number:03}.json").write_text(json.dumps(coded(record(seconds=seconds, **entry))))
