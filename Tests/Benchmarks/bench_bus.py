"""A private message bus, the emitter on it, and the processor time of other processes."""

import os
import select
import subprocess
import tempfile
import time

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/> <allow eavesdrop="true"/> <allow own="*"/> <allow user="*"/>
  </policy>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_replies_per_connection">50000</limit>
  <limit name="max_match_rules_per_connection">50000</limit>
</busconfig>
"""


class Failure(Exception):
    """A program did not do what it is measured at."""


class Bus:
    """dbus-daemon with limits that a burst does not reach."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="bedside-bench-")
        configuration = self.folder.name + "/bus.conf"
        with open(configuration, "w") as file:
            file.write(CONFIGURATION.format(folder=self.folder.name))
        # Its words matter only when it does not start; without privileges it complains of limits that we do not need.
        with open(self.folder.name + "/complaints", "w+") as complaints:
            self.process = subprocess.Popen(
                ["dbus-daemon", "--nofork", "--print-address", "--config-file=" + configuration],
                stdout=subprocess.PIPE, stderr=complaints, text=True)
            address = self.process.stdout.readline().strip()
            if not address:
                complaints.seek(0)
                raise Failure("dbus-daemon does not start: " + complaints.read())
        self.environment = {
            **os.environ, "DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address,
            "HOME": self.folder.name, "XDG_CONFIG_HOME": self.folder.name, "XDG_STATE_HOME": self.folder.name,
            "XDG_DATA_HOME": self.folder.name, "LANG": "C.UTF-8", "TERM": "xterm-256color",
        }
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()


class Emitter:
    """The stand-in bluetoothd of emitter.c."""

    def __init__(self, build, bus, sensors, *what, terminal=None):
        """`what` is what emitter.c is told after the number of sensors."""
        descriptors = [] if terminal is None else [terminal]
        self.process = subprocess.Popen(
            [build + "/emitter", str(sensors), *map(str, what), *map(str, descriptors)], env=bus.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, pass_fds=descriptors)
        self.expect("serving")

    def expect(self, word):
        line = self.process.stdout.readline().strip()
        if line != word:
            raise Failure(f"the emitter says {line!r} in place of {word!r}")

    def wait_until_ready(self, client):
        """Waits until all sensors notify, or for the discovery."""
        for _ in range(600):
            if select.select([self.process.stdout], [], [], 0.1)[0]:
                return self.expect("ready")
            if client.poll() is not None:
                raise Failure(f"it ended with status {client.returncode}")
        raise Failure("it does not do within a minute what the emitter waits for")

    def go(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def processor_seconds(process):
    """The processor time of a running process with all its threads, to the nanosecond."""
    # The kernel's clock for the processor time of another process: see MAKE_PROCESS_CPUCLOCK in Linux.
    return time.clock_gettime((~process.pid << 3) | 2)


def wake_ups(process):
    """How often the threads of a process gave the processor up to wait."""
    total = 0
    for thread in os.listdir(f"/proc/{process.pid}/task"):
        with open(f"/proc/{process.pid}/task/{thread}/status") as file:
            for line in file:
                if line.startswith("voluntary_ctxt_switches"):
                    total += int(line.split()[1])
    return total


def end(process):
    """Ends a process politely, then with force."""
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
