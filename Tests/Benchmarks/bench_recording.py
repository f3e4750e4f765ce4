"""What recording costs, and how fast what was recorded is found and exported again."""

import os
import random
import re
import select
import subprocess
import tempfile
import time
from statistics import median, quantiles

from bench_bus import Bus, Emitter, Failure, end, processor_seconds
from bench_figures import check
from bench_terminal import Terminal

# In turn a strap and a thermometer of one vital each and an oximeter of two, so 60 sensors make 80 readings a round.
SENSORS, READINGS_A_ROUND, HERTZ, SECONDS = 60, 80, 63, 20
DAYS = 30
# What the help says, and what the page under it says, and neither both.
HELP_WORD, PAGE_WORD = b"HELP", b"SENSORS"

FILL = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;
BEGIN;
DELETE FROM reading; DELETE FROM minute; DELETE FROM quarter; DELETE FROM wearing; DELETE FROM gap; DELETE FROM notification;
INSERT OR IGNORE INTO word (text) VALUES ('heart_rate'), ('pulse_rate'), ('spo2'), ('body_temperature'),
    ('skin_temperature'), ('good'), ('no_contact');
INSERT OR IGNORE INTO sensor (address, name, kind) VALUES ('C0:00:00:00:00:01', 'Strap', 'heart_rate_strap'),
    ('C0:00:00:00:00:02', 'Clip', 'oximeter'), ('C0:00:00:00:00:03', 'CORE', 'core'),
    ('C0:00:00:00:00:04', 'Other strap', 'heart_rate_strap');
CREATE TEMP TABLE source AS
    SELECT sensor.id AS sensor, word.id AS vital, column3 AS base, row_number() OVER () - 1 AS place FROM (VALUES
        ('Strap', 'heart_rate', 7000), ('Clip', 'pulse_rate', 7100), ('Clip', 'spo2', 9700),
        ('CORE', 'body_temperature', 3700), ('CORE', 'skin_temperature', 3400), ('Other strap', 'heart_rate', 8000))
    JOIN sensor ON sensor.name = column1 JOIN word ON word.text = column2;
WITH RECURSIVE second(s) AS (SELECT 0 UNION ALL SELECT s + 1 FROM second WHERE s + 1 < {seconds})
INSERT INTO reading (wall_ms, n, epoch, drift_ns, sensor, vital, value, quality, absence)
SELECT {start} + s * 1000 + place, 0, 1, s * 7919 % 1000000, sensor, vital,
    CASE WHEN s % 600 < 590 THEN base + (s * 7 + place * 13) % 300 END,
    CASE WHEN s % 600 < 590 THEN (SELECT id FROM word WHERE text = 'good') END,
    CASE WHEN s % 600 >= 590 THEN (SELECT id FROM word WHERE text = 'no_contact') END
FROM second CROSS JOIN source ORDER BY s, place;
INSERT INTO minute (minute, sensor, vital, readings, total, minimum, maximum, last, absences)
SELECT wall_ms / 60000, sensor, vital, count(value), ifnull(sum(value), 0), min(value), max(value), max(value),
    count(absence)
