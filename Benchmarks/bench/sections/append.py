"""How long an append by another program takes until the index answers with it."""

from daemon import Daemon
from measuring import Bar, Figure, plain, quantile
from workplace import first_session

PER_SECOND = 100


def run(workplace):
    count = workplace.scaled(1_000_000)
    root = workplace.own / "append"
    small = workplace.copy(first_session(workplace.sessions(1, 10)), "append/small")
    large = workplace.copy(workplace.large_session(), "append/large")
    index = workplace.own / "append-state" / "index.sqlite"
    appends = 2_000 if workplace.scale >= 1 else 200
    bars = []
    with Daemon(workplace, root, "append-state") as daemon:
        for session, name in ((small, "10 markers"), (large, f"{count:,} markers")):
            daemon.await_rest()
            before = daemon.cpu()
            run = workplace.run(
                workplace.peer("append_latency"), index, session, appends, PER_SECOND)
            values = [float(line) for line in run.output.split()]
            used = f"traced used {(daemon.cpu() - before) / len(values) * 1000:.2f} ms of CPU for each"
            middle = Figure(f"append until the index has it, {PER_SECOND} a second, {name}", values, note=used)
            late = Figure(f"the same, p99, {name}", [quantile(values, 0.99)])
            yield from (middle, late)
            bars.append(Bar.of(f"append to answer, p50, {name}", plain, middle, at_most=0.001, unit="s"))
            bars.append(Bar.of(f"append to answer, p99, {name}", plain, late, at_most=0.005, unit="s"))
    yield from bars
