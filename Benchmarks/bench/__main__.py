"""Measures trace and traced beside other programs, in one run.

Prints figures and bars as they come, and writes them as JSON lines; `--docs` puts those of an earlier run into
docs/measurements.md.
"""

import argparse
import json
import sys
from pathlib import Path

import documentation
import results
import sections
from measuring import Failed
from workplace import Workplace

# Bars that are known to be missed, each with how far and why.
ACCEPTED = Path(__file__).parent.parent / "accepted.json"


def options():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=Path, help="the directory of trace and traced")
    parser.add_argument("--before", type=Path, help="the directory of an earlier trace and traced, for the sections before-…")
    parser.add_argument("--scratch", type=Path, required=True, help="where data, peers and results lie")
    parser.add_argument(
        "--only", default="",
        help=f"sections, or the first words of several, separated by commas: {', '.join(sections.ALL)}")
    parser.add_argument("--scale", type=float, default=1.0, help="a factor for all sizes (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="what the data are made from (default 1)")
    parser.add_argument("--results", type=Path, help="the file of JSON lines (default: SCRATCH/results.jsonl)")
    parser.add_argument("--docs", type=Path, help="do not measure; put the results into this Markdown file")
    chosen = parser.parse_args()
    chosen.results = chosen.results or chosen.scratch / "results.jsonl"
    if not chosen.binaries and not chosen.docs:
        parser.error("give --binaries to measure, or --docs to write what was measured")
    try:
        named = [name for name in chosen.only.split(",") if name]
        chosen.only = sections.named(named or [name for name in sections.ALL if chosen.before or name not in sections.BESIDE])
    except KeyError as unknown:
        parser.error(f"'{unknown.args[0]}' is no section; there are {', '.join(sections.ALL)}")
    if not chosen.before and not set(sections.BESIDE).isdisjoint(chosen.only):
        parser.error("give --before, the directory of an earlier version's programs")
    return chosen


def main():
    chosen = options()
    if chosen.docs:
        documentation.write(results.read(chosen.results), chosen.docs)
        return
    with Workplace(chosen.binaries, chosen.scratch, chosen.scale, chosen.seed, chosen.before) as workplace:
        with results.Log(chosen.results, workplace, json.loads(ACCEPTED.read_text())) as log:
            for name in chosen.only:
                log.section(name)
                try:
                    for result in sections.ALL[name](workplace):
                        log.add(result)
                except Failed as failure:
                    log.failed(failure)
    print(f"\nresults: {chosen.results}")
    if log.missed:
        print("\nmissed:\n  " + "\n  ".join(results.missed_lines(log.missed)))
    if log.failures:
        sys.exit(f"error: not everything could be measured: {', '.join(log.failures)}")
    worse = [values for values in log.missed if values["verdict"] == "missed"]
    # The ratios of other sizes say little.
    if worse and chosen.scale == 1:
        sys.exit(f"error: {len(worse)} of the bars missed by more than their noise, and not known for it ({ACCEPTED.name})")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
