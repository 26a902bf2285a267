"""A browser in another zone than the journal's, and a change of the clocks: a day is one of the journal, and what the command says the page says."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

from driving.served import WINTER_ID

from .insights import FERRY, InsightsCase
from .journals import DOCUMENT

JOURNAL = ZoneInfo("Europe/Berlin")


class ElsewhereCase(InsightsCase):
    """Kiribati is as far ahead of Berlin as a zone can be: half of each day is the next one there."""

    def browse(self, **settings):
        return super().browse(zone="Pacific/Kiritimati", **settings)

    def setUp(self):
        super().setUp()
        self.assertEqual(self.tab.evaluate("new Intl.DateTimeFormat().resolvedOptions().timeZone"), "Pacific/Kiritimati")

    def fill_day(self, field, day):
        self.tab.ask("const e = find(args[0]); e.value = args[1]; e.dispatchEvent(new Event('input', { bubbles: true }));", f"field=^{field}$", day)

    def shown(self, locator):
        return self.tab.ask("return [...document.querySelectorAll(args[0])].map((e) => e.textContent);", locator)

    def written(self, milliseconds):
        return datetime.fromtimestamp(milliseconds / 1000, JOURNAL).isoformat(" ")


class Days(ElsewhereCase):
    def test_a_group_begins_and_ends_where_the_journal_is(self):
        """Berlin sets its clocks forward on 29 March: that day has 23 hours."""
        self.see("groups/new")
        self.tab.fill("field=^Name$", "To the change")
        self.tab.press("button=^Comet Racer$")
        self.fill_day("Start", "2026-03-25")
        self.fill_day("End", "2026-03-29")
        self.tab.press("button=^Create group$")
        self.shows("groups", "To the change")
        self.served.soon(lambda: self.group("To the change"), "the group")
        made = self.group("To the change")
        self.assertEqual([self.written(made[name]) for name in ("startDate", "endDate")],
                         ["2026-03-25 00:00:00+01:00", "2026-03-29 23:59:59+02:00"])
        self.says("Mar 25 – 29, 2026")
        self.tab.press("link=^Edit: To the change$")
        self.says("Edit group")
        self.assertEqual(self.tab.ask("return ['Start', 'End'].map((name) => find(`field=^${name}$`).value);"), ["2026-03-25", "2026-03-29"])
        self.fill_day("End", "2026-10-25")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: self.written(self.group("To the change")["endDate"]) == "2026-10-25 23:59:59+01:00", "another last day")
        self.assertEqual(self.group("To the change")["startDate"], made["startDate"])

    def test_rows_and_scores_stand_on_the_days_of_the_journal(self):
        game = self.served.ask(f"journals/{WINTER_ID}/practice/game?game={FERRY}")
        rows = self.served.ask(f"journals/{WINTER_ID}/practice/journal?game={FERRY}")
        clock = lambda value: datetime.strptime(value["clock"], "%H:%M").strftime("%-I:%M %p")  # noqa: E731
        day = lambda value: datetime.strptime(value["day"], "%Y-%m-%d").strftime("%b %-d")  # noqa: E731
        for value in (*rows, *game["score_entries"]):
            self.assertEqual(self.written(value["time"])[:16], f"{value['day']} {value['clock']}")
        self.see(f"game/{FERRY}")
        spaces = str.maketrans({"\u202f": " "})
        self.assertEqual([text.translate(spaces) for text in self.shown("main .item > .time")], [clock(row) for row in rows])
        self.see(f"insights/{FERRY}")
        scores = [text.translate(spaces) for text in self.shown("main details .item small")]
        self.assertEqual(len(scores), len(game["score_entries"]))
        for text, score in zip(scores, reversed(game["score_entries"])):
            self.assertIn(f"{day(score)}", text)
            self.assertIn(clock(score), text)
        titles = self.shown(".plot .dot title")
        for text, score in zip(titles, game["score_entries"]):
            self.assertIn(day(score), text)

    def test_a_break_is_as_long_as_the_command_says(self):
        """Over a change of the clocks, 36 days of 24 hours may be 35 of the calendar, and one hour less 36."""
        document = json.loads(DOCUMENT.read_text())
        at = lambda text: int(datetime.fromisoformat(text).replace(tzinfo=JOURNAL).timestamp() * 1000)  # noqa: E731
        moments = ["2026-03-01 20:00", "2026-04-05 20:30", "2026-09-20 20:00", "2026-10-25 19:30"]
        template = next(entry for entry in document["scoreEntries"] if entry["gameID"] == FERRY)
        document["scoreEntries"] = [
            {**template, "id": f"0A7B1C00-0000-4000-8000-00000000000{n}", "timestamp": at(moment), "score": 1000 + n}
            for n, moment in enumerate(moments)]
        document["journalEntries"] = []
        (self.served.journals / "pinball/practice-state.json").write_text(json.dumps(document))
        [game] = [self.served.soon(lambda: (found := self.served.ask(f"journals/{WINTER_ID}/practice/game?game={FERRY}"))
                                   and len(found["score_entries"]) == 4 and found, "the scores")]
        told = json.loads(self.served.trace("practice", "game", FERRY, "--journal", WINTER_ID, "--json"))
        self.assertEqual(told["gaps"], game["gaps"])
        self.assertEqual([gap["days"] for gap in told["gaps"]], [35, 167, 34])
        self.see(f"insights/{FERRY}")
        self.tab.press("button=^Broken axis$")
        self.tab.wait("document.querySelectorAll('.plot .break').length === 3")
        breaks = [text for text in self.shown(".plot text") if text.endswith(" d")]
        self.assertEqual(breaks, ["35 d", "167 d", "34 d"])
        self.assertIn("167 days", self.tab.text("main"))
