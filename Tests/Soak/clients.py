"""Twenty clients of all kinds use the HTTP API until a file appears; then prints as JSON what was acknowledged, and what went wrong.

    clients.py PORT STOP_FILE SEED TURN TOKEN...

Devices send a record under one id until they hear that it is durable, through kills of the daemon and full disks, as the page's outbox
does. After TURN seconds each, what was played in is closed and two new sessions begin, as a practice room does: what the daemon needs for a
session grows with it, and would hide what grows by itself. Each client has an address of its own, by a proxy that is trusted. They take their time, as people do.
"""

import collections
import http.client
import json
import os
import random
import socket
import sys
import threading
import time

port, stop_file, seed, turn, tokens = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), sys.argv[5:]
LATE = "01KGN6HCMGFP2XYCHA2GHD03GQ"
RECORDING = f"/api/v1/sessions/{LATE}/media/01KGN78MX99GRPVT40K82R6N1F"
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CREATED = "2026-02-05T10:00:00.000Z"

lock = threading.Lock()
# The two sessions that are being played.
playing = ["01J" + str(number).zfill(23) for number in (1, 2)]
acknowledged = collections.defaultdict(list)
complaints = []
counts = collections.Counter()


def is_over():
    # Where the own output is gone, so are those for whom it was made.
    return os.path.exists(stop_file) or not os.path.exists("clients.json")


def rest(seconds):
    """Waits so long, or until it is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_over():
        time.sleep(0.2)


def complain(text):
    with lock:
        complaints.append(text[:500])


def note(what, many=1):
    with lock:
        counts[what] += many


class Client:
    """One client, with dice, a token and an address of its own."""

    def __init__(self, number):
        self.dice = random.Random(seed * 100 + number)
        self.token = tokens[number % len(tokens)]
        self.address = f"10.0.0.{number}"

    def fields(self, more=None):
        return {"Authorization": f"Bearer {self.token}", "X-Forwarded-For": self.address, **(more or {})}

    def ask(self, method, path, body=None, more=None):
        """The status, the fields and the body of an answer; None if there was none."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request(method, path, body, self.fields(more))
            answer = connection.getresponse()
            result = answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            note("answers that did not come")
            time.sleep(0.05)
            return None
        finally:
            connection.close()
        note(f"{method} {result[0]}")
        if result[0] == 500:
            complain(f"{method} {path}: {result[2]!r}")
        return result

    def until_durable(self, method, path, body, more=None):
        """Sends the same until it is durable at the server. Once begun, it is brought to its end."""
        patience = time.monotonic() + 600
        while time.monotonic() < patience:
            answer = self.ask(method, path, body, more)
            if answer and answer[0] in (200, 201, 202):
                return answer
            is_passing = answer and (answer[0] in (429, 500, 503, 507) or b"upload-in-progress" in answer[2])
            if answer and not is_passing:
                complain(f"{method} {path}: {answer[0]} {answer[2]!r}")
                return None
            time.sleep(self.dice.uniform(0.05, 0.3))
        complain(f"{method} {path}: not taken for ten minutes")
        return None

    def id(self):
        """A ULID of now."""
        number = int(time.time() * 1000) << 80 | self.dice.getrandbits(80)
        return "".join(ALPHABET[number >> 5 * place & 31] for place in range(25, -1, -1))

    def pause(self, most):
        time.sleep(self.dice.uniform(0, most))


def record(label):
    return {"offset_ms": 1000, "created_at": CREATED, "source": "user", "label": label}


def marks(client):
    id, session = client.id(), client.dice.choice(playing)
    answer = client.until_durable(
        "PUT", f"/api/v1/sessions/{session}/markers/{id}", json.dumps(record("drop")), {"Content-Type": "application/json"})
    if answer:
        with lock:
            acknowledged["markers"].append(id)
    client.pause(1)


def drains_a_week(client):
    ids = [client.id() for _ in range(20)]
    lines = [json.dumps({
        "id": id, "kind": "marker", "session_id": client.dice.choice(playing), "created_at": CREATED,
        "payload": {"id": id, **record("offline")}}) for id in ids]
    while lines:
        answer = client.until_durable("POST", "/api/v1/queue", "\n".join(lines), {"Content-Type": "application/jsonl"})
        if not answer:
            return
        outcomes = [json.loads(line) for line in answer[2].splitlines()]
        done = {row["id"] for row in outcomes if row["result"] in ("applied", "already-applied", "waiting")}
        strange = [row for row in outcomes if row["id"] not in done and row["result"] != "failed"]
        if strange:
            return complain(f"POST /queue: {strange}")
        with lock:
            acknowledged["markers"] += [id for id in ids if id in done]
        ids = [id for id in ids if id not in done]
        lines = [line for line in lines if json.loads(line)["id"] in ids]
    client.pause(10)


