"""What every scenario has: a server, browsers, and the proof that nothing complained."""

import json
import os
import tempfile
import unittest
from pathlib import Path

from driving.chromium import Chromium
from driving.person import Person
from driving.served import ROOT, Served
from driving.tab import Unable

PICTURES = Path(os.environ.get("TRACE_PICTURES", ROOT / ".build/browser-pictures"))


class PageCase(unittest.TestCase):
    #: Set by `run.py`.
    kind = Chromium
    maxDiff = None

    def setUp(self):
        self.browsers = []
        self.tabs = []
        self.servers = []
        #: Complaints that a scenario brings about on purpose.
        # A worker's background sync ends with an error where it is to be repeated.
        self.allowed = ["at sendMarkers", "Version change transaction was aborted"]
        self.scratch = Path(tempfile.mkdtemp(prefix="trace-scenario-"))

    def serve(self, **settings):
        served = Served(**settings)
        self.servers.append(served)
        self.addCleanup(served.close)
        return served

    def browse(self, **settings):
        browser = self.kind(**settings)
        self.browsers.append(browser)
        self.addCleanup(browser.close)
        return browser

    def person(self, served, browser, scope="mark", tab=None, **settings):
        """Someone who has signed in."""
        tab = tab or browser.tab(**settings)
        return Person(served, tab).sign_in(scope)

    def again(self, served, browser, address="", **settings):
        """The same person in another tab."""
        return Person(served, browser.tab(served.address + address, **settings))

    def _callTestMethod(self, method):
        try:
            super()._callTestMethod(method)
            complaints = [words for browser in self.browsers for words in browser.all_complaints()
                          if not any(part in words for part in self.allowed)]
            self.assertEqual(complaints, [], "the page complained")
        except unittest.SkipTest:
            raise
        except Unable as unable:
            self.skipTest(str(unable))
        except Exception:
            self.take_pictures()
            raise

    def take_pictures(self):
        to = PICTURES / "failures"
        to.mkdir(parents=True, exist_ok=True)
        for number, browser in enumerate(self.browsers):
            for index, tab in enumerate(list(browser.tabs.values())):
                try:
                    tab.picture(to / f"{self.id().split('.', 1)[-1]}-{number}-{index}.png")
                except Exception:  # noqa: BLE001 - the failure to be told is another one
                    pass

    def sample_lines(self, session="2026-02-04-late-set"):
        text = (ROOT / "sessions-sample/sessions" / session / "markers.jsonl").read_text()
        return [json.loads(line) for line in text.splitlines()]

    def stands_once(self, served, session, ids, name="markers.jsonl"):
        """Each of these is in the file exactly once."""
        counts = {id: served.times(session, id, name) for id in ids}
        self.assertEqual(counts, {id: 1 for id in ids})
