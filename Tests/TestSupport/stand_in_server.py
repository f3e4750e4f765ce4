#!/usr/bin/python3
"""A server of FHIR R4 transactions, a Nightscout site and an interface engine of HL7 Version 2, on free ports of the loopback
interface, written from their specifications alone.

Arguments: nothing, or the files of a certificate and of its key, for TLS. Each line of the standard input is a command, and is
answered with one line; where it ends, this program does.

    port                 the port
    secret TEXT          from now on requests need this token of FHIR, or this secret or token of Nightscout
    answer STATUS AFTER  from now on every request is answered with this status; AFTER is seconds in Retry-After, or 0
    page                 from now on every request is answered with status 200 and a page
    truncate             from now on every answer ends before its end
    hang                 from now on no request is answered
    refuse TEXT          from now on a request with this text in its body is refused
    work                 from now on everything is as at the beginning
    down, up             nobody listens; somebody listens again, on the same port
    requests             how many requests have come with a body, and in how many objects
    lines                the first lines of all requests, as a JSON list
    resources            all resources, as a JSON list
    await COUNT          waits until there are so many resources
    entries, treatments  all documents of Nightscout, as a JSON list
    engine               the port of the interface engine
    acknowledge WORD     from now on it answers with this code, such as AE; with the identifier of no message for "other", with
                         something else for "page", without the last octet of the frame for "bare", and not for "nothing"
    close                from now on it closes each connection after an answer
    messages             all messages of HL7, as a JSON list of lists of segments
"""
import hashlib
import json
import socketserver
import ssl
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

lock = threading.Lock()
resources = []
site = {"entries": [], "treatments": []}
lines = []
counts = [0, 0]
mode = ("work",)
secret = None
refused = None
messages = []
code = "AA"
closes = False
released = threading.Event()


class Refusal(Exception):
    """A request that the server refuses: with a status and words."""


def with_identifier(kind, condition):
    """The resources that a condition `identifier=SYSTEM|VALUE` finds."""
    name, _, token = condition.partition("=")
    if name != "identifier" or "|" not in token:
        raise Refusal(400, f"no condition: {condition}")
    system, _, value = token.partition("|")
    found = []
    for resource in resources:
        identifiers = resource.get("identifier", [])
        if isinstance(identifiers, dict):
            identifiers = [identifiers]
        if resource["resourceType"] == kind and any(
            one.get("system") == system and one.get("value") == value for one in identifiers
        ):
            found.append(resource)
    if len(found) > 1:
        raise Refusal(412, f"{condition} finds {len(found)} resources")
    return found


def references(value):
    """All references within a resource."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "reference":
                yield part
            else:
                yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def transaction(bundle):
    """Carries out a transaction, wholly or not at all."""
    if bundle.get("resourceType") != "Bundle" or bundle.get("type") != "transaction":
        raise Refusal(400, "no transaction")
    names = [entry["fullUrl"] for entry in bundle["entry"]]
    if len(set(names)) < len(names):
        raise Refusal(400, "two entries have one fullUrl")
    before = list(resources)
    answers = []
    try:
        for entry in bundle["entry"]:
            resource, request = entry["resource"], entry["request"]
            kind = resource["resourceType"]
            for reference in references(resource):
                if reference.startswith("urn:uuid:") and reference not in names:
                    raise Refusal(400, f"nothing is {reference}")
            if request["method"] == "POST":
                if request["url"] != kind:
                    raise Refusal(400, "another type")
                found = with_identifier(kind, request["ifNoneExist"])
            elif request["method"] == "PUT":
                path, _, condition = request["url"].partition("?")
                if path != kind:
                    raise Refusal(400, "another type")
                found = with_identifier(kind, condition)
                if found:
                    resources.remove(found[0])
                    resources.append(resource)
            else:
                raise Refusal(405, request["method"])
            if not found:
                resources.append(resource)
            answers.append({"response": {"status": "200 OK" if found else "201 Created"}})
    except (Refusal, KeyError):
        resources[:] = before
        raise
    return {"resourceType": "Bundle", "type": "transaction-response", "entry": answers}


def upsert(place, document):
    """Stores a document of Nightscout; answers whether it was there."""
    kind = "type" if place == "entries" else "eventType"
    for key in ("date", kind, "app", "utcOffset"):
        if key not in document:
            raise Refusal(400, f"no {key}")
    same = [one for one in site[place] if (one["date"], one[kind]) == (document["date"], document[kind])]
    for one in same:
        site[place].remove(one)
    site[place].append(document)
    return bool(same)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        """Says nothing."""

    def answer(self, status, value, after=0):
        """Answers with JSON, or with a page."""
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if after:
            self.send_header("Retry-After", str(after))
        self.end_headers()
        if mode[0] == "truncate":
            self.wfile.write(body[:10])
            self.close_connection = True
            return
        self.wfile.write(body)

    def do_GET(self):
        """Exchanges an access token of Nightscout."""
        with lock:
            lines.append(self.requestline)
            beginning = "/api/v2/authorization/request/"
            if mode[0] == "answer":
                return self.answer(mode[1], {}, mode[2])
            if self.path == beginning + str(secret):
                return self.answer(200, {"token": "exchanged"})
            return self.answer(401, {"message": "no such token"})

    def do_POST(self):
        """Takes what is sent."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with lock:
            lines.append(self.requestline)
            state = mode
        if state[0] == "hang":
            released.wait()
            self.close_connection = True
            return
        with lock:
            if state[0] == "answer":
                return self.answer(state[1], {"issue": [{"diagnostics": "as it was told"}]}, state[2])
            if state[0] == "page":
                return self.answer(200, "<html>Welcome to the guests' network</html>")
            try:
                if refused and refused in body:
                    raise Refusal(422, "there is something wrong\x1b[31m")
                return self.answer(200, self.work(json.loads(body)))
            except Refusal as refusal:
                words = {"issue": [{"diagnostics": refusal.args[1]}], "message": refusal.args[1]}
                return self.answer(refusal.args[0], words)

    def allows(self, *values):
        """Whether one of some fields of the header has its value."""
        return secret is None or any(self.headers[name] == value for name, value in values)

    def work(self, content):
        """Stores the content of a request."""
        counts[0] += 1
        if self.path == "/fhir":
            if not self.allows(("Authorization", f"Bearer {secret}")):
                raise Refusal(401, "no token")
            counts[1] += len(content["entry"])
            return transaction(content)
        name = self.path.rpartition("/")[2].removesuffix(".json")
        if self.path == f"/api/v1/{name}.json" and name in site:
            digest = hashlib.sha1(str(secret).encode()).hexdigest()
            if not self.allows(("api-secret", digest), ("api-secret", secret)):
                raise Refusal(401, "Unauthorized")
            counts[1] += len(content)
            for document in content:
                upsert(name, document)
            return content
        if self.path == f"/api/v3/{name}" and name in site:
            if not self.allows(("Authorization", "Bearer exchanged")):
                raise Refusal(401, "Missing or bad access token or JWT")
            counts[1] += 1
            identifier = str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{content.get('date')}"))
            return {"status": 200, "identifier": identifier, "isDeduplication": upsert(name, content)}
        raise Refusal(404, "nothing is here")


