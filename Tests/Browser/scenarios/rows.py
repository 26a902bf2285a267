"""Rows: what a swipe offers, tags that narrow the markers, what is left to do."""

import json
import time
from datetime import UTC, datetime, timedelta

from driving.served import LATE_SET, LATE_SET_ID, WINTER_ID

from .case import PageCase

MARKER = "01KGN6NPM4N00HJ0013WGC31Y3"


class Swipes(PageCase):
    def come(self, scope="admin"):
        self.served = self.serve(journals=True)
        self.browser = self.browse()
        self.me = self.person(self.served, self.browser, scope, touch=True)
        self.tab = self.me.tab

    def swipe(self, locator, far, down=0, ends="touchEnd"):
        x, y = self.tab.place(locator)
        # Slow enough for a browser to see that it is no scrolling.
        self.tab.fingers("touchStart", (x, y))
        for step in range(1, 9):
            self.tab.fingers("touchMove", (x - far * step / 8, y + down * step / 8))
        self.tab.fingers(ends)

    def offered(self):
        self.tab.wait("document.querySelector('dialog.menu[open]')", what="the menu")
        words = self.tab.evaluate("[...document.querySelectorAll('dialog.menu[open] .destination')].map((e) => e.innerText)")
        self.tab.keys("Escape")
        self.tab.wait("!document.querySelector('dialog.menu[open]')")
        return words

    def test_a_row_of_markers(self):
        self.come()
        self.me.open_session(LATE_SET_ID)
        self.me.shows(MARKER)
        self.me.is_audible()
        row = f"[data-id='{MARKER}'] [data-part=play]"
        self.tab.press(f"[data-id='{MARKER}'] [data-part=more]")
        by_button = self.offered()
        self.assertGreater(len(by_button), 1)
        self.swipe(row, 90)
        self.assertEqual(self.offered(), by_button)
        for far, down in ((55, 0), (-90, 0), (30, 120)):
            self.swipe(row, far, down)
            self.tab.ask("await new Promise((done) => setTimeout(done, 200))")
            self.assertFalse(self.tab.there("dialog.menu[open]"), (far, down))
            self.assertEqual(self.tab.evaluate("document.querySelectorAll('.swiped').length"), 0)
            self.tab.evaluate("void (document.querySelector('.rows-scroller').scrollTop = 0)")
        self.assertTrue(self.me.player()["paused"], "a swipe plays nothing")

    def test_what_the_token_may_not_do_is_absent(self):
        self.come("read")
        self.tab.wait("document.body.innerText.includes('Late set')")
        self.me.go(f"#/s/{LATE_SET_ID}")
        self.me.shows(MARKER)
        self.swipe(f"[data-id='{MARKER}'] [data-part=play]", 90)
        self.assertNotIn("Remove", self.offered())

    def test_a_row_of_a_log(self):
        self.come()
        self.me.go(f"#/journals/{WINTER_ID}/log")
        self.tab.wait("document.querySelector('main .item > [aria-haspopup]')", what="rows that can be changed")
        self.tab.ask("document.querySelector('main .item:has(> [aria-haspopup])').dataset.test = 'row';")
        self.swipe("[data-test=row] .time", 90)
        self.assertEqual(self.offered(), ["Edit", "Delete"])


