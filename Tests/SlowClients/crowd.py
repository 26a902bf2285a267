"""Slow and greedy clients of the HTTP API, a thousand at a time, beside one that sets marks.

`slowhttptest` sends headers and bodies in trickles and reads answers in trickles; ten thousand connections say nothing, or come and go
at once. The slow ones come by TLS, too, to a daemon of its own. Each kind is closed in its time, or refused over the limit; meanwhile a mark takes at most twice as long as alone (99th
percentile). The marks come over the Unix socket, on which nothing limits their rate.

Prints a line for each kind; the exit status is not 0 where something does not hold. `make slow-clients` runs it.
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "sessions-sample" / "sessions"
LATE_SET = "2026-02-04-late-set"
HANDLE = "01KGN6HCMGFP2XYCHA2GHD03GQ"
MARKS = 400
LOOK = 4
"""The daemon looks once a second at each connection, and here its count is looked at twice a second."""

MEMORY = 300
"""What a thousand slow clients may cost, in MiB."""

failures = []


def check(what, holds):
    if not holds:
        failures.append(what)
        print(f"  FAILED: {what}")


class Daemon:
    """`traced` on a copy of the sample, with a port, which may speak TLS, and a Unix socket, which never does."""

    def __init__(self, binaries, home, is_encrypted=False):
        self.home, self.socket = home, f"{home}/http.sock"
        self.scheme = "https" if is_encrypted else "http"
        shutil.copytree(SAMPLE, home / "sessions")
        with (home / "sessions" / LATE_SET / "media" / "large.wav").open("wb") as file:
            file.truncate(1 << 30)
        environment = {
            "HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TRACE_CONFIG": "",
            "TRACE_ROOTS": str(home / "sessions"), "TRACE_STATE_DIRECTORY": str(home / "state"),
            "TRACE_RUNTIME_DIRECTORY": str(home / "run"), "TRACE_HTTP_LISTEN": f"127.0.0.1:0, unix:{self.socket}"}
        if is_encrypted:
            certificate, key = home / "cert.pem", home / "key.pem"
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
                check=True, capture_output=True)
            environment |= {"TRACE_HTTP_CERTIFICATE": str(certificate), "TRACE_HTTP_KEY": str(key)}
        self.log = home / "traced.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([f"{binaries}/traced"], env=environment, stderr=log)
        deadline = time.monotonic() + 60
        while not (found := re.search(r"listening address=127\.0\.0\.1:(\d+)", self.log.read_text())) \
                or " ready " not in self.log.read_text():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"error: traced does not listen: {self.log.read_text()}")
            time.sleep(0.05)
        self.port = int(found.group(1))
        self.token = json.loads(subprocess.run(
            [f"{binaries}/trace", "token", "add", "--name", "test", "--scope", "admin", "--json"],
            env=environment, check=True, capture_output=True).stdout)["token"]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        check("the daemon ends with status 0", self.process.wait(30) == 0)

    def resident(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024

    def connect(self):
        """A connection over the Unix socket."""
        connection = http.client.HTTPConnection("localhost", timeout=60)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(60)
        connection.sock.connect(self.socket)
        return connection

    def figure(self, name):
        connection = self.connect()
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        return int(re.search(rf"^{re.escape(name)} (\d+)", text, re.M).group(1))


class Marks:
    """Sets marks one after the other, and says how long the slowest but one in a hundred takes."""

    def __init__(self, daemon):
        self.daemon, self.times = daemon, []

    def set(self, while_true):
        connection = self.daemon.connect()
        while while_true(len(self.times)):
            began = time.monotonic()
            connection.request(
                "POST", f"/api/v1/sessions/{HANDLE}/markers", b'{"offset":"0:10"}',
                {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 201:
                check(f"a mark is written: {answer.status}", False)
                return
            self.times.append((time.monotonic() - began) * 1000)
            time.sleep(0.005)

    def alone(self):
        self.set(lambda count: count < MARKS)
        return self.percentile()

    def percentile(self):
        return sorted(self.times)[int(len(self.times) * 0.99)] if self.times else 0


@contextlib.contextmanager
def marks_beside(daemon, what):
    """Sets marks as long as the body runs, and compares with marks before and after it."""
    before = Marks(daemon).alone()
    ends = threading.Event()
    marks = Marks(daemon)
    thread = threading.Thread(target=marks.set, args=(lambda count: not ends.is_set(),))
    thread.start()
    try:
        yield
    finally:
        ends.set()
        thread.join()
    now = marks.percentile()
    alone = max(before, Marks(daemon).alone())
    print(f"  {len(marks.times)} marks beside: p99 {now:.1f} ms, alone {alone:.1f} ms ({now / alone:.2f} times); "
          f"resident {daemon.resident()} MiB")
    check(f"{what}: a mark beside takes at most twice as long as alone", now <= 2 * alone)


def slow(daemon, kind, options, url, patience, count, progress=0):
    """Runs slowhttptest until the daemon has closed all of its connections, each `patience` seconds after it began, or after it last took
    something, which it may have done `progress` seconds after it began.

    The daemon's own count is looked at: slowhttptest notices that a connection is closed when it has read, slowly, all that came.
    """
    memory = daemon.resident()
    rate = 200
    limit = count // rate + progress + patience + 30
    print(f"{kind}, {count}:")
    counts = []
    with marks_beside(daemon, kind):
        began = time.monotonic()
        crowd = subprocess.Popen(
            ["slowhttptest", *options, "-c", str(count), "-r", str(rate), "-l", str(limit), "-u",
             f"{daemon.scheme}://127.0.0.1:{daemon.port}{url}", "-v", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        highest = 0
        while time.monotonic() - began < limit:
            # Beside the crowd: the marks, this question, and slowhttptest's own look.
            open_now = max(0, daemon.figure("trace_http_connections") - 3)
            counts.append((time.monotonic() - began, open_now))
            highest = max(highest, open_now)
            if highest > 0 and open_now == 0:
                break
            time.sleep(0.5)
        crowd.terminate()
        crowd.wait()
    # Probes of slowhttptest come and go.
    whole = next((second for second, open_now in counts if open_now >= highest * 0.99), limit)
    first = next((second for second, open_now in counts if second > whole and open_now < highest * 0.98), limit)
    last = counts[-1][0]
    print(f"  {highest} connected after {whole:.0f} s, the first closed after {first:.0f} s, the last after {last:.0f} s")
    check(f"{kind}: all of them connect", highest >= count * 0.99)
    check(f"{kind}: none is closed before its time", first >= patience - 1)
    check(f"{kind}: each is closed {patience} s after it began, or took something",
          counts[-1][1] == 0 and last <= whole + progress + patience + LOOK)
    check(f"{kind}: little memory for each", daemon.resident() - memory <= MEMORY)


def open_sockets(port, count, linger=None):
    sockets = []
    for _ in range(count):
        one = socket.socket()
        one.setblocking(False)
        if linger is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        with contextlib.suppress(BlockingIOError):
            one.connect(("127.0.0.1", port))
        sockets.append(one)
    return sockets


def silent(daemon, count):
    """Connections that say nothing: the limit's number is held for ten seconds, the others are refused."""
    print(f"saying nothing, {count}:")
    refused = daemon.figure('trace_http_refused_total{reason="connections"}')
    with marks_beside(daemon, "saying nothing"):
        sockets = open_sockets(daemon.port, count)
        time.sleep(3)
        during = daemon.process.poll() is None
        time.sleep(12)
    more = daemon.figure('trace_http_refused_total{reason="connections"}') - refused
    left = daemon.figure("trace_http_connections")
    print(f"  refused {more}, open afterwards {left}")
    check("saying nothing: the daemon lives", during)
    check("saying nothing: those over the limit are refused", more >= 0.9 * (count - 1024))
    check("saying nothing: the others are closed after ten seconds", left <= 4)
    for one in sockets:
        one.close()


