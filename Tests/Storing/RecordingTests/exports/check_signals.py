"""Reads what Bedside exports as EDF+ and as the maker's table with readers that others have written.

The store of a simulated recording gets an ECG with a gap and two nights of a ring, written here by the article on the store
alone. The whole record is EDF+D, which pyedflib and edfio refuse; MNE reads it, but takes its data records for consecutive.
So the samples are compared with MNE's, their times with what the time-keeping lists of the file say, and a period without a
gap, which is EDF+C, with all three readers.
"""

import csv
import io
import math
import re
import struct
import subprocess
import sys
import warnings
from datetime import datetime, timezone

import edfio
import mne
import pyedflib

SECONDS = 900


def check(condition, what):
    if not condition:
        raise SystemExit(f"wrong: {what}")


def night(count, lost=()):
    """Samples of a night: saturation, pulse rate, movement; none where they are lost."""
    return [
        None if place in lost else (97 - place % 9, 55 + place % 31, place % 5) for place in range(count)]


def insert(store, start, samples, interval, name):
    blob = b"".join(
        b"\xff\xff\xff\x00" if one is None else struct.pack("<BHB", *one) for one in samples)
    [epoch] = store.execute("SELECT id FROM epoch ORDER BY id LIMIT 1").fetchone()
    [sensor] = store.execute("SELECT id FROM sensor WHERE name = 'e-Oximeter' LIMIT 1").fetchone()
    store.execute(
        "INSERT INTO night (epoch, stored_wall_ms, sensor, address, name, start_wall_ms, interval_s, samples)"
        " VALUES (?, ?, ?, 'C0:52:49:00:00:03', ?, ?, ?, ?)", (epoch, start, sensor, name, start, interval, blob))


class Peer:
    """A reader of our own, a page long, of the header, the time-keeping lists and the samples."""

    def __init__(self, data):
        self.data = data
        text = data[:256].decode("ascii")
        self.reserved, self.records, signals = text[192:236].strip(), int(text[236:244]), int(text[252:256])
        check(text[0] == "0" and text[8:88].strip() == "X X X X", f"patient {text[8:88]!r}")
        check(float(text[244:252]) == 1, "the length of a data record")
        widths, place, fields = [16, 80, 8, 8, 8, 8, 8, 80, 8, 32], 256, []
        for width in widths:
            fields.append([data[place + width * n:place + width * (n + 1)].decode("ascii").strip() for n in range(signals)])
            place += width * signals
        self.labels, self.samples = fields[0], [int(one) for one in fields[8]]
        self.ranges = [tuple(float(fields[row][n]) for row in (3, 4, 5, 6)) for n in range(signals)]
        self.prefilter = fields[7]
        self.size = 2 * sum(self.samples)
        check(self.size <= 61440, f"data records of {self.size} octets")
        check(len(data) == place + self.records * self.size, "the length of the file")
        self.start = place

    def onsets(self):
        """When each data record begins, by its time-keeping list."""
        found = []
        for record in range(self.records):
            end = self.start + (record + 1) * self.size
            lists = self.data[end - 2 * self.samples[-1]:end]
            found.append(float(re.match(rb"\+([0-9.]+)\x14\x14\x00", lists).group(1)))
        return found

    def values(self, label):
        place = self.labels.index(label)
        offset = 2 * sum(self.samples[:place])
        low, high, least, most = self.ranges[place]
        values = []
        for record in range(self.records):
            begin = self.start + record * self.size + offset
            digits = struct.unpack(f"<{self.samples[place]}h", self.data[begin:begin + 2 * self.samples[place]])
            values += [low + (digit - least) * (high - low) / (most - least) for digit in digits]
        return values


def close(found, wanted):
    return len(found) == len(wanted) and all(abs(one - other) < 1e-3 for one, other in zip(found, wanted))


def read_mne(path):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        raw = mne.io.read_raw_edf(path, preload=True, verbose="ERROR")
    return raw, [str(one.message) for one in said]


def mne_values(raw, label):
    """MNE scales what is in µV to V, and resamples what is slower than the fastest signal; here all have one rate."""
    values = raw.get_data(picks=[label])[0]
    return [value * 1e6 for value in values] if label == "ECG" else list(values)


