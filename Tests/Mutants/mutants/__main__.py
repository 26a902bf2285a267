"""Changes one thing at a time in the source and looks whether a test notices: Tests/Mutants/README.md."""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from explained import Explained
from suites import Suites
from tree import Tree
from verdicts import Verdicts

# Where mutants are made.
MODULES = ["Sources/TraceFiles", "Sources/TraceStore", "Sources/TraceAccess", "Sources/TraceMedia", "Sources/TraceIndex/Building", "Sources/TraceIndex/Rows", "Sources/TraceWatch", "Sources/RecordFormat/Records", "Sources/TraceFormat/Checking", "Sources/TraceExchange", "Sources/TraceLibrary", "Sources/PracticeJournal", "Sources/TraceServer", "Sources/TraceCommands"]
# In this order a module's own tests come before those of what stands on it, and what starts programs comes last.
TESTS = "TraceFilesTests,TraceWatchTests,RecordFormatTests,TraceFormatTests,TraceStoreTests,TraceAccessTests,TraceMediaTests,TraceExchangeTests,TraceIndexTests,PracticeJournalTests,TraceLibraryTests,TraceDaemonTests,TraceServerTests,TraceCommandsTests,TortureTests"


def options():
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--scratch", type=Path, required=True, help="where the changed tree is built")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn (default 1)")
    parser.add_argument("--count", type=int, default=150, help="how many are drawn (default 150)")
    parser.add_argument("--tests", default="", help=f"test targets, in the order in which they run (default {TESTS})")
    parser.add_argument(
        "--budget", type=float, default=120,
        help="seconds of undisturbed tests that a mutant gets before it has survived (default 120)")
    parser.add_argument("--build", required=True, help="the options of 'swift build' for programs and tests, optimised")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time (default: one a core)")
    return parser.parse_args()


def module_of(mutant):
    return next(module for module in MODULES if mutant["file"].startswith(module + "/"))


def main():
    chosen = options()
    print(f"seed {chosen.seed}, {chosen.count} mutants", flush=True)
    tests = (chosen.tests or TESTS).split(",")
    tree = Tree(chosen.scratch, MODULES, tests, chosen.build.split())
    mutants, names = tree.build(chosen.seed, chosen.count)
    explained = Explained.read(names)
    suites = Suites(tree, chosen.seed)
    verdicts = Verdicts(chosen.scratch / f"verdicts-{tree.fingerprint}.jsonl")

    def decide(mutant, target):
        """Runs the suites of a target that reach a mutant: those named after its file first, then the fastest first."""
        stem = Path(mutant["file"]).stem.split("+")[0]
        reaching = sorted(
            suites.reaching(mutant["number"], target), key=lambda suite: (stem not in suite.name, suite.seconds))
        for suite in reaching:
            verdict = verdicts.of(mutant)
            if verdict.isKilled:
                return
            if suite.name in verdict.asked or verdict.asked and verdict.seconds + suite.seconds > chosen.budget:
                continue
            verdicts.note(mutant, suite, suites.run(suite, mutant["number"]))

    with ThreadPoolExecutor(chosen.jobs) as pool:
        for target in tests:
            suites.record(target, len(mutants), pool)
            todo = [mutant for mutant in mutants if mutant["name"] not in explained]
            list(pool.map(lambda mutant: decide(mutant, target), todo))

    if verdicts.report(mutants, explained, module_of, chosen.scratch / "survivors.txt"):
        sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        # Threads may still wait for their tests; what is decided is kept.
        os._exit(130)
