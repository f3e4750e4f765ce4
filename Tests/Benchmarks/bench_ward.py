"""A ward of 200 beds on one machine: whether every alarm arrives, how soon what arrives, and what it costs."""

import glob
import os
import re
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
from statistics import median, quantiles

import bench_notifications
import bench_screen
from bench_bus import Bus, Emitter, Failure, end, processor_seconds
from bench_figures import check
from bench_terminal import COLUMNS, ROWS, Terminal, memory

ARTICLE = os.path.join(os.path.dirname(__file__), "../../Sources/Program/bedside/Bedside.docc/Ward.md")
SITE = "ward-2"
BEDS = 200
# The bed that is a real monitor beside those of ward_load.c.
REAL_BED = "0"
# The least height at which 32 beds have sectors at 120 columns.
SECTORS, SECTOR_ROWS = 32, 45


def block(language):
    """The first block of the article about wards with a language."""
    with open(ARTICLE) as file:
        return re.search(rf"^```{language}\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)[1]


class Broker:
    """A private mosquitto with the configuration, the access list and the certificates of the article."""

    def __init__(self, beds):
        self.beds = beds

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="bedside-ward-")
        self.folder = self.holder.name
        commands = block("sh").replace("ward.example", "localhost").replace("12 14 screen", f"{REAL_BED} screen")
        # One key is enough for all beds of ward_load.c.
        commands += f"""
            openssl genrsa -out beds.key 3072
            for number in $(seq {self.beds}); do
                openssl req -new -key beds.key -subj "/CN=$number" -out bed.csr
                openssl x509 -req -in bed.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 730 -out $number.crt
            done
            """
        made = subprocess.run(["sh", "-ec", commands], cwd=self.folder, capture_output=True, text=True)
        if made.returncode != 0:
            raise Failure("the certificates of the article cannot be made: " + made.stderr)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.write("access", block("acl"))
        self.write("mosquitto.conf", block("conf").replace("listener 8883", f"listener {self.port} 127.0.0.1")
                   .replace("/etc/mosquitto/bedside", self.folder))
        # As root it gives its privileges up before it reads them.
        os.chmod(self.folder, 0o755)
        for name in ["ca.crt", "broker.crt", "broker.key", "access"]:
            os.chmod(f"{self.folder}/{name}", 0o644)
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        self.holder.cleanup()

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)

    def start(self):
        """Starts it; answers when it listens, in monotonic seconds."""
        with open(f"{self.folder}/mosquitto.log", "a") as log:
            self.process = subprocess.Popen(
                ["/usr/sbin/mosquitto", "-c", f"{self.folder}/mosquitto.conf"], stdout=log, stderr=log)
        for _ in range(2000):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return time.monotonic()
            time.sleep(0.005)
        raise Failure("mosquitto does not listen")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def options(self, name):
        """The settings of a program that connects with the certificate of this name."""
        values = {"broker": f"mqtts://localhost:{self.port}", "site": SITE, "bed": REAL_BED,
                  "ca_file": f"{self.folder}/ca.crt", "certificate": f"{self.folder}/{name}.crt",
                  "key": f"{self.folder}/{name}.key"}
        return [word for key, value in values.items() for word in ("--set", f"ward.{key}={value}")]

    def environment(self):
        return {**os.environ, "HOME": self.folder, "XDG_CONFIG_HOME": self.folder, "XDG_STATE_HOME": self.folder,
                "XDG_DATA_HOME": self.folder, "LANG": "C.UTF-8", "TERM": "xterm-256color"}


class Lines:
    """What a helper program prints: words with a time in microseconds, collected in the background."""

    def __init__(self, process):
        self.process, self.found, self.arrived = process, [], threading.Condition()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            word, _, rest = line.rstrip("\n").partition(" ")
            moment, _, text = rest.partition(" ")
            with self.arrived:
                self.found.append((word, int(moment or 0), text))
                self.arrived.notify_all()

    def all(self, word, since=0):
        with self.arrived:
            return [(moment, text) for found, moment, text in self.found if found == word and moment >= since]

    def wait(self, what, condition, limit):
        """Waits until what was collected fulfils a condition; answers what the condition does."""
        deadline = time.monotonic() + limit
        with self.arrived:
            while not (found := condition(self.found)):
                if not self.arrived.wait(deadline - time.monotonic()):
                    raise Failure(f"{what} does not come within {limit:.0f} s")
        return found