def check_gaps(recording, base, first, second):
    """The whole record: EDF+D with two nights and live readings."""
    path = recording.folder / "all.edf"
    recording.run("export", "--simulate", "--format", "edf", "--output", str(path))
    data = path.read_bytes()
    done = subprocess.run(
        [recording.program, "export", "--simulate", "--format", "edf"], env=recording.environment, capture_output=True)
    check(done.stdout == data, "standard output differs from a file")
    peer = Peer(data)
    check(peer.reserved == "EDF+D" and {"SpO2", "SpO2 stored", "Pulse stored", "HR", "Temp body"} <= set(peer.labels),
          f"{peer.reserved} {peer.labels}")
    onsets = peer.onsets()
    check(onsets[0] == 0 and all(after - before >= 1 for before, after in zip(onsets, onsets[1:])), "onsets")
    # Nights with a sample a second and with one in four seconds are signals of their own.
    held = [place for place, label in enumerate(peer.labels) if label.startswith("SpO2 stored")]
    check(sorted(peer.prefilter[place] for place in held) == ["", "held 4 s"], "what is held")
    signals = [peer.values(peer.labels[place]) for place in held]
    stored = dict(zip(onsets, map(max, *signals)))
    wanted = {}
    for start, samples, interval in [first, second]:
        for place, sample in enumerate(samples):
            for held in range(interval):
                if sample is not None:
                    wanted[(start - first[0]) / 1000 + place * interval + held] = sample[0]
    for onset, value in wanted.items():
        check(abs(stored.get(onset, -2) - value) < 1e-3, f"{stored.get(onset)} % at {onset} s, not {value}")
    check(all(value == -1 for onset, value in stored.items() if onset not in wanted), "what was lost has a value")
    live = {round(onset) for onset, value in zip(onsets, peer.values("SpO2")) if value != -1}
    check(live and all(onset >= (base - first[0]) / 1000 - 1 for onset in live), "live values")
    check(set(peer.values("SpO2")) == {-1, 97}, "values of the live oximeter")
    # The others: who reads a file with gaps?
    said = {}
    for name, read in [("pyedflib", lambda: pyedflib.EdfReader(str(path))), ("edfio", lambda: edfio.read_edf(path))]:
        try:
            read()
            said[name] = "read it"
        except Exception as error:
            said[name] = f"refused it: {error}"
    raw, warned = read_mne(path)
    check(len(raw.ch_names) == len(peer.labels) - 1, f"MNE has {raw.ch_names}")
    said["MNE"] = f"read {raw.n_times} samples" + (f", and warned: {warned[0][:80]}" if warned else "")
    # It leaves out what is later than the data records would be without gaps.
    check([one["description"] for one in raw.annotations] == ["simulated sensors, and no patient"], "MNE's annotations")
    lists = re.findall(rb"\+([0-9.]+)\x15([0-9.]+)\x14([^\x14]+)\x14\x00|\+([0-9.]+)\x14([^\x14]+)\x14\x00", data)
    notes = {(one[2] or one[4]).decode(): float(one[0] or one[3]) for one in lists}
    skin = [onset for text, onset in notes.items() if text.startswith("no measurement: sensor reports no skin contact")]
    check(len(skin) == 1 and skin[0] > (base - first[0]) / 1000, f"annotations {notes}")
    check(any(text.startswith("alarm, ") for text in notes), f"annotations {notes}")
    check("simulated" in data[88:168].decode(), "the recording field")
    return len(onsets), said


