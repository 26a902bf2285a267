"""Noting into a practice journal: by kind, with and without a network; a game's page; rows that are changed and deleted."""

import json

from driving.served import WINTER_ID
from driving.wire import answer

from . import views
from .case import PageCase
from .insights import FERRY, InsightsCase, address


class Practice(InsightsCase):
    def setUp(self):
        super().setUp()
        self.before = self.document()

    def rows(self):
        """The rows that were added since."""
        known = {row["id"] for row in self.before["journalEntries"]}
        return [row for row in self.document()["journalEntries"] if row["id"] not in known]

    def home(self):
        self.someone.go(f"#/journals/{WINTER_ID}")
        self.tab.wait(f"find('button=^Note it$') && document.querySelector('main .item') && {views.BUSY}", what="the form")

    def choose_kind(self, name):
        self.tab.ask("const e = document.querySelector(`input[name=kind][value=${args[0]}]`); e.click();", name)

    def put(self, control, text):
        self.tab.ask("""const e = find(args[0]); e.focus(); e.value = args[1];
            e.dispatchEvent(new Event("input", { bubbles: true }));""", control, text)

    def note(self, count=1):
        self.tab.press("button=^Note it$")
        self.served.soon(lambda: len(self.rows()) == count, f"{count} rows")
        return self.rows()[-1]

    def test_each_kind(self):
        self.home()
        self.choose("Game", FERRY)
        self.put("[data-focus=score]", "12,345,678")
        row = self.note()
        self.assertEqual((row["gameID"], row["score"], row["scoreContext"]), (FERRY, 12345678, "practice"))
        self.tab.wait("document.querySelector('main').innerText.includes('12,345,678')", what="the row in the list")
        self.choose("Game", FERRY)
        self.put("[data-focus=score]", "5")
        self.choose("Played in", "tournament")
        self.put("[data-focus=tournament]", "Winter Open")
        row = self.note(2)
        self.assertEqual((row["score"], row["tournamentName"]), (5, "Winter Open"))
        self.choose_kind("study")
        self.choose("What", "rulesheet")
        self.put("[data-focus=percent]", "40")
        row = self.note(3)
        self.assertEqual((row["action"], row["progressPercent"]), ("rulesheetRead", 40))
        self.choose("What", "tutorialVideo")
        self.put("[data-focus=video-number]", "2")
        self.put("[data-focus=percent]", "60")
        row = self.note(4)
        self.assertEqual((row["action"], row["videoValue"]), ("tutorialWatch", "Tutorial 2 • 60%"))
        self.choose("What", "tutorialVideo")
        self.put("[data-focus=watched]", "1:00:00")
        self.tab.press("button=^Note it$")
        self.assertEqual(len(self.rows()), 4, "one time without the other is not sent")
        self.put("[data-focus=video-length]", "0:45:00")
        self.tab.press("button=^Note it$")
        self.assertEqual(len(self.rows()), 4, "nor is more than the video is long")
        self.put("[data-focus=watched]", "0:10:30")
        row = self.note(5)
        self.assertEqual((row["videoKind"], row["videoValue"], row["progressPercent"]), ("clock", "Tutorial 1 • 00:10:30/00:45:00 (23%)", 23))
        self.choose_kind("practice")
        self.put("[data-focus=practice-minutes]", "15")
        self.choose("Focus", "multiball")
        self.put("form [data-focus=note]", "ramp first")
        row = self.note(6)
        self.assertEqual(row["note"], "Practice session: 15 minutes. Focus: Multiball. ramp first")
        self.choose_kind("mechanics")
        self.choose("Skill", "Live Catch")
        self.choose("How well", "4")
        row = self.note(7)
        self.assertIn("#LiveCatch competency 4/5.", row["note"])
        self.choose_kind("note")
        self.choose("About", "shots")
        self.put("form [data-focus=note]", "<b>left</b> orbit")
        row = self.note(8)
        self.assertEqual((row["noteCategory"], row["note"].split(" #")[0]), ("shots", "<b>left</b> orbit"))

    def test_undo(self):
        self.home()
        self.put("[data-focus=score]", "777")
        self.note()
        self.tab.press("button=^Undo$")
        self.served.soon(lambda: self.rows() == [], "the row is gone")

    def test_offline_and_killed(self):
        """Noted without a network, the tab killed: once in the file when both are back."""
        self.needs_kills()
        self.someone.shell_is_kept()
        self.home()
        self.served.wire.cut()
        self.put("[data-focus=score]", "4,242")
        self.tab.press("button=^Note it$")
        self.tab.wait("document.body.innerText.includes('Noted on this device')", what="that it is noted")
        self.tab.wait("document.querySelector('main').innerText.includes('4,242')", what="what waits")
        self.assertEqual(self.rows(), [])
        self.tab.crash()
        self.someone = self.again(self.served, self.browser, "#/outbox")
        self.tab = self.someone.tab
        self.served.wire.mend()
        self.served.soon(lambda: len(self.rows()) == 1, "the row")
        self.assertEqual(self.rows()[0]["score"], 4242)
        self.tab.wait("document.querySelector('main').innerText.includes('Everything')"
                      " || !document.querySelector('main').innerText.includes('Entry of a journal')", what="an empty outbox")
        self.assertEqual(len(self.rows()), 1)

    def test_refused_numbers(self):
        self.home()
        self.put("[data-focus=score]", "12.5")
        self.tab.press("button=^Note it$")
        self.assertFalse(self.tab.evaluate("document.querySelector('[data-focus=score]').checkValidity()"))
        self.put("[data-focus=score]", "1,000")
        self.note()
        self.someone.go(address("log"))
        self.says("Score: 1,000")
        for text in ("4.5", "abc"):
            self.act("Edit", "Score: 1,000")
            self.tab.wait("document.querySelector('dialog[open] input')")
            self.put("[data-focus=edit-score]", text)
            self.tab.press("button=^Save$")
            self.tab.wait("/not a number/.test(document.querySelector('dialog[open] .message')?.textContent)", what="why not")
            self.tab.keys("Escape")
            self.tab.press("button=^Discard it$")
            self.tab.wait("!document.querySelector('dialog[open]')")
        self.assertEqual([row["score"] for row in self.rows()], [1000])

    def test_the_game_noted_last_is_chosen(self):
        self.home()
        self.choose("Game", FERRY)
        self.put("[data-focus=score]", "1,000")
        self.note()
        self.assertEqual(json.loads((self.served.journals / "pinball/slots.json").read_text()), {"practice-quick-game-score": FERRY})
        # What this page remembers by itself is gone then.
        self.tab.evaluate("window.isOld = true")
        self.tab.reload()
        self.tab.wait("!window.isOld", what="the page anew")
        self.home()
        self.assertEqual(self.tab.ask("return find('field=Game').value"), FERRY)
        self.choose_kind("practice")
        self.assertNotEqual(self.tab.ask("return find('field=Game').value"), FERRY)

    def test_to_the_game_of_a_row(self):
        self.see("log")
        self.tab.press("link=^Midnight Ferry$")
        self.shows(f"game/{FERRY}", "Note of the game")

    def test_back_to_the_game_looked_at_last(self):
        self.home()
        self.assertFalse(self.tab.there("link=^Continue with"), "none was looked at")
        slots = {"practice-last-viewed-game-id": FERRY, "practice-last-viewed-game-ts": 1772400000000}
        (self.served.journals / "pinball/slots.json").write_text(json.dumps(slots))
        self.someone.go(address("log"))
        self.home()
        self.tab.press("link=^Continue with Midnight Ferry$")
        self.shows(f"game/{FERRY}", "Note of the game")

    def test_a_game_without_a_network(self):
        self.someone.shell_is_kept()
        self.see("log")
        self.see(f"game/{FERRY}")
        self.served.wire.cut()
        self.put("[data-focus=score]", "4,242")
        self.tab.press("button=^Note it$")
        self.tab.wait("document.querySelector('main').innerText.includes('4,242')", what="what waits")
        self.see("log")
        self.see(f"game/{FERRY}", "4,242")
        self.assertEqual(self.rows(), [])
        self.served.wire.mend()
        self.served.soon(lambda: len(self.rows()) == 1, "the row")
        self.assertEqual((self.rows()[0]["gameID"], self.rows()[0]["score"]), (FERRY, 4242))

    def forget_kinds(self):
        """Takes the kept answer about kinds away."""
        self.tab.ask("""const db = await new Promise((done) => { const o = indexedDB.open("trace"); o.onsuccess = () => done(o.result); });
            const change = db.transaction("kept", "readwrite"), kept = change.objectStore("kept");
            await new Promise((done) => { kept.delete("kinds"); change.oncomplete = done; });
            db.close();""")

    def test_which_kinds_have_views_is_kept(self):
        """After one visit: the page is opened without a network, and has the journal's views."""
        self.someone.shell_is_kept()
        self.see("log")
        self.served.soon(lambda: any(one["address"] == "kinds" for one in self.someone.kept("kept")), "the answer is kept")
        self.served.wire.cut()
        self.tab.reload()
        self.shows("log", "Midnight Ferry")
        self.tab.press("link=^Journals$")
        self.tab.wait("find('link=^Winter season')", what="the list")

    def test_where_nobody_tells_which_kinds_have_views(self):
        """An error of the server, and nothing kept: the views are looked for themselves. One that tells of no views has none."""
        self.allowed += ["500", "404"]
        self.served.wire.rule = lambda request: answer(500, "{}", "application/problem+json", **{
            "Trace-Time": "2026-02-11T18:25:40.102Z"}) if request.matches(r"^GET .*/api/v1/kinds") else None
        self.forget_kinds()
        self.tab.reload()
        self.see("log")
        self.served.wire.rule = lambda request: answer(200, "[]", "application/json", **{
            "Trace-Time": "2026-02-11T18:25:40.102Z"}) if request.matches(r"^GET .*/api/v1/kinds") else None
        self.tab.reload()
        self.tab.wait(f"document.querySelector('main .item') && {views.BUSY}", what="the records as of any journal")
        self.assertFalse(self.tab.there("link=^Log$"))

    def test_a_row_says_what_its_values_are(self):
        self.home()
        self.choose("Game", FERRY)
        self.put("[data-focus=score]", "99,000,000,000")
        self.note()
        self.choose_kind("practice")
        self.choose("Game", FERRY)
        self.put("[data-focus=practice-minutes]", "15")
        self.choose("Focus", "multiball")
        self.put("form [data-focus=note]", "ramp first")
        self.note(2)
        self.see("log", "ramp first")
        shown = self.tab.ask("return [...document.querySelectorAll('main .item')].slice(0, 2).map((e) => e.querySelector('.item-text').innerText);")
        self.assertEqual([[line.strip() for line in text.split("\n") if line.strip()][:4] for text in shown], [
            ["Practice", "15 min · Multiball", "ramp first", "Midnight Ferry"],
            ["Score: 99,000,000,000", "Best score", "Midnight Ferry · Practice"]])

    def test_a_game(self):
        self.see(f"game/{FERRY}", "Midnight Ferry")
        text = self.tab.text("main")
        for expected in ("Scores", "Median", "Progress", "Note of the game", "Rulesheet"):
            self.assertIn(expected, text)
        self.tab.press("button=^Edit: Note of the game")
        self.tab.wait("document.querySelector('dialog[open] textarea')")
        self.put("dialog textarea", "two balls first")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: self.document().get("gameSummaryNotes", {}).get(FERRY) == "two balls first", "the note")
        self.says("two balls first")

    def act(self, deed, row):
        """What the menu of a row has."""
        self.tab.press(f"button=^More: {row}")
        self.tab.press(f"button=^{deed}$")

    def test_edit_and_delete(self):
        self.home()
        self.put("[data-focus=score]", "1,000")
        made = self.note()
        self.someone.go(address("log"))
        self.choose("Show", "score")
        self.says("Score: 1,000")
        self.act("Edit", "Score: 1,000")
        self.tab.wait("document.querySelector('dialog[open] input')")
        self.put("[data-focus=edit-score]", "2,000")
        # That of the new row, with its Undo, may still be there.
        self.tab.evaluate("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: [row["score"] for row in self.rows()] == [2000], "the change")
        self.assertEqual([score["score"] for score in self.document()["scoreEntries"] if score["timestamp"] == made["timestamp"]], [2000])
        self.says("Score: 2,000")
        self.tab.wait("document.querySelector('.toast')", what="that it is noted")
        self.assertFalse(self.tab.there("button=^Undo$"), "an edit is not taken back by a deletion")
        self.act("Delete", "Score: 2,000")
        self.tab.wait("document.querySelector('dialog[open] .danger')")
        self.tab.press("button=^Delete$")
        self.served.soon(lambda: self.document()["scoreEntries"] == self.before["scoreEntries"], "score and row are gone")
        self.assertEqual(self.document()["journalEntries"], self.before["journalEntries"])

    def test_filters(self):
        self.see("log", "Score")
        self.choose("Show", "study")
        self.tab.wait(f"!document.querySelector('main').innerText.includes('Score: ') && {views.BUSY}", what="only what was studied")
        self.says("Progress: ")


class ReadOnly(InsightsCase):
    scope = "read"

    def test_nothing_writes(self):
        for view in ("", "log", f"game/{FERRY}"):
            self.someone.go(f"#/journals/{WINTER_ID}" + (f"/{view}" if view else ""))
            self.tab.wait(f"document.querySelector('main .item') && {views.BUSY}")
            self.assertFalse(self.tab.there("button=^(Note it|Edit|Delete|More: )"))
