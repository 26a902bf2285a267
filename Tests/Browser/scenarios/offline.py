"""Marks without a network, and tabs that are killed."""

import json

from driving.person import CORE
from driving.served import LATE_SET, LATE_SET_ID

from .case import PageCase


class MarkOffline(PageCase):
    browsers_of = ["chromium"]

    def test_mark_offline_kill_the_tab_come_back(self):
        """The one that `make test` runs: nothing is lost, nothing is doubled, and the mark is seen where it was made."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser, touch=True)
        person.open_session(LATE_SET_ID)
        person.is_audible()
        person.shell_is_kept()
        person.seek(150)

        served.wire.cut()
        browser.offline()
        mark = person.mark("structure")
        kept = person.kept()
        self.assertEqual([entry["id"] for entry in kept], [mark])
        offset = kept[0]["body"]["offset_ms"]
        self.assertAlmostEqual(offset, 151_500, delta=300, msg="where the recording stood, which begins at 1.5 s")
        person.tab.wait("find('any=1 waiting|1 entry waits')", what="the page says that it waits")
        person.tab.crash()
        self.assertEqual(served.times(LATE_SET, mark), 0)

        person = self.again(served, browser, f"#/s/{LATE_SET_ID}", touch=True)
        person.tab.wait("find('any=1 waiting|1 entry waits')", what="it still waits after the kill")
        person.shows(mark)

        before = len(served.wire.seen)
        served.wire.mend()
        browser.offline(False)
        person.drained()
        self.stands_once(served, LATE_SET, [mark])
        sent = [one for one in served.wire.seen[before:]
                if one.matches(rf"^PUT .*/markers/{mark}$|^POST /api/v1/queue$")]
        self.assertEqual(len(sent), 1, "it was sent once")
        self.assertEqual(next(line for line in served.lines(LATE_SET) if line["id"] == mark)["offset_ms"], offset)

        person.tab.wait("!document.querySelector('.session-warning:not([hidden])')", what="that nothing can be played is no longer said: rows move up")
        person.tab.press(f"[data-id='{mark}'] [data-part=play]")
        person.is_playing()
        self.assertAlmostEqual(person.player()["time"], (offset - 1500) / 1000, delta=5)
        person.tab.wait("document.querySelector('.here-badge .badge-S')", what="the marker where it plays")
        person.tab.wait("document.querySelector(`.marker.current[data-id='${args[0]}']`)", mark,
                        what="the row of where it plays")

    def test_killed_right_after_the_press(self):
        """300 ms after the press the mark is kept, whatever happens then."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        served.wire.cut()
        for _ in range(3):
            before = {entry["id"] for entry in person.kept()}
            begin = person.tab.evaluate("performance.now()")
            person.tab.press("button.mark-H")
            person.tab.wait(f"performance.now() - {begin} > 350")
            person.tab.crash()
            person = self.again(served, browser, f"#/s/{LATE_SET_ID}")
            new = {entry["id"] for entry in person.kept()} - before
            self.assertEqual(len(new), 1)
            person.in_session()
        kept = [entry["id"] for entry in person.kept()]
        self.assertEqual(len(kept), 3)
        served.wire.mend()
        person.drain()
        person.drained()
        self.stands_once(served, LATE_SET, kept)

    def test_a_mark_that_nobody_has_delivered_stays_and_that_is_told(self):
        """It was made by hand under the same id: who sends it once more has not delivered it, and may not take it back."""
        served = self.serve()
        person = self.person(served, self.browse())
        person.open_session(LATE_SET_ID)
        served.wire.cut()
        mark = person.mark()
        served.soon(lambda: person.kept()[0].get("sent"), "it was sent, and got no answer")
        line = {"id": mark, **person.kept()[0]["sent"]}
        with served.file(LATE_SET, "markers.jsonl").open("a") as lines:
            lines.write(json.dumps(line) + "\n")
        person.tab.keys("u")
        served.wire.mend()
        person.drain()
        person.drained()
        served.soon(lambda: "was not sent by a device of this person" in person.tab.describe(), "that it stays is told")
        self.assertEqual(served.times(LATE_SET, mark), 1)

    def test_the_whole_browser_is_killed(self):
        """As by a battery that is empty."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        served.wire.cut()
        marks = [person.mark("highlight"), person.mark("fix-review")]
        browser.kill()
        browser.start()
        person = self.again(served, browser, f"#/s/{LATE_SET_ID}")
        self.assertEqual({entry["id"] for entry in person.kept()}, set(marks))
        served.wire.mend()
        # Chromium writes cookies down every half minute: what was signed in just now is not any more. The marks are.
        person.tab.reload()
        person.tab.wait("find('field=Pairing code') || find('.mark-H')")
        if person.tab.there("field=Pairing code"):
            person.tab.fill("field=Pairing code", served.pair())
            person.tab.press("button=^Pair this device$")
            person.in_session()
        person.drain()
        person.drained()
        self.stands_once(served, LATE_SET, marks)

    def test_undo_of_what_still_waits(self):
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        served.wire.cut()
        mark = person.mark("highlight")
        person.tab.keys("u")
        person.shows(mark, gone=True)
        other = person.mark("structure")
        served.wire.mend()
        person.drain()
        person.drained()
        self.stands_once(served, LATE_SET, [other])
        self.assertEqual(served.times(LATE_SET, mark), 0)


class WeekOffline(PageCase):
    def test_a_week_offline(self):
        """500 marks; half of them were sent by a copy of the page already, one session has moved, one is gone."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        served.wire.cut()
        # Too many to press: they go through the page's own outbox.
        ids = person.core("""
            const ids = [];
            for (let n = 0; n < 500; n += 1) {
              const id = core.ulid();
              const body = { id, offset_ms: 1000 * n, created_at: new Date(core.clock.now()).toISOString(), source: "user",
                             tags: [core.categories[n % 4].tag], label: `week ${n}` };
              await core.writing.add({ id, kind: "marker", session: { handle: args[0], id: args[0], title: "Late set" }, body });
              ids.push(id);
            }
            return ids;""", LATE_SET_ID, patience=120)
        self.assertEqual(len(person.kept()), 500)
        entries = {entry["id"]: entry for entry in person.kept()}
        for id in ids[::2]:
            served.ask(f"sessions/{LATE_SET_ID}/markers/{id}", "PUT", entries[id]["body"])
        (served.sessions / LATE_SET).rename(served.sessions / "moved-meanwhile")
        served.wire.mend()
        person.drain()
        person.settled(patience=120)
        self.stands_once(served, "moved-meanwhile", ids)
        lines = [line["id"] for line in served.lines("moved-meanwhile") if line["id"] in set(ids[1::2])]
        self.assertEqual(lines, ids[1::2], "in the order in which they were made")
        posts = [one for one in served.wire.seen if one.matches("^POST /api/v1/queue$")]
        self.assertLess(len(posts), 10, "by the batch")

    def test_what_was_tried_before_goes_before_what_comes_later(self):
        """What was tried without success rests for minutes; the next mark takes it along, in its order."""
        served = self.serve()
        person = self.person(served, self.browse())
        person.open_session(LATE_SET_ID)
        person.mark()
        person.drained()
        ids = person.core("""
            SyncManager.prototype.register = async () => {}; // Chromium alone has it, and it sends all.
            const ids = Array.from({ length: 12 }, () => core.ulid()).sort();
            const marks = ids.map((id, n) => ({ id, kind: "marker", session: { handle: args[0], id: args[0], title: "Late set" },
              body: { offset_ms: 1000 * n, created_at: new Date(core.clock.now()).toISOString(), source: "user", tags: [] } }));
            for (const mark of marks.slice(0, 11)) {
              await core.store.put("outbox", { ...mark, made: Date.now(), difference: 0, tries: 9, last: Date.now(), state: "waiting" });
            }
            await core.writing.add(marks[11]);
            return ids;""", LATE_SET_ID)
        person.tab.wait(f"await (async () => {{ {CORE} return core.outbox.all().length === 0; }})()", what="all of it was sent")
        self.stands_once(served, LATE_SET, ids)
        self.assertEqual([line["id"] for line in served.lines(LATE_SET) if line["id"] in ids], ids)

    def test_what_needs_a_person_is_told(self):
        """What was removed meanwhile does not come back; another record under the id is a person's to decide."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        served.wire.cut()
        removed, other, plain = [person.mark(one) for one in ("highlight", "structure", "fix-review")]
        bodies = {entry["id"]: entry["body"] for entry in person.kept()}
        served.ask(f"sessions/{LATE_SET_ID}/markers/{removed}", "PUT", bodies[removed])
        served.trace("marker", "remove", LATE_SET_ID, removed)
        served.ask(f"sessions/{LATE_SET_ID}/markers/{other}", "PUT", {**bodies[other], "label": "another one"})
        served.wire.mend()
        person.drain()
        person.tab.wait("find('any=needs you')", what="what needs a person is told")
        self.assertEqual(served.times(LATE_SET, removed), 0)
        self.stands_once(served, LATE_SET, [plain])
        self.assertEqual([(entry["id"], entry["state"]) for entry in person.kept()], [(other, "needs-you")])
        person.go("#/outbox")
        person.tab.wait("find('h1,h2,h3') && document.body.innerText.match(/needs you/i)")
