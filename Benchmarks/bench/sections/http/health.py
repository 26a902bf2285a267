"""What all requests go through, beside a server that does nothing: GET /healthz under wrk."""

import re
import subprocess
from dataclasses import dataclass

from load import Answer, Client, Request
from measuring import Bar, Failed, Figure, alternating, ratio
from serving import API, Hello

CONNECTIONS = 32


def run(workplace):
    seconds = 5 if workplace.scale >= 1 else 1
    ok = workplace.own / "ok.expected"
    ok.write_text("ok\n")
    with Hello(workplace) as hello, API(workplace, "health", workplace.sessions(1, 10)) as api:
        check = Client(workplace, api.port, [Request("/healthz", answer=Answer.part(ok, 0, 3, 200))])
        runs = alternating(
            workplace.times(5), hello=lambda: wrk(hello.port, "/", seconds), ours=lambda: wrk(api.port, "/healthz", seconds))
        # wrk looks at the status alone.
        check.count(1000, connections=CONNECTIONS)
        hello.hello.count(1000, connections=CONNECTIONS)
    theirs = rates("hello, wrk", runs["hello"])
    ours = rates("GET /healthz, wrk", runs["ours"])
    yield from (theirs, ours)
    yield Figure("hello, wrk, p99", [one.p99 for one in runs["hello"]])
    yield Figure("GET /healthz, wrk, p99", [one.p99 for one in runs["ours"]])
    yield Bar.of("GET /healthz to hello, answers a second", ratio, ours, theirs, at_least=0.7)


def rates(name, runs):
    return Figure(f"{name}, {CONNECTIONS} connections", [one.rate for one in runs], unit="/s", turn=runs.turn)


@dataclass
class Wrk:
    rate: float
    p99: float


UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60}


def wrk(port, path, seconds):
    command = ["wrk", "-t", 1, "-c", CONNECTIONS, "-d", seconds, "--latency", f"http://127.0.0.1:{port}{path}"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    rate = re.search(r"^Requests/sec: +([\d.]+)", done.stdout, re.MULTILINE)
    late = re.search(r"^ +99% +([\d.]+)([a-z]+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not rate or not late or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
        raise Failed(f"wrk: {done.stdout}{done.stderr}")
    return Wrk(float(rate[1]), float(late[1]) * UNITS[late[2]])
