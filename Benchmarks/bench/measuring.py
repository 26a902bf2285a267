"""Runs of commands, and what they took."""

import statistics
import subprocess
from dataclasses import dataclass


@dataclass
class Run:
    """One run of a command: seconds, peak resident MiB, and what it wrote to standard output."""

    wall: float
    cpu: float
    peak: float
    output: str


@dataclass
class Figure:
    """A median with the values it comes from, in seconds unless the unit says otherwise."""

    name: str
    values: list
    unit: str = "s"
    cpu: float | None = None
    peak: float | None = None
    note: str = ""

    @property
    def median(self):
        return statistics.median(self.values)

    @classmethod
    def of(cls, name, runs, note=""):
        return cls(
            name, [run.wall for run in runs], cpu=statistics.median(run.cpu for run in runs),
            peak=max(run.peak for run in runs), note=note)


@dataclass
class Bar:
    """What must hold: a value that must not exceed a limit, or not fall below it."""

    name: str
    seen: float
    at_most: float | None = None
    at_least: float | None = None
    unit: str = "×"

    @property
    def is_met(self):
        return self.seen <= self.at_most if self.at_least is None else self.seen >= self.at_least


class Failed(Exception):
    """A command did not do what it was run for, so that its time says nothing."""


def run(measure, command, output, environment, status):
    done = subprocess.run([measure, output, *command], env=environment, capture_output=True, text=True)
    words = done.stdout.split()
    if done.returncode != 0 or int(words[4]) != status:
        raise Failed(f"{' '.join(command)}: {done.stderr.strip() or done.stdout}")
    wall, user, system, peak = (float(word) for word in words[:4])
    return Run(wall, user + system, peak / 1024, output.read_text())


def alternating(times, **subjects):
    """Runs each subject (a function that makes a `Run`) in turn, so that a slow minute of the machine hits all alike.

    Where there is more than one round, one more before them warms up and does not count.
    """
    runs = {name: [] for name in subjects}
    for round in range(times + 1 if times > 1 else 1):
        for name, subject in subjects.items():
            one = subject()
            if round > 0 or times == 1:
                runs[name].append(one)
    return runs


def check(condition, what):
    """Ends the measurement when a result is not what it must be."""
    if not condition:
        raise Failed(what)


def quantile(values, part):
    """The value below which that part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
