"""Nothing is waited for without an end, and what a browser or a proxy does by itself loses nothing."""

import base64

from driving.person import sound
from driving.served import LATE_SET, LATE_SET_ID
from driving.wire import answer

from .case import PageCase

# As iOS Safari after a long time in the background: neither success nor error nor blocked.
NEVER_OPENS = "IDBFactory.prototype.open = function () { return new EventTarget(); };"
# As WebKit when its storage process was killed: the old connection is of no use, and a new one is.
LOSES = """
const real = IDBDatabase.prototype.transaction, dead = new WeakSet();
let last;
IDBDatabase.prototype.transaction = function (...all) {
  last = this;
  if (dead.has(this)) throw new DOMException("Connection to Indexed Database server lost. Refresh the page to try again", "UnknownError");
  return real.apply(this, all);
};
globalThis.lose = () => dead.add(last);"""
# iOS: a media element that no finger plays loads nothing and tells nothing.
SILENT = """
for (const name of ["ondurationchange", "onerror"])
  Object.defineProperty(HTMLMediaElement.prototype, name, { set() {}, get: () => null });"""
STOPS = """
if (globalThis.MediaRecorder) {
const all = [], Real = MediaRecorder;
globalThis.MediaRecorder = class extends Real { constructor(...given) { super(...given); all.push(this); } };
globalThis.unplug = () => all.at(-1).stop();
globalThis.pausing = () => all.at(-1).pause();
}"""


# A blank page has none.
NO_MICROPHONE = "if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));"


def choose(case, name, data, type="audio/mp4"):
    """Adds a file instead of speaking."""
    case.me.open_session(LATE_SET_ID)
    case.tab.press("button.speak")
    case.tab.wait("document.querySelector('dialog[open] input[type=file]')")
    case.tab.ask("""const input = document.querySelector("dialog[open] input[type=file]"), given = new DataTransfer();
        given.items.add(new File([Uint8Array.from(atob(args[1]), (one) => one.charCodeAt(0))], args[0], { type: args[2] }));
        input.files = given.files;""", name, base64.b64encode(data).decode(), type)
    case.tab.press("button=^Add$")


