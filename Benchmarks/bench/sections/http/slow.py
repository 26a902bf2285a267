"""A mark beside a thousand clients that are as slow as they can be: headers, bodies, reading (slowhttptest)."""

import subprocess
import time

from load import pooled
from measuring import Bar, Figure, check, quantile, ratio
from serving import API, copy_session
from workplace import RECORDING, RECORDING_ID, first_session

from .writes import Marks

CONNECTIONS = 1_000
PER_SECOND = 500


def run(workplace):
    session = copy_session(workplace, first_session(workplace.sessions(1, 10)), "slow", 1)
    seconds = 20 if workplace.scale >= 1 else 5
    connections = workplace.scaled(CONNECTIONS)
    marks_at_once = 20
    with API(workplace, "slow-state", session.parent, workplace.recording().parent) as api:
        api.await_rest()
        marks = Marks(workplace, api)
        for kind, (name, options) in attacks(api).items():
            alone, beside = [], []
            until = time.monotonic() + seconds / 2
            while time.monotonic() < until:
                alone.append(marks.put(session, marks_at_once))
                time.sleep(0.1)
            with Attack(workplace, api, kind, options, connections, seconds) as attack:
                while attack.is_running():
                    beside.append(marks.put(session, marks_at_once))
                    time.sleep(0.1)
            check(
                attack.most_open > connections / 2,
                f"slowhttptest opened {attack.most_open} of {connections} connections: {attack.said}")
            quiet = Figure(f"PUT of a marker before {name}, p99", [quantile(pooled(alone), 0.99)])
            late = Figure(f"PUT of a marker beside {connections:,} with {name}, p99", [quantile(pooled(beside), 0.99)])
            yield from (quiet, late)
            yield Bar.of(f"PUT of a marker beside {name}, p99", ratio, late, quiet, at_most=2)
        marks.check()


def attacks(api):
    """What is slow, and how slowhttptest is told so. It has no option for a token: what it says of types ends with one."""
    token = f"\r\nAuthorization: Bearer {api.tokens[0]}"
    address = f"http://127.0.0.1:{api.port}"
    return {
        "-H": ("slow headers", ["-u", f"{address}/api/v1/sessions", "-i", "2", "-x", "24"]),
        "-B": ("slow bodies", [
            "-u", f"{address}/api/v1/queue", "-i", "2", "-x", "24", "-s", "65536", "-t", "POST",
            "-f", f"application/jsonl{token}"]),
        "-X": ("slow reading", [
            "-u", f"{address}/api/v1/sessions/{RECORDING_ID}/files/media/{RECORDING}", "-n", "2", "-z", "32",
            "-w", "512", "-y", "1024", "-m", f"*/*{token}"]),
    }


class Attack:
    """slowhttptest for some seconds, ended at the end of a `with`."""

    def __init__(self, workplace, api, kind, options, connections, seconds):
        sizes = ["-c", str(connections), "-r", str(PER_SECOND), "-l", str(seconds), "-p", "5"]
        self.command = ["slowhttptest", kind, *sizes, *options]
        self.api = api
        self.seconds = seconds
        self.log_path = workplace.own / "slowhttptest.log"
        self.most_open = 0

    def __enter__(self):
        with open(self.log_path, "w") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        # Beside them means: once they are there.
        time.sleep(min(self.seconds / 2, 3))
        return self

    def is_running(self):
        self.most_open = max(self.most_open, open_connections(self.api.port))
        return self.process.poll() is None

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
        self.said = self.log_path.read_text()[-600:]


def open_connections(port):
    """How many connections to a port are established, as the kernel counts them."""
    with open("/proc/net/tcp") as lines:
        rows = [line.split() for line in lines]
    return sum(row[1].endswith(f":{port:04X}") and row[3] == "01" for row in rows)
