"""Generated presses and generated orders of writing: a press is kept, once and at its moment; of what was typed nothing is lost or doubled."""

import random
import time
from datetime import datetime

from driving.person import CATEGORIES
from driving.served import LATE_SET, LATE_SET_ID, WINTER_ID
from driving.tab import Problem

from .case import PageCase
from .torture import FULL, ONLY, SEED

PRESSES = 500 if FULL else 40
ORDERS = 200 if FULL else 4
NEAR = 50  # ms between a press and the moment of its mark
SAME = 0.3  # s: what comes within them at one button is one press

# When the browser got each press, whatever the page makes of it.
LISTENING = """(() => {
  const tell = (kind, event) => say(JSON.stringify({ kind, stamp: event.timeStamp, at: Date.now() - (performance.now() - event.timeStamp) }));
  addEventListener("pointerdown", (event) => event.target.closest?.(".mark-button") && tell("finger", event), true);
  addEventListener("keydown", (event) => !event.repeat && "1234".includes(event.key) && tell("key", event), true);
  addEventListener("click", (event) => event.detail === 0 && event.target.closest?.(".mark-button") && tell("click", event), true);
})()"""


class Presses(PageCase):
    """Slid, held, repeated, by two fingers, by keys, taken away by the system, killed and reloaded with a finger down."""

    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        self.served = self.serve()
        self.browser = self.browse()
        self.me = self.person(self.served, self.browser, touch=True)
        self.me.shell_is_kept()
        self.tab = self.me.tab
        #: The tag of each press, and when it was.
        self.presses = []
        self.last = {}
        self.heard = None
        self.settle()

    def settle(self):
        """In a page that has just been opened."""
        self.me.open_session(LATE_SET_ID)
        if self.tab is not self.heard:
            self.tab.listen(LISTENING)
            self.heard = self.tab
        self.tab.evaluate("document.activeElement.blur()")
        self.difference = self.me.core("return core.clock.difference;")

    def begin(self, *tags):
        """Rests until these are no part of an earlier press."""
        rest = max(self.last.get(tag, 0) for tag in tags) + SAME + 0.06 - time.monotonic()
        if rest > 0:
            time.sleep(rest)
        self.spots = {tag: self.tab.place(f"button.mark-{CATEGORIES[tag]}") for tag in tags}
        with self.browser.state:
            self.tab.said.clear()

    def came(self, *tags):
        """The browser has got a press of each of these, in this order; more of the same are part of it."""
        with self.browser.state:
            if not self.browser.state.wait_for(lambda: len(self.tab.said) >= len(tags), 10):
                raise Problem(f"the browser got {self.tab.said} of {tags}")
            said = list(self.tab.said)
        # Marks have the time of the server, as far as the page knows it, and it may have learned more meanwhile.
        known, self.difference = self.difference, self.me.core("return core.clock.difference;")
        self.presses += [(tag, one["at"] + known, one["at"] + self.difference) for tag, one in zip(tags, said)]
        for tag in tags:
            self.last[tag] = time.monotonic()

    def any_tag(self):
        return self.chance.choice(list(CATEGORIES))

    def pause(self, most):
        time.sleep(self.chance.random() * most)

    # The kinds of presses.

    def tap(self):
        tag = self.any_tag()
        self.begin(tag)
        self.tab.fingers("touchStart", self.spots[tag])
        self.tab.fingers("touchEnd")
        self.came(tag)

    def slide(self):
        tag, (far, down) = self.any_tag(), (self.chance.randint(-250, 250), self.chance.randint(-300, 30))
        self.begin(tag)
        x, y = self.spots[tag]
        self.tab.fingers("touchStart", (x, y))
        for step in range(1, 6):
            self.tab.fingers("touchMove", (max(1, x + far * step / 5), y + down * step / 5))
        self.tab.fingers("touchEnd")
        self.came(tag)

    def hold(self):
        tag = self.any_tag()
        self.begin(tag)
        self.tab.fingers("touchStart", self.spots[tag])
        self.pause(1)
        self.tab.fingers("touchEnd")
        self.came(tag)

    def cancel(self):
        tag = self.any_tag()
        self.begin(tag)
        self.tab.fingers("touchStart", self.spots[tag])
        self.pause(0.2)
        self.tab.fingers("touchCancel")
        self.came(tag)

    def two_fingers(self):
        one, other = self.chance.sample(list(CATEGORIES), 2)
        self.begin(one, other)
        self.tab.fingers("touchStart", self.spots[one])
        self.pause(0.1)
        self.tab.fingers("touchStart", self.spots[one], self.spots[other])
        self.pause(0.2)
        self.tab.fingers("touchEnd")
        self.came(one, other)

    def twice(self):
        """A double tap is one press, unless the browser gets it as slowly as two."""
        tag = self.any_tag()
        self.begin(tag)
        for _ in range(2):
            self.tab.fingers("touchStart", self.spots[tag])
            self.tab.fingers("touchEnd")
        with self.browser.state:
            self.browser.state.wait_for(lambda: len(self.tab.said) == 2, 10)
            first, second = self.tab.said
        self.came(*[tag] * (2 if second["stamp"] - first["stamp"] >= 1000 * SAME else 1))

    def by_key(self):
        tag = self.any_tag()
        key = str(list(CATEGORIES).index(tag) + 1)
        self.begin(tag)
        self.tab.hold(key, self.chance.choice([0, 0, 5, 30]))
        self.came(tag)

    def by_voice(self):
        """As a screen reader presses."""
        tag = self.any_tag()
        self.begin(tag)
        self.tab.evaluate(f"document.querySelector('.mark-button.mark-{CATEGORIES[tag]}').click()")
        self.came(tag)

    def network(self):
        self.chance.choice([self.served.wire.cut, self.served.wire.mend])()

    def finger_down(self):
        """What is noted of it is on disk: faster than that is no hand that kills a page."""
        tag = self.any_tag()
        self.begin(tag)
        before = {entry["id"] for entry in self.me.kept()}
        self.tab.fingers("touchStart", self.spots[tag])
        self.came(tag)
        self.served.soon(lambda: any(entry["id"] not in before for entry in self.me.kept()), "a draft of the mark")

    def killed(self):
        self.finger_down()
        self.tab.crash()
        self.me = self.again(self.served, self.browser, touch=True)
        self.tab = self.me.tab
        self.settle()

    def reloaded(self):
        """The page sees that it goes."""
        self.finger_down()
        self.tab.reload()
        # It goes up on the new page.
        self.tab.fingers("touchEnd")
        self.settle()

    def test_generated_presses(self):
        print(f"        generated: TRACE_SEED={SEED}{' TRACE_TORTURE=1' if FULL else ''}")
        before = {line["id"] for line in self.served.lines(LATE_SET)}
        kinds = ([self.tap] * 6 + [self.slide] * 5 + [self.hold] * 2 + [self.cancel] * 2 + [self.two_fingers] * 3 + [self.twice] * 3
                 + [self.by_key] * 4 + [self.by_voice] + [self.network] * 2 + [self.killed, self.reloaded])
        done = []
        while len(self.presses) < PRESSES:
            kind = self.chance.choice(kinds)
            kind()
            done.append(kind.__name__)
            if len(done) % 100 == 0:
                print(f"        {len(self.presses)} presses", flush=True)
        self.served.wire.mend()

        def all_marks():
            return [line for line in self.served.lines(LATE_SET) if line["id"] not in before]

        # A press that the browser has just got may not be in the outbox yet.
        self.served.soon(lambda: self.me.drain() or len(all_marks()) >= len(self.presses), "a mark of each press", patience=120)
        self.me.settled()
        marks = all_marks()
        self.assertEqual(len({mark["id"] for mark in marks}), len(marks), "each stands once")
        at = lambda mark: datetime.fromisoformat(mark["created_at"].replace("Z", "+00:00")).timestamp() * 1000  # noqa: E731
        far = []
        for tag in CATEGORIES:
            pressed = sorted(moments for one, *moments in self.presses if one == tag)
            made = sorted(at(mark) for mark in marks if mark["tags"] == [tag])
            self.assertEqual(len(made), len(pressed), f"{tag} after {done}: pressed {pressed}, made {made}")
            far += [(min(abs(one - other) for other in moments), tag, one) for one, moments in zip(made, pressed)]
        print(f"        {len(far)} presses, the farthest mark {max(far)[0]:.0f} ms from its press")
        self.assertEqual([one for one in far if one[0] > NEAR], [])


