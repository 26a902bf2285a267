"""Journals beside the sessions: their list, one of them with its records and problems, and a day of all of them."""

import json
from datetime import datetime, timezone

from driving.served import LATE_SET_ID, OLD_PHONE, ROOT, WINTER_ID

from .case import PageCase
from .views import BUSY

DOCUMENT = ROOT / "sessions-sample/journals/pinball/practice-state.json"


def rows():
    """The rows of the sample's document, in the order in which they were written."""
    return json.loads(DOCUMENT.read_text())["journalEntries"]


def day_of(row):
    return datetime.fromtimestamp(row["timestamp"] / 1000, timezone.utc).date().isoformat()


class Journals(PageCase):
    def setUp(self):
        super().setUp()
        self.served = self.serve(journals=True)
        self.browser = self.browse()
        self.someone = self.person(self.served, self.browser, "admin", width=1280, height=800)
        self.tab = self.someone.tab

    def see(self, address, words):
        self.someone.go(address)
        self.shows(address, words)

    def shows(self, address, words):
        # The view before it may say the same, and is there until the new one is loaded.
        self.tab.wait(f"location.hash === args[0] && document.querySelector('main').dataset.view === args[0].split('/')[1]"
                      f" && document.querySelector('main').innerText.includes(args[1]) && {BUSY}",
                      address, words, what=f"{address} with “{words}”")

    def times(self):
        """The local times of the rows that are shown."""
        return self.tab.evaluate("[...document.querySelectorAll('main .item > .time')].map((e) => e.textContent)")

    def test_from_the_frame_to_a_day(self):
        """The way of a person: the list, a journal with all of its records, the day of one of them, and the session of that evening."""
        self.tab.press("link=^Journals$")
        self.shows("#/journals", "Winter season")
        self.assertIn("329 records", self.tab.text("main"))
        self.tab.press("link=^Winter season")
        self.shows(f"#/journals/{WINTER_ID}", "Score")
        self.tab.wait("document.querySelector('h1').textContent === 'Winter season'", what="the title, which the journal's answer has")
        while self.tab.there("button=^Show older$"):
            before = len(self.times())
            self.tab.press("button=^Show older$")
            self.tab.wait("document.querySelectorAll('main .item > .time').length > args[0]", before, what="older records")
        text = self.tab.text("main")
        # Each score of the document once, the newest first.
        scores = [f"{row['score']:,}" for row in reversed(rows()) if row["action"] == "scoreLogged"]
        places = [text.find(score) for score in scores]
        self.assertNotIn(-1, places)
        self.assertEqual(places, sorted(places))
        self.assertEqual([text.count(f"Score: {score}\n") for score in scores], [1] * len(scores))
        self.tab.press("link=Feb 4")
        self.shows("#/day/2026-02-04", "Late set")
        self.tab.press("link=Drone in D")
        self.someone.in_session()
        self.tab.wait("location.hash.startsWith(args[0]) && document.querySelector('audio').readyState >= 1", f"#/s/{LATE_SET_ID}?at=")

    def test_a_day_has_all_in_its_order(self):
        self.see("#/day/2026-02-04", "Late set")
        times = self.tab.ask("""
            return [...document.querySelectorAll("main .item > .time")].map((e) => {
              const [, h, m, half] = /(\\d+):(\\d+)\\s?(AM|PM)?/.exec(e.textContent);
              return (h % 12 + (half === "PM" ? 12 : 0)) * 60 + Number(m); });""")
        self.assertEqual(times, sorted(times))
        written = [row for row in rows() if day_of(row) == "2026-02-04"]
        self.assertGreater(len(times), len(written) + 18, "the journal's rows and the session's markers")
        for expected in ("Aurora Station", "Tap Pass", "Drone in D"):
            self.assertIn(expected, self.tab.text("main"))

    def test_from_day_to_day(self):
        """By buttons, by the field, by keys; on a day without anything the way to the last one that has something."""
        self.see("#/day/2026-02-04", "Late set")
        self.tab.press("button=^Next day$")
        self.shows("#/day/2026-02-05", "Nothing on this day")
        self.tab.press("button=^Previous day$")
        self.shows("#/day/2026-02-04", "Late set")
        self.tab.ask("find('field=Date').focus();")
        self.tab.evaluate("""void (() => { const e = document.querySelector("main input[type=date]"); e.value = "2026-01-17";
            e.dispatchEvent(new Event("change")); })()""")
        self.shows("#/day/2026-01-17", "Winter Open")
        self.someone.go("#/day")
        self.tab.wait(f"document.querySelector('main').innerText.includes('Nothing on this day') && {BUSY}")
        self.tab.press("button=^Go to ")
        self.shows("#/day/2026-02-27", "Score")

    def test_a_day_is_that_of_the_browser(self):
        """The set of a Wednesday evening is on Thursday morning in Tokyo."""
        self.tab.call("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
        self.tab.reload()
        self.see("#/day/2026-02-05", "Late set")
        self.assertIn("5:47 AM", [time.replace("\u202f", " ") for time in self.times()])

    def test_problems_have_a_cure(self):
        """A document of an older app: read where it is, with what is to be said of it."""
        self.see("#/journals", OLD_PHONE)
        self.assertRegex(self.tab.text("main"), rf"{OLD_PHONE}\s+\d+ warning")
        self.tab.press(f"link={OLD_PHONE}")
        self.tab.wait(f"document.querySelector('main').innerText.includes('practice-dates-apple') && {BUSY}")
        self.assertIn("tin-orchestra", self.tab.text("main"))
        self.assertIn("2025", self.tab.text("main"))

    def test_a_change_of_the_file_appears(self):
        """By itself: an event tells of it."""
        self.see(f"#/journals/{WINTER_ID}", "Score")
        document = self.served.journals / "pinball/practice-state.json"
        changed = json.loads(document.read_text())
        changed["journalEntries"].append({
            "id": "0DF11F5F-36C8-44F5-A3B2-312EC8474738", "gameID": "GhF12", "action": "practiceSession", "task": "practice",
            "note": "Practice session: 99 minutes", "timestamp": 1772226000000})
        document.write_text(json.dumps(changed))
        self.served.soon(lambda: "99 minutes" in json.dumps(self.served.ask(f"journals/{WINTER_ID}/records?since=2026-02-27")), "the row")
        self.tab.wait("document.querySelector('main').innerText.includes('99 minutes')", what="the row that came")

    def test_without_a_network(self):
        """What was seen is there, with its age; what was not says so, with a way to try again."""
        self.someone.shell_is_kept()
        self.see("#/journals", "Winter season")
        self.see(f"#/journals/{WINTER_ID}", "Score")
        self.see("#/day/2026-02-04", "Late set")
        for address in ("journals?", f"journals/{WINTER_ID}/records?", "timeline?"):
            self.served.soon(lambda address=address: any(one["address"].startswith(address) for one in self.someone.kept("kept")),
                             f"the answer of {address} is kept")
        self.served.wire.cut()
        self.tab.reload()
        self.shows("#/day/2026-02-04", "Late set")
        self.assertIn("No connection", self.tab.text("main"))
        self.see(f"#/journals/{WINTER_ID}", "Score")
        self.see("#/journals", "Winter season")
        self.see("#/day/2026-02-11", "Not available offline")
        self.served.wire.mend()
        self.tab.press("button=^Try again$")
        self.shows("#/day/2026-02-11", "Sundial Rally")

    def test_a_journal_that_is_not_there(self):
        self.someone.go("#/journals/01K6N9GJRR0000000000000000")
        self.allowed.append("404")
        self.tab.wait("find('button=^Try again$')")
        self.assertNotRegex(self.tab.text("main"), r"undefined|\[object|NaN|null")
        self.tab.press("link=^Journals$")
        self.shows("#/journals", "Winter season")


class OnlySessions(PageCase):
    def test_the_frame_has_no_place_for_them(self):
        served = self.serve()
        person = self.person(served, self.browse())
        person.tab.wait("performance.getEntriesByType('resource').some((e) => e.name.includes('/api/v1/journals'))")
        self.assertFalse(person.tab.there("link=^Journals$"))
        person.go("#/journals")
        person.tab.wait("document.querySelector('main').innerText.includes('No other journals')")
