"""Results on the terminal and as JSON lines."""

import datetime
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

from measuring import Bar, Figure


class Log:
    """Prints each result and appends it to a file that is begun anew."""

    def __init__(self, path, workplace, accepted=()):
        self.path = path
        self.workplace = workplace
        self.failures = []
        self.accepted = {(miss["section"], miss["bar"]): miss for miss in accepted}
        self.missed = []

    def __enter__(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(self.path, "w")
        self._write("run", **circumstances(self.workplace))
        return self

    def __exit__(self, *_):
        self._write("end", load=os.getloadavg()[0])
        self.file.close()

    def section(self, name):
        self.name = name
        print(f"\n{name}", flush=True)

    def add(self, result):
        if isinstance(result, Figure):
            values = {
                "name": result.name, "unit": result.unit, "median": result.median, "least": min(result.values),
                "most": max(result.values), "count": len(result.values), "cpu": result.cpu, "peak_mib": result.peak,
                "note": result.note,
            }
            self._write("figure", section=self.name, **values)
            print(figure_line(values), flush=True)
        elif isinstance(result, Bar):
            accepted = self.accepted.get((self.name, result.name), {}).get("seen")
            values = {
                "name": result.name, "unit": result.unit, "seen": result.seen, "at_most": result.at_most,
                "at_least": result.at_least, "is_met": result.is_met, "noise": result.noise, "accepted": accepted,
                "verdict": result.verdict(accepted),
            }
            self._write("bar", section=self.name, **values)
            print(bar_line(values), flush=True)
            if not result.is_met:
                self.missed.append({"section": self.name, **values})

    def failed(self, failure):
        """Notes that the section could not be measured to its end; the others go on."""
        self.failures.append(self.name)
        self._write("failure", section=self.name, message=str(failure))
        print(f"  error: {failure}", file=sys.stderr, flush=True)

    def _write(self, kind, **values):
        self.file.write(json.dumps({"kind": kind, **values}, ensure_ascii=False) + "\n")
        self.file.flush()


def read(path):
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def circumstances(workplace):
    """What the figures depend on."""
    processor = next(
        (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=Path(__file__).parent, capture_output=True, text=True)
    return {
        "date": datetime.date.today().isoformat(), "processor": processor, "cores": os.cpu_count(),
        "memory_gib": round(memory / 1048576), "kernel": platform.release(), "commit": commit.stdout.strip(),
        "scale": workplace.scale, "seed": workplace.seed, "load": os.getloadavg()[0],
    }


def quantity(value, unit):
    """A value as a person reads it: seconds below one as milliseconds, three digits."""
    if value is None:
        return ""
    if unit == "s":
        value, unit = (value * 1000, "ms") if abs(value) < 1 else (value, "s")
    if unit == "":
        return f"{value:,.0f}"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def limit(values):
    """What a bar asks for."""
    sign, value = ("≥", values["at_least"]) if values["at_most"] is None else ("≤", values["at_most"])
    return f"{sign} {quantity(value, values['unit'])}"


def spread(values):
    """The least and the most of a figure's values, where there are several."""
    if values["count"] == 1:
        return "once"
    return f"{quantity(values['least'], values['unit'])} to {quantity(values['most'], values['unit'])}"


def figure_line(values):
    line = f"  {values['name']:<58} {quantity(values['median'], values['unit']):>10}   {spread(values)}"
    if values["cpu"] is not None:
        line += f"; CPU {quantity(values['cpu'], 's')}"
    if values["peak_mib"] is not None:
        line += f", {values['peak_mib']:.0f} MiB"
    return line + (f"; {values['note']}" if values["note"] else "")


VERDICTS = {
    "met": "met", "noise": "missed within its noise", "accepted": "missed as is known", "missed": "MISSED",
}


def bar_line(values):
    seen = quantity(values["seen"], values["unit"])
    return f"  → {values['name']}: {seen}, bar {limit(values)}: {VERDICTS[values['verdict']]}"


def missed_lines(missed):
    """A table of the bars that were missed."""
    rows = [("section", "bar", "asked", "seen", "noise", "known", "")]
    for values in missed:
        known = "" if values["accepted"] is None else quantity(values["accepted"], values["unit"])
        rows.append((
            values["section"], values["name"], limit(values), quantity(values["seen"], values["unit"]),
            f"±{values['noise']:.0%}", known, VERDICTS[values["verdict"]]))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
