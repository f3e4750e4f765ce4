"""A client of a broker that shares nothing with Bedside: paho-mqtt.

Arguments: the port, the folder with certificates or "-" for a plain connection, the name of the certificate, and topics to
receive. It prints each message as a line of JSON, and publishes what comes as lines of JSON on standard input: topic,
payload, retain, qos. The acknowledgement of each is a line, too.
"""

import json
import sys

import paho.mqtt.client as mqtt

port, folder, name, *topics = sys.argv[1:]


def say(**fields):
    print(json.dumps(fields), flush=True)


def connected(client, *_rest):
    if topics:
        client.subscribe([(topic, 1) for topic in topics])
    else:
        say(ready=True)


def received(_client, _data, message):
    say(topic=message.topic, retain=bool(message.retain), payload=message.payload.decode("utf-8", "replace"))


client = mqtt.Client(protocol=mqtt.MQTTv5)
client.on_connect = connected
client.on_subscribe = lambda *_rest: say(ready=True)
client.on_message = received
if folder != "-":
    client.tls_set(f"{folder}/ca.crt", f"{folder}/{name}.crt", f"{folder}/{name}.key")
client.connect("localhost" if folder != "-" else "127.0.0.1", int(port))
client.loop_start()
for line in sys.stdin:
    order = json.loads(line)
    client.publish(
        order["topic"], order["payload"], order.get("qos", 1), order.get("retain", False)
    ).wait_for_publish()
    say(published=order["topic"])
