"""What is removed can be taken back as it was; what would be refused is not offered."""

from driving.person import Person
from driving.served import LATE_SET, LATE_SET_ID, WINTER_ID

from .case import PageCase


class TakenBack(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def setUp(self):
        super().setUp()
        self.served = self.serve(journals=True)
        self.browser = self.browse()

    def come(self, scope):
        self.me = self.person(self.served, self.browser, scope, width=1000, height=900)
        self.tab = self.me.tab

    def edit(self, mark):
        self.me.shows(mark)
        self.me.edit(mark)
        self.tab.wait("document.querySelector('dialog[open] input')")

    def stored(self):
        return {row["id"] for row in self.served.ask(f"sessions/{LATE_SET_ID}/markers?limit=1000")}

    def linked(self):
        """A marker that a voice note belongs to."""
        return next(line for line in self.served.lines(LATE_SET) if line.get("voice_note_id"))

    def test_a_marker_with_its_voice_note(self):
        self.come("admin")
        before, mark = self.served.file(LATE_SET, "markers.jsonl").read_bytes(), self.linked()
        notes = self.served.file(LATE_SET, "voice_notes.jsonl").read_bytes()
        self.me.open_session(LATE_SET_ID)
        self.edit(mark["id"])
        self.tab.press("button=^Remove$")
        self.me.shows(mark["id"], gone=True)
        self.tab.press(".toast .plain")
        self.me.shows(mark["id"])
        self.assertEqual(self.me.kept(), [])
        self.assertEqual(self.served.file(LATE_SET, "markers.jsonl").read_bytes(), before)
        self.assertEqual(self.served.file(LATE_SET, "voice_notes.jsonl").read_bytes(), notes)

    def test_a_removal_is_done_even_if_the_page_is_killed(self):
        self.come("admin")
        mark = self.linked()["id"]
        self.me.open_session(LATE_SET_ID)
        self.edit(mark)
        self.tab.press("button=^Remove$")
        self.me.shows(mark, gone=True)
        self.tab.crash()
        self.assertIn(mark, self.stored(), "it can be taken back")
        again = self.again(self.served, self.browser, f"#/s/{LATE_SET_ID}")
        again.in_session()
        again.shows(mark, gone=True)
        self.served.soon(lambda: mark not in self.stored(), "the removal")
        again.drained()

    def test_a_row_of_the_practice_journal(self):
        self.come("mark")
        journal = f"journals/{WINTER_ID}/practice/journal"
        rows = self.served.ask(journal)
        self.me.go(f"#/journals/{WINTER_ID}/log")
        first = "document.querySelector('main .item [data-focus^=more]').dataset.focus"
        self.tab.wait(first)
        row = self.tab.evaluate(first)
        for back in (True, False):
            self.tab.press(f"[data-focus='{row}']")
            self.tab.press("button=^Delete$")
            self.tab.press("dialog[open] button.danger")
            self.tab.wait("document.getElementById('toasts').innerText.includes('Deleted')")
            self.tab.wait("!document.querySelector(`[data-focus='${args[0]}']`)", row, what="the row is gone")
            if back:
                self.tab.press(".toast .plain")
                self.tab.wait("document.querySelector(`[data-focus='${args[0]}']`)", row, what="the row is back")
                self.me.drained()
                self.assertEqual(self.served.ask(journal), rows)
        self.served.soon(lambda: len(self.served.ask(journal)) == len(rows) - 1, "the deletion")

    def test_what_would_be_refused_is_not_offered(self):
        self.come("mark")
        self.me.open_session(LATE_SET_ID)
        mark = self.me.mark("highlight")
        self.me.drained()
        foreign = self.served.lines(LATE_SET)[0]["id"]
        self.edit(foreign)
        self.tab.wait("find('button=^Save$')")
        self.tab.wait("new Promise((done) => setTimeout(() => done(true), 500))")
        self.assertFalse(self.tab.there("button=^Remove$"), "somebody else's")
        self.tab.keys("Escape")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.edit(mark)
        self.tab.press("button=^Remove$")
        self.me.shows(mark, gone=True)
        self.served.soon(lambda: mark not in self.stored(), "the removal")


class SigningOut(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def test_without_a_network_and_with_what_waits(self):
        served = self.serve()
        browser = self.browse()
        me = self.person(served, browser)
        me.open_session(LATE_SET_ID)
        me.shell_is_kept()
        served.wire.cut()
        mark = me.mark("highlight")
        me.go("#/settings")
        me.tab.press("button=^Sign out$")
        me.tab.wait("find('dialog[open] li')?.textContent.includes('Highlight')", what="what waits")
        self.assertTrue(me.tab.there("button=^Send first$"))
        me.tab.press("dialog[open] button.danger")
        me.tab.wait("find('field=Pairing code')")
        self.assertEqual(me.kept("kept"), [])
        self.assertEqual([entry["id"] for entry in me.kept()], [mark])
        seen = len(served.wire.seen)
        served.wire.mend()
        me.tab.open(served.address)
        me.tab.wait("find('field=Pairing code')")
        asked = [request.target for request in served.wire.seen[seen:] if "/api/" in request.target]
        self.assertTrue(asked[0].endswith("/logout"), asked)
        self.assertEqual([one["name"] for one in served.ask("tokens") if one["name"] == "Test phone"], [])

    def test_an_erasure_that_was_cut_short(self):
        """Killed in the middle of it: the next page finishes it before it draws anything."""
        served = self.serve()
        browser = self.browse()
        me = Person(served, browser.tab()).follow_link(served.token("mark", "--person", "ann"))
        me.open_session(LATE_SET_ID)
        me.tab.wait("new Promise((done) => setTimeout(() => done(true), 500))")
        me.core("await core.store.put('settings', { key: 'position.x', value: { offset_ms: 1 } });"
                "await core.settings.set('owner', undefined);")
        me.tab.crash()
        served.wire.cut()
        other = Person(served, browser.tab())
        served.wire.mend()
        served.wire.rule = lambda request: answer_503 if "/api/" in request.target else None
        other.tab.open(served.address)
        other.tab.wait("document.body.dataset.state === 'signed-out'")
        self.assertEqual(other.kept("kept"), [])
        self.assertEqual([row["key"] for row in other.kept("settings") if row["key"].startswith("position.") and row.get("value")], [])


answer_503 = ("answer", 503, "text/html", b"", {})
