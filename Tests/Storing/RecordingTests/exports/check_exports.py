"""Reads what Bedside exports with libraries that others have written, and compares it with what sqlite3 reads.

The real program records simulated sensors, one of which has no measurement for a while, and what is typed at its screen by
hand, and exports in every format. FHIR is read by fhir.resources, CSV by pandas, line protocol by line-protocol-parser and
by VictoriaMetrics, and the examples of the documentation are run as they stand there.
"""

import csv
import json
import os
import pty
import re
import select
import shlex
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import pandas
from check_signals import check_signals
from fhir.resources.R4B.bundle import Bundle
from line_protocol_parser import LineFormatError, parse_line
from pydantic import ValidationError

SCENARIO = """{
  sensors: [
    { name: 'CORE, 1A2B', address: 'C0:52:49:00:00:01', kind: 'core', temperature: 38.61, interval: 0.2 },
    { name: '=Polar "H10"', address: 'C0:52:49:00:00:02', kind: 'heartRateStrap', heartRate: 72, interval: 0.2 },
    { name: 'e-Oximeter', address: 'C0:52:49:00:00:03', kind: 'oximeter', oxygenSaturation: 97, pulseRate: 71,
      interval: 0.2 },
  ],
  events: [
    { at: 3, sensor: '=Polar "H10"', do: 'offBody' },
  ],
}"""
# What is typed at the screen, what stands in the store for it, and the LOINC codes that it has in FHIR.
TYPED = [
    ("t38.4 mouth -15m\r", {"kind": "body_temperature", "value": 38.4, "site": "mouth"}, {"8310-5": 38.4}),
    ("h72\r", {"kind": "heart_rate", "value": 72}, {"8867-4": 72}),
    ("o97\r", {"kind": "spo2", "value": 97}, {"2708-6": 97}),
    (
        "b142/88/106 pulse 71\r",
        {"kind": "blood_pressure", "systolic": 142, "diastolic": 88, "mean": 106, "pulse": 71},
        {"8480-6": 142, "8462-4": 88, "8478-0": 106, "8867-4": 71},
    ),
    ("N450/uL today\r", {"kind": "neutrophils", "value": 450}, {"26499-4": 450}),
    ('n=1+1, "asleep"\r', {"kind": "note", "note": '=1+1, "asleep"'}, {"48767-8": '=1+1, "asleep"'}),
    # Right in the other unit only, so that it is asked about; then taken back.
    ("t98.6\ry", {"kind": "body_temperature", "value": 37.0}, {"8310-5": 37.0}),
]
ARTICLE = Path(__file__).parents[4] / "Sources/Storing/Recording/Recording.docc/ExportFormats.md"
RECIPE = Path(__file__).parents[4] / "Sources/Program/bedside/Bedside.docc/OtherPrograms.md"
LOINC = {
    "heart_rate": {"8867-4"}, "pulse_rate": {"8867-4", "8889-8"}, "spo2": {"2708-6", "59408-5"},
    "body_temperature": {"8310-5"}, "skin_temperature": {"39106-0"},
}
UCUM = {"heart_rate": "/min", "pulse_rate": "/min", "spo2": "%", "body_temperature": "Cel", "skin_temperature": "Cel"}


def check(condition, what):
    if not condition:
        raise SystemExit(f"wrong: {what}")