FROM reading GROUP BY 1, 2, 3;
COMMIT;
"""


def thread_seconds(process, name):
    """The processor time of the thread with a name."""
    for thread in os.listdir(f"/proc/{process.pid}/task"):
        folder = f"/proc/{process.pid}/task/{thread}"
        with open(folder + "/comm") as file:
            if file.read().strip() != name:
                continue
        with open(folder + "/schedstat") as file:
            return int(file.read().split()[0]) / 1e9
    return 0.0


def record(program, build, options):
    """Answers which part of a core the whole program takes, which part the store's thread, and how many rows there are."""
    count = HERTZ * SECONDS
    with Bus() as bus, Emitter(build, bus, SENSORS, HERTZ, count) as emitter:
        client = subprocess.Popen(
            [program, "watch", "--json", "--connect", "all", *options], env=bus.environment,
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        try:
            emitter.wait_until_ready(client)
            time.sleep(2)
            started = time.monotonic()
            before, store_before = processor_seconds(client), thread_seconds(client, "store")
            emitter.go()
            emitter.expect("done")
            time.sleep(1.5)
            took = time.monotonic() - started - 1.5
            cost = processor_seconds(client) - before
            store_cost = thread_seconds(client, "store") - store_before
        finally:
            end(client)
        store = bus.folder.name + "/bedside/store.sqlite"
        rows = int(sqlite(store, "SELECT count(value) FROM reading"))
        return cost / took, store_cost / took, rows, took


def answer_times(program, build, options):
    """Answers in how many seconds each key was answered by the page that it shows, while all readings come."""
    count = HERTZ * SECONDS
    times = []
    with Bus() as bus, Emitter(build, bus, SENSORS, HERTZ, count) as emitter:
        with Terminal([program, "--connect", "all", *options], bus.environment) as terminal:
            while not select.select([emitter.process.stdout], [], [], 0)[0]:
                if terminal.process.poll() is not None:
                    raise Failure(f"it ended with status {terminal.process.returncode}")
                terminal.read_for(0.1)
            emitter.expect("ready")
            emitter.go()
            terminal.read_for(2)
            ending = time.monotonic() + SECONDS - 6
            while time.monotonic() < ending:
                for key, word in ((b"?", HELP_WORD), (b"?", PAGE_WORD)):
                    # Not in step with the frames that come by themselves.
                    terminal.read_for(random.uniform(0.1, 0.3))
                    pressed = time.monotonic()
                    os.write(terminal.master, key)
                    terminal.read_until(word, 5)
                    times.append(time.monotonic() - pressed)
    return times


def measure_answers(program, build, runs):
    print(f"Time from a key to its page in the terminal while {HERTZ * READINGS_A_ROUND} readings a second come, with and without")
    print(f"recording in turn, {runs} times each.")
    on, off = [], []
    for _ in range(runs):
        on += answer_times(program, build, [])
        off += answer_times(program, build, ["--no-record"])
    for name, times in (("with", on), ("without", off)):
        print(f"{name:>8}: median {median(times) * 1000:6.2f} ms, 95 % within {quantiles(times, n=20)[18] * 1000:6.2f} ms, {len(times)} keys")
    ratio = median(on) / median(off)
    print(f"Wanted: no effect to be seen: a ratio of the medians below 1.5; it is {ratio:.2f}.\n", flush=True)
    return ratio < 1.5


def sqlite(store, query):
    return subprocess.run(["sqlite3", "-batch", store, query], capture_output=True, text=True, check=True).stdout


def measure_recording(program, build, runs):
    wanted = HERTZ * SECONDS * READINGS_A_ROUND
    print(f"Recording {HERTZ * READINGS_A_ROUND} readings a second for {SECONDS} s, processor time as part of a core;")
    print(f"the median of {runs} runs, with and without recording in turn.")
    on, off, store = [], [], []
    for _ in range(runs):
        cost, store_cost, rows, took = record(program, build, [])
        if rows != wanted:
            raise Failure(f"{rows} of {wanted} readings are in the store")
        on.append(cost)
        store.append(store_cost)
        cost, _, rows, _ = record(program, build, ["--no-record"])
        if rows:
            raise Failure(f"{rows} readings are in the store though none was to be recorded")
        off.append(cost)
    more = median(on) - median(off)
    print(f"{'without':>12}{'with':>12}{'more':>12}{'store thread':>16}")
    print(f"{median(off):12.1%}{median(on):12.1%}{more:12.1%}{median(store):16.1%}")
    print("Wanted: the store's thread below 10 %, and all readings there.\n")
    return median(store) < 0.10


def month(program, folder):
    """Makes a store of a month; the tables are the program's, what is in them is made by sqlite3."""
    environment = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder,
                   "XDG_STATE_HOME": folder, "LANG": "C.UTF-8"}
    subprocess.run(
        [program, "watch", "--json", "--simulate=steady", "--connect", "all", "--count", "1"], env=environment,
        check=True, capture_output=True, timeout=60)
    store = folder + "/bedside/simulated/store.sqlite"
    seconds = DAYS * 86400
    start = (int(time.time()) - seconds) * 1000
    sqlite(store, FILL.format(seconds=seconds, start=start))
    sqlite(store, "PRAGMA journal_mode = WAL")
    return environment, store, seconds * 6


