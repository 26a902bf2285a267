"""What is typed is there until it is saved or given up: beside a dialog, refused, killed, reloaded."""

from driving.person import BEHIND, Person
from driving.served import LATE_SET, LATE_SET_ID, WINTER_ID

from .case import PageCase

MARKER = "01KGN6KABG4CSWE84XXM21GJG4"


class Typed(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def setUp(self):
        super().setUp()
        self.served = self.serve(journals=True)
        self.browser = self.browse()
        self.me = self.person(self.served, self.browser, "admin", width=1000, height=800)
        self.tab = self.me.tab

    def open_marker(self):
        self.me.open_session(LATE_SET_ID)
        self.me.shows(MARKER)
        self.me.edit(MARKER)
        self.tab.wait("document.querySelector('dialog[open] input')")

    def typed(self):
        return self.tab.evaluate("document.querySelector('dialog[open] textarea')?.value")

    def label(self):
        return [line for line in self.served.lines(LATE_SET) if line["id"] == MARKER][-1].get("note")

    def test_beside_a_dialog_and_escape(self):
        self.open_marker()
        self.tab.keys("Escape")
        self.tab.wait("!document.querySelector('dialog[open]')", what="nothing was changed")
        self.me.edit(MARKER)
        self.tab.fill("field=^Note", "first thoughts")
        for leave in (lambda: self.tab.mouse(5, 5), lambda: self.tab.keys("Escape"), lambda: self.tab.press("button=^Cancel$")):
            leave()
            self.tab.wait("find('button=^Keep writing$')", what="a question")
            self.tab.press("button=^Keep writing$")
            self.tab.wait("document.querySelectorAll('dialog[open]').length === 1")
            self.assertEqual(self.typed(), "first thoughts")
        # The second Escape closes what a page can't keep open in some browsers.
        self.tab.keys("Escape", "Escape", "Escape")
        self.tab.wait("document.querySelectorAll('dialog[open]').length > 0")
        while self.tab.evaluate("document.querySelectorAll('dialog[open]').length") == 1:
            self.tab.keys("Escape")
        self.tab.press("button=^Discard it$")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.me.edit(MARKER)
        self.tab.wait("document.querySelector('dialog[open] textarea')")
        self.assertNotEqual(self.typed(), "first thoughts")

    def test_refused_and_tried_again(self):
        self.open_marker()
        self.tab.fill("field=^Note", "not yet")
        self.served.wire.cut()
        self.tab.press("button=^Save$")
        self.tab.wait("/reached/.test(document.querySelector('dialog[open] .message')?.textContent)", what="what is wrong")
        self.assertEqual(self.typed(), "not yet")
        self.tab.fill("field=^Note", "now")
        self.served.wire.mend()
        self.tab.press("button=^Save$")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.served.soon(lambda: self.label() == "now", "the note in the file")

    def test_killed_and_reloaded(self):
        self.open_marker()
        self.tab.fill("field=^Note", "half a thou")
        self.me.draft_is_kept(f"marker/{LATE_SET_ID}/{MARKER}")
        self.tab.reload()
        self.tab.wait("document.querySelector('dialog[open] textarea')?.value === 'half a thou'", what="the text after a reload")
        self.tab.crash()
        self.me = self.again(self.served, self.browser, "#/", width=1000, height=800)
        self.tab = self.me.tab
        self.tab.press("button=^Keep writing$")
        self.tab.wait("document.querySelector('dialog[open] textarea')?.value === 'half a thou'", what="the text after a kill")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: self.label() == "half a thou", "the note in the file")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.tab.reload()
        self.me.in_session()
        self.assertEqual(self.tab.evaluate("document.querySelectorAll('dialog[open]').length"), 0)

    def test_what_was_saved_is_there_without_a_network(self):
        self.me.shell_is_kept()
        self.open_marker()
        self.tab.fill("field=^Note", "thought of it")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: self.label() == "thought of it", "the note in the file")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.me.go("#/")
        self.tab.wait("!find('.mark-H')")
        self.served.wire.cut()
        self.tab.reload()
        self.me.open_session(LATE_SET_ID)
        self.tab.wait("document.body.innerText.includes('thought of it')", what="the note in its row")

    def test_nobody_else_reads_it(self):
        self.open_marker()
        self.tab.fill("field=^Note", "my secret")
        self.me.draft_is_kept(f"marker/{LATE_SET_ID}/{MARKER}")
        bob = Person(self.served, self.browser.tab(width=1000)).follow_link(self.served.token("admin", "--person", "bob"))
        bob.open_session(LATE_SET_ID)
        bob.shows(MARKER)
        self.assertEqual(bob.tab.evaluate("document.querySelectorAll('dialog[open]').length"), 0)
        bob.edit(MARKER)
        bob.tab.wait("document.querySelector('dialog[open] textarea')")
        self.assertNotIn("secret", bob.tab.evaluate("document.querySelector('dialog[open] textarea').value"))

    def test_writing_a_mark_survives_a_kill(self):
        self.me.open_session(LATE_SET_ID)
        self.me.is_audible()
        self.me.seek(100)
        self.tab.press("button=^Write")
        self.tab.wait("document.querySelector('dialog[open] input')")
        self.tab.fill("field=^Name", "Chor")
        self.tab.wait("new Promise((done) => setTimeout(() => done(true), 400))")
        self.tab.crash()
        self.me = self.again(self.served, self.browser, f"#/s/{LATE_SET_ID}", width=1000, height=800)
        self.tab = self.me.tab
        self.tab.wait("document.querySelector('dialog[open] input')?.value === 'Chor'", what="the name")
        self.tab.press("button=^Save$")
        self.served.soon(lambda: any(line.get("label") == "Chor" and abs(line["offset_ms"] - 101_500) < 700
                                     for line in self.served.lines(LATE_SET)), "the mark")

    def test_a_note_of_the_practice_journal(self):
        self.me.go(f"#/journals/{WINTER_ID}")
        self.tab.press("label:has(> input[value=note])")
        self.tab.fill(".form textarea", "the left ramp")
        self.tab.press("label:has(> input[value=score])")
        self.tab.wait("find('field=^Score')")
        self.tab.press("label:has(> input[value=note])")
        self.tab.wait("find('.form textarea')?.value === 'the left ramp'", what="the text after another kind")
        self.tab.reload()
        self.tab.press("label:has(> input[value=note])")
        self.tab.wait("find('.form textarea')?.value === 'the left ramp'", what="the text after a reload")
        self.tab.press("button=^Note it$")
        self.tab.wait("document.getElementById('toasts').innerText.includes('Noted')")
        self.tab.wait("find('.form textarea')?.value === ''")
        self.tab.reload()
        self.tab.press("label:has(> input[value=note])")
        self.tab.wait("find('.form textarea')?.value === ''")

    def test_the_digest(self):
        self.me.go(f"#/s/{LATE_SET_ID}/digest")
        self.tab.press("button=^Edit digest")
        self.tab.wait("document.querySelector('dialog[open] textarea')")
        self.tab.fill("dialog[open] textarea", "# Mine\n")
        self.served.file(LATE_SET, "digest.md").write_text("# Theirs\n")
        self.tab.press("button=^Save$")
        self.tab.wait("document.querySelector('dialog[open]')?.innerText.includes('Theirs')", what="both texts")
        self.assertEqual(self.typed(), "# Mine\n")
        self.tab.keys("Escape")
        self.tab.press("button=^Keep writing$")
        self.tab.press("button=^Save$")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.assertEqual(self.served.file(LATE_SET, "digest.md").read_text(), "# Mine\n")

    def test_the_title_of_a_session(self):
        self.me.go("#/")
        # The network goes when the worker has kept the page.
        self.tab.ask(BEHIND)
        self.tab.press("button=^Start a session$")
        self.tab.fill("field=^Title", "Tuesday")
        self.served.wire.cut()
        self.tab.press("button=^Start$")
        self.tab.wait("/reached/.test(document.querySelector('dialog[open] .message')?.textContent)", what="what is wrong")
        self.served.wire.mend()
        x, y = self.tab.place("button=^Start$")
        self.tab.mouse(x, y)
        self.tab.mouse(x, y)
        self.tab.wait("location.hash.endsWith('/live')")
        self.assertEqual(sum(one.get("title") == "Tuesday" for one in self.served.ask("sessions")), 1)
