"""Requests, and the runs of Peers/http_load that send them."""

import itertools
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from measuring import Failed, quantile

# One more than a run lasts, so that one that hangs ends.
PATIENCE = 300
NUMBERS = itertools.count()


@dataclass
class Answer:
    """What an answer must be: its status is one of some, and its body is, begins with, or is as long as a part of a file."""

    statuses: tuple = (200,)
    how: str = "any"
    file: Path = Path("-")
    offset: int = 0
    count: int = 0

    @classmethod
    def length(cls, count, status=200):
        return cls((status,), "length", count=count)

    @classmethod
    def part(cls, file, offset, count, status=206):
        return cls((status,), "whole", file, offset, count)


@dataclass
class Request:
    """A request as it is sent, and what its answer must be."""

    path: str
    method: str = "GET"
    fields: dict = field(default_factory=dict)
    body: bytes | None = None
    answer: Answer = field(default_factory=Answer)

    def bytes(self):
        fields = {"Host": "localhost", **self.fields}
        if self.body is not None:
            fields["Content-Length"] = str(len(self.body))
        lines = [f"{self.method} {self.path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        return "\r\n".join(lines).encode() + (self.body or b"")


def write_requests(requests, path):
    """Writes requests as http_load reads them."""
    with open(path, "wb") as file:
        for request in requests:
            text, answer = request.bytes(), request.answer
            statuses = ",".join(str(status) for status in answer.statuses)
            file.write(
                f"{len(text)} {statuses} {answer.how} {answer.file} {answer.offset} {answer.count}\n".encode() + text)


@dataclass
class Load:
    """What a run took: seconds in all, and of each answer its seconds and its status, in the order of their ends."""

    wall: float
    cpu: float
    size: int
    latencies: list
    statuses: list

    @property
    def p50(self):
        return quantile(self.latencies, 0.5)

    @property
    def p99(self):
        return quantile(self.latencies, 0.99)

    @property
    def rate(self):
        """Answers a second."""
        return len(self.latencies) / self.wall


class Client:
    """Sends the same requests to one server again and again.

    - address: a port on the loopback address, or the path of a Unix socket.
    """

    def __init__(self, workplace, address, requests):
        self.program = workplace.peer("http_load")
        self.address = address
        self.path = workplace.own / f"requests-{next(NUMBERS)}"
        self.bodies = self.path.with_suffix(".bodies")
        self.requests = list(requests)
        write_requests(self.requests, self.path)

    def command(self, *how, connections=1, keeps_bodies=False):
        bodies = [self.bodies] if keeps_bodies else []
        return [str(word) for word in (self.program, self.address, connections, *how, self.path, *bodies)]

    def run(self, *how, **more):
        done = subprocess.run(self.command(*how, **more), capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            raise Failed(f"http_load: {done.stderr.strip()}")
        first, *lines = done.stdout.splitlines()
        wall, cpu, size = first.split()
        answers = [line.split() for line in lines]
        return Load(
            float(wall), float(cpu), int(size), [float(one[0]) for one in answers], [int(one[1]) for one in answers])

    def once(self, **more):
        """Sends each request once, and hands out the bodies too, one after the other."""
        load = self.run("count", len(self.requests), keeps_bodies=True, **more)
        return load, self.bodies.read_bytes()

    def count(self, count, **more):
        return self.run("count", count, **more)

    def seconds(self, seconds, **more):
        return self.run("seconds", seconds, **more)


def pooled(loads):
    """The latencies of several runs."""
    return [latency for load in loads for latency in load.latencies]
