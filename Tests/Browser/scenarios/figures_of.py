"""Figures that scenarios measure: printed, and kept as JSON for docs/measurements.md."""

import json
import os
from pathlib import Path

from driving.served import ROOT

FILE = Path(os.environ.get("TRACE_FIGURES", ROOT / ".build/browser-figures.json"))


#: Bars that were missed in this run.
MISSED = []


def note(what, value, unit, bar=None, least=False):
    """Notes a figure; `bar` is what it must not exceed (with `least`, what it must reach). Returns whether it holds."""
    holds = bar is None or (value >= bar if least else value <= bar)
    if not holds:
        MISSED.append(f"{what}: {value:.4g} {unit}, bar {bar:.4g}")
    figures = json.loads(FILE.read_text()) if FILE.exists() else {}
    figures[what] = {"value": round(value, 3), "unit": unit, "bar": bar, "holds": holds}
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps(figures, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
    bound = "" if bar is None else f"  (bar {'>=' if least else '<='} {bar:g}{'' if holds else ', MISSED'})"
    print(f"        {what}: {value:.4g} {unit}{bound}", flush=True)
    return holds