class Tags(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def test_markers_of_a_tag(self):
        served = self.serve()
        file = served.file(LATE_SET, "markers.jsonl")
        ids = [f"01KGN7000000000000000000{number:02}" for number in range(3)]
        with file.open("a") as out:
            for number, id in enumerate(ids):
                out.write(json.dumps({"id": id, "offset_ms": 1000 * number, "created_at": "2026-02-04T20:50:00.000Z", "source": "user",
                                      "label": f"Tagged {number}", "tags": ["highlight", "bridge", *(["low"] if number else [])]}) + "\n")
        me = self.person(served, self.browse())
        tab = me.tab
        me.open_session(LATE_SET_ID)
        tab.wait("find('button=^With the tag bridge$')", what="the tags")
        chips = tab.evaluate("[...document.querySelectorAll('.filter')].slice(5).map((e) => e.innerText.replace(/\\s+/g, ' ').trim())")
        self.assertEqual(chips, ["#bridge 3", "#low 2"])
        tab.press("button=^With the tag low$")
        tab.wait("document.querySelectorAll('.marker[data-id]').length === 2", what="the two of that tag")
        self.assertEqual(set(me.rows()), set(ids[1:]))
        self.assertEqual(tab.evaluate("document.querySelector('.filter[aria-pressed=true]').getAttribute('aria-label')"), "With the tag low")
        # What is marked meanwhile is not of that tag.
        me.press("highlight")
        me.drained()
        tab.ask("await new Promise((done) => setTimeout(done, 300))")
        self.assertEqual(set(me.rows()), set(ids[1:]))
        tab.press("button=^All$")
        me.shows(ids[0])


class Home(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def session(self, served, number, days, minutes):
        place = served.sessions / f"lately-{number}"
        place.mkdir()
        begin = datetime.now(UTC) - timedelta(days=days)
        iso = begin.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        end = (begin + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        (place / "session.json").write_text(json.dumps({
            "id": f"01KGN6HCMGFP2XYCH100000{number:03}", "title": f"Evening {number}", "created_at": iso, "updated_at": iso, "status": "closed",
            "start_time": iso, "timeline_path": None, "markers_path": "markers.jsonl", "transcript_path": None, "voice_notes_path": None,
            "digest_path": None, "media": [], "end_time": end, "duration_ms": minutes * 60_000}))
        (place / "markers.jsonl").write_text("".join(json.dumps({
            "id": f"01KGN8000000000000{number:03}000{mark:02}", "offset_ms": mark, "created_at": iso, "source": "user",
            **({"label": "Named"} if mark else {})}) + "\n" for mark in range(3)))
        time.sleep(0.01)

    def test_the_last_days_and_what_is_left_to_do(self):
        served = self.serve()
        for number, (days, minutes) in enumerate(((1, 60), (3, 30), (3, 30), (40, 90))):
            self.session(served, number, days, minutes)
        served.restart()
        me = self.person(served, self.browse(), width=1440, height=900)
        tab = me.tab
        tab.wait("document.querySelectorAll('.strip-bars i').length === 30", what="thirty days")
        bars = tab.evaluate("[...document.querySelectorAll('.strip-bars i')].map((e) => parseFloat(e.style.blockSize))")
        self.assertEqual([round(height) for height in bars if height], [100, 100])
        self.assertEqual([index for index, height in enumerate(bars) if height], [26, 28])
        self.assertEqual(tab.evaluate("document.querySelector('.strip-bars').getAttribute('aria-label')"),
                         "Recorded on 2 of the last 30 days, at most 1 h 00 min on a day")
        tab.wait("!document.querySelector('[aria-busy=true]')", what="what is left to do")
        rows = tab.evaluate("[...document.querySelectorAll('.to-do-row')].map((e) => e.innerText.trim().replace(/\\s*\\n\\s*/g, ' · '))")
        self.assertIn("1 marker to name · Evening 0", rows)
        self.assertTrue(any("voice note" in row and "Late set" in row for row in rows) or not any("Late set" in row for row in rows), rows)
        tab.press("any=^1 marker to name")
        tab.wait("document.querySelector('.marker[data-id]') && location.hash.includes(args[0])", "01KGN6HCMGFP2XYCH100000000",
                 what="its session")

    def test_who_may_not_mark_has_nothing_to_do(self):
        served = self.serve()
        me = self.person(served, self.browse(), "read", width=1440, height=900)
        me.tab.wait("document.querySelector('.lately')", what="the latest sessions")
        self.assertFalse(me.tab.there(".to-do"))
