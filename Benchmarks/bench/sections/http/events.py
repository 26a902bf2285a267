"""How long after one mark the last of 200 clients has it, beside nginx's publish and subscribe (nchan)."""

import selectors
import socket
import time

from load import PATIENCE
from measuring import Bar, Failed, Figure, check, quantile, ratio
from serving import API, Nchan

STREAMS = 200
STREAMS_OF_A_TOKEN = 8
CREATED = "2026-02-11T19:00:00.000Z"


def run(workplace):
    rounds = 200 if workplace.scale >= 1 else 20
    session = workplace.sessions(1, 10)
    with API(workplace, "events", session) as api, Nchan(workplace) as nchan:
        ours, theirs = Ours(api), Theirs(nchan)
        with Streams(ours.targets()) as own, Streams(theirs.targets()) as other:
            times = {"ours": [], "theirs": []}
            for number in range(rounds + 5):
                for name, streams, writer in (("ours", own, ours), ("theirs", other, theirs)):
                    # The first ones find nothing in memory.
                    seen = streams.last_after(lambda: writer.write(number), writer.mark(number))
                    if number >= 5:
                        times[name].append(seen)
    figures = {
        "ours": Figure("one mark, until the last of 200 streams has it", times["ours"]),
        "theirs": Figure("nchan, from publish until the last of 200 subscribers has it", times["theirs"])}
    late = {
        name: Figure(f"{figure.name}, p99", [quantile(sorted(figure.values), 0.99)]) for name, figure in figures.items()}
    yield from (*figures.values(), *late.values())
    yield Bar("one mark to the last of 200 streams, p99", late["ours"].median * 1000, at_most=50, unit="ms")
    yield Bar.of("one mark to the last of 200 streams, to nchan, p99", ratio, late["ours"], late["theirs"], at_most=3)


class Ours:
    """Marks by PUT, of a session that 200 streams follow."""

    def __init__(self, api):
        self.api = api
        while len(api.tokens) * STREAMS_OF_A_TOKEN < STREAMS + STREAMS_OF_A_TOKEN:
            api.add_token()
        _, body = api.client(api.request("/sessions?limit=1")).once()
        self.session = body.decode().partition('"handle":"')[2].partition('"')[0]
        self.connection = socket.create_connection(("127.0.0.1", api.port))
        # The session may have the marks of an earlier run.
        self.first = int(time.time()) * 1000

    def targets(self):
        for number in range(STREAMS):
            token = self.api.tokens[1 + number // STREAMS_OF_A_TOKEN]
            yield self.api.port, f"/api/v1/events?session={self.session}", {"Authorization": f"Bearer {token}"}

    def mark(self, number):
        return f"01KH7{self.first + number:021d}".encode()

    def write(self, number):
        body = f'{{"offset_ms":{1000 + number},"created_at":"{CREATED}","source":"user","label":"Now"}}'
        exchange(
            self.connection, "PUT", f"/api/v1/sessions/{self.session}/markers/{self.mark(number).decode()}", body,
            {"Authorization": f"Bearer {self.api.tokens[0]}", "Content-Type": "application/json"}, b" 201 ")


class Theirs:
    """Messages by POST, to a channel that 200 subscribers follow."""

    def __init__(self, nchan):
        self.port = nchan.port
        self.connection = socket.create_connection(("127.0.0.1", nchan.port))

    def targets(self):
        return ((self.port, "/follow", {"Accept": "text/event-stream"}) for _ in range(STREAMS))

    def mark(self, number):
        return f"message-{number:06d}-end".encode()

    def write(self, number):
        # As long as a line of ours.
        exchange(self.connection, "POST", "/publish", f"{self.mark(number).decode()} {'x' * 380}", {}, b" 20")


def exchange(connection, method, path, body, fields, status):
    """Sends a request; the answer is taken with the next one, so that nobody waits for it here."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in fields.items()]
    connection.sendall("\r\n".join([*lines, "", body]).encode())
    answer = connection.recv(65536)
    if status not in answer.partition(b"\r\n")[0]:
        raise Failed(f"{method} {path}: {answer[:300]}")


class Streams:
    """Open streams of events, all read by one thread."""

    def __init__(self, targets):
        self.selector = selectors.DefaultSelector()
        self.connections = []
        for port, path, fields in targets:
            connection = socket.create_connection(("127.0.0.1", port))
            lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1"] + [f"{name}: {value}" for name, value in fields.items()]
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            answer = connection.recv(65536)
            check(b" 200 " in answer.partition(b"\r\n")[0], f"{path}: {answer[:300]}")
            connection.setblocking(False)
            self.selector.register(connection, selectors.EVENT_READ)
            self.connections.append(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self.connections:
            connection.close()

    def last_after(self, write, mark):
        """Seconds from before a write until the last stream has its mark."""
        start = time.perf_counter()
        write()
        left, tails, end = set(self.connections), {}, start + PATIENCE
        while left:
            if time.perf_counter() > end:
                raise Failed(f"{len(left)} of {STREAMS} streams did not get {mark}")
            for key, _ in self.selector.select(1):
                piece = key.fileobj.recv(65536)
                check(piece, "a stream ended")
                tail = tails.get(key.fileobj, b"") + piece
                if mark in tail:
                    left.discard(key.fileobj)
                tails[key.fileobj] = tail[-64:]
        return time.perf_counter() - start
