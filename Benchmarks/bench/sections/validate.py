"""Checking 1,000,000 markers, beside schema validators and bare parsing."""

from measuring import Bar, Figure, alternating, check, ratio
from workplace import PEERS


def run(workplace):
    session = workplace.large_session()
    file = session / "markers.jsonl"
    count = workplace.scaled(1_000_000)
    environment = workplace.environment(session.parent, "validate")
    schema = workplace.own / "marker.json"
    schema.write_text(workplace.run(workplace.trace, "schema", "marker").output)

    def trace():
        return workplace.run(
            workplace.trace, "validate", session, "--fail-on", "warning", environment=environment)

    def validator(name, limit=count):
        run = workplace.run(workplace.python(), PEERS / "validators.py", name, schema, file, limit)
        check(run.output == f"{limit}\n", f"{name} calls {run.output.strip()} of {limit} markers valid")
        return run

    def parsing():
        run = workplace.run(workplace.peer("bare_simdjson"), file)
        check(run.output == f"{count}\n", f"libsimdjson has parsed {run.output.strip()} of {count} markers")
        return run

    runs = alternating(
        workplace.times(5), trace=trace, parsing=parsing,
        rust=lambda: validator("jsonschema-rs"))
    ours = Figure.of(f"trace validate, {count:,} markers", runs["trace"])
    bare = Figure.of("libsimdjson alone, one thread", runs["parsing"])
    yield ours
    yield bare
    best = Figure.of("jsonschema-rs and orjson", runs["rust"])
    yield best
    generated = Figure.of(
        "fastjsonschema and orjson", alternating(workplace.times(2), it=lambda: validator("fastjsonschema"))["it"])
    yield generated
    tenth = max(1, count // 10)
    slow = Figure.of("jsonschema and orjson", [validator("jsonschema", tenth)], f"{tenth:,} markers, × 10")
    slow.values = [slow.values[0] * 10]
    slow.cpu *= 10
    yield slow

    fastest = min(best, generated, slow, key=lambda figure: figure.median)
    yield Bar.of("speed of trace validate to that of the best validator", ratio, fastest, ours, at_least=10)
    yield Bar.of("speed of trace validate to that of libsimdjson alone", ratio, bare, ours, at_least=1 / 3)
    yield Bar("peak memory of trace validate", ours.peak, at_most=64, unit="MiB")
