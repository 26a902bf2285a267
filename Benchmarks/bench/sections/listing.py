"""The whole list of 1,000,000 markers, as whole processes, beside an export and with a tenth of the markers."""

from measuring import Bar, Figure, alternating, check, ratio
from workplace import first_session

FORMS = {"text": (), "JSON": ("--json",), "CSV": ("--format", "csv")}


def run(workplace):
    session = workplace.large_session()
    small = first_session(workplace.sessions(1, workplace.scaled(100_000)))
    count = workplace.scaled(1_000_000)
    nowhere = workplace.own / "nowhere"
    nowhere.mkdir(exist_ok=True)
    files = workplace.environment(nowhere, "listing-files")
    indexed = workplace.environment(session.parent, "listing")
    workplace.run(workplace.trace, "index", "rebuild", environment=indexed)

    def discarding(environment, *command):
        """What is written would take longer to read here than to write."""
        return workplace.run("sh", "-c", 'exec "$0" "$@" > /dev/null', *command, environment=environment)

    def listing(options, of=session, environment=files):
        return discarding(environment, workplace.trace, "markers", "list", of, "--quiet", *options)

    def export():
        return discarding(files, workplace.trace, "export", session, "--format", "csv", "--quiet")

    def lines(environment, *options):
        command = (workplace.trace, "markers", "list", session, "--quiet", *options)
        return workplace.run(*command, environment=environment).output

    rows = lines(files, *FORMS["CSV"])
    check(rows.count("\n") > count, f"{rows.count(chr(10))} rows of {count} markers")
    check(rows == lines(indexed, *FORMS["CSV"]), "the answers with and without an index differ")
    del rows

    subjects = {"export": export}
    for name, options in FORMS.items():
        subjects[name] = lambda options=options: listing(options)
        subjects[f"{name} of a tenth"] = lambda options=options: listing(options, small)
        subjects[f"{name}, with an index"] = lambda options=options: listing(options, environment=indexed)
    figures = {
        name: Figure.of("trace export --format csv" if name == "export" else f"trace markers list, {name}", runs)
        for name, runs in alternating(workplace.times(3), **subjects).items()}
    yield from figures.values()
    exported = figures["export"]
    for name in FORMS:
        few, many = figures[f"{name} of a tenth"], figures[name]
        yield Bar.of(f"{name}, the whole list to trace export", ratio, many, exported, at_most=2)
        yield Bar.of(
            f"{name}, the whole list to trace export, with an index", ratio, figures[f"{name}, with an index"],
            exported, at_most=2)
        yield Bar(f"{name}, peak memory", many.peak, at_most=64, unit="MiB")
        yield Bar(f"{name}, peak memory with an index", figures[f"{name}, with an index"].peak, at_most=64, unit="MiB")
        yield Bar(
            f"{name}, memory for each further line", (many.peak - few.peak) * 2**20 / (count * 0.9), at_most=32, unit="bytes")
