"""A range of offsets out of 1,000,000 markers, as a whole process."""

from measuring import Bar, Figure, alternating, check, plain, ratio
from workplace import PEERS

SESSION_LENGTH = 36_000_000
ANSWERS = 100


def run(workplace):
    session = workplace.large_session()
    file = session / "markers.jsonl"
    count = workplace.scaled(1_000_000)
    environment = workplace.environment(session.parent, "question")
    lowest = SESSION_LENGTH // 2
    highest = min(SESSION_LENGTH, lowest + SESSION_LENGTH * ANSWERS // count)
    workplace.run(workplace.trace, "index", "rebuild", environment=environment)
    nowhere = workplace.own / "nowhere"
    nowhere.mkdir()
    without_index = workplace.environment(nowhere, "question-files")

    def trace(environment=environment):
        return workplace.run(
            workplace.trace, "markers", "list", session, "--offset-min", lowest, "--offset-max", highest,
            environment=environment)

    def jq():
        condition = f"select(.offset_ms >= {lowest} and .offset_ms <= {highest}) | .id"
        return workplace.run("jq", "-r", condition, file)

    def duckdb():
        return workplace.run(workplace.python(), PEERS / "duckdb_range.py", file, lowest, highest)

    answer = sorted(line.split("\t")[0] for line in trace().output.splitlines())
    check(answer == sorted(jq().output.splitlines()), "trace and jq answer differently")
    check(answer == sorted(duckdb().output.splitlines()), "trace and DuckDB answer differently")

    ours = Figure.of(
        f"trace markers list, {len(answer)} of {count:,} markers",
        alternating(workplace.times(40), it=trace)["it"], "from the index")
    yield ours
    check(trace(without_index).output == trace().output, "trace answers differently without an index")
    runs = alternating(workplace.times(5), files=lambda: trace(without_index), duckdb=duckdb)
    files = Figure.of("trace markers list, the same without an index", runs["files"])
    over_file = Figure.of("DuckDB, over the file", runs["duckdb"], "2 threads")
    yield files
    yield over_file
    yield Figure.of("jq, over the file", [jq()])
    yield Bar.of("trace markers list of a range", plain, ours, at_most=0.015, unit="s")
    yield Bar.of("a range without an index to DuckDB's time over the file", ratio, files, over_file, at_most=1.5)
    yield Bar("a range without an index, peak memory", files.peak, at_most=64, unit="MiB")
