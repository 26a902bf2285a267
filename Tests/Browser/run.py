#!/usr/bin/env python3
"""Runs the scenarios of the page in real browsers.

    run.py [--binaries DIR] [--browser chromium,firefox,webkit] [--list] [NAME…]

NAME is a scenario or the beginning of one (`offline`, `offline.MarkOffline`); without one all of them run. The last line is
`N passed, N failed, N skipped`.
"""

import argparse
import fnmatch
import os
import sys
import time
import traceback
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from driving.served import ROOT, Served  # noqa: E402
from scenarios.case import PageCase  # noqa: E402
from scenarios.figures_of import MISSED  # noqa: E402


def flat(suite):
    for one in suite:
        yield from flat(one) if isinstance(one, unittest.TestSuite) else [one]


def kind_named(name):
    if name == "chromium":
        from driving.chromium import Chromium
        return Chromium
    if name == "firefox":
        from driving.firefox import Firefox
        return Firefox
    from driving.webkit import WebKit
    return WebKit


class Result(unittest.TextTestResult):
    """A line for each scenario, with the time that it took."""

    def startTest(self, test):
        self.begin = time.monotonic()
        super().startTest(test)

    def tell(self, test, word):
        print(f"{word:7} {time.monotonic() - self.begin:6.1f} s  {PageCase.kind.name:8} {short(test)}", flush=True)

    def addSuccess(self, test):
        # With a part that failed, unittest calls it a success all the same.
        if getattr(test, "has_failed", False):
            return
        self.tell(test, "ok")
        self.passed += 1

    def addFailure(self, test, error):
        self.tell(test, "FAILED")
        # Where it is in the scenario, not in unittest.
        own = [frame for frame in traceback.extract_tb(error[2]) if frame.filename.startswith(str(HERE))]
        self.failures.append((test, str(error[1])))
        print("".join(traceback.format_list(own)) + f"{error[0].__name__}: {error[1]}", flush=True)

    addError = addFailure

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.addFailure(subtest, error)
            test.has_failed = True

    def addSkip(self, test, reason):
        self.tell(test, "skipped")
        self.skipped.append((test, reason))
        print(f"        {reason}")


def short(test):
    return test.id().removeprefix("scenarios.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=Path)
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    Served.binaries = (chosen.binaries or ROOT / ".build/release").resolve()
    passed = failed = skipped = 0
    for name in chosen.browser.split(","):
        PageCase.kind = kind_named(name)
        loaded = unittest.defaultTestLoader.discover(str(HERE / "scenarios"), "*.py", str(HERE))
        tests = [test for test in flat(loaded)
                 if not chosen.names or any(short(test).startswith(wanted) or fnmatch.fnmatch(short(test), wanted)
                                            for wanted in chosen.names)]
        tests = [test for test in tests if name in getattr(test, "browsers_of", ["chromium"])]
        if chosen.list:
            print("\n".join(map(short, tests)))
            continue
        result = Result(unittest.runner._WritelnDecorator(open(os.devnull, "w")), False, 0)
        result.passed = 0
        unittest.TestSuite(tests).run(result)
        passed += result.passed
        failed += len(result.failures)
        skipped += len(result.skipped)
        for test, _ in result.failures:
            print(f"failed: {name} {short(test)}")
    if not chosen.list:
        print("\n".join(f"bar missed: {one}" for one in MISSED), end="\n" if MISSED else "")
        print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or (passed == 0 and not chosen.list) else 0


if __name__ == "__main__":
    sys.exit(main())
