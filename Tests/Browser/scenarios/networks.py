"""Networks that die, lie, and lead elsewhere (docs/http.md#writing-so-that-nothing-is-lost-or-doubled), and uploads that are cut."""

import threading

from driving.served import LATE_SET, LATE_SET_ID
from driving.wire import CUT, LOSE_ANSWER, answer, cut_body

from .case import PageCase

PAIRING = "find('field=Pairing code')"
WRITES = r"^(PUT|POST|PATCH|DELETE) /api/"
HOTEL = "<!doctype html><title>Welcome</title><h1>Sign in to the hotel's network</h1>"


class BadNetworks(PageCase):
    def through(self, rule, pattern=WRITES):
        """Marks while every matching request gets `rule`; later the network is right again."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        served.wire.rule = lambda request: rule if request.matches(pattern) else None
        before = len(served.wire.seen)
        mark = person.mark("highlight")
        served.soon(lambda: any(one.matches(WRITES) and mark in one.target for one in served.wire.seen[before:]), "a try")
        self.wait_for_try(person, mark)
        self.assertEqual([entry["id"] for entry in person.kept()], [mark], "it is still kept")
        self.assertNotEqual(person.kept()[0]["state"], "needs-you", "nobody has to do anything")
        served.wire.mend()
        person.drain()
        person.drained()
        self.stands_once(served, LATE_SET, [mark])
        return served, person

    def wait_for_try(self, person, mark):
        person.tab.wait(f"(await (async (...args) => {{ {DATABASE_ROWS} }})('outbox')).some((e) => e.id === args[0] && e.tries > 0)",
                        mark, what="a try that failed is noted")

    def test_dies_after_the_request_before_the_answer(self):
        served, _ = self.through(LOSE_ANSWER)
        self.assertGreaterEqual(sum(one.matches("^PUT .*/markers/") for one in served.wire.seen), 2)

    def test_dies_before_the_request(self):
        self.through(CUT)

    def test_502_of_a_proxy(self):
        self.through(answer(502, "<h1>Bad Gateway</h1>"))

    def test_captive_portal(self):
        """A 200 that is not ours is no acknowledgement."""
        self.allowed += ["EventSource's response"]
        self.through(answer(200, HOTEL), pattern="/api/")

    def test_captive_portal_with_json(self):
        """Nor is JSON that says nothing of the record."""
        self.allowed += ["EventSource's response"]
        self.through(answer(200, '{"status":"ok"}', "application/json"))

    def test_redirect(self):
        # The page may connect to its own origin alone; that the browser says so is right.
        self.allowed += ["connect-src", "media-src"]
        self.through(answer(302, "", Location="http://127.0.0.1:9/login"), pattern="/api/")

    def test_redirect_to_a_page_of_the_same_origin(self):
        self.through(answer(302, "", Location="/"))

    def test_portal_from_the_start(self):
        """The portal answers for everything, the page itself too: the shell that was kept opens, and marks are kept."""
        self.allowed += ["EventSource's response"]
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        served.wire.rule = lambda request: answer(200, HOTEL)
        person.tab.reload()
        person.open_session(LATE_SET_ID)
        self.assertNotIn("hotel", person.tab.text())
        mark = person.mark("structure")
        served.wire.mend()
        person.tab.reload()
        person.drained()
        self.stands_once(served, LATE_SET, [mark])

    def test_slow_network(self):
        """On 20 kbit/s with a second of delay a mark is still kept at once."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        browser.network(latency=1000, down=2500, up=2500)
        begin = person.tab.evaluate("performance.now()")
        mark = person.mark("highlight")
        self.assertLess(person.tab.evaluate("performance.now()") - begin, 1000)
        person.drained()
        browser.network()
        self.stands_once(served, LATE_SET, [mark])


DATABASE_ROWS = """
    const db = await new Promise((done) => { const o = indexedDB.open("trace"); o.onsuccess = () => done(o.result); });
    const rows = await new Promise((done) => { const q = db.transaction(args[0]).objectStore(args[0]).getAll();
      q.onsuccess = () => done(q.result); });
    db.close(); return rows;"""


class CutUploads(PageCase):
    """Voice notes whose upload is cut at some place, again and again, and resumed by the page."""

    def test_cut_and_resumed(self):
        served = self.serve()
        browser = self.browse(microphone=self.microphone())
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        before = served.media(LATE_SET)
        cuts = [0, 1, 100, 4000, 3000]
        done = []

        def rule(request):
            if request.matches("^(PUT|PATCH) .*/audio") and cuts:
                done.append((request.method, request.fields.get("upload-offset")))
                return cut_body(cuts.pop(0))
            return None

        served.wire.rule = rule
        note = person.record(3)
        served.soon(lambda: self.push(person) or not cuts, "all cuts", patience=60)
        served.wire.rule = None
        self.push(person)
        person.drained()
        self.stands_once(served, LATE_SET, [note], "voice_notes.jsonl")
        new = {name: size for name, size in served.media(LATE_SET).items() if name not in before}
        self.assertEqual(len(new), 1, new)
        line = next(line for line in served.lines(LATE_SET, "voice_notes.jsonl") if line["id"] == note)
        self.assertEqual(line["media_path"], f"media/{next(iter(new))}")
        self.assertIn("PATCH", [method for method, _ in done], "what had come was not sent again")
        self.assertGreater(next(iter(new.values())), 7100)

    def push(self, person):
        person.drain()

    def microphone(self):
        from driving.person import sound
        return sound(self.scratch / "microphone.wav")


class LateViews(PageCase):
    def test_a_view_that_arrives_late_leaves_the_sign_in_alone(self):
        """The token is gone, and that is known before the script of the view is there. What is kept is drawn, for the server is silent at first."""
        self.allowed += ["when fetching the script", "status of 4"]
        served = self.serve()
        arrives, is_silent, is_asked = threading.Event(), threading.Event(), threading.Event()
        self.addCleanup(arrives.set)
        self.addCleanup(is_asked.set)

        def rule(request):
            if request.matches(r"^GET /sw\.js"):
                return answer(404)
            if request.matches(r"^GET /sessions/view\.js"):
                is_asked.set()
                arrives.wait(60)
            elif is_silent.is_set() and request.matches(r"^GET /api/"):
                is_asked.wait(60)
            return None

        served.wire.rule = rule
        person = self.person(served, self.browse())
        # Who was here is kept: the next page begins with that, before the server has answered.
        person.tab.wait(f"(await (async (...args) => {{ {DATABASE_ROWS} }})('kept')).some((row) => row.address === '')", what="who is here is kept")
        served.trace("token", "revoke", "Test phone")
        is_silent.set()
        person.tab.open(f"{served.address}?again#/s/{LATE_SET_ID}")
        person.tab.wait(PAIRING, what="the sign-in")
        arrives.set()
        served.soon(lambda: any(one.matches(r"^GET /sessions/view\.js") and one.status == 200 for one in served.wire.seen), "the script")
        person.tab.wait("performance.getEntriesByName(new URL('sessions/view.js', location), 'resource').length", what="it has arrived")
        person.tab.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
        self.assertTrue(person.tab.there("field=Pairing code"), person.tab.describe())
