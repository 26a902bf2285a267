"""A press is kept, once: whatever a finger, a held key or a double tap does."""

import json

from driving.person import CATEGORIES
from driving.served import ACTIVE, LATE_SET, LATE_SET_ID, WINTER_ID, sample_handle

from .case import PageCase


class Fingers(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def setUp(self):
        super().setUp()
        self.served = self.serve()
        self.browser = self.browse()
        self.me = self.person(self.served, self.browser, touch=True)
        # A worker that is still loading the shell would complain.
        self.me.shell_is_kept()
        self.tab = self.me.tab
        self.me.open_session(LATE_SET_ID)
        self.before = len(self.served.lines(LATE_SET))
        self.served.wire.cut()

    def at(self, category):
        return self.tab.place(f"button.mark-{CATEGORIES[category]}")

    def marks(self):
        return [entry for entry in self.me.kept() if entry["kind"] == "marker" and not entry.get("undone")]

    def are_kept(self, number):
        """That many marks wait here, and are in the session once when the network is back."""
        self.tab.wait("document.querySelectorAll('.marker.unsent').length === args[0]", number, what=f"{number} rows")
        self.assertEqual([entry["state"] for entry in self.marks()], ["waiting"] * number)
        self.served.wire.mend()
        self.me.drain()
        self.me.drained()
        self.assertEqual(len(self.served.lines(LATE_SET)), self.before + number)

    def test_a_touch_that_slides(self):
        x, y = self.at("highlight")
        for far in (25, 60, 240):
            self.tab.fingers("touchStart", (x, y))
            for step in range(1, 6):
                self.tab.fingers("touchMove", (x + far * step / 5, y - far * step / 5))
            self.tab.fingers("touchEnd")
            self.tab.wait("!document.querySelector('.mark-button.down')", what="no button looks pressed")
            self.tab.ask("await new Promise((done) => setTimeout(done, 350))")
        self.are_kept(3)

    def test_a_touch_that_the_system_takes_away(self):
        self.tab.fingers("touchStart", self.at("highlight"))
        self.tab.wait("document.querySelector('.mark-H.down')")
        self.tab.fingers("touchCancel")
        self.are_kept(1)

    def test_two_fingers_at_once(self):
        one, two = self.at("highlight"), self.at("structure")
        self.tab.fingers("touchStart", one)
        self.tab.fingers("touchStart", one, two)
        self.tab.fingers("touchEnd", one)
        self.tab.fingers("touchEnd")
        self.are_kept(2)

    def test_a_double_tap_is_one_press(self):
        x, y = self.at("highlight")
        for _ in range(2):
            self.tab.touch(x, y)
        self.are_kept(1)

    def test_killed_with_a_finger_down(self):
        """The moment of the touch is kept, and whoever comes back finds it as a mark."""
        self.tab.fingers("touchStart", self.at("texture-sample"))
        self.tab.wait("document.querySelector('.mark-T.down')")
        self.served.soon(self.marks, "a draft of the mark")
        self.assertEqual(self.tab.evaluate("document.querySelectorAll('.marker.unsent').length"), 0, "none yet")
        self.tab.crash()
        self.me = self.again(self.served, self.browser, f"#/s/{LATE_SET_ID}")
        self.tab = self.me.tab
        self.me.in_session()
        self.are_kept(1)

    def test_the_moment_is_that_of_the_touch(self):
        self.tab.evaluate("void (document.querySelector('audio').muted = true)")
        self.tab.wait("document.querySelector('audio').readyState >= 1")
        self.me.play()
        self.tab.fingers("touchStart", self.at("highlight"))
        at = self.tab.evaluate("document.querySelector('audio').currentTime")
        self.tab.wait("document.querySelector('audio').currentTime > args[0] + 1", at)
        self.tab.fingers("touchEnd")
        self.tab.press("button=^Pause$")
        self.are_kept(1)
        offset = max(self.served.lines(LATE_SET), key=lambda line: line["created_at"])["offset_ms"] / 1000 - 1.5
        self.assertAlmostEqual(offset, at, delta=0.3)

    def test_held_keys(self):
        self.tab.evaluate("document.activeElement.blur()")
        self.tab.hold("1")
        self.tab.wait("document.querySelector('.marker.unsent')")
        self.tab.ask("await new Promise((done) => setTimeout(done, 350))")
        self.tab.keys("2")
        self.tab.wait("document.querySelectorAll('.marker.unsent').length === 2")
        self.tab.hold("u")
        self.are_kept(1)

    def test_enter_held_on_a_button(self):
        self.tab.evaluate("document.querySelector('.mark-button.mark-H').focus()")
        self.tab.hold("Enter", 20)
        self.are_kept(1)

    def test_what_a_screen_reader_presses(self):
        self.tab.evaluate("document.querySelector('.mark-button.mark-F').click()")
        self.are_kept(1)


class WriteFirst(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def setUp(self):
        super().setUp()
        self.served = self.serve()
        self.browser = self.browse()
        self.me = self.person(self.served, self.browser)
        self.tab = self.me.tab
        self.me.open_session(LATE_SET_ID)
        self.me.is_audible()
        self.me.seek(100)

    def test_escape_marks_nothing_and_offers_it(self):
        before = len(self.served.lines(LATE_SET))
        self.tab.press("button=^Write")
        self.tab.wait("document.querySelector('dialog[open] input')")
        self.tab.keys("Escape")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.tab.wait("document.getElementById('toasts').innerText.includes('Nothing is marked at 1:41')")
        self.assertEqual(self.me.kept(), [])
        self.tab.press("button=^Mark 1:41$")
        self.served.soon(lambda: len(self.served.lines(LATE_SET)) == before + 1, "the mark")

    def test_the_words_come_with_the_mark(self):
        self.me.tab.press("button=^Write")
        self.tab.wait("document.querySelector('dialog[open] input')")
        self.me.seek(200)
        self.tab.fill("field=^Name", "Bridge")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: any(line.get("label") == "Bridge" for line in self.served.lines(LATE_SET)), "the mark")
        [line] = [line for line in self.served.lines(LATE_SET) if line.get("label") == "Bridge"]
        self.assertAlmostEqual(line["offset_ms"], 101_500, delta=700)


class DoublePresses(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def test_a_double_click_notes_one_row(self):
        served = self.serve(journals=True)
        person = self.person(served, self.browse(), width=1000)
        person.go(f"#/journals/{WINTER_ID}")
        person.tab.press("label:has(> input[value=practice])")
        person.tab.fill("field=^Minutes", "25")
        x, y = person.tab.place("button=^Note it$")
        person.tab.twice(x, y)
        person.tab.wait("document.getElementById('toasts').innerText.includes('Noted')")
        person.drained()
        rows = served.ask(f"journals/{WINTER_ID}/practice/journal")
        self.assertEqual(sum(row.get("minutes") == 25 for row in rows), 1)
        self.assertEqual(len(person.kept()), 0)


class LeftOpen(PageCase):
    """A session that nobody ended, months ago."""
    browsers_of = ["chromium", "firefox", "webkit"]

    def setUp(self):
        super().setUp()
        self.served = self.serve()
        self.me = self.person(self.served, self.browse())
        self.tab = self.me.tab

    def test_no_mark_has_a_time_of_today(self):
        self.me.go(f"#/s/{sample_handle(ACTIVE)}")
        self.tab.wait("find('field=^Time of the marker')", what="a field for the time")
        self.assertFalse(self.tab.there(".mark-H"))
        self.tab.evaluate("document.activeElement.blur()")
        self.tab.keys("1")
        self.assertEqual(self.me.kept(), [])
        self.tab.fill("field=^Time of the marker", "12:34")
        self.tab.press("button=^Mark$")
        self.tab.wait("document.querySelector('dialog[open]')")
        self.tab.fill("field=^Name", "Later")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: any(line["offset_ms"] == 754_000 for line in self.served.lines(ACTIVE)), "the mark")

    def test_the_room_asks_first(self):
        self.me.go(f"#/s/{sample_handle(ACTIVE)}/live")
        self.tab.wait("find('button=^It still runs$')")
        self.assertFalse(self.tab.there(".mark-H"))
        self.tab.press("button=^It still runs$")
        self.tab.wait("find('.mark-H')")
        self.tab.press("button=^End session$")
        self.tab.wait("/It would be [\\d,]+ h/.test(find('dialog[open] p')?.textContent)", what="how long it would be")
        self.tab.keys("Escape")

    def test_it_ends_with_its_last_record(self):
        self.me.go(f"#/s/{sample_handle(ACTIVE)}/live")
        self.tab.press("button=^End it on")
        self.served.soon(lambda: self.served.ask(f"sessions/{sample_handle(ACTIVE)}").get("end_time", "").startswith("2026-02-11T18:21:40"),
                         "the end")
        self.tab.wait("document.activeElement?.id === 'title' && !location.hash.endsWith('/live')", what="the focus on the session's title")


class NothingToPlay(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def test_a_mark_has_the_time_that_is_typed(self):
        served = self.serve()
        for file in served.file(LATE_SET, "media").iterdir():
            file.unlink()
        session = served.file(LATE_SET, "session.json")

        about = json.loads(session.read_text())
        about["media"] = []
        about.pop("review_media_id", None)
        session.write_text(json.dumps(about))
        person = self.person(served, self.browse())
        person.go(f"#/s/{LATE_SET_ID}")
        person.tab.wait("find('field=^Time of the marker')")
        self.assertFalse(person.tab.there(".mark-H"))
        person.tab.fill("field=^Time of the marker", "1:02:03")
        person.tab.press("button=^Mark$")
        person.tab.wait("document.querySelector('dialog[open]')")
        person.tab.press("button=^Save$")
        served.soon(lambda: any(line["offset_ms"] == 3_723_000 for line in served.lines(LATE_SET)), "the mark")


class ManyMarks(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def test_at_a_time_shows_all_of_a_day(self):
        served = self.serve()
        lines = served.lines(LATE_SET)[0]
        digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        with served.file(LATE_SET, "markers.jsonl").open("a") as out:
            for number in range(2500):
                tail = "".join(digits[number >> shift & 31] for shift in (15, 10, 5, 0))
                out.write(json.dumps({"id": f"01KGN7000000000000000{tail}0", "offset_ms": 100_000 + number * 200,
                                      "created_at": lines["created_at"], "source": "user", "tags": ["highlight"]}) + "\n")
        person = self.person(served, self.browse(), width=1000)
        person.go("#/at/2026-02-04T20:50")
        person.tab.wait("document.querySelectorAll('.day-line .tick').length > 2500", what="a tick for each")