class Recording:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        # All that the screen has drawn.
        self.drawn = b""
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": folder, "XDG_DATA_HOME": folder,
            "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder,
        }
        scenario = self.folder / "evening.json5"
        scenario.write_text(SCENARIO)
        self.run("watch", "--json", f"--simulate={scenario}", "--connect", "all", "--for", "8s")

    def type(self):
        """Types at the real screen, waits for each line to be in the store, and takes the last one back."""
        child, terminal = pty.fork()
        if child == 0:
            os.execve(
                self.program, [self.program, f"--simulate={self.folder / 'evening.json5'}"],
                self.environment | {"TERM": "xterm-256color"})
        try:
            # What is typed before the screen is drawn is discarded when the program takes the terminal over.
            self.wait(terminal, lambda: b"WELCOME" in self.drawn, "the first page")
            os.write(terminal, b" e")
            for number, (line, _, _) in enumerate(TYPED, start=1):
                os.write(terminal, line.encode())
                self.wait(terminal, lambda: len(self.entries() or []) == number, f"an entry for {line!r}")
            os.write(terminal, b"xy")
            self.wait(terminal, lambda: self.entries()[-1]["status"] == "entered-in-error", "a mistake")
            os.write(terminal, b"\x03")
            os.waitpid(child, 0)
        except BaseException:
            os.kill(child, 9)
            raise

    def wait(self, terminal, condition, what):
        """Waits for a condition, and reads what the screen draws meanwhile, so that it can go on drawing."""
        end = time.monotonic() + 60
        while not condition():
            check(time.monotonic() < end, f"{what} does not come")
            if select.select([terminal], [], [], 0.1)[0]:
                self.drawn += os.read(terminal, 65536)

    def entries(self):
        """What was typed as sqlite3 reads it; None while there is nothing to read."""
        store = self.folder / "bedside/simulated/store.sqlite"
        query = "SELECT * FROM record_entries ORDER BY entered"
        done = subprocess.run(["sqlite3", "-json", store, query], capture_output=True)
        return json.loads(done.stdout or "[]") if done.returncode == 0 else None

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, timeout=120)
        check(done.returncode == 0, f"{words} ended with {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    def rows(self):
        """The readings as sqlite3 reads them."""
        store = self.folder / "bedside/simulated/store.sqlite"
        query = "SELECT * FROM readings ORDER BY wall_ms, monotonic_ns, vital"
        text = subprocess.run(["sqlite3", "-json", store, query], capture_output=True, check=True).stdout
        return json.loads(text)

    def export(self, form):
        return self.run("export", "--simulate", "--format", form)


def key(time, address, vital, value, absence):
    return time, address, vital, None if value is None else round(float(value), 2), absence or None


def check_csv(recording, rows):
    (recording.folder / "long.csv").write_text(recording.export("csv"), newline="")
    frame = pandas.read_csv(recording.folder / "long.csv", keep_default_na=False)
    found = sorted(
        key(row.time, row.address, row.vital, row.value if row.value != "" else None, row.absence)
        for row in frame.itertuples())
    check(found == sorted(key(r["time"], r["address"], r["vital"], r["value"], r["absence"]) for r in rows), "csv")
    with open(recording.folder / "long.csv", newline="") as file:
        names = {line["sensor"] for line in csv.DictReader(file, strict=True)}
    check(names == {"CORE, 1A2B", "'=Polar \"H10\"", "e-Oximeter"}, f"names in csv: {names}")


def check_json_lines(recording, rows):
    lines = [json.loads(line) for line in recording.export("jsonl").splitlines()]
    found = sorted(
        key(line["t"], line["sensor"]["address"], line["vital"], line.get("value"), line.get("reason"))
        for line in lines)
    check(found == sorted(key(r["time"], r["address"], r["vital"], r["value"], r["absence"]) for r in rows), "jsonl")


def check_influx(recording, rows):
    text = recording.export("influx")
    found, places = [], set()
    for line in text.splitlines():
        point = parse_line(line)
        tags = point["tags"]
        [(field, value)] = point["fields"].items()
        vital = field.removesuffix("_absence")
        check((field == vital) == ("quality" in tags) == isinstance(value, float), f"the fields of {line}")
        check(point["measurement"] == "bedside" and tags["simulated"] == "true", line)
        check(tags["unit"] == UCUM[vital], f"the unit of {line}")
        place = (field, tuple(sorted(tags.items())), point["time"])
        check(place not in places, f"a database would replace a value by {line}")
        places.add(place)
        moment = datetime.utcfromtimestamp(point["time"] // 1_000_000_000)
        milliseconds = point["time"] % 1_000_000_000 // 1_000_000
        text_of_time = f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds:03}Z"
        found.append(key(text_of_time, tags["address"], vital, *(value, None) if field == vital else (None, value)))
    wanted = [key(r["time"], r["address"], r["vital"], r["value"], r["absence"]) for r in rows]
    check(sorted(found, key=str) == sorted(wanted, key=str), "influx has other values than the store")
    names = {parse_line(line)["tags"]["sensor"] for line in text.splitlines()}
    check(names == {"CORE, 1A2B", '=Polar "H10"', "e-Oximeter"}, f"names in influx: {names}")
    # The parser must be able to say no, or all this means nothing.
    for wrong in [text.split("\n")[0].replace("\\ ", " "), text.split("\n")[0].replace("bedside,", "bedside, ")]:
        try:
            parse_line(wrong)
        except LineFormatError:
            continue
        check(False, f"line-protocol-parser takes {wrong}")


def recipe(begins_with):
    """A command of the recipe, of one line or more, as it stands in the article."""
    article = RECIPE.read_text().replace("\\\n", " ")
    return next(line for line in article.splitlines() if line.startswith(begins_with)).strip()


def recipe_with(words):
    """The block of commands of the recipe that has these words."""
    return next(one for one in re.findall(r"```sh\n(.*?)```", RECIPE.read_text(), re.S) if words in one)


def check_database(recording, rows):
    """The recipe of the documentation with the real VictoriaMetrics, on a port of its own."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]

    def command(begins_with):
        line = recipe(begins_with).replace(":8428", f":{port}").replace("~/", f"{recording.folder}/")
        for word in ("export", "status"):
            line = line.replace(f"bedside {word}", f"{shlex.quote(recording.program)} {word} --simulate")
        return line

    def run(line):
        done = subprocess.run(line, shell=True, env=recording.environment, capture_output=True, text=True, timeout=120)
        check(done.returncode == 0, f"{line} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def series(name):
        """The values of a metric by the tags, from the database."""
        query = f"curl --silent --fail -d 'match[]={name}' http://127.0.0.1:{port}/api/v1/export"
        return [json.loads(line) for line in run(query).splitlines()]

    def wait(condition, what):
        # A point for each minute may come only when the minute is over.
        end = time.monotonic() + 120
        while not condition():
            check(time.monotonic() < end, f"{what} does not come")
            time.sleep(0.2)

    log = open(recording.folder / "database.log", "w")
    database = subprocess.Popen(shlex.split(command("victoria-metrics ")), stdout=log, stderr=log)
    monitor = subprocess.Popen(
        [recording.program, "watch", "--json", f"--simulate={recording.folder / 'evening.json5'}", "--connect", "all",
         "--no-record"],
        env=recording.environment, stdout=subprocess.DEVNULL)
    try:
        ready = f"curl --silent --fail http://127.0.0.1:{port}/health"
        wait(lambda: subprocess.run(ready, shell=True, capture_output=True).returncode == 0, "the database")
        run(command("bedside export --format influx"))
        wanted = sorted(
            (r["address"], int(datetime.fromisoformat(r["time"].replace("Z", "+00:00")).timestamp() * 1000 + 0.5),
             round(float(r["value"]), 2)) for r in rows if r["vital"] == "heart_rate" and not r["absence"])

        def held():
            return sorted(
                (one["metric"]["address"], at, value) for one in series("bedside_heart_rate")
                for at, value in zip(one["timestamps"], one["values"]))
        wait(lambda: len(held()) >= len(wanted), "what was exported")
        check(held() == wanted, "the database has other heart rates than the store")

        def medians():
            answer = json.loads(run(command("curl --get")))
            check(answer["status"] == "success", f"the query of the recipe: {answer}")
            return [value for one in answer["data"]["result"] for _, value in one["values"]]
        wait(medians, "an answer to the query of the recipe")
        check(set(medians()) == {"72"}, f"the query of the recipe: {medians()}")
        draw = recipe_with("gnuplot -e").replace(":8428", f":{port}")
        run(f"cd {shlex.quote(str(recording.folder))} && {draw}")
        check((recording.folder / "heart-rate.png").read_bytes()[1:4] == b"PNG", "the picture of the query")
        # The same as text, in which points can be counted.
        run(f"cd {shlex.quote(str(recording.folder))} && {draw.replace('pngcairo', 'svg')}")
        points = len(re.findall(r"'#gpPt\d+' transform='translate", (recording.folder / "heart-rate.png").read_text()))
        check(points == len(medians()), f"{points} points in the picture of the query, not {len(medians())}")

        def send():
            run(command("bedside status --format openmetrics"))
            return any(one["values"][-1] == 97 for one in series("bedside_spo2_percent"))
        wait(send, "the saturation of the running monitor")
        check(all(one["metric"]["simulated"] == "true" for one in series("bedside_spo2_percent")), "simulated")
        check(series("bedside_up")[0]["values"][-1] == 1, "bedside_up")
    finally:
        for process in (monitor, database):
            process.terminate()
            process.wait()
        log.close()


def check_fhir(recording, rows):
    text = recording.export("fhir")
    bundle = Bundle.model_validate_json(text)
    resources = [entry.resource for entry in bundle.entry]
    devices = {
        entry.fullUrl: entry.resource.identifier[0].value.replace("-", ":")
        for entry in bundle.entry if entry.resource.get_resource_type() == "Device"}
    check(len(devices) == 3, f"{len(devices)} devices")
    observations = [one for one in resources if one.get_resource_type() == "Observation"]
    found = []
    for one in observations:
        codes = {coding.code for coding in one.code.coding if coding.system == "http://loinc.org"}
        system = devices[one.device.reference]
        vital = next(v for v in LOINC if LOINC[v] == codes)
        check((one.valueQuantity is None) != (one.dataAbsentReason is None), "a value and a reason, or neither")
        if one.valueQuantity is not None:
            check(one.valueQuantity.system == "http://unitsofmeasure.org", "the system of a unit")
            check(one.valueQuantity.code == UCUM[vital], f"the unit of {vital}")
        check(one.status == "final", f"status {one.status}")
        check(one.subject is not None and one.category[0].coding[0].code == "vital-signs", "subject or category")
        value = None if one.valueQuantity is None else one.valueQuantity.value
        reason = None if one.dataAbsentReason is None else one.dataAbsentReason.text.replace(" ", "_")
        time = re.sub(r"\+00:00$", "Z", one.effectiveDateTime.isoformat(timespec="milliseconds"))
        found.append(key(time, system, vital, value, reason))
    wanted = sorted(key(r["time"], r["address"], r["vital"], r["value"], r["absence"]) for r in rows)
    check(sorted(found, key=str) == sorted(wanted, key=str), "fhir has other values than the store")
    # The library must be able to say no, or all this means nothing.
    for right, wrong in [
        ('"status":"final",', ""), ('"resourceType":"Device"', '"resourceType":"Thing"'),
        ('"effectiveDateTime":"2', '"effectiveDateTime":"x2'), ('"unit":', '"einheit":'),
    ]:
        damaged = text.replace(right, wrong, 1)
        check(damaged != text, f"{right} is not there")
        try:
            Bundle.model_validate_json(damaged)
        except (ValidationError, LookupError, ValueError):
            continue
        check(False, f"fhir.resources takes {wrong!r} in place of {right!r}")


def compact(numbers):
    """Numbers of variable length, as the article on the store describes them."""
    octets = bytearray()
    for number in numbers:
        rest = number << 1 if number >= 0 else (-number << 1) - 1
        while rest > 0x7F:
            octets.append(rest & 0x7F | 0x80)
            rest >>= 7
        octets.append(rest)
    return bytes(octets)


def wave_samples(missing):
    """25 seconds of an ECG, in which one sample is missing."""
    samples = [[(7 * place * place) % 900 - 300 for place in range(second, second + 130)] for second in range(25)]
    samples[3][5] = missing
    return samples


def check_waves(recording):
    """Waves that are written here by the article alone, with a gap and an invalid sample, in both formats."""
    missing = -(1 << 31)
    samples = wave_samples(missing)
    beats = {second: [second, second + 60] for second in range(25)}
    store = sqlite3.connect(recording.folder / "bedside/simulated/store.sqlite")
    epoch, begin, monotonic = store.execute("SELECT id, wall_ms, monotonic_ns FROM epoch ORDER BY id LIMIT 1").fetchone()
    [sensor] = store.execute("SELECT id FROM sensor WHERE name LIKE '%H10%' LIMIT 1").fetchone()
    store.execute("INSERT OR IGNORE INTO word (text) VALUES ('ecg')")
    [kind] = store.execute("SELECT id FROM word WHERE text = 'ecg'").fetchone()
    gap = 12
    for second, values in enumerate(samples):
        wall = begin + second * 1000 + (4000 if second >= gap else 0)
        differences = [value - before for value, before in zip(values, [0] + values)]
        marks = [mark - before for mark, before in zip(beats[second], [0] + beats[second])]
        store.execute(
            "INSERT INTO wave VALUES (?, 0, ?, 0, ?, ?, ?, ?, ?, ?, ?)",
            (wall, epoch, sensor, kind, 520 if second == gap else 0, int(second not in (0, gap)),
             compact([130, 1_000_000]), compact(marks), compact(differences)))
    store.commit()
    store.close()
    path = recording.folder / "waves.csv"
    path.write_text(recording.export("waves"), newline="")
    frame = pandas.read_csv(path)
    wanted = [None if value == missing else value for values in samples for value in values]
    check([None if pandas.isna(value) else value for value in frame.value] == wanted, "the samples in waves")
    check(list(frame.index[frame.after_gap]) == [0, gap * 130], "the gaps in waves")
    check(list(frame.lost.dropna()) == [520], "what was lost in waves")
    check(frame.beat.sum() == 50 and frame.beat[60] and frame.beat[131], "the beats in waves")
    check(set(frame.unit) == {"uV"} and set(frame.wave) == {"ecg"}, "unit or kind in waves")
    times = pandas.to_datetime(frame.time).dt.as_unit("ms").astype("int64")
    exact = [begin + second * 1000 + (4000 if second >= gap else 0) + place / 0.13 for second in range(25) for place in range(130)]
    check(max(abs(found - want) for found, want in zip(times, exact)) <= 1, "the times in waves")
    check(frame.monotonic_ns[130] == monotonic + 1_000_000_000, "the clock in waves")
    text = recording.export("fhir-waves")
    bundle = Bundle.model_validate_json(text)
    observations = [one.resource for one in bundle.entry if one.resource.get_resource_type() == "Observation"]
    check(len(observations) == 4, f"{len(observations)} observations of waves")
    found = []
    for one in observations:
        data = one.valueSampledData
        check(one.code.coding[0].code == "131328" and data.origin.code == "uV" and data.dimensions == 1, "codes of a wave")
        check(abs(float(data.period) - 1000 / 130) < 1e-5, f"a period of {data.period}")
        values = [None if word == "E" else int(word) for word in data.data.split(" ")]
        length = (one.effectivePeriod.end - one.effectivePeriod.start).total_seconds()
        check(abs(length - (len(values) - 1) / 130) < 0.002, f"a period of {length} s")
        found += values
    check(found == wanted, "fhir-waves has other samples than the store")
    check([len(one.note or []) for one in observations] == [0, 0, 1, 0], "what was lost in fhir-waves")
    return len(wanted), begin


def check_typed(recording):
    """What was typed, in every format, and nothing of it among what sensors said."""
    entries = recording.entries()
    for entry, (line, wanted, _) in zip(entries, TYPED):
        check(wanted.items() <= entry.items(), f"{line!r} is {entry}")
    check([one["status"] for one in entries] == ["final"] * 6 + ["entered-in-error"], "status in the store")
    long = recording.folder / "typed.csv"
    long.write_text(recording.export("csv"), newline="")
    frame = pandas.read_csv(long, keep_default_na=False)
    typed = frame[frame.kind == "manual"]
    held = {(row.vital, float(row.value)) for row in typed.itertuples() if row.value != ""}
    check(held == {
        ("body_temperature", 38.4), ("heart_rate", 72), ("spo2", 97), ("systolic_pressure", 142),
        ("diastolic_pressure", 88), ("mean_pressure", 106), ("heart_rate", 71), ("neutrophils", 450)}, f"csv: {held}")
    check(set(typed[typed.absence == "entered_in_error"].note) == {"body temperature 37.0 °C"}, "a mistake in csv")
    check("'=1+1, \"asleep\"" in set(typed.note), "a note in csv")
    wide = recording.folder / "typed-wide.csv"
    wide.write_text(recording.export("csv-wide"), newline="")
    columns = [name for name in pandas.read_csv(wide).columns if " manual" in name]
    check(len(columns) == 7, f"columns of what was typed: {columns}")
    lines = [json.loads(line) for line in recording.export("jsonl").splitlines()]
    lines = [line for line in lines if line.get("manual")]
    check(len(lines) == len(TYPED), f"{len(lines)} lines of what was typed")
    check(sum(line.get("state") == "entered_in_error" for line in lines) == 1, "a mistake in jsonl")
    bundle = Bundle.model_validate_json(recording.export("fhir"))
    observations = [
        entry.resource for entry in bundle.entry
        if entry.resource.get_resource_type() == "Observation" and entry.resource.performer]
    check(len(observations) == len(TYPED), f"{len(observations)} observations of what was typed")
    found = []
    for one in observations:
        check(one.device is None and one.method is None, "what was typed has a device")
        check(one.note[0].text == "Manual entry" and one.performer[0].display == "Manual entry", "who measured")
        check(one.identifier[0].value.startswith("urn:uuid:") and one.note[0].time is not None, "identity")
        parts = one.component or [one]
        value = {
            part.code.coding[0].code: part.valueString if part is one and one.valueString else
            float(part.valueQuantity.value) for part in parts}
        found.append((one.status, value))
    wanted = [("entered-in-error" if line.startswith("t98.6") else "final", codes) for line, _, codes in TYPED]
    check(sorted(found, key=str) == sorted(wanted, key=str), f"fhir has {found}")
    history = recording.run("history", "--simulate")
    check("blood pressure 142/88/106 mmHg, pulse 71" in history and "as a mistake" in history, history)
    article = (ARTICLE.parent / "StoreFormat.md").read_text()
    query = next(one for one in re.findall(r"```sql\n(.*?)```", article, re.S) if "record_entries" in one)
    store = recording.folder / "bedside/simulated/store.sqlite"
    answer = subprocess.run(["sqlite3", store, query], capture_output=True, text=True, check=True).stdout
    check("142/88|71" in answer, f"the example of SQL: {answer}")


# What is entered at the command line, and what FHIR has of it: the type of the resource, its codes or words, its values.
RECORD = [
    (
        "lab wbc=1.2 hb=9.8 plt=45 neutrophils=35% lymphocytes=40% monocytes=20% eosinophils=2% basophils=1% blasts=2%",
        [("Observation", code, value) for code, value in [
            ("26464-8", 1200), ("718-7", 9.8), ("26515-7", 45000), ("26511-6", 35), ("26478-8", 40), ("26485-3", 20),
            ("26450-7", 2), ("30180-4", 1), ("26446-5", 2), ("26499-4", 420)]]),
    ("medication paracetamol 500 mg", [("MedicationAdministration", "paracetamol", 500)]),
    ("medication ondansetron", [("MedicationAdministration", "ondansetron", None)]),
    ("symptom pain 7", [("Observation", "72514-3", 7)]),
    ("symptom burning mouth 4", [("Observation", "burning mouth, severity 0-10", 4)]),
    ("glucose 5.8 mmol/L", [("Observation", "2339-0", 104.49)]),
    ("weight 72.4", [("Observation", "29463-7", 72.4)]),
    (
        "mascc burden mild hypotension no copd no tumour yes dehydration no outpatient yes under60 yes by Ada",
        [("QuestionnaireResponse", "score", 26)]),
]


def found_in(bundle):
    """Each resource of a record in a Bundle, as RECORD says it."""
    found = []
    for resource in [entry.resource for entry in bundle.entry]:
        kind = resource.get_resource_type()
        if kind == "MedicationAdministration":
            dose = resource.dosage and float(resource.dosage.dose.value)
            found.append((kind, resource.medicationCodeableConcept.text, dose))
        elif kind == "QuestionnaireResponse":
            score = next(item for item in resource.item if item.linkId == "score")
            found.append((kind, "score", score.answer[0].valueInteger))
        elif kind == "Observation":
            name = resource.code.coding[0].code if resource.code.coding else resource.code.text
            value = resource.valueInteger
            found.append((kind, name, float(resource.valueQuantity.value) if value is None else value))
    return sorted(found, key=str)


def check_record(recording):
    """Every kind of the record in FHIR, from here, and from where it was imported."""
    here, there = ["--simulate", "--patient", "here"], ["--simulate", "--patient", "there"]
    for words, _ in RECORD:
        recording.run("enter", *here, *words.split())
    wanted = sorted((one for _, resources in RECORD for one in resources), key=str)
    path = recording.folder / "record.json"
    path.write_text(recording.run("export", *here, "--format", "fhir"))
    found = found_in(Bundle.model_validate_json(path.read_text()))
    check(found == wanted, f"the record in fhir: {found}")
    check(recording.run("import", *here, str(path)).startswith("0 entries imported, 8 in the record already"), "itself")
    check(recording.run("import", *there, str(path)) == "8 entries imported.\n", "into another record")
    again = Bundle.model_validate_json(recording.run("export", *there, "--format", "fhir"))
    check(found_in(again) == wanted, "the imported record in fhir")
    # What fhir.resources writes itself, without our order and spelling, is read, too.
    path.write_text(again.model_dump_json())
    check(recording.run("import", *here, str(path)).startswith("0 entries imported, 8 in the record already"), "back")
    return len(wanted)


def check_examples(recording):
    (recording.folder / "wide.csv").write_text(recording.export("csv-wide"), newline="")
    article = ARTICLE.read_text()
    python = re.search(r"```python\n(.*?)```", article, re.S).group(1)
    done = subprocess.run([sys.executable, "-c", python], cwd=recording.folder, capture_output=True, text=True)
    check(done.returncode == 0 and "heart_rate" in done.stdout, f"the example for pandas: {done.stdout}{done.stderr}")
    plot = re.search(r"```gnuplot\n(.*?)```", article, re.S).group(1)
    done = subprocess.run(["gnuplot", "-"], input=plot, cwd=recording.folder, capture_output=True, text=True)
    check(done.returncode == 0, f"the example for gnuplot: {done.stderr}")
    picture = (recording.folder / "picture.svg").read_text()
    check("<svg" in picture and "heart_rate" in picture and picture.count("<path") > 3, "gnuplot drew nothing")


def main():
    with tempfile.TemporaryDirectory(prefix="bedside-exports-") as folder:
        recording = Recording(sys.argv[1], folder)
        rows = recording.rows()
        absent = [row for row in rows if row["absence"]]
        check(len(rows) > 50 and absent and len({row["vital"] for row in rows}) == 5, f"{len(rows)} rows")
        check_csv(recording, rows)
        check_json_lines(recording, rows)
        check_fhir(recording, rows)
        check_influx(recording, rows)
        check_database(recording, rows)
        check_examples(recording)
        samples, begin = check_waves(recording)
        # Up to the gap.
        signals = check_signals(recording, begin, wave_samples(None)[:12])
        recording.type()
        check_typed(recording)
        count = check_record(recording)
    print(f"{len(rows)} readings, {len(absent)} of them absences, are the same in sqlite3, CSV, JSON lines, FHIR R4, line"
          f" protocol and VictoriaMetrics; what was typed is in all of them, {count} resources of the record are valid FHIR R4 before and after an import,"
          f" {samples} samples of a wave are the same in CSV and SampledData, and the examples of the documentation run.")
    print(signals)


main()