class Load:
    """The beds of ward_load.c."""

    def __init__(self, build, broker, beds):
        self.process = subprocess.Popen(
            [build + "/ward_load", str(broker.port), broker.folder, str(beds)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.lines = Lines(self.process)
        self.lines.wait("the connection of all beds", lambda found: found, 60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def order(self, line):
        """Gives an order; answers when, in microseconds."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return time.monotonic_ns() // 1000

    def end_edges(self):
        count = len(self.lines.all("quiet"))
        self.order("edges 0")
        self.lines.wait("the end of the alarms", lambda found: sum(each[0] == "quiet" for each in found) > count, 60)


class Screen:
    """`bedside ward` in a terminal that ward_glass.c looks at."""

    def __init__(self, program, build, broker, size=(COLUMNS, ROWS), keys="", descriptors=()):
        ends = os.openpty()
        self.terminal = Terminal(
            [program, "ward", "--site", SITE, *broker.options("screen")], broker.environment(), ends, size)
        self.process, self.keys = self.terminal.process, keys
        self.glass = subprocess.Popen(
            [build + "/ward_glass", *map(str, (*size, ends[0], *descriptors))], pass_fds=[ends[0], *descriptors],
            stdout=subprocess.PIPE, text=True)
        self.lines = Lines(self.glass)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.terminal.__exit__()
        self.glass.kill()
        self.glass.wait()

    def wait_for_beds(self, count, since=0, limit=60):
        """Waits until so many beds are shown, and all as live; answers when, in microseconds."""
        def are_live(text):
            return f" {count} beds" in text and f"of {count} beds" not in text and "NO BROKER" not in text
        moment = self.lines.wait(
            f"{count} live beds on the screen",
            lambda found: [moment for word, moment, text in found
                           if word == "header" and moment >= since and are_live(text)][:1], limit)[0]
        os.write(self.terminal.master, self.keys.encode())
        self.keys = ""
        return moment


class Costs:
    """The processor time of processes by name, as shares of a core, and their greatest resident memory."""

    def __init__(self, **processes):
        self.processes, self.sizes = processes, {name: 0 for name in processes}
        self.before = {name: processor_seconds(process) for name, process in processes.items()}
        self.start = time.monotonic()

    def look(self):
        for name, process in self.processes.items():
            self.sizes[name] = max(self.sizes[name], memory(process)[0])

    def shares(self):
        """Percent of a core."""
        span = time.monotonic() - self.start
        return {name: (processor_seconds(process) - self.before[name]) / span * 100
                for name, process in self.processes.items()}


def edge_delays(load, screen, since):
    """How long each alarm's beginning and end since a time took to the log on the screen, in ms; and how many never came."""
    delays, lost = [], 0
    # Both ends of an alarm are in the log within one repeat of its state.
    time.sleep(11)
    for word in ("begin", "end"):
        seen = {number: moment for moment, number in screen.lines.all(word)}
        for moment, number in load.lines.all(word, since):
            if number in seen:
                delays.append((seen[number] - moment) / 1000)
            else:
                lost += 1
    return delays, lost


def percentile(values, rank):
    return quantiles(values, n=100)[rank - 1] if len(values) > 1 else max(values, default=0)


def measure_edges(load, screen, log, broker, minutes):
    """Alarms begin and end; what the screen with all beds costs meanwhile."""
    costs = Costs(ward=screen.process, broker=broker.process, log=log.process)
    since = load.order(f"edges {minutes * 60}")
    deadline = time.monotonic() + minutes * 60
    while time.monotonic() < deadline:
        time.sleep(min(5, max(0, deadline - time.monotonic())))
        costs.look()
    shares = costs.shares()
    load.lines.wait("the end of the alarms", lambda found: any(each[0] == "quiet" for each in found), 60)
    delays, lost = edge_delays(load, log, since)
    print(f"{len(delays) + lost} beginnings and ends of alarms in {minutes:g} min: to the log on the screen median "
          f"{median(delays):.0f} ms, 99 % within {percentile(delays, 99):.0f} ms, all within {max(delays):.0f} ms.")
    print(f"mosquitto {shares['broker']:.1f} % of a core, {costs.sizes['broker']:.1f} MiB; the screen with the log "
          f"{shares['log']:.1f} %.")
    is_good = check(f"ward, {minutes:g} min: beginnings and ends of alarms that are lost", lost, 0)
    is_good &= check("ward, 200 beds: share of a core", shares["ward"], 6, "%")
    is_good &= check("ward, 200 beds: resident memory", costs.sizes["ward"], 64, "MiB")
    return is_good, delays


def measure_restart(screen, broker):
    """The broker is killed and comes back."""
    broker.kill()
    time.sleep(3)
    back = broker.start()
    took = screen.wait_for_beds(BEDS, since=int(back * 1e6)) / 1e6 - back
    return check("broker back to all beds live", took, 10, "s")


def measure_history(program, load, screen, log, broker, minutes, calm):
    """What eight hours recorded is collected, while alarms begin and end."""
    hours, limit = 8 * minutes / 10, 90 * minutes
    stores = broker.folder + "/stores"
    collector = subprocess.Popen(
        [program, "collect", "--site", SITE, "--folder", stores, *broker.options("collector")],
        env=broker.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(2)
        since = load.order("edges 1000000")
        costs = Costs(collector=collector, broker=broker.process, load=load.process, ward=screen.process)
        began = load.order(f"history {hours}")
        done = load.lines.wait(
            "the acknowledgement of all readings",
            lambda found: [each for each in found if each[0] == "history" and each[1] >= began], limit * 3)[0]
        costs.look()
        shares = costs.shares()
        load.end_edges()
        delays, lost = edge_delays(load, log, since)
    finally:
        end(collector)
    took = (done[1] - began) / 1e6
    stored = 0
    for path in glob.glob(stores + "/**/*.sqlite", recursive=True):
        with sqlite3.connect(path) as store:
            stored += store.execute("SELECT count(*) FROM reading").fetchone()[0]
    print(f"{hours:g} h of {BEDS} beds, {int(done[2])} readings: {int(done[2]) / took:.0f} a second; of a core "
          + ", ".join(f"{name} {share:.0f} %" for name, share in shares.items())
          + f"; collector {costs.sizes['collector']:.0f} MiB.")
    print(f"Alarms to the log on the screen meanwhile: median {median(delays):.0f} ms, 99 % within "
          f"{percentile(delays, 99):.0f} ms, all within {max(delays):.0f} ms.")
    is_good = check(f"{hours:g} h collected: minutes", took / 60, limit / 60)
    is_good &= check("readings that the stores have not, or twice", abs(stored - int(done[2])), 0)
    is_good &= check("beginnings and ends of alarms lost meanwhile", lost, 0)
    is_good &= check("alarms to the screen meanwhile, 99 %", percentile(delays, 99), 250, "ms")
    is_good &= check("alarms to the screen meanwhile, median: times that before", median(delays) / median(calm), 2)
    return is_good


def measure_latency(program, build, broker, count=200):
    """A notification at a real bed to the ward's terminal, while 200 others publish."""
    signal, message = os.pipe(), os.pipe()
    reader = subprocess.Popen(
        ["mosquitto_sub", "-h", "localhost", "-p", str(broker.port), "-V", "5", "--cafile", f"{broker.folder}/ca.crt",
         "--cert", f"{broker.folder}/screen.crt", "--key", f"{broker.folder}/screen.key", "-t",
         f"bedside/v1/{SITE}/{REAL_BED}/vital/heart_rate"], stdout=message[1])
    os.close(message[1])
    try:
        # The emitter waits for the octet of the glass as for one of a terminal.
        with Bus() as bus, Emitter(build, bus, 1, "latency", count, terminal=signal[0]) as emitter, \
                Screen(program, build, broker, keys="o", descriptors=(signal[1], message[0])) as screen:
            bed = subprocess.Popen(
                [program, "watch", "--json", "--connect", "all", *broker.options(REAL_BED)], env=bus.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            try:
                emitter.wait_until_ready(bed)
                screen.wait_for_beds(BEDS + 1)
                time.sleep(1)
                emitter.go()
                totals = []
                while (line := emitter.process.stdout.readline().split()) and line[0] == "latency":
                    if line[1] == "none":
                        raise Failure("a value did not come to the screen within 2 s")
                    totals.append(float(line[1]) / 1000)
                # The last line is still on its way.
                time.sleep(0.5)
                shown, heard = screen.lines.all("value"), screen.lines.all("message")
            finally:
                end(bed)
    finally:
        end(reader)
        for descriptor in (*signal, message[0]):
            os.close(descriptor)
    if [value for _, value in shown] != [value for _, value in heard] or len(shown) != len(totals):
        raise Failure(f"of {len(totals)} values the screen showed {len(shown)}, and mosquitto_sub {len(heard)}")
    heard_after = [total - (drawn[0] - read[0]) / 1000 for total, drawn, read in zip(totals, shown, heard)]
    print(f"A notification at a bed to the ward's terminal: median {median(totals):.1f} ms, 99 % within "
          f"{percentile(totals, 99):.1f} ms; to mosquitto_sub {median(heard_after):.1f} ms, "
          f"{percentile(heard_after, 99):.1f} ms.")
    is_good = check("notification at a bed to the ward's terminal, median", median(totals), 50, "ms")
    is_good &= check("notification at a bed to the ward's terminal, 99 %", percentile(totals, 99), 250, "ms")
    return is_good


def measure_drawing(program, build, span=30):
    """32 sectors whose values change each second, and of which a quarter flashes."""
    with Broker(SECTORS) as broker, Load(build, broker, SECTORS) as load, \
            Screen(program, build, broker, (COLUMNS, SECTOR_ROWS)) as screen, \
            Screen(program, build, broker, (COLUMNS, 1)) as line:
        screen.wait_for_beds(SECTORS)
        load.order(f"alarms {SECTORS // 4}")
        # Until all ages are known to a fraction of a second.
        time.sleep(15)
        costs = Costs(sectors=screen.process, line=line.process)
        began = time.monotonic_ns() // 1000
        time.sleep(span)
        shares = costs.shares()
        octets = screen.lines.all("octets", began)
    written = (int(octets[-1][1]) - int(octets[0][1])) / (octets[-1][0] - octets[0][0]) * 1000
    print(f"{SECTORS} beds on {COLUMNS} x {SECTOR_ROWS}: {shares['sectors']:.2f} % of a core; in a terminal of one line, which shows")
    print(f"the worst alarm only, {shares['line']:.2f} %. What is between them is drawing.")
    drawing = shares["sectors"] - shares["line"]
    is_good = check(f"drawing {SECTORS} sectors that change once a second: share of a core", drawing, 2, "%")
    is_good &= check(f"drawing {SECTORS} sectors that change once a second: output", written, 10, "KB/s")
    return is_good


def cost_on_screen(program, build, options, count):
    """The processor time (us) of a notification that is recorded and drawn, as at a bed."""
    with Bus() as bus:
        size = (COLUMNS, ROWS)
        emitter, terminal = bench_screen.streaming(program, build, bus, 3, 1, count + 30, options, size)
        with emitter, terminal:
            bench_screen.Recording(terminal).read_for(5)
            before = processor_seconds(terminal.process)
            bench_screen.Recording(terminal).read_for(count)
            return (processor_seconds(terminal.process) - before) * 1e6 / (3 * count)


def measure_publisher(program, build, runs, count=30):
    """What a notification costs at a bed that publishes it, beside one that does not."""
    watch = [program, "watch", "--json", "--connect", "all"]
    costs = {"without": [], "with": []}
    drawn = {"without": [], "with": []}
    with Broker(1) as broker:
        collector = subprocess.Popen(
            [program, "collect", "--site", SITE, "--folder", broker.folder + "/stores", *broker.options("collector")],
            env=broker.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(runs):
                for name, options in (("without", []), ("with", broker.options(REAL_BED))):
                    costs[name].append(bench_notifications.run(watch + options, build, 3, 1, count)[0])
                    drawn[name].append(cost_on_screen(program, build, options, count))
        finally:
            end(collector)
    own, other = median(costs["with"]), median(costs["without"])
    print(f"One notification, three sensors at 1 Hz, recorded, where nothing is drawn: {other:.0f} us, with the ward "
          f"{own:.0f} us, {(own / other - 1) * 100:.0f} % more;")
    own, other = median(drawn["with"]), median(drawn["without"])
    print(f"and on a bed's screen of {COLUMNS} x {ROWS}: {other:.0f} us, with the ward {own:.0f} us.")
    return check("notification on a bed's screen: percent that the ward adds", (own / other - 1) * 100, 20, "%")


def measure(program, build, runs, minutes):
    print(f"A ward of {BEDS} beds x 3 vitals x 1 Hz with heartbeats, by the real mosquitto with the article's configuration,")
    print(f"on the screen of {COLUMNS} x {ROWS}; alarms begin and end each 300 ms, and a quarter of the beds has one.")
    with Broker(BEDS) as broker, Load(build, broker, BEDS) as load:
        with Screen(program, build, broker) as screen, Screen(program, build, broker, keys="l") as log:
            screen.wait_for_beds(BEDS)
            log.wait_for_beds(BEDS)
            is_good, calm = measure_edges(load, screen, log, broker, minutes)
            is_good &= measure_restart(screen, broker)
            is_good &= measure_history(program, load, screen, log, broker, minutes, calm)
        is_good &= measure_latency(program, build, broker)
    is_good &= measure_drawing(program, build)
    is_good &= measure_publisher(program, build, runs)
    print()
    return is_good