def run(command, environment):
    """Answers how long a command takes and how much memory it had at most, in seconds and MiB."""
    started = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise Failure(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - started, usage.ru_maxrss / 1024


# Nothing else on the screen is drawn in braille, and what is drawn of the line of a day is more than a few dots.
TREND = re.compile(b"(\xe2[\xa0-\xa3][\x80-\xbf]){3}")


def measure_first_trend(program, environment, runs, columns=200, rows=60):
    """The time from the start of the program to the picture of 24 h, and to the first whole frame, in seconds."""
    # Without bluetoothd and without sensors: what is drawn was recorded.
    trends, frames = [], []
    with Bus() as bus:
        folders = {name: environment[name] for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        command = [program, "--no-welcome", "--trend-window", "24h", "--glyphs", "braille"]
        for _ in range(runs):
            for word, found in ((TREND, trends), (b"quit", frames)):
                with Terminal(command, {**bus.environment, **folders}, size=(columns, rows)) as terminal:
                    found.append(terminal.read_until(word, 20))
                    terminal.read_in_background()
    return median(trends), median(frames)


def measure_history(program, build, runs):
    with tempfile.TemporaryDirectory(prefix="month-", dir=build) as folder:
        environment, store, rows = month(program, folder)
        size = os.path.getsize(store) / 1e6
        print(f"A store of {DAYS} days x 6 vitals x 1 Hz: {rows} readings, {size:.0f} MB ({size * 1e6 / rows:.0f} octets each).")
        is_good = True
        day = median(run([program, "history", "--simulate", "--from", "24h", "--json"], environment)[0]
                     for _ in range(runs))
        columns = ("SELECT minute, sensor, vital, minimum, maximum, last FROM minute"
                   " WHERE minute >= strftime('%s', 'now', '-1 day') / 60 ORDER BY minute, sensor, vital")
        plain = median(run(["sqlite3", "-batch", store, columns], environment)[0] for _ in range(runs))
        print(f"The summaries of 24 h, every reading looked at (bedside history): {day * 1000:.0f} ms")
        print(f"The columns of 24 h (sqlite3, the table minute): {plain * 1000:.0f} ms")
        # Nothing is condensed in a store that was made, so both go through the same readings.
        week = [median(run([program, *command], environment)[0] for _ in range(runs))
                for command in (["history", "--simulate", "--from", "7d"], ["report", "--simulate", "--days", "7"])]
        is_good &= check("history of a week: times report", week[0] / week[1], 1)
        print(f"{'export of the month':24}{'rows/s':>12}{'memory':>12}")
        # Once to bring the file into memory, whoever comes first.
        run(["sqlite3", "-batch", store, "SELECT sum(value) FROM reading"], environment)
        rates = {}
        view = "SELECT * FROM readings ORDER BY wall_ms"
        table = "SELECT wall_ms, n, epoch, drift_ns, sensor, vital, value, quality, absence FROM reading"
        for name, command in {
            "bedside csv": [program, "export", "--simulate", "--format", "csv"],
            "bedside csv-wide": [program, "export", "--simulate", "--format", "csv-wide"],
            "bedside jsonl": [program, "export", "--simulate", "--format", "jsonl"],
            "bedside fhir": [program, "export", "--simulate", "--format", "fhir"],
            "bedside influx": [program, "export", "--simulate", "--format", "influx"],
            "sqlite3 -csv, readings": ["sqlite3", "-batch", "-csv", store, view],
            "sqlite3 -csv, reading": ["sqlite3", "-batch", "-csv", store, table],
        }.items():
            seconds, memory = run(command, environment)
            rates[name] = rows / seconds
            print(f"{name:24}{rates[name]:12.0f}{memory:9.0f} MiB", flush=True)
            if name.startswith("bedside"):
                is_good &= memory < 64
        os.rename(store, folder + "/bedside/store.sqlite")
        trend, frame = measure_first_trend(program, environment, max(runs, 5))
        print(f"From the start of the program to the picture of 24 h: {trend * 1000:.0f} ms, of which {frame * 1000:.0f} ms to "
              "the first frame. Wanted: below 200 ms.")
        is_good &= trend < 0.2
        is_good &= check("first frame, a month in the store", frame * 1000, 60, "ms")
        is_good &= check("export influx: times csv", rates["bedside csv"] / rates["bedside influx"], 1.3)
        ratio = rates["bedside csv"] / rates["sqlite3 -csv, readings"]
        print(f"Wanted: csv above 500 000 rows a second, in less than 64 MiB whatever is exported; {ratio:.1f} times sqlite3.\n")
        return is_good and rates["bedside csv"] > 500_000
