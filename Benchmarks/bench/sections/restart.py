"""traced on 2,000 sessions: its first start, later ones, its memory and its rest."""

import statistics
import time

from daemon import TICKS, Daemon
from measuring import Bar, Figure, alternating, plain, ratio

MARKERS, VOICE_NOTES, ACTION_RUNS = 100, 20, 5


def run(workplace):
    few = Archive(workplace, workplace.scaled(2_000), "few")
    yield from few.figures(cold_times=3)
    idle, seconds = few.cpu_at_rest, few.idle_seconds
    yield Figure(f"CPU of traced at rest in {seconds} s", [idle])
    yield few.stop
    yield Bar.of("unchanged restart to find -newer", ratio, few.again, few.find, at_most=3)
    yield Bar.of("from SIGTERM to the end", plain, few.stop, at_most=1, unit="s")
    yield Bar(f"resident memory with {few.name}", few.resident, at_most=40, unit="MB")
    yield Bar(f"CPU at rest in {seconds} s", idle, at_most=0, unit="s", resolution=1 / TICKS)


class Archive:
    """What traced does with one root."""

    def __init__(self, workplace, count, state, looks_at_rest=True):
        self.workplace, self.count, self.state = workplace, count, state
        self.name = f"{count:,} sessions"
        self.cpu_at_rest = None if looks_at_rest else 0
        self.idle_seconds = 60 if workplace.scale >= 1 else 5

    def figures(self, cold_times):
        root = self.workplace.sessions(self.count, MARKERS, VOICE_NOTES, ACTION_RUNS)
        self.cold = self._starts("first", [self._cold(root) for _ in range(self.workplace.times(cold_times))])
        yield self.cold
        daemons = [self._again(root) for _ in range(self.workplace.times(5))]
        self.again = self._starts("later", daemons)
        self.stop = Figure(f"traced, from SIGTERM to its end, {self.name}", [daemon.stopped_after for daemon in daemons])
        yield self.again
        self.find = Figure.of(f"find -newer, {self.name}", self._find(root))
        yield self.find
        self.resident = max(self.resident_cold, self.resident_again)
        yield Figure("resident after the first start", [self.resident_cold], unit="MB")
        yield Figure("resident after a later start", [self.resident_again], unit="MB")

    def _starts(self, which, daemons):
        return Figure(
            f"traced, {which} start until READY, {self.name}", [daemon.ready_after for daemon in daemons],
            cpu=statistics.median(daemon.ready_cpu for daemon in daemons))

    def _cold(self, root):
        self.workplace.forget(self.state)
        with Daemon(self.workplace, root, self.state) as daemon:
            daemon.await_rest()
            self.resident_cold = daemon.resident()
            return daemon

    def _again(self, root):
        with Daemon(self.workplace, root, self.state) as daemon:
            daemon.await_rest()
            self.resident_again = daemon.resident()
            if self.cpu_at_rest is None:
                self.cpu_at_rest = self._cpu_at_rest(daemon)
            return daemon

    def _cpu_at_rest(self, daemon):
        before = daemon.cpu()
        time.sleep(self.idle_seconds)
        return daemon.cpu() - before

    def _find(self, root):
        newer = self.workplace.own / "newer"
        newer.touch()
        return alternating(
            self.workplace.times(5), it=lambda: self.workplace.run("find", root, "-newer", newer))["it"]
