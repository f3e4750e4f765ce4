"""A crowd of beds at a broker without certificates, which shares nothing with Bedside: paho-mqtt.

Arguments: the port, and how many. It has the broker keep the presence of so many beds that were closed, and says so; after
a line on standard input it sends heartbeats of as many others, each second until standard input ends.
"""

import json
import sys
import threading
from datetime import datetime, timezone

import paho.mqtt.client as mqtt

port, count = int(sys.argv[1]), int(sys.argv[2])
ended = threading.Event()


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def send(bed, subject, fields, **options):
    payload = {"v": 1, "t": now(), "event": subject, "session": f"session-{bed}", **fields}
    return client.publish(f"bedside/v1/north/{bed}/{subject}", json.dumps(payload), **options)


def beat():
    sequence = 0
    while not ended.wait(1):
        sequence += 1
        for number in range(count):
            send(f"new-{number}", "heartbeat", {
                "seq": sequence, "boot_ms": sequence * 1000, "alarms": 0, "digest": "cbf29ce484222325", "sound": "on"})


client = mqtt.Client(protocol=mqtt.MQTTv5)
client.connect("127.0.0.1", port)
client.loop_start()
facts = {"state": "offline", "reason": "closed", "since": now(), "program": "crowd", "host": "crowd", "heartbeat_s": 2}
for number in range(count):
    kept = send(f"old-{number}", "session", facts, qos=1, retain=True)
kept.wait_for_publish()
print("ready", flush=True)
sys.stdin.readline()
threading.Thread(target=beat, daemon=True).start()
sys.stdin.read()
ended.set()
