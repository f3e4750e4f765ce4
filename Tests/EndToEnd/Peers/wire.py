"""Reads what is published to a broker with libraries of others, paho-mqtt and jsonschema, and holds it against a schema.

Arguments: the port and the schema. For each message it prints the word in `event`, or what is wrong with it.
"""

import json
import re
import sys

import jsonschema
import paho.mqtt.client as mqtt

with open(sys.argv[2], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

TOPICS = {
    "session": r"session",
    "birth": r"birth",
    "reading": r"vital/[a-z0-9_]+",
    "alarm": r"alarm/[0-9]+",
    "heartbeat": r"heartbeat",
    "history": r"history/[a-z0-9-]+\.[0-9]+\.[0-9]+",
    "history_ack": r"history/ack",
    "cmd": r"cmd/[a-z_]+/[a-z0-9-]+",
    "cmd_result": r"cmd-result/[a-z0-9-]+",
}


def fault(message):
    try:
        value = json.loads(message.payload)
    except ValueError as error:
        return str(error)
    for error in validator.iter_errors(value):
        return error.message
    event = value["event"]
    if not re.fullmatch(r"bedside/v1/[a-z0-9_-]+/[a-z0-9_-]+/" + TOPICS[event], message.topic):
        return f"{event} at another topic"
    if event == "reading" and value["vital"] != message.topic.rsplit("/", 1)[1]:
        return "another vital than that of the topic"
    if event == "session":
        print(f"session {value['state']}", flush=True)
    if not value.get("simulated") and event not in ("cmd", "history_ack", "cmd_result"):
        return "not marked as simulated"
    return None


def received(_client, _data, message):
    wrong = fault(message)
    if wrong:
        print(f"wrong {message.topic}: {wrong[:300]!r} in {message.payload[:300]!r}", flush=True)
    else:
        print(json.loads(message.payload)["event"], flush=True)


# The version that every broker has.
client = mqtt.Client(protocol=mqtt.MQTTv311)
client.on_connect = lambda client, *rest: client.subscribe("bedside/#", 1)
client.on_subscribe = lambda *rest: print("ready", flush=True)
client.on_message = received
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_forever()
