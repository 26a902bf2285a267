"""The tables of docs/measurements.md, written between comments from the results of a run."""

from results import limit, quantity, spread

END = "<!-- bench: end -->"
MET = {"met": "yes", "noise": "no, within its noise", "accepted": "no, as is known", "missed": "**no**"}

# What each part of the page holds: the sections whose names begin with `http-`, and the others.
PARTS = {
    "<!-- bench: make bench-docs -->": lambda section: not section.startswith("http-"),
    "<!-- bench, http: make bench-docs -->": lambda section: section.startswith("http-"),
}


def write(results, path):
    """Writes the parts of the page of which the run has measured something; the others stay."""
    path.write_text(page(results, path.read_text(), path))
    print(f"written: {path}")


def page(results, text, path):
    for begin, holds in PARTS.items():
        lines = [line for line in results if "section" not in line or holds(line["section"])]
        if not any("section" in line for line in lines):
            continue
        before, found, rest = text.partition(begin)
        _, end, after = rest.partition(END)
        if not found or not end:
            raise SystemExit(f"error: {path} lacks '{begin}' or '{END}'")
        text = f"{before}{begin}\n{markdown(lines)}\n{END}{after}"
    return text


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