# A marker, its note, and a practice journal.
MARKER = "01KGN6KABG4CSWE84XXM21GJG4"
WORDS = "groove bridge drums late loud again ramp left orbit quiet slow good".split()


class Orders(PageCase):
    """Typing, closing, killing, reloading, refusing: what was typed is there, until it is saved or given up."""

    def test_generated_orders(self):
        print(f"        generated: TRACE_SEED={SEED}{' TRACE_TORTURE=1' if FULL else ''}")
        writer = None
        for run in [int(ONLY)] if ONLY else range(ORDERS):
            with self.subTest(seed=SEED, run=run):
                # One goes on where the last one stopped; after a failure another one begins.
                writer = writer or Writer(self, self.serve(journals=True), self.browse())
                try:
                    writer.write(random.Random(SEED * 1000 + run))
                    if run % 20 == 19:
                        print(f"        {run + 1} orders", flush=True)
                except Exception as error:
                    done, writer = writer.done, None
                    raise Problem(f"after {done}: {error}") from error


class Writer:
    """A person who writes the note of a marker and notes of a practice journal, and knows what should stand where."""

    def __init__(self, case, served, browser):
        self.case, self.served, self.browser = case, served, browser
        self.me = case.person(served, browser, "admin", width=1000, height=800)
        # A network that goes before is looked at in `parts`.
        self.me.shell_is_kept()
        self.tab = self.me.tab
        self.is_cut = False
        #: What is typed and not saved, by the place; None: nothing.
        self.typed = {"marker": None, "note": None}
        self.stored = [line for line in served.lines(LATE_SET) if line["id"] == MARKER][-1].get("note") or ""
        self.rows = {}
        self.where = None
        self.done = []
        # Without a network there is what was looked at before.
        for place in ("note", "marker"):
            self.open(place)
            self.is_shown()

    def write(self, chance):
        self.chance, self.done = chance, []
        steps = [self.type] * 6 + [self.leave] * 2 + [self.reload] * 2 + [self.kill] + [self.save] * 2 + [self.discard, self.network, self.elsewhere]
        for _ in range(10):
            chance.choice(steps)()
        self.mend()
        for place in ("marker", "note"):
            self.open(place)
            self.is_shown()
        self.settle()

    def settle(self):
        """The files have what was saved, and each of it once."""
        self.me.settled()
        self.served.soon(lambda: self.file() == self.stored, f"“{self.stored}” in the file")
        texts = [row.get("note") for row in self.served.ask(f"journals/{WINTER_ID}/practice/journal?filter=notes")]
        self.case.assertEqual({text: texts.count(text) for text in self.rows}, self.rows)

    def file(self):
        return [line for line in self.served.lines(LATE_SET) if line["id"] == MARKER][-1].get("note") or ""

    FIELD = {"marker": "dialog[open] textarea", "note": "main .form textarea"}

    def is_open(self, place):
        return self.tab.evaluate(f"Boolean(document.querySelector('{self.FIELD[place]}'))")

    def open(self, place):
        """Goes to where the text is written; a dialog with unsaved words is there by itself after a reload."""
        if self.where != place:
            self.leave_dialog()
        self.where = place
        if place == "note":
            self.me.go(f"#/journals/{WINTER_ID}")
            self.tab.press("label:has(> input[value=note])")
            self.tab.wait("find('main .form textarea')")
            return
        self.me.open_session(LATE_SET_ID)
        if self.typed["marker"] is not None:
            # It opens by itself where the view is opened; in a view that stayed it is opened by hand.
            try:
                self.tab.wait("document.querySelector('dialog[open] textarea')", patience=1)
            except Problem:
                pass
        if not self.is_open("marker"):
            self.me.shows(MARKER)
            self.tab.wait("""(() => { const button = document.querySelector(args[0]);
                button?.focus(); return button && document.activeElement === button; })()""", f"[data-id='{MARKER}'] [data-part=more]")
            self.tab.keys("Enter")
            self.tab.wait("document.activeElement?.closest('.menu')", what="the row's menu")
            self.tab.keys("Enter")
            self.tab.wait("document.querySelector('dialog[open] textarea')")

    def text(self):
        return self.tab.evaluate(f"document.querySelector('{self.FIELD[self.where]}')?.value")

    def is_shown(self):
        expected = self.typed[self.where]
        if expected is None:
            expected = self.stored if self.where == "marker" else ""
        self.tab.wait(f"document.querySelector(\"{self.FIELD[self.where]}\")?.value === args[0]", expected, what=f"“{expected}” in {self.where}")

    def leave_dialog(self):
        """Closes a dialog by ways that keep what is in it: by another address, if there is something."""
        if not self.tab.evaluate("Boolean(document.querySelector('dialog[open]'))"):
            return
        if self.typed["marker"] is None:
            self.tab.keys("Escape")
            self.tab.wait("!document.querySelector('dialog[open]')")
        else:
            self.reload()

    # What happens.

    def type(self):
        self.open(self.chance.choice(["marker", "note"]))
        self.is_shown()
        word = self.chance.choice(WORDS) + str(self.chance.randrange(1000))
        now = (self.text() + " " + word).strip()
        self.tab.ask("""const e = document.querySelector(args[0]); e.focus(); e.select();
            document.execCommand("insertText", false, args[1]);""", self.FIELD[self.where], now)
        self.typed[self.where] = now
        self.done.append(f"type {word} in {self.where}")

    def leave(self):
        """Escape with something unsaved asks, and nothing is lost by staying."""
        if self.where != "marker" or not self.is_open("marker"):
            return
        self.tab.keys("Escape")
        self.done.append("leave")
        if self.typed["marker"] in (None, self.stored):
            self.tab.wait("!document.querySelector('dialog[open]')")
            self.typed["marker"] = None
            return
        self.tab.wait("find('button=^Keep writing$')")
        self.tab.press("button=^Keep writing$")
        self.tab.wait("document.querySelectorAll('dialog[open]').length === 1")
        self.is_shown()

    def discard(self):
        if self.where != "marker" or not self.is_open("marker") or self.typed["marker"] in (None, self.stored):
            return
        self.tab.keys("Escape")
        self.tab.press("button=^Discard it$")
        self.tab.wait("!document.querySelector('dialog[open]')")
        self.typed["marker"] = None
        self.done.append("discard")

    DRAFT = {"marker": f"marker/{LATE_SET_ID}/{MARKER}", "note": f"note/{WINTER_ID}//note"}

    def is_durable(self):
        """A draft is written 250 ms after the last key; a kill before that is faster than any page."""
        for place, text in self.typed.items():
            if text not in (None, self.stored if place == "marker" else ""):
                self.me.draft_is_kept(self.DRAFT[place], text)

    def reload(self):
        self.done.append("reload")
        self.is_durable()
        self.tab.reload()
        self.tab.wait("document.body.dataset.state === 'ready'")

    def kill(self):
        self.done.append("kill")
        self.is_durable()
        address = self.tab.evaluate("location.hash")
        self.tab.crash()
        self.me = self.case.again(self.served, self.browser, address, width=1000, height=800)
        self.tab = self.me.tab
        self.tab.wait("document.body.dataset.state === 'ready'")

    def network(self):
        self.is_cut = not self.is_cut
        self.served.wire.cut() if self.is_cut else self.served.wire.mend()
        self.done.append("cut" if self.is_cut else "mend")

    def mend(self):
        if self.is_cut:
            self.network()

    def elsewhere(self):
        """To another view and back."""
        self.leave_dialog()
        self.where = None
        self.me.go(self.chance.choice(["#/", "#/outbox", "#/settings"]))
        self.done.append("elsewhere")

    def save(self):
        place = self.where
        if place is None or not self.is_open(place) or self.typed[place] is None:
            return
        text = self.typed[place]
        if place == "note":
            self.tab.press("button=^Note it$")
            self.tab.wait("document.querySelector('main .form textarea')?.value === ''", what="an empty form")
            self.rows[text] = self.rows.get(text, 0) + 1
            self.typed["note"] = None
            self.done.append("save note")
            # Twice within 700 ms would be one press.
            time.sleep(0.8)
            return
        self.tab.press("button=^Save$")
        if self.is_cut and text != self.stored:
            self.tab.wait("document.querySelector('dialog[open] .message:not([hidden])')?.textContent", what="what is wrong")
            self.is_shown()
            self.done.append("save refused")
            return
        self.tab.wait("!document.querySelector('dialog[open]')", what="the dialog closes")
        self.stored, self.typed["marker"] = text, None
        self.done.append("save marker")
