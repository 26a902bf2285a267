"""A person in front of the page: signs in, marks, listens. All that knows the page's words and its database is here."""


import time

from .tab import PATIENCE, Problem

CATEGORIES = {"highlight": "H", "structure": "S", "texture-sample": "T", "fix-review": "F"}
READY = "find('button=^(Play|Pause)') && find('.mark-H') && document.querySelector('[data-id]')"

# The page's own modules: by the addresses that the page loads them by, or there would be second ones.
CORE = """const core = Object.assign({}, ...await Promise.all(["base/flow", "base/record", "data/store", "data/settings", "data/api", "data/outbox",
    "data/writing"].map((name) => import(new URL(`${name}.js`, location)))));"""
# What comes behind a session: all files for the worker that is being installed, and what follows a press. Who goes offline then has it.
BEHIND = """
    for (let turn = 0; navigator.serviceWorker && turn < 100; turn += 1) {
      const worker = await navigator.serviceWorker.getRegistration();
      if (worker ? !worker.installing : turn > 20) break; // There may be none, and none may come.
      await new Promise((done) => setTimeout(done, 100));
    }
    if (document.querySelector(".markbar")) await Promise.all(["data/deliver", "sessions/editor", "sessions/recorder", "ui/dialog"]
      .map((name) => import(new URL(`${name}.js`, location)).catch(() => {})));"""

# The database itself, whether or not the page runs.
DATABASE = """const rows = await new Promise((done, failed) => {
    let opening;
    try { opening = indexedDB.open("trace"); } catch { return done([]); }
    opening.onupgradeneeded = () => opening.transaction.abort();
    opening.onerror = () => done([]);
    opening.onsuccess = () => {
      const asking = opening.result.transaction(args[0]).objectStore(args[0]).getAll();
      asking.onerror = () => failed(asking.error);
      asking.onsuccess = () => { opening.result.close(); done(asking.result); };
    };
  });"""


