"""Opens many streams of events; then one reads nothing until a file appears, and reads what has come for it. Prints both as JSON.

    crowd.py PORT SESSION COUNT READY_FILE READ_FILE TOKEN...
"""

import collections
import json
import os
import socket
import sys
import time

port, session, count, ready_file, read_file, tokens = (
    int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5], sys.argv[6:])


def stream(token, query="", size=None):
    """A connection on which a stream was asked for."""
    connection = socket.socket()
    if size:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", port))
    connection.sendall(
        f"GET /api/v1/events{query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    return connection


streams = [stream(tokens[number % len(tokens)]) for number in range(count)]
statuses = collections.Counter(connection.recv(12)[9:12].decode() for connection in streams)
for connection in streams:
    connection.close()
# A place is free a moment after its client has gone.
deadline = time.monotonic() + 30
while True:
    slow = stream(tokens[0], f"?session={session}", 4096)
    if slow.recv(12).endswith(b"200") or time.monotonic() > deadline:
        break
    slow.close()
    time.sleep(0.1)
open(ready_file, "w").close()
# Where the other file is gone, so is the test that would make this one.
while os.path.exists(ready_file) and not os.path.exists(read_file):
    time.sleep(0.05)
received = b""
slow.settimeout(3)
try:
    while piece := slow.recv(65536):
        received += piece
except socket.timeout:
    pass
print(json.dumps({
    "statuses": statuses, "bytes": len(received), "resets": received.count(b"event: reset\n"),
    "events": received.count(b"event: watch\n")}))