def speaks(client):
    id = client.id()
    path = f"/api/v1/sessions/{playing[0]}/voice-notes/{id}"
    sound = b"OggS" + client.dice.randbytes(client.dice.choice([100, 5000, 20_000]))
    body = json.dumps({
        "offset_ms": 1000, "duration_ms": 700, "created_at": CREATED, "attachment": {"size": len(sound), "type": "audio/ogg"}})

    def send_record():
        return client.until_durable("PUT", path, body, {"Content-Type": "application/json"})

    def send_audio():
        if client.dice.random() < 0.5:
            cut_off(client, f"{path}/audio", sound)
        return client.until_durable("PUT", f"{path}/audio", sound, {"Content-Type": "audio/ogg"})

    steps = [send_record, send_audio]
    client.dice.shuffle(steps)
    if all([step() for step in steps]):
        with lock:
            acknowledged["notes"].append(id)
    client.pause(2)


def cut_off(client, path, sound):
    """Sends a part of it, and goes."""
    head = [f"PUT {path} HTTP/1.1", "Host: localhost", "Content-Type: audio/ogg", f"Content-Length: {len(sound)}"]
    head += [f"{name}: {value}" for name, value in client.fields().items()]
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall("\r\n".join(head + ["", ""]).encode() + sound[: client.dice.randrange(len(sound))])
    except OSError:
        pass
    note("uploads cut off")


def follows(client):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    last = getattr(client, "last", None)
    try:
        connection.request(
            "GET", f"/api/v1/events?session={playing[0]}", None, client.fields({"Last-Event-ID": last} if last else {}))
        answer = connection.getresponse()
        end = time.monotonic() + client.dice.uniform(1, 60)
        while answer.status == 200 and time.monotonic() < end and not is_over():
            line = answer.readline()
            if not line:
                break
            if line.startswith(b"id: "):
                client.last = line[4:].strip().decode()
                note("events")
    except (OSError, http.client.HTTPException):
        client.pause(0.2)
    finally:
        connection.close()


def reads(client):
    first, second = playing
    path, more = client.dice.choice([
        ("/api/v1/sessions", {}), (f"/api/v1/sessions/{first}", {}), (f"/api/v1/sessions/{first}/markers?limit=50", {}),
        (f"/api/v1/sessions/{second}/digest", {}), ("/api/v1/at?time=2026-02-04T20:50Z", {}), ("/api/v1/queue", {}),
        (RECORDING, {"Range": f"bytes={client.dice.randrange(100_000)}-"}), ("/api/v1/search?q=drop&limit=5", {}),
        (f"/api/v1/sessions/{first}/markers", {"Accept": "application/jsonl"}), ("/api/v1/findings", {}), ("/metrics", {}),
    ])
    answer = client.ask("GET", path, None, more)
    if answer and answer[0] not in (200, 206, 304, 404, 429, 503, 507):
        complain(f"GET {path}: {answer[0]} {answer[2]!r}")
    client.pause(0.3)


def guesses(client):
    client.token = "trace_" + "".join(client.dice.choice("abcdefghjkmnpqrstvwxyz0123456789") for _ in range(38))
    for path in ("/api/v1/sessions", f"/feeds/{client.token}/feed.xml"):
        answer = client.ask("GET", path)
        if answer and answer[0] not in (401, 404, 429):
            complain(f"a wrong token: {answer[0]}")
    client.pause(1)


def says_nothing(client):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(client.dice.choice([b"", b"GET / HT", b"\x16\x03\x01"]))
            while not is_over() and client.dice.random() > 0.05:
                try:
                    if not connection.recv(100):
                        return note("silent ones that were closed")
                except socket.timeout:
                    pass
    except OSError:
        client.pause(0.2)


def takes_nothing(client):
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        connection.connect(("127.0.0.1", port))
        target = client.dice.choice([RECORDING, f"/api/v1/events?session={playing[0]}"])
        head = [f"GET {target} HTTP/1.1", "Host: localhost"] + [f"{name}: {value}" for name, value in client.fields().items()]
        connection.sendall("\r\n".join(head + ["", ""]).encode())
        rest(client.dice.uniform(1, 30))
    except OSError:
        client.pause(0.2)
    finally:
        connection.close()


def plays(client):
    """Plays for a while, and then something else."""
    rest(turn)
    if is_over():
        return
    new = [client.id() for _ in playing]
    for id in new:
        client.until_durable(
            "PUT", f"/api/v1/sessions/{id}", json.dumps({"title": f"take {id}"}), {"Content-Type": "application/json"})
    old, playing[:] = list(playing), new
    for id in old:
        client.until_durable("POST", f"/api/v1/sessions/{id}/close", None)
    note("turns")


KINDS = [marks] * 5 + [plays] + [drains_a_week] * 2 + [speaks] * 2 + [follows] * 3 + [reads] * 4 + [guesses, says_nothing, takes_nothing]


def run(number, step):
    client = Client(number)
    while not is_over():
        try:
            step(client)
        except Exception as error:
            complain(f"{step.__name__}: {error!r}")
            time.sleep(0.5)


threads = [threading.Thread(target=run, args=pair) for pair in enumerate(KINDS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({"acknowledged": acknowledged, "complaints": complaints[:50], "counts": counts}))