def come_and_go(daemon, count):
    """Connections that are reset as soon as they are there, a thousand a second."""
    print(f"coming and going, {count}:")
    reset = struct.pack("ii", 1, 0)
    with marks_beside(daemon, "coming and going"):
        for _ in range(count // 100):
            for one in open_sockets(daemon.port, 100, reset):
                one.close()
            time.sleep(0.1)
    left = daemon.figure("trace_http_connections")
    descriptors = len(os.listdir(f"/proc/{daemon.process.pid}/fd"))
    print(f"  open afterwards {left}, {descriptors} descriptors")
    check("coming and going: nothing is left of them", left <= 4 and descriptors < 200)
    check("coming and going: others are served", answers(daemon))


def answers(daemon):
    connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=10)
    connection.request("GET", "/healthz")
    return connection.getresponse().status == 200


def kinds_of_client(arguments, is_encrypted):
    """What is run against one daemon, each under its name in `--only`."""
    # A browser's cookie has another name by TLS, where it is sent by TLS alone.
    cookie = "__Host-trace" if is_encrypted else "trace"
    by = " by TLS" if is_encrypted else ""
    media = f"/api/v1/sessions/{HANDLE}/files/media/large.wav"
    slow_ones = {
        "headers": lambda daemon: slow(
            daemon, f"slow headers{by}", ["-H", "-i", "5", "-x", "10"], "/healthz", 10, arguments.count),
        "bodies": lambda daemon: slow(
            daemon, f"slow bodies{by}", ["-B", "-i", "5", "-x", "10", "-s", "4096", "-f", "application/json"],
            "/api/v1/pair", 10, arguments.count),
        "reading": lambda daemon: slow(
            daemon, f"slow reading{by}",
            ["-X", "-n", "5", "-z", "32", "-w", "10", "-y", "20", "-j", f"{cookie}={daemon.token}"], media, 120,
            arguments.count,
            # OpenSSL takes a record of TLS as a whole, however little of it is asked for: the rest of one comes within the first period.
            progress=120 if is_encrypted else 0),
    }
    if is_encrypted:
        return {f"tls-{name}": kind for name, kind in slow_ones.items()}
    return slow_ones | {
        "silent": lambda daemon: silent(daemon, arguments.crowd),
        "resets": lambda daemon: come_and_go(daemon, arguments.crowd),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binaries", required=True)
    parser.add_argument("--count", type=int, default=1000, help="slow clients of a kind")
    parser.add_argument("--crowd", type=int, default=10_000, help="silent connections")
    parser.add_argument("--only", default="", help="kinds, such as reading,silent,tls-headers")
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    only = arguments.only.split(",") if arguments.only else None
    for is_encrypted in (False, True):
        kinds = kinds_of_client(arguments, is_encrypted)
        chosen = [kind for name, kind in kinds.items() if only is None or name in only]
        if not chosen:
            continue
        with tempfile.TemporaryDirectory(prefix="trace-crowd-") as home:
            daemon = Daemon(arguments.binaries, pathlib.Path(home), is_encrypted)
            try:
                for run in chosen:
                    run(daemon)
            finally:
                daemon.stop()
    if failures:
        raise SystemExit("error: this does not hold:\n  " + "\n  ".join(failures))


if __name__ == "__main__":
    main()
