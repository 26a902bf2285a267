"""Runs of commands, and what they took."""

import random
import statistics
import subprocess
from dataclasses import dataclass
from typing import Any

# The noise of a bar, as a part of what is seen: never less, and no less where something was run once.
LEAST_NOISE = 0.03
NOISE_OF_ONE_RUN = 0.1
DRAWS = 400


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
    # What figures share whose runs came in turn.
    turn: Any = None

    @property
    def median(self):
        return statistics.median(self.values)

    @classmethod
    def of(cls, name, runs, note=""):
        return cls(
            name, [run.wall for run in runs], cpu=statistics.median(run.cpu for run in runs),
            peak=max(run.peak for run in runs), note=note, turn=getattr(runs, "turn", None))


@dataclass
class Bar:
    """What must hold: a value that must not exceed a limit, or not fall below it."""

    name: str
    seen: float
    at_most: float | None = None
    at_least: float | None = None
    unit: str = "×"
    # How much of what is seen may be chance, as a part of it.
    noise: float = LEAST_NOISE
    # The smallest difference that can be seen at all, in the bar's unit.
    resolution: float = 0

    @classmethod
    def of(cls, name, value, *figures, **more):
        """A bar for what a function makes of the medians of some figures, with the noise that their runs tell."""
        seen = value(*(figure.median for figure in figures))
        return cls(name, seen, noise=noise(value, figures), **more)

    @property
    def is_met(self):
        return self.seen <= self.at_most if self.at_least is None else self.seen >= self.at_least

    def verdict(self, accepted=None):
        """`met`, `noise` where it is missed by no more than its noise, `accepted` where what is seen is no worse by more
        than that than a miss that is known, else `missed`."""
        if self.is_met:
            return "met"
        if self._reaches(self.at_most if self.at_least is None else self.at_least):
            return "noise"
        return "accepted" if accepted is not None and self._reaches(accepted) else "missed"

    def _reaches(self, limit):
        """Whether what is seen may be as good as that, but for its noise."""
        slack = max(abs(self.seen) * self.noise, self.resolution)
        return self.seen - slack <= limit if self.at_least is None else self.seen + slack >= limit


def noise(value, figures):
    """How much of the value may be chance, as a part of it: half of the range in which nine of ten values lie that are made
    of runs drawn anew from those that were measured.

    Of figures that were run in turn, whole rounds are drawn, since a slow minute of the machine hits all alike.
    """
    seen = value(*(figure.median for figure in figures))
    least = LEAST_NOISE if all(len(figure.values) > 1 for figure in figures) else NOISE_OF_ONE_RUN
    if not seen:
        return least
    dice = random.Random(1)
    drawn = []
    for _ in range(DRAWS):
        rounds = {}
        medians = []
        for figure in figures:
            count = len(figure.values)
            turn = id(figure) if figure.turn is None else figure.turn
            if turn not in rounds:
                rounds[turn] = [dice.randrange(count) for _ in range(count)]
            medians.append(statistics.median(figure.values[number] for number in rounds[turn]))
        drawn.append(value(*medians))
    return max(least, (quantile(drawn, 0.95) - quantile(drawn, 0.05)) / 2 / abs(seen))


class Runs(list):
    """The runs of one of several subjects that were run in turn."""

    def __init__(self, turn):
        super().__init__()
        self.turn = turn


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
    turn = object()
    runs = {name: Runs(turn) for name in subjects}
    for round in range(times + 1 if times > 1 else 1):
        for name, subject in subjects.items():
            one = subject()
            if round > 0 or times == 1:
                runs[name].append(one)
    return runs


def ratio(one, other):
    return one / other


def plain(value):
    return value


def check(condition, what):
    """Ends the measurement when a result is not what it must be."""
    if not condition:
        raise Failed(what)


def quantile(values, part):
    """The value below which that part of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
