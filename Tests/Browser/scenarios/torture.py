"""Random orders of what people and machines do. Whatever the page said that it kept stands in the files, once."""

import json
import os
import random
import time

from driving.person import CATEGORIES, sound
from driving.served import LATE_SET, LATE_SET_ID
from driving.tab import PATIENCE, Problem

from .case import PageCase

FULL = os.environ.get("TRACE_TORTURE", "0") not in ("", "0")
SEED = int(os.environ.get("TRACE_SEED") or random.randrange(1_000_000))
RUNS = 200 if FULL else 5
# One of them by itself, to look at it.
ONLY = os.environ.get("TRACE_RUN")
STEPS = 14


class RandomOrders(PageCase):
    def test_random_orders(self):
        print(f"        torture: TRACE_SEED={SEED}{' TRACE_TORTURE=1' if FULL else ''}")
        browser = self.browse(microphone=sound(self.scratch / "microphone.wav"))
        for run in [int(ONLY)] if ONLY else range(RUNS):
            with self.subTest(seed=SEED, run=run):
                Run(self, browser, random.Random(SEED * 1000 + run)).all()


class Run:
    def __init__(self, case, browser, chance):
        self.case, self.browser, self.chance = case, browser, chance
        # No voice note is taken on a disk with less than 1 GiB.
        self.has_disk = os.geteuid() == 0 and chance.random() < 0.3
        self.served = case.serve(disk=24) if self.has_disk else case.serve()
        self.marks, self.undone, self.notes = {}, set(), []
        self.is_cut = self.is_full = False
        self.done = []

    def all(self):
        self.people = [self.case.person(self.served, self.browser)]
        self.people[0].shell_is_kept()
        self.people[0].open_session(LATE_SET_ID)
        self.mine = {id(self.people[0]): []}
        choices = [self.mark] * 6 + [self.undo] * 2 + [self.edit] * 2 + [self.network] * 3 + [self.kill] * 2 + [self.second] + [self.restart]
        choices += [self.disk] * 2 if self.has_disk else [self.record]
        try:
            for _ in range(STEPS):
                self.chance.choice(choices)()
            self.settle()
        except Exception as error:
            raise Problem(f"after {self.done}: {error}") from error
        finally:
            for who in self.people:
                who.tab.close()
            self.served.close()

    def who(self):
        return self.chance.choice(self.people)

    def mark(self):
        who = self.who()
        category = self.chance.choice(list(CATEGORIES))
        mark = who.mark(category)
        self.marks[mark] = None
        self.mine[id(who)].append(mark)
        self.done.append(f"mark {mark[-4:]}")

    def undo(self):
        who = self.who()
        if not self.mine[id(who)]:
            return
        mark = self.mine[id(who)][-1]
        who.press_toasts_away()
        who.tab.keys("u")
        words = who.tab.wait("/took back|could not be taken/i.exec(document.getElementById('toasts').innerText)?.[0]",
                             what="the outcome of undo")
        if words.lower() == "could not be taken":
            self.done.append(f"undo of {mark[-4:]} failed")
            return
        self.mine[id(who)].pop()
        self.undone.add(mark)
        self.done.append(f"undo {mark[-4:]}")

    def edit(self):
        who = self.who()
        if not self.mine[id(who)]:
            return
        mark = self.chance.choice(self.mine[id(who)])
        label = f"named {self.chance.randrange(10_000)}"
        who.press_toasts_away()
        failed = not who.name(mark, label)
        self.done.append(f"edit {mark[-4:]} {'failed' if failed else label}")
        self.marks[mark] = (self.marks[mark] or []) + [None if failed else label]

    def network(self):
        self.is_cut = not self.is_cut
        self.served.wire.cut() if self.is_cut else self.served.wire.mend()
        if self.chance.random() < 0.5:
            self.browser.offline(self.is_cut)
        elif not self.is_cut:
            self.browser.offline(False)
        self.done.append("cut" if self.is_cut else "mend")

    def kill(self):
        # A server without room can't bring its index up to date, and refuses to open a session.
        if self.is_full:
            return
        number = self.chance.randrange(len(self.people))
        self.people[number].tab.crash()
        who = self.people[number] = self.case.again(self.served, self.browser, f"#/s/{LATE_SET_ID}")
        self.mine[id(who)] = []
        who.in_session()
        self.done.append("kill")

    def second(self):
        if self.is_full:
            return
        if len(self.people) > 1:
            gone = self.people.pop()
            gone.tab.close()
            self.done.append("second tab closed")
            return
        who = self.case.again(self.served, self.browser, f"#/s/{LATE_SET_ID}")
        who.in_session()
        self.mine[id(who)] = []
        self.people.append(who)
        self.done.append("second tab")

    def restart(self):
        if self.is_full:
            return
        self.served.restart()
        self.done.append("restart")

    def disk(self):
        self.is_full = not self.is_full
        self.served.fill() if self.is_full else self.served.free()
        self.done.append("full" if self.is_full else "free")

    def record(self):
        who = self.who()
        self.notes.append(who.record(0.6 + self.chance.random()))
        self.done.append(f"record {self.notes[-1][-4:]}")

    def settle(self):
        if self.is_full:
            self.served.free()
        self.served.wire.mend()
        self.browser.offline(False)
        who = self.case.again(self.served, self.browser, f"#/s/{LATE_SET_ID}")
        who.in_session()
        self.people.append(who)
        end = time.monotonic() + 90
        while left := who.kept():
            if time.monotonic() > end:
                raise Problem(f"still in the outbox: {json.dumps(left)[:1500]}")
            who.drain()
            time.sleep(0.2)
        self.served.trace("queue", "flush")
        self.check()

    def check(self):
        rows = self.served.ask(f"sessions/{LATE_SET_ID}/markers?limit=1000")
        problems = []
        for mark, edits in self.marks.items():
            lines = self.served.times(LATE_SET, mark)
            shown = [row for row in rows if row["id"] == mark]
            wanted = 0 if mark in self.undone else 1
            if len(shown) != wanted or (lines != wanted if not edits else lines > wanted * (1 + len(edits))):
                problems.append(f"{mark}: {lines} lines, {len(shown)} rows, wanted {wanted}, edits {edits}")
            elif wanted and edits and None not in edits and shown[0].get("label") != edits[-1]:
                problems.append(f"{mark} is called {shown[0].get('label')}, not {edits[-1]}")
        for note in self.notes:
            lines = [line for line in self.served.lines(LATE_SET, "voice_notes.jsonl") if line["id"] == note]
            if len(lines) != 1 or not self.served.file(LATE_SET, lines[0]["media_path"]).exists():
                problems.append(f"voice note {note}: {lines}")
        ids = {line["id"] for line in self.served.lines(LATE_SET)}
        sample = {line["id"] for line in self.case.sample_lines()}
        if strange := ids - sample - set(self.marks):
            problems.append(f"marks that nobody made: {strange}")
        if problems:
            raise Problem("\n".join(problems))
