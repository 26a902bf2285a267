"""The network between a browser and the server: cut, throttled, or of the kind that hotels have.

A proxy on a port of loopback. It keeps its port while the server behind it is restarted, so the page keeps its origin.
"""

import re
import select
import socket
import struct
import threading
import time
from dataclasses import dataclass, field


@dataclass
class Request:
    method: str
    target: str
    fields: dict = field(default_factory=dict)
    #: What the server answered, once it has.
    status: int = 0

    def matches(self, pattern):
        return re.search(pattern, f"{self.method} {self.target}") is not None


# What a rule may answer; None lets the request pass.
CUT = ("cut",)
#: The server gets it, and its answer never arrives.
LOSE_ANSWER = ("lose-answer",)
#: The server never gets it, and nothing is answered as long as somebody waits.
HANG = ("hang",)


def answer(status, body=b"", kind="text/html", **fields):
    return ("answer", status, kind, body if isinstance(body, bytes) else body.encode(), fields)


def cut_body(after):
    """The connection dies after so many bytes of the body."""
    return ("cut-body", after)


class Wire:
    def __init__(self, server_port=None):
        self.server_port = server_port
        #: A function from a request to an action.
        self.rule = None
        #: Bytes a second for each direction of each connection.
        self.rate = None
        self.is_cut = False
        self.seen = []
        self.connections = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    @property
    def address(self):
        return f"http://localhost:{self.port}/"

    def listen(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                reset(client)
                continue
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def cut(self):
        """No connection is left, and none is made until `mend`."""
        self.is_cut = True
        with self.lock:
            left, self.connections = self.connections, set()
        for connection in left:
            reset(connection)

    def mend(self):
        self.is_cut = False
        self.rule = None

    def close(self):
        self.listener.close()
        self.cut()

    def serve(self, client):
        with self.lock:
            self.connections.add(client)
        upstream = None
        try:
            client.settimeout(120)
            head, rest = read_head(client)
            if head is None:
                return
            lines = head.split(b"\r\n")
            method, target, _ = lines[0].decode("latin-1").split(" ", 2)
            fields = {}
            for line in lines[1:]:
                name, _, value = line.partition(b":")
                fields[name.decode("latin-1").lower()] = value.strip().decode("latin-1")
            request = Request(method, target, fields)
            with self.lock:
                self.seen.append(request)
            action = self.rule(request) if self.rule else None
            length = int(fields.get("content-length", 0))
            if action == CUT:
                return reset(client)
            if action == HANG:
                client.recv(1)
                return None
            if action and action[0] == "answer":
                take(client, rest, length)
                _, status, kind, body, more = action
                extra = "".join(f"{name}: {value}\r\n" for name, value in more.items())
                client.sendall(f"HTTP/1.1 {status} x\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                               f"{extra}Connection: close\r\n\r\n".encode() + body)
                return None
            upstream = socket.create_connection(("127.0.0.1", self.server_port), 10)
            upstream.settimeout(120)
            with self.lock:
                self.connections.add(upstream)
            kept = [line for line in lines[1:] if not line.lower().startswith((b"connection:", b"keep-alive:"))]
            upstream.sendall(b"\r\n".join([lines[0], *kept, b"Connection: close", b"", b""]))
            limit = action[1] if action and action[0] == "cut-body" else None
            self.pass_body(client, upstream, rest, length, limit)
            if limit is not None:
                # What was sent shall arrive; a reset would throw it away.
                upstream.shutdown(socket.SHUT_WR)
                drain(upstream)
                return reset(client)
            if action == LOSE_ANSWER:
                drain(upstream)
                return reset(client)
            self.pass_answer(upstream, client, request)
        except (OSError, ValueError, TypeError):
            if not self.is_cut:
                reset(client)
        finally:
            for one in (client, upstream):
                if one:
                    with self.lock:
                        self.connections.discard(one)
                    one.close()
        return None

    def pass_body(self, client, upstream, rest, length, limit):
        passed = 0
        while passed < length:
            piece = rest or client.recv(1 << 14)
            rest = b""
            if not piece:
                raise OSError("cut off")
            if limit is not None and passed + len(piece) >= limit:
                upstream.sendall(piece[:limit - passed])
                return
            upstream.sendall(piece)
            passed += len(piece)
            self.pace(len(piece))

    def pass_answer(self, upstream, client, request):
        head, rest = read_head(upstream)
        if head is None:
            raise OSError("no answer")
        request.status = int(head[9:12])
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith((b"connection:", b"keep-alive:"))]
        client.sendall(b"\r\n".join([*lines, b"Connection: close", b"", b""]) + rest)
        watched = [upstream, client]
        while True:
            # A client that has gone is gone for the server, too: a stream of events may have nothing to say for long.
            ready, _, _ = select.select(watched, [], [], 120)
            if not ready:
                raise OSError("no answer")
            if client in ready:
                if not client.recv(1, socket.MSG_PEEK):
                    raise OSError("the client has gone")
                watched = [upstream]
            if upstream not in ready:
                continue
            piece = upstream.recv(1 << 14)
            if not piece:
                return
            client.sendall(piece)
            self.pace(len(piece))

    def pace(self, count):
        if self.rate:
            time.sleep(count / self.rate)


def read_head(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(1 << 14)
        if not piece:
            return None, b""
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def take(connection, rest, length):
    left = length - len(rest)
    while left > 0:
        piece = connection.recv(min(left, 1 << 14))
        if not piece:
            return
        left -= len(piece)


def drain(connection):
    try:
        while connection.recv(1 << 14):
            pass
    except OSError:
        pass


def reset(connection):
    """Closes so that the other side sees an error, as when a network is gone."""
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    try:
        connection.close()
    except OSError:
        pass