class Engine(socketserver.StreamRequestHandler):
    """One connection of MLLP."""

    def handle(self):
        """Takes messages."""
        received = b""
        while True:
            part = self.request.recv(4096)
            if not part:
                return
            received += part
            while b"\x1c\r" in received:
                frame, received = received.split(b"\x1c\r", 1)
                if not frame.startswith(b"\x0b"):
                    return
                if not self.acknowledge(frame[1:].decode()):
                    return

    def acknowledge(self, message):
        """Answers a message; answers whether the connection stays."""
        segments = message.removesuffix("\r").split("\r")
        header = segments[0].split("|")
        with lock:
            word, is_last = code, closes
            if word in ("AA", "bare"):
                messages.append(segments)
        if word == "nothing":
            released.wait()
        identifier = "another" if word == "other" else header[9]
        word = word if len(word) == 2 else "AA"
        answer = f"MSH|^~\\&|||||||ACK|1|P|2.6\rMSA|{word}|{identifier}|as it was told\r"
        if code == "page":
            answer = "Welcome"
        self.request.sendall(b"\x0b" + answer.encode() + (b"\x1c" if code == "bare" else b"\x1c\r"))
        return not is_last


class EngineServer(socketserver.ThreadingTCPServer):
    """An interface engine."""

    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        """A client that goes away is none."""


class Server(ThreadingHTTPServer):
    """A server whose connections end with it."""

    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        """A client that goes away is none."""


def listen(port, server=Server, handler=Handler):
    """Listens on a port; 0 for a free one."""
    server = server(("127.0.0.1", port), handler)
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return server


def main():
    """Obeys the commands."""
    global mode, secret, refused, code, closes
    server = listen(0)
    port = server.server_address[1]
    engine = listen(0, EngineServer, Engine).server_address[1]
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        reply = "ok"
        if word == "down":
            server.shutdown()
            server.server_close()
        elif word == "up":
            server = listen(port)
        elif word == "await":
            while len(resources) < int(rest):
                released.wait(0.01)
        with lock:
            if word == "port":
                reply = str(port)
            elif word == "secret":
                secret = rest
            elif word == "answer":
                mode = ("answer", *map(int, rest.split()))
            elif word in ("page", "hang", "truncate"):
                mode = (word,)
            elif word == "refuse":
                refused = rest
            elif word == "work":
                mode, refused = ("work",), None
            elif word == "engine":
                reply = str(engine)
            elif word == "acknowledge":
                code = rest
            elif word == "close":
                closes = True
            elif word == "messages":
                reply = json.dumps(messages)
            elif word == "requests":
                reply = f"{counts[0]} {counts[1]}"
            elif word == "lines":
                reply = json.dumps(lines)
            elif word == "resources":
                reply = json.dumps(resources)
            elif word in site:
                reply = json.dumps(site[word])
        print(reply, flush=True)


main()
