"""Plays Home Assistant's part of MQTT, by its documentation of device discovery and of MQTT sensors.

It prints a line of JSON whenever what it shows of an entity changes. The word "restart" on standard input makes it forget
everything and say that it has started, without reading again what the broker keeps.
"""

import json
import re
import sys
import threading
import time

import jinja2
import paho.mqtt.client as mqtt

DISCOVERY = re.compile(r"homeassistant/device/(?:[a-zA-Z0-9_-]+/)?[a-zA-Z0-9_-]+/config")
environment = jinja2.Environment()
lock = threading.RLock()
devices = {}


class Entity:
    def __init__(self, device, key, component):
        self.device, self.key, self.component = device, key, component
        self.value, self.until, self.shown = None, 0.0, None

    def receive(self, text):
        # Any message says that the device lives; what it renders to is the state.
        self.until = time.monotonic() + self.component["expire_after"]
        value = render(self.component["value_template"], text)
        self.value = None if value == "None" else value

    def state(self):
        if not self.device.is_available or time.monotonic() >= self.until:
            return "unavailable"
        return "unknown" if self.value is None else self.value

    def show(self):
        state = self.state()
        if state != self.shown:
            self.shown = state
            say(entity=self.key, device=self.device.name, state=state, unit=self.component.get("unit_of_measurement"))


class Device:
    def __init__(self, config):
        self.name = config["device"]["name"]
        self.availability = config["availability"]
        self.is_available = False
        self.entities = [Entity(self, key, component) for key, component in config["components"].items()]
        config["origin"]["name"]
        if not config["device"]["identifiers"]:
            raise KeyError("identifiers")
        for component in config["components"].values():
            component["unique_id"], component["platform"]

    def topics(self):
        return {source["topic"] for source in self.availability} | {
            entity.component["state_topic"] for entity in self.entities
        }

    def receive(self, topic, text):
        for source in self.availability:
            if source["topic"] == topic:
                self.is_available = render(source["value_template"], text) == "online"
        for entity in self.entities:
            if entity.component["state_topic"] == topic:
                entity.receive(text)
        self.show()

    def show(self):
        for entity in self.entities:
            entity.show()


def render(template, text):
    return environment.from_string(template).render(value=text, value_json=json.loads(text))


def say(**fields):
    print(json.dumps(fields), flush=True)


def discover(topic, payload):
    if not payload:
        if devices.pop(topic, None):
            say(removed=topic)
        return
    try:
        device = Device(json.loads(payload))
    except (KeyError, ValueError) as error:
        return say(error=f"{topic}: {error!r}")
    before = devices.get(topic)
    devices[topic] = device
    if before is None:
        say(discovered=device.name, components=sorted(entity.key for entity in device.entities))
    client.subscribe([(state_topic, 0) for state_topic in device.topics()])


def received(_client, _data, message):
    with lock:
        if DISCOVERY.fullmatch(message.topic):
            return discover(message.topic, message.payload.decode())
        for device in devices.values():
            device.receive(message.topic, message.payload.decode())


client = mqtt.Client(protocol=mqtt.MQTTv311)
client.on_connect = lambda client, *rest: client.subscribe([("homeassistant/+/+/config", 0), ("homeassistant/+/+/+/config", 0)])
client.on_subscribe = lambda *rest: None
client.on_message = received
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_start()
say(started=True)


def watch_expiry():
    while True:
        time.sleep(0.05)
        with lock:
            for device in devices.values():
                device.show()


threading.Thread(target=watch_expiry, daemon=True).start()
for line in sys.stdin:
    if line.strip() == "restart":
        with lock:
            devices.clear()
        client.publish("homeassistant/status", "online", 1)
