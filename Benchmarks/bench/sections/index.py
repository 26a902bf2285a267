"""Building the index of 1,000,000 markers and its search text, beside SQLite alone and other ways to load the file."""

import json

from measuring import Bar, Figure, Run, alternating, check, ratio
from workplace import PEERS, say


def run(workplace):
    session = workplace.large_session()
    file = session / "markers.jsonl"
    count = workplace.scaled(1_000_000)
    environment = workplace.environment(session.parent, "index")
    index = workplace.own / "index" / "index.sqlite"
    database = workplace.own / "loaded"

    def remove():
        for path in workplace.own.glob("loaded*"):
            path.unlink()

    def trace():
        workplace.forget("index")
        run = workplace.run(workplace.trace, "index", "rebuild", "--json", environment=environment)
        records = json.loads(run.output)["records"]
        # The timeline has its session_start.
        check(records == count + 1, f"the index has {records} records instead of {count + 1}")
        return run

    def words():
        return workplace.run(workplace.trace, "search", "groove", "--limit", 1, environment=environment)

    def verify():
        run = workplace.run(workplace.trace, "index", "verify", "--json", environment=environment)
        wanted = {"sessions": 1, "journals": 0, "differing": [], "not_compared": [], "search": True}
        check(json.loads(run.output) == wanted, f"verify says {run.output}")
        return run

    def loop(indexes, contents):
        remove()
        run = workplace.run(workplace.peer("insert_rows"), index, database, indexes, contents)
        seconds, cpu, rows = run.output.split()
        check(int(rows) > count * (2 if contents == "words" else 1), f"the loop has inserted {rows} rows")
        return Run(float(seconds), float(cpu), run.peak, "")

    def duckdb():
        remove()
        run = workplace.run(workplace.python(), PEERS / "duckdb_load.py", database, file)
        check(run.output == f"{count}\n", f"DuckDB has {run.output.strip()} rows instead of {count}")
        return run

    runs = alternating(
        workplace.times(3), trace=trace, words=words, verify=verify, first=lambda: loop("first", "rows"),
        last=lambda: loop("last", "rows"), all=lambda: loop("last", "words"), duckdb=duckdb)
    ours = Figure.of(f"trace index rebuild, {count:,} markers", runs["trace"])
    filled = Figure.of("trace search, which first fills in the search text", runs["words"])
    first, last, whole = (
        Figure.of(f"C loop, the same rows, {name}", runs[key], "which it holds in memory")
        for key, name in (
            ("first", "indexes before"), ("last", "indexes after"), ("all", "indexes after, and the search text")))
    loaded = Figure.of("DuckDB, read_json into a table", runs["duckdb"], "2 threads")
    verified = Figure.of("trace index verify", runs["verify"], "rows and search text")
    yield from (ours, filled, verified, first, last, whole, loaded)
    remove()
    say("sqlite-utils takes its time")
    inserted = Figure.of(
        "sqlite-utils insert --nl", [workplace.run(
            workplace.python(), "-m", "sqlite_utils", "insert", database, "marker", file, "--nl", "--silent")])
    yield inserted
    remove()
    yield Bar.of(
        "cold build to the faster C loop", lambda ours, first, last: ours / min(first, last), ours, first, last,
        at_most=1.5)
    yield Bar.of(
        "cold build and search text to the C loop with both", lambda ours, filled, whole: (ours + filled) / whole, ours,
        filled, whole, at_most=1.5)
    yield Bar.of("trace index verify to a cold build", ratio, verified, ours, at_most=2)
    yield Bar("trace index verify, peak memory", verified.peak, at_most=96, unit="MiB")
    yield Bar.of("cold build to sqlite-utils", ratio, ours, inserted, at_most=0.2)
    yield Bar.of("cold build to DuckDB", ratio, ours, loaded, at_most=1)
