"""Connects by TLS again and again, from several threads, until a file appears; prints as JSON how often, what failed, and the serial
numbers of the certificates in the order in which they were first seen.

    handshakes.py PORT AUTHORITIES STOP_FILE
"""

import json
import os
import socket
import ssl
import sys
import threading

port, authorities, stop_file = int(sys.argv[1]), sys.argv[2], sys.argv[3]
lock = threading.Lock()
seen, failures, count = [], [], 0


def connect_until_told():
    global count
    context = ssl.create_default_context(cafile=authorities)
    while not os.path.exists(stop_file):
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=30) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as connection:
                    serial = connection.getpeercert()["serialNumber"]
                    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    answer = b""
                    while piece := connection.recv(65536):
                        answer += piece
            with lock:
                count += 1
                if serial not in seen:
                    seen.append(serial)
                if not answer.startswith(b"HTTP/1.1 200"):
                    failures.append(repr(answer[:100]))
        except OSError as error:
            with lock:
                failures.append(repr(error))


threads = [threading.Thread(target=connect_until_told) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({"count": count, "failures": failures[:20], "serials": seen}))