class Person:
    def __init__(self, served, tab):
        self.served = served
        self.tab = tab
        self.made = []

    # Getting in.

    def sign_in(self, scope="mark", *more, name="Test phone"):
        """Types a code of `trace pair`, as a person does."""
        code = self.served.pair(scope, *more)
        self.tab.open(self.served.address)
        self.tab.wait("find('field=Pairing code')")
        self.tab.fill("field=Pairing code", code)
        self.tab.fill("field=Name of this device", name)
        self.tab.press("button=^Pair this device$")
        self.tab.wait("!find('field=Pairing code') && find('main')", what="the code is taken")
        return self

    def follow_link(self, token):
        self.tab.open(f"{self.served.address}#g={token}")
        self.tab.wait("!location.hash.includes('g=')")
        return self

    def shell_is_kept(self):
        """Waits until the page would open without a network: a worker is active once it has all files."""
        self.tab.wait("await navigator.serviceWorker.ready.then((r) => r.active?.state === 'activated')", what="the shell is kept")

    # Moving about.

    def go(self, address):
        self.tab.evaluate(f"void (location.hash = {address!r})")

    def open_session(self, handle, tail=""):
        self.go(f"#/s/{handle}{tail}")
        return self.in_session()

    def in_session(self):
        self.tab.front()
        self.tab.wait(READY, what="the session with its markers")
        self.tab.ask(BEHIND)
        return self

    def core(self, script, *arguments, patience=PATIENCE):
        """Runs something with the page's module in reach."""
        return self.tab.ask(CORE + script, *arguments, patience=patience)

    # Marks.

    def mark(self, category="highlight"):
        """Presses a category, and returns the mark once the page says that it is kept."""
        begin = self.moment()
        self.press(category)
        return self.kept_since(begin)

    def press(self, category="highlight"):
        self.tab.press(f"button.mark-{CATEGORIES[category]}")

    def moment(self):
        """An id that is less than those that this browser makes from now on."""
        last = max([*self.made, *self.rows(), *(entry["id"] for entry in self.kept())], default="")
        now, digits = int(time.time() * 1000) - 5, "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        return max(last, "".join(digits[now >> shift & 31] for shift in range(45, -1, -5)))

    def name(self, mark, label):
        """
        Gives a marker of the list a name, by the keyboard: rows that come meanwhile would move the place under a pointer. False if
        the page says that it could not be saved.
        """
        self.tab.wait("""(() => { const button = document.querySelector(args[0]);
            if (button) button.focus(); else document.querySelector(".rows-scroller").scrollTop = 0;
            return button && document.activeElement === button; })()""",
                      f"[data-id='{mark}'] [data-part=more]", what="the row's button")
        self.tab.keys("Enter")
        self.tab.wait("document.activeElement?.closest('.menu')", what="the row's menu")
        self.tab.keys("Enter")
        self.tab.wait("document.querySelector('dialog[open] input')")
        self.tab.fill("dialog[open] label.field input", label)
        self.tab.press("button=^Save$")
        problem = self.tab.wait("""(() => { const open = document.querySelector("dialog[open]");
            return open ? open.querySelector(".message:not([hidden])")?.textContent : "saved"; })()""", what="what became of the name")
        if problem == "saved":
            return True
        self.tab.keys("Escape")
        self.tab.press("button=^Discard it$")
        self.tab.wait("!document.querySelector('dialog[open]')")
        return False

    def edit(self, mark):
        """Opens the dialog of a marker of the list."""
        self.tab.press(f"[data-id='{mark}'] [data-part=more]")
        self.tab.press("button=^(Name it|Edit|Open)$")

    def press_toasts_away(self):
        """So that the next one is the answer to what is done next."""
        self.tab.evaluate("document.getElementById('toasts').replaceChildren()")

    def kept_since(self, moment):
        """The id of a mark that the list shows and that was made after a moment."""
        mark = self.tab.wait(
            "[...document.querySelectorAll('[data-id]')].map((e) => e.dataset.id).find((id) => id > args[0])", moment,
            what="a row for the mark")
        self.made.append(mark)
        return mark

    def rows(self):
        """The ids of the markers in the page's list."""
        return self.tab.evaluate("[...document.querySelectorAll('[data-id]')].map((e) => e.dataset.id)")

    def shows(self, mark, gone=False):
        """Waits until a marker is in the list, or is not."""
        self.tab.front()
        self.tab.wait("Boolean(document.querySelector(`[data-id='${args[0]}']`)) !== args[1]", mark, gone,
                      what=f"{mark} is {'not ' if gone else ''}in the list")

    def kept(self, table="outbox"):
        """What stands in the browser's database."""
        return self.tab.ask(DATABASE + """
            return rows.map((row) => row instanceof Object ? JSON.parse(JSON.stringify(row)) : row);""", table)

    def draft_is_kept(self, name, text=None):
        """Waits until what is typed is a draft on disk, with this text in one of its fields."""
        self.tab.wait(f"""await (async () => {{ {CORE} const draft = (await core.store.get("settings", "draft." + args[0]))?.value;
            return draft !== undefined && (args[1] === null || draft.values.includes(args[1])); }})()""", name, text, what=f"a draft of {name}")

    def drained(self, patience=60):
        """Waits until the server has all of it: in the session, or in its own queue."""
        self.tab.wait(f"(await (async (...args) => {{ {DATABASE} return rows; }})('outbox')).every((e) => e.state === 'at-server')",
                      patience=patience, what="the outbox is empty")

    def settled(self, patience=60):
        """Waits until nothing waits anywhere: it is asked again and again, as a person presses the button."""
        self.tab.wait(f"await (async () => {{ {CORE} core.outbox.drain(true); return core.outbox.all().length === 0; }})()",
                      patience=patience, what="nothing waits any more")

    def drain(self):
        self.core("core.outbox.drain(true);")

    # Listening.

    def player(self):
        return self.tab.evaluate("""(() => { const a = document.querySelector("audio");
            return a && { time: a.currentTime, paused: a.paused, rate: a.playbackRate, ready: a.readyState,
                          error: a.error?.message ?? null, source: a.currentSrc }; })()""")

    def seek(self, seconds):
        """Puts the recording to a time of its own, by the page's own player element."""
        self.tab.ask("""const a = document.querySelector("audio"); a.currentTime = args[0];
            if (a.seeking) await new Promise((done) => a.addEventListener("seeked", done, { once: true }));""", seconds)

    def record(self, seconds):
        """Speaks a note, and returns its id."""
        before = [entry["id"] for entry in self.kept()]
        self.tab.press("button.speak")
        begin = self.tab.evaluate("performance.now()")
        self.tab.wait("find('button.speak.on')", what="the recording begins")
        self.tab.wait(f"performance.now() - {begin} > {seconds * 1000}")
        self.tab.press("button.speak")
        self.tab.wait("!find('button.speak.on')", what="the recording ends")
        new = [entry["id"] for entry in self.kept() if entry["id"] not in before and entry["kind"] == "voice_note"]
        if len(new) != 1:
            raise Problem(f"recorded: {new}")
        return new[0]

    def is_audible(self):
        if not self.tab.browser.has_sound:
            self.tab.evaluate("void (document.querySelector('audio').muted = true)")
        self.tab.wait("document.querySelector('audio')?.readyState >= 1", what="the recording's length")

    def play(self):
        self.tab.press("button=^Play$")
        self.is_playing()

    def is_playing(self):
        self.tab.wait("(document.querySelector('audio')?.currentTime ?? 0) > 0 && !document.querySelector('audio').paused",
                      what="playing")


def sound(file, seconds=30):
    """A WAV file for a microphone: a tone that goes up and down."""
    import array
    import math
    import wave

    rate = 48_000
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(array.array("h", (
            int(9000 * math.sin(2 * math.pi * (440 + 200 * math.sin(t / rate)) * t / rate)) for t in range(rate * seconds))).tobytes())
    return file
