"""The tables of docs/performance.md, written between two comments from the results of a run."""

from results import limit, quantity, spread

BEGIN = "<!-- bench: make bench-docs -->"
END = "<!-- bench: end -->"
MET = {"met": "yes", "noise": "no, within its noise", "accepted": "no, as is known", "missed": "**no**"}


def write(results, path):
    text = path.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"error: {path} lacks '{BEGIN}' or '{END}'")
    path.write_text(f"{before}{BEGIN}\n{markdown(results)}\n{END}{after}")
    print(f"written: {path}")


def markdown(results):
    run = next(line for line in results if line["kind"] == "run")
    return "\n\n".join([heading(run), *failures(results), bars(results), *figures(results)])


def heading(run):
    scale = "" if run["scale"] == 1 else f", all sizes × {run['scale']:g}"
    return (
        f"Run of {run['date']} at {run['commit']}: {run['processor']}, {run['cores']} cores, {run['memory_gib']} GiB,"
        f" Linux {run['kernel']}{scale}; load {run['load']:.1f} before it.")


def failures(results):
    for line in results:
        if line["kind"] == "failure":
            yield f"**{line['section']}** could not be measured: {line['message']}"


def bars(results):
    rows = [
        (line["section"], line["name"], limit(line), quantity(line["seen"], line["unit"]),
         MET[line.get("verdict", "met" if line["is_met"] else "missed")])
        for line in results if line["kind"] == "bar"
    ]
    return table(("section", "what", "bar", "seen", "met"), rows)


def figures(results):
    """A table for each section."""
    for section in dict.fromkeys(line["section"] for line in results if line["kind"] == "figure"):
        rows = [
            (line["name"] + (f" ({line['note']})" if line["note"] else ""), quantity(line["median"], line["unit"]),
             spread(line), quantity(line["cpu"], "s"), quantity(line["peak_mib"], "MiB"))
            for line in results if line["kind"] == "figure" and line["section"] == section
        ]
        yield f"**{section}**\n\n" + table(("what", "median", "least to most", "CPU", "peak memory"), rows)


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
