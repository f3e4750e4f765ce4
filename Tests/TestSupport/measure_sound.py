"""Measures sounds with SciPy; shares no code with Bedside.

A file is a WAV file, or raw with samples of 16 bits at 48 kHz. Each line of standard input is a request, each answer one
line: "ok" or what is wrong, or what was heard.

    burst FILE PRIORITY CATEGORY   the file holds this burst, and nothing else
    bursts FILE PRIORITY CATEGORY  the milliseconds at which bursts begin that all are this one; others may be cut off
    tone FILE HERTZ MILLISECONDS   the file holds one tone of this fundamental and length, and nothing else
    silent FILE FROM TO            nothing is heard between these milliseconds of the file
    onsets FILE                    the milliseconds from the beginning of the first pulse to that of each
    taken-over FILE LOWER HIGHER   a burst, in which a higher one takes over
    pulses FILE                    the saturations of the pulse tones, with t for a tremolo and b for a bright tone
    gaps FILE                      the milliseconds of silence between groups of pulses more than 450 ms apart
"""

import sys

import numpy
from scipy import signal
from scipy.io import wavfile

SEMITONES = {"C4": -9, "D4": -7, "E4": -5, "F4": -4, "G4": -2, "A4": 0, "B4": 2, "C5": 3}
MELODIES = {
    "general": "C4 C4 C4 C4 C4",
    "cardiac": "C4 E4 G4 G4 C5",
    "oxygen": "C5 B4 A4 G4 F4",
    "temperature": "C4 D4 E4 F4 G4",
    "equipment": "C5 C4 C4 C4 C5",
    "infusion": "C5 D4 G4 C5 D4",
    "ventilation": "C4 A4 F4 A4 F4",
}
# The beginnings of the pulses, their length, and the range of a gap, in milliseconds.
RHYTHMS = {
    "high": ([0, 175, 350, 700, 875, 1375, 1550, 1725, 2075, 2250], 140),
    "medium": ([0, 370, 740], 240),
    "low": ([0, 370], 240),
}


class Wrong(Exception):
    """What is not as it must be."""


RATE = 48000


def read(path):
    if path.endswith(".raw"):
        return RATE, numpy.fromfile(path, dtype="<i2").astype(float)
    rate, samples = wavfile.read(path)
    if samples.ndim != 1 or samples.dtype != numpy.int16:
        raise Wrong("not one channel of 16 bits")
    return rate, samples.astype(float)