def check_continuous(recording, second):
    """A period of a night without a gap: EDF+C, the same for three readers."""
    path = recording.folder / "night.edf"
    start, samples, interval = second
    moments = [datetime.fromtimestamp(one / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
               for one in (start, start + SECONDS * 1000)]
    recording.run("export", "--simulate", "--format", "edf", "--from", moments[0], "--to", moments[1], "--output", str(path))
    peer = Peer(path.read_bytes())
    check(peer.reserved == "EDF+C" and peer.records == SECONDS, f"{peer.reserved} with {peer.records} records")
    raw, _ = read_mne(path)
    with pyedflib.EdfReader(str(path)) as reader:
        theirs = {label: reader.readSignal(place) for place, label in enumerate(reader.getSignalLabels())}
        check(reader.getStartdatetime() == datetime.fromtimestamp(start / 1000), "pyedflib's start")
    edf = edfio.read_edf(path)
    ours = {signal.label: signal.data for signal in edf.signals}
    check(edf.patient.name == "X" and edf.patient.code == "X", "edfio's patient")
    check(edf.recording.equipment_code.startswith("Bedside"), "edfio's recording")
    count = 0
    for label, column in [("SpO2 stored", 0), ("Pulse stored", 1), ("Movement", 2)]:
        wanted = [float(sample[column]) for sample in samples[:SECONDS]]
        for name, values in [("ours", peer.values(label)), ("pyedflib", list(theirs[label])), ("edfio", list(ours[label])),
                             ("MNE", mne_values(raw, label))]:
            check(close(values, wanted), f"{label} by {name}")
            count += len(wanted)
    return count


def check_wave(recording, base, samples):
    """An ECG without a gap, sample by sample; one sample is missing."""
    path = recording.folder / "ecg.edf"
    moments = [datetime.fromtimestamp((base + one) / 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
               for one in (0, len(samples) * 1000)]
    recording.run("export", "--simulate", "--format", "edf", "--from", moments[0], "--to", moments[1], "--vitals", "heart_rate",
                  "--output", str(path))
    peer = Peer(path.read_bytes())
    check(peer.reserved == "EDF+C", peer.reserved)
    wanted = [-32768.0 if value is None else float(value) for second in samples for value in second]
    raw, _ = read_mne(path)
    with pyedflib.EdfReader(str(path)) as reader:
        place = reader.getSignalLabels().index("ECG")
        theirs = list(reader.readSignal(place))
        check(reader.getSampleFrequency(place) == 130, "pyedflib's rate")
    ours = next(signal for signal in edfio.read_edf(path).signals if signal.label == "ECG")
    check(ours.sampling_frequency == 130, "edfio's rate")
    # The first second is that of the wall clock, in which the ECG begins somewhere.
    begin = math.ceil(base % 1000 * 0.13 - 0.5)
    readers = [("ours", peer.values("ECG")), ("pyedflib", theirs), ("edfio", list(ours.data)), ("MNE", mne_values(raw, "ECG"))]
    for name, values in readers:
        found = values[begin:begin + len(wanted)]
        wrong = [place for place, pair in enumerate(zip(found, wanted)) if not close(pair[:1], pair[1:])]
        check(close(found, wanted), f"the ECG by {name}: of {len(found)} samples from {begin} these: {wrong[:9]} ({base} ms)")
        rest = list(values[:begin]) + list(values[begin + len(wanted):])
        check(close(rest, [-32768] * len(rest)), f"what is before and after the ECG by {name}")
    return len(wanted)


def check_tables(recording, base, first, second):
    """The maker's table, read with the csv module; and everything imported again adds nothing here, and all there."""
    text = recording.run("export", "--simulate", "--format", "viatom-csv")
    rows = list(csv.reader(io.StringIO(text), strict=True))
    check(rows[0] == ["Time", "Oxygen Level", "Pulse Rate", "Motion", "O2 Reminder", "PR Reminder"], rows[0])
    times = [datetime.strptime(row[0], "%H:%M:%S %b %d %Y") for row in rows[1:]]
    check(all(after > before for before, after in zip(times, times[1:])), "the order of the table")
    found = [None if row[1] == "255" else tuple(int(one) for one in row[1:4]) for row in rows[1:]]
    wanted = first[1] + second[1]
    check(found[:len(wanted)] == wanted, "the nights in the table")
    check(times[0] == datetime.fromtimestamp(first[0] / 1000), "the beginning of the table")
    check(all(row[1] in ("97", "255") for row in rows[1 + len(wanted):]), "live values in the table")
    for name, form in [("O2Ring.csv", "viatom-csv"), ("all.edf", "edf")]:
        path = recording.folder / name
        path.write_text(text, newline="") if form == "viatom-csv" else None
        said = recording.run("import", "--simulate", "--patient", name.split(".")[0], str(path))
        check(re.match(r"[3-9] nights imported\.", said), f"{name}: {said}")
        again = recording.run("import", "--simulate", "--patient", name.split(".")[0], str(path))
        check(again.startswith("0 nights imported, "), f"{name} twice: {again}")
    return len(found)


def check_signals(recording, base, wave):
    """Everything: what was compared, as a sentence."""
    import sqlite3
    store = sqlite3.connect(recording.folder / "bedside/simulated/store.sqlite")
    begin = base // 1000 * 1000
    first = (begin - 36_000_000, night(600, lost={*range(100, 130)}), 4)
    second = (begin - 18_000_000, night(SECONDS + 60), 1)
    for number, (start, samples, interval) in enumerate([first, second]):
        insert(store, start, samples, interval, f"2026010{number}000000")
    store.commit()
    store.close()
    records, said = check_gaps(recording, base, first, second)
    samples = check_continuous(recording, second) + check_wave(recording, base, wave)
    rows = check_tables(recording, base, first, second)
    refusals = "; ".join(f"{name} {what}" for name, what in said.items())
    return (f"{samples} samples of EDF+C are the same in pyedflib, edfio, MNE and by hand, {records} data records of EDF+D have "
            f"the times of the store ({refusals}), and {rows} lines of the maker's table are those of the store.")