class Waits(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def come(self, script="", scope="mark", **settings):
        self.served = self.serve()
        self.browser = self.browse(**settings)
        tab = self.browser.tab()
        if script:
            tab.before(script)
        self.me = self.person(self.served, self.browser, scope, tab=tab)
        self.tab = self.me.tab

    def toasts(self, words):
        self.tab.wait("new RegExp(args[0]).test(document.getElementById('toasts').innerText)", words, what=f"“{words}”")

    def outbox(self):
        return self.me.core("return core.outbox.all().map(({ id, state }) => [id, state]);")


class Storage(Waits):
    def test_a_database_that_never_opens(self):
        self.come(NEVER_OPENS)
        self.toasts("keeps nothing")
        self.me.open_session(LATE_SET_ID)
        before = len(self.served.lines(LATE_SET))
        self.tab.press("button.mark-H")
        self.served.soon(lambda: len(self.served.lines(LATE_SET)) == before + 1, "the mark")

    def test_a_connection_that_was_lost(self):
        self.come(LOSES)
        self.me.open_session(LATE_SET_ID)
        self.served.wire.cut()
        first = self.me.mark("highlight")
        self.tab.evaluate("void lose()")
        marks = [first, *(self.me.mark(one) for one in ("structure", "texture-sample", "fix-review", "highlight"))]
        self.assertEqual(sorted(entry["id"] for entry in self.me.kept()), sorted(marks), "they are on disk")
        self.assertNotIn("full", self.tab.evaluate("document.getElementById('toasts').innerText"))
        self.tab.reload()
        self.served.wire.mend()
        self.me.in_session()
        self.me.drain()
        self.me.drained()
        self.stands_once(self.served, LATE_SET, marks)

    def test_a_lock_that_nobody_gives_back(self):
        """As of a tab that the system has frozen."""
        self.come()
        frozen = self.browser.tab(self.served.address)
        frozen.wait("Boolean(navigator.locks)")
        frozen.evaluate("void navigator.locks.request('trace-drain', () => new Promise(() => {}))")
        self.me.open_session(LATE_SET_ID)
        mark = self.me.mark("highlight")
        self.served.soon(lambda: self.served.times(LATE_SET, mark) == 1, "the mark")


class Recorders(Waits):
    def spoken(self):
        return [entry for entry in self.me.kept() if entry["kind"] == "voice_note"]

    def test_one_that_stops_by_itself(self):
        for how in ("unplug", "pausing"):
            with self.subTest(how=how):
                self.come(STOPS, microphone=sound(self.scratch / "microphone.wav"))
                self.me.open_session(LATE_SET_ID)
                self.tab.press("button.speak")
                self.tab.wait("find('button.speak.on')")
                self.tab.wait("new Promise((done) => setTimeout(() => done(true), 2500))")
                self.served.wire.cut()
                self.tab.evaluate(f"void {how}()")
                self.toasts("Voice note of 0:0[23] kept")
                [note] = self.spoken()
                self.assertGreater(note["body"]["duration_ms"], 2000)
                self.assertEqual(note["state"], "waiting")

    def test_a_length_that_never_comes(self):
        self.come(SILENT + NO_MICROPHONE)
        self.served.wire.rule = lambda request: answer(502) if request.method == "PUT" else None
        choose(self, "memo.m4a", b"\0\0\0\x18ftypM4A " + bytes(300))
        self.toasts("kept")
        [note] = self.spoken()
        self.assertEqual(note["audio"]["type"], "audio/mp4")

    def test_what_a_file_is_its_bytes_say(self):
        self.come(NO_MICROPHONE)
        self.served.wire.rule = lambda request: answer(502) if request.method == "PUT" else None
        choose(self, "letter.pdf", b"%PDF-1.7" + bytes(100), "audio/mp4")
        self.tab.wait("/letter.pdf is not a recording/.test(document.querySelector('dialog[open] .message')?.textContent)")
        self.assertEqual(self.spoken(), [])
        self.tab.keys("Escape")
        for name, data, given, wanted in [("memo.opus", b"OggS" + bytes(100), "audio/opus", "audio/ogg"),
                                          ("Recording.3gp", b"\0\0\0\x18ftyp3gp4" + bytes(100), "audio/mp4", "audio/3gpp"),
                                          ("IMG_0042.MOV", b"\0\0\0\x14ftypqt  " + bytes(100), "video/quicktime", "video/quicktime")]:
            before = len(self.spoken())
            choose(self, name, data, given)
            self.served.soon(lambda: len(self.spoken()) > before, name)
            self.assertEqual(self.spoken()[-1]["audio"]["type"], wanted)


class Proxies(Waits):
    def test_one_that_asks_for_a_sign_in(self):
        """The page in front of it is behind another origin: it says so, and leads past the worker."""
        self.come()
        self.me.open_session(LATE_SET_ID)
        self.me.shell_is_kept()
        self.served.wire.rule = lambda request: answer(302, Location="https://login.invalid/")
        mark = self.me.mark("highlight")
        self.me.drain()
        self.toasts("asks you to sign in")
        self.assertEqual([entry["id"] for entry in self.me.kept()], [mark])
        seen = len(self.served.wire.seen)
        self.tab.press("button=^Open$")
        self.served.soon(lambda: any(request.matches("GET /index.html") for request in self.served.wire.seen[seen:]), "a request past the worker")
        self.served.wire.mend()
        self.tab.open(self.served.address)
        self.me.drained()
        self.stands_once(self.served, LATE_SET, [mark])

    def test_a_401_of_a_proxy_signs_nobody_out(self):
        self.come()
        self.me.open_session(LATE_SET_ID)
        self.served.wire.rule = lambda request: answer(401, **{"WWW-Authenticate": "Basic realm=home"})
        self.me.core("await core.api.get('sessions').catch(() => {});")
        self.assertEqual(self.tab.evaluate("document.body.dataset.state"), "ready")
        self.assertGreater(len(self.me.kept("kept")), 0)

    def test_one_that_takes_no_large_file(self):
        self.come(NO_MICROPHONE)
        limit = 100_000
        self.served.wire.rule = lambda request: (answer(413) if int(request.fields.get("content-length", 0)) > limit else None)
        choose(self, "memo.wav", sound(self.scratch / "memo.wav", 4).read_bytes())
        self.served.soon(lambda: self.served.lines(LATE_SET, "voice_notes.jsonl")[-1].get("media_path", "").endswith(".wav"),
                         "the note, in pieces")
        self.assertNotEqual(self.tab.evaluate("document.getElementById('net').dataset.state"), "offline")
