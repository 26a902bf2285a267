"""1,000,000 markers for other programs, as whole processes, beside jq and DuckDB."""

import json

from measuring import Bar, Figure, alternating, check, ratio
from workplace import PEERS, first_session

FORMATS = ("audacity", "reaper", "csv", "tsv", "jsonl", "youtube", "podcast", "ffmetadata", "webvtt", "otio")
FIELDS = "[.id, .offset_ms, .duration_ms, .label, .note, ((.tags // []) | join(\" \")), .created_at, .source]"


def run(workplace):
    session = workplace.large_session()
    small = workplace.sessions(1, workplace.scaled(100_000))
    count = workplace.scaled(1_000_000)
    environment = workplace.environment(session.parent, "export")

    def discarding(*command):
        """What is written would take longer to read here than to write."""
        return workplace.run("sh", "-c", 'exec "$0" "$@" > /dev/null', *command, environment=environment)

    def command(format, of=session):
        return workplace.trace, "export", of, "--format", format, "--quiet"

    def export(format, of=session):
        return discarding(*command(format, of))

    with open(session / "markers.jsonl") as lines:
        last = max(json.loads(line)["offset_ms"] for line in lines)
    rows = workplace.run(*command("csv"), environment=environment).output.splitlines()
    check(len(rows) > count, f"{len(rows)} rows of {count} markers")
    check(f",{last}," in rows[-1], "the last row is not the last marker")
    del rows

    figures = []
    for format in FORMATS:
        figure = Figure.of(f"trace export --format {format}", alternating(workplace.times(3), it=lambda: export(format))["it"])
        figures.append(figure)
        yield figure
        if format == "csv":
            ours = figure
    few = Figure.of(
        "trace export --format csv of a tenth",
        alternating(workplace.times(3), it=lambda: export("csv", first_session(small)))["it"])
    yield few
    file = session / "markers.jsonl"
    duckdb = Figure.of(
        "DuckDB, COPY … ORDER BY offset_ms",
        alternating(
            workplace.times(3), it=lambda: discarding(workplace.python(), PEERS / "duckdb_copy.py", file))["it"], "2 threads")
    yield duckdb
    yield Figure.of("jq, rows in the order of the file", [discarding("jq", "-r", f"{FIELDS} | @csv", file)])
    yield Bar.of("the slowest format", max, *figures, at_most=3, unit="s")
    yield Bar("peak memory of trace export --format csv", ours.peak, at_most=64, unit="MiB")
    yield Bar.of("trace export --format csv to a tenth of it", ratio, ours, few, at_most=11)
    yield Bar.of("speed of trace export --format csv to DuckDB's", ratio, duckdb, ours, at_least=0.5)