def find_pulses(rate, samples):
    """The ranges of samples between silences of at least 10 ms."""
    heard = numpy.flatnonzero(numpy.abs(samples) > 1)
    if heard.size == 0:
        return []
    breaks = numpy.flatnonzero(numpy.diff(heard) > rate // 100)
    starts = numpy.concatenate(([heard[0]], heard[breaks + 1]))
    ends = numpy.concatenate((heard[breaks], [heard[-1]]))
    return list(zip(starts, ends + 1))


def spectrum(rate, pulse):
    size = 1 << 18
    levels = numpy.abs(numpy.fft.rfft(pulse * signal.windows.hann(len(pulse)), size))
    return levels, rate / size


def fundamental(rate, pulse):
    levels, step = spectrum(rate, pulse)
    return numpy.argmax(levels) * step


def level_at(levels, step, frequency):
    centre = int(round(frequency / step))
    reach = int(round(12 / step))
    return levels[max(0, centre - reach) : centre + reach].max()


def envelope(rate, pulse):
    """The loudness, without the wave itself."""
    width = rate // 150
    padded = numpy.concatenate((numpy.zeros(width), pulse**2, numpy.zeros(width)))
    return numpy.sqrt(numpy.convolve(padded, numpy.ones(width) / width, "same"))[width:-width]


def check_pulse(rate, pulse, expected, name):
    found = fundamental(rate, pulse)
    if abs(found / expected - 1) > 0.01:
        raise Wrong(f"{name}: {found:.1f} Hz, not {expected:.1f} Hz")
    levels, step = spectrum(rate, pulse)
    base = level_at(levels, step, expected)
    strong = [
        order * expected
        for order in range(2, 16)
        if 300 <= order * expected <= 4000
        and 20 * numpy.log10(level_at(levels, step, order * expected) / base) > -15
    ]
    if len(strong) < 4:
        raise Wrong(f"{name}: only {len(strong)} harmonics within 15 dB")
    loudness = envelope(rate, pulse)
    top = numpy.median(loudness[len(loudness) // 3 : 2 * len(loudness) // 3])
    for side, curve in (("rise", loudness), ("fall", loudness[::-1])):
        begin = numpy.argmax(curve > 0.1 * top)
        end = numpy.argmax(curve > 0.9 * top)
        share = (end - begin) / len(pulse)
        if not 0.1 <= share <= 0.4:
            raise Wrong(f"{name}: {side} {share:.3f} of its length")


def check_clicks(rate, samples, largest_step=0.3):
    """No large step, of which the highest harmonics of the highest tones have the largest, and nothing above 8 kHz, where no tone has a harmonic and a click has most of its energy."""
    peak = numpy.abs(samples).max()
    step = numpy.abs(numpy.diff(samples)).max()
    if step > largest_step * peak:
        raise Wrong(f"a step of {step:.0f}")
    high = signal.sosfilt(signal.butter(8, 8000, "highpass", fs=rate, output="sos"), samples)
    if numpy.abs(high).max() > 0.01 * peak:
        raise Wrong(f"a click of {numpy.abs(high).max() / peak:.3f}")


def check_burst(rate, samples, priority, category, name="burst"):
    onsets, length = RHYTHMS[priority]
    melody = [440 * 2 ** (SEMITONES[note] / 12) for note in MELODIES[category].split()]
    pulses = find_pulses(rate, samples)
    if len(pulses) < len(onsets):
        raise Wrong(f"{name}: {len(pulses)} pulses, not {len(onsets)}")
    pulses = pulses[: len(onsets)]
    for number, ((start, end), onset) in enumerate(zip(pulses, onsets)):
        label = f"{name}, pulse {number + 1}"
        late = (start - pulses[0][0]) * 1000 / rate - onset
        if abs(late) > 10:
            raise Wrong(f"{label}: {late:.1f} ms late")
        if abs((end - start) * 1000 / rate - length) > 0.05 * length:
            raise Wrong(f"{label}: {(end - start) * 1000 / rate:.1f} ms long")
        check_pulse(rate, samples[start:end], melody[number % len(melody)], label)
    check_clicks(rate, samples[pulses[0][0] - min(10, pulses[0][0]) : pulses[-1][1] + 10])
    return pulses[-1][1]


def burst(path, priority, category):
    rate, samples = read(path)
    check_burst(rate, samples, priority, category)
    found, expected = len(find_pulses(rate, samples)), len(RHYTHMS[priority][0])
    if found != expected:
        raise Wrong(f"burst: {found} pulses, not {expected}")
    return "ok"


def bursts(path, priority, category):
    """Between bursts there is more than a second, within one less."""
    rate, samples = read(path)
    groups = []
    for pulse in find_pulses(rate, samples):
        if groups and pulse[0] - groups[-1][-1][1] < rate:
            groups[-1].append(pulse)
        else:
            groups.append([pulse])
    check_clicks(rate, samples)
    onsets = RHYTHMS[priority][0]
    starts = []
    for group in groups:
        start, end = group[0][0], group[-1][1]
        if len(group) > len(onsets):
            raise Wrong(f"a burst of {len(group)} pulses")
        if len(group) == len(onsets) and end - start > onsets[-1] * rate // 1000 + rate // 20:
            check_burst(rate, samples[start:end], priority, category, f"burst at {start * 1000 // rate} ms")
        starts.append(str(start * 1000 // rate))
    return " ".join(starts) or "none"


def tone(path, frequency, milliseconds):
    rate, samples = read(path)
    found = find_pulses(rate, samples)
    if len(found) != 1:
        raise Wrong(f"{len(found)} tones")
    start, end = found[0]
    if abs((end - start) * 1000 / rate / float(milliseconds) - 1) > 0.05:
        raise Wrong(f"{(end - start) * 1000 / rate:.1f} ms long")
    heard = fundamental(rate, samples[start:end])
    if abs(heard / float(frequency) - 1) > 0.01:
        raise Wrong(f"{heard:.1f} Hz")
    check_clicks(rate, samples, 0.6)
    return "ok"


def silent(path, begin, end):
    rate, samples = read(path)
    part = numpy.abs(samples[int(begin) * rate // 1000 : int(end) * rate // 1000])
    if part.size < (int(end) - int(begin)) * rate // 1000:
        raise Wrong(f"the file ends after {len(samples) * 1000 // rate} ms")
    if part.max() > 0:
        raise Wrong(f"{part.max():.0f} at {int(begin) + numpy.flatnonzero(part)[-1] * 1000 // rate} ms")
    return "ok"


def onsets(path):
    rate, samples = read(path)
    found = find_pulses(rate, samples)
    return " ".join(str(round((start - found[0][0]) * 1000 / rate)) for start, _ in found) or "none"


def taken_over(path, lower, higher):
    """The higher burst is the last sound; where it begins, only the fade of the lower one precedes it."""
    rate, samples = read(path)
    onsets, length = RHYTHMS["high"]
    found = find_pulses(rate, samples)
    begin = found[-1][0] - onsets[-1] * rate // 1000
    before = begin - found[0][0]
    if not 0 < before < 980 * rate // 1000:
        raise Wrong("the lower one was over before")
    frequency = 440 * 2 ** (SEMITONES[MELODIES[lower].split()[0]] / 12)
    heard = fundamental(rate, samples[found[0][0] : begin])
    if abs(heard / frequency - 1) > 0.03:
        raise Wrong(f"the lower one has {heard:.1f} Hz, not {frequency:.1f} Hz")
    check_clicks(rate, samples)
    alone = numpy.concatenate((numpy.zeros(rate // 10), samples[begin:]))
    check_burst(rate, alone, "high", higher)
    return "ok"


def saturation(rate, pulse):
    found = fundamental(rate, pulse)
    percent = round(100 + 12 * numpy.log2(found / 880))
    loudness = envelope(rate, pulse)
    inner = loudness[len(loudness) // 5 : -len(loudness) // 5]
    levels, step = spectrum(rate, pulse)
    text = str(percent)
    if inner.min() < 0.6 * inner.max():
        text += "t"
    if level_at(levels, step, 3 * found) > 0.4 * level_at(levels, step, found):
        text += "b"
    return text


def pulses(path):
    rate, samples = read(path)
    check_clicks(rate, samples)
    return " ".join(saturation(rate, samples[start:end]) for start, end in find_pulses(rate, samples))


def gaps(path):
    rate, samples = read(path)
    found = find_pulses(rate, samples)
    wide = [b[0] - a[1] for a, b in zip(found, found[1:]) if b[0] - a[1] > 450 * rate // 1000]
    return " ".join(str(round(gap * 1000 / rate)) for gap in wide) or "none"


REQUESTS = {
    "burst": burst,
    "bursts": bursts,
    "tone": tone,
    "silent": silent,
    "onsets": onsets,
    "taken-over": taken_over,
    "pulses": pulses,
    "gaps": gaps,
}

for line in sys.stdin:
    request, *arguments = line.split()
    try:
        print(REQUESTS[request](*arguments), flush=True)
    except Wrong as wrong:
        print(wrong, flush=True)
