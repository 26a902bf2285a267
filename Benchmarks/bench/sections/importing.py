"""1,000,000 markers of other programs into an empty session, as whole processes."""

import shutil

from measuring import Bar, Figure, alternating, check, ratio
from workplace import first_session

FORMATS = ("csv", "jsonl", "audacity", "reaper", "ffmetadata", "podcast", "webvtt")


def run(workplace):
    target = workplace.own / "imported" / "target"
    environment = workplace.environment(target.parent, "import")

    def trace(*words):
        return workplace.run(workplace.trace, *words, "--quiet", environment=environment)

    def file_of(session, name, format):
        file = workplace.own / f"{name}.{format}"
        trace("export", session, "--format", format, "--force", "--output", file)
        return file

    def imported(file, format):
        shutil.rmtree(target.parent, ignore_errors=True)
        target.parent.mkdir()
        workplace.forget("import")
        trace("session", "init", target, "--title", "Imported")
        return trace("import", file, target, "--format", format, "--yes")

    count = workplace.scaled(1_000_000)
    session = workplace.large_session()
    small = first_session(workplace.sessions(1, workplace.scaled(100_000)))
    for format in FORMATS:
        file = file_of(session, "all", format)
        times = workplace.times(3) if format == "csv" else 1
        figure = Figure.of(
            f"trace import --format {format}", alternating(times, it=lambda: imported(file, format))["it"])
        with open(target / "markers.jsonl", "rb") as lines:
            check(sum(1 for _ in lines) == count, f"{format}: not all markers have come")
        if format == "csv":
            ours = figure
        yield figure
        file.unlink()
    few = file_of(small, "few", "csv")
    tenth = Figure.of(
        "trace import --format csv of a tenth",
        alternating(workplace.times(3), it=lambda: imported(few, "csv"))["it"])
    yield tenth
    yield Bar.of("trace import --format csv to a tenth of it", ratio, ours, tenth, at_most=11)
