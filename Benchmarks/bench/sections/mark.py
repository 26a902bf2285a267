"""A mark as a whole process, beside the start of a process and the syncs that a mark must wait for."""

import re
import subprocess

from measuring import Bar, Failed, Figure, Run, alternating, check, ratio
from workplace import first_session


def run(workplace):
    count = workplace.scaled(1_000_000)
    small = workplace.copy(first_session(workplace.sessions(1, 10)), "small")
    large = workplace.copy(workplace.large_session(), "large")
    beside = workplace.own / "syncs"
    beside.mkdir()

    def mark(session):
        run = workplace.run(*command(workplace, session), environment=workplace.environment(session.parent, "mark"))
        check(run.output.startswith("marker: "), f"trace mark said: {run.output}")
        return run

    def syncs():
        run = workplace.run(workplace.peer("fsyncs"), beside, 1)
        return Run(float(run.output), run.cpu, run.peak, "")

    runs = alternating(
        workplace.times(40), version=lambda: workplace.run(workplace.trace, "--version"),
        syncs=syncs, small=lambda: mark(small), large=lambda: mark(large))
    version = Figure.of("trace --version", runs["version"])
    waits = Figure(
        "two fsync, one fdatasync and a rename, from C", [run.wall for run in runs["syncs"]], turn=runs["syncs"].turn)
    ours = Figure.of("trace mark, session of 10 markers", runs["small"])
    grown = Figure.of(f"trace mark, session of {count:,} markers", runs["large"])
    yield from (version, waits, ours, grown)
    yield Bar("syncs of a mark", count_syncs(workplace, small), at_most=3, unit="")
    yield Bar.of(
        "trace mark to trace --version and 3 × the syncs", lambda mark, version, syncs: mark / (version + 3 * syncs),
        ours, version, waits, at_most=1)
    yield Bar.of(f"trace mark, {count:,} markers to 10", ratio, grown, ours, at_most=1.1)


def command(workplace, session):
    return [workplace.trace, "mark", session, "--offset", "120000", "--label", "again", "--no-queue"]


def count_syncs(workplace, session):
    """How many sync calls a mark makes."""
    log = workplace.own / "strace"
    calls = "fsync,fdatasync,sync,syncfs,msync,sync_file_range"
    done = subprocess.run(
        ["strace", "-f", "-o", log, "-e", f"trace={calls}", *command(workplace, session)],
        env=workplace.environment(session.parent, "mark"), capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"strace: {done.stderr}")
    return len(re.findall(r"^\d+ +\w*sync\w*\(", log.read_text(), re.MULTILINE))
