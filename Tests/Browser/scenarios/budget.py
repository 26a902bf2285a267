"""What the page costs: its budget, and the bars of docs/performance.md.

Figures with their bars. Times are noted, and no test fails by one: `run.py` lists the bars that were missed.
"""

import gzip
import json
import os
import re
import statistics
import time
import urllib.request

from driving.served import LATE_SET_ID, ROOT, WINTER_ID

from . import views
from .case import PageCase
from .figures_of import note

PAGE = ROOT / "page"
# Told by the browser of itself, from the first byte on.
WATCHING = """(() => {
  window.shifts = 0; window.tasks = []; window.inputs = []; window.came = {};
  // When the first row of a list, and the first marker, could be seen: two frames after they were there.
  new MutationObserver(() => {
    for (const [name, locator] of [["list", "main .row, #side-list .row"], ["markers", ".marker[data-id]"]]) {
      if (came[name] !== undefined || !document.querySelector(locator)) continue;
      came[name] = Infinity;
      requestAnimationFrame(() => requestAnimationFrame(() => (came[name] = performance.now())));
    }
  }).observe(document, { subtree: true, childList: true });
  new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) shifts += e.value; }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => { for (const e of list.getEntries()) tasks.push([e.startTime, e.duration]); }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => { for (const e of list.getEntries()) inputs.push([e.name, e.duration]); }).observe({ type: "event", durationThreshold: 16, buffered: true });
})()"""


class Weight(PageCase):
    @staticmethod
    def loaded(name):
        """A module, and all that is loaded with it."""
        found, left = set(), {name}
        while left:
            one = left.pop()
            found.add(one)
            imports = re.findall(r'\b(?:from|import) "([^"\n]+\.js)"', (PAGE / one).read_text())
            left |= {os.path.normpath(os.path.join(os.path.dirname(one), path)) for path in imports} - found
        return found

    def test_bytes(self):
        # What is sent: scripts go without their comments.
        address = self.serve(wired=False).address

        def weight(names):
            return sum(len(gzip.compress(urllib.request.urlopen(address + str(name), timeout=30).read(), 9)) for name in names) / 1000

        # What the list of sessions takes, and what is there for each view.
        always = self.loaded("boot.js")
        first = always | self.loaded("sessions/home.js")

        def view(name):
            return weight(always | self.loaded(name))

        # What a view of a practice journal loads beside what the page has for all journals.
        shared = self.loaded("practice/kind.js")
        practice = {name: weight(one for one in shared | self.loaded(f"practice/{name}.js") if one.startswith("practice/"))
                    for name in ("note", "log", "game", "groups", "scores", "mechanics", "library", "league")}
        # What each view loads beyond the list, and each tab of a session beyond the session: what is loaded as it is loaded.
        boot = (PAGE / "boot.js").read_text()
        views = dict(re.findall(r'(?m)^  (\w+): "([^" ]+)', boot[boot.index("const VIEWS"):]))
        # One journal is shown by the view for any, or by its kind's.
        beyond = {name: self.loaded(f"{module}.js") - first for name, module in views.items() if name not in ("home", "s", "live")}
        beyond["journal"] |= self.loaded("journals/journal.js") - first
        session = first | self.loaded("sessions/view.js")
        tabs = {name: self.loaded(f"sessions/{name}.js") - session for name in ("notes", "digest", "actions", "problems")}
        journal = self.loaded("journals/registry.js") | shared
        rooms = {name: (journal | self.loaded(f"practice/{name}.js")) - first for name in practice}
        every = weight(path.relative_to(PAGE) for path in PAGE.rglob("*.js"))
        holds = [
            note("practice journal: scripts of the largest view, gzip", max(practice.values()), "kB", 12),
            note("practice journal: scripts of the dialogs, gzip", weight(["practice/changing.js"]), "kB", 10),
            note("first view: scripts, gzip", weight(first), "kB", 28),
            note("first view: modules", len(first), "", 14),
            note("first view: style, gzip", weight(["style.css"]), "kB", 5),
            note("scripts of a session, gzip", view("sessions/view.js"), "kB", 58),
            note("scripts of the practice room, gzip", view("sessions/room.js"), "kB", 40),
            note("scripts of noting into a practice journal, gzip", weight(always | rooms["note"]), "kB", 44),
            *(note(f"scripts of the view {name} beyond the list, gzip", weight(files), "kB", 8) for name, files in beyond.items()),
            *(note(f"scripts of the tab {name} beyond the session, gzip", weight(files), "kB", 8) for name, files in tabs.items()),
            *(note(f"practice journal: scripts of {name} beyond the list, gzip", weight(files), "kB", 20) for name, files in rooms.items()),
            note("all scripts, gzip", every, "kB", 170),
            note("HTML", (PAGE / "index.html").stat().st_size / 1000, "kB", 14),
        ]
        self.assertTrue(all(holds))

    def test_source_has_no_markup(self):
        """Words of people can't become markup where nothing makes markup."""
        for file in PAGE.rglob("*.js"):
            text = file.read_text()
            for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "createContextualFragment"):
                self.assertNotIn(word, text, file.name)
        self.assertNotRegex((PAGE / "index.html").read_text(), r'\sstyle="|\son[a-z]+="')


class Loading(PageCase):
    def measure(self, address, ready, what, with_worker=False):
        """`what` is whether the list or the markers are waited for. Cold, or by the worker's shell and with what was kept."""
        served = self.serve(wired=False)
        browser = self.browse()
        person = self.person(served, browser)
        if "#/s/" in address:
            person.open_session(LATE_SET_ID)
        # A worker whose storage is cleared while it fetches complains.
        person.shell_is_kept()
        person.tab.close()
        times = []
        for _ in range(3):
            tab = browser.tab(touch=True)
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=WATCHING)
            # Cold: neither the worker's shell nor what was kept.
            if not with_worker:
                tab.call("Storage.clearDataForOrigin", origin=served.address.rstrip("/"), storageTypes="cache_storage,service_workers,indexeddb")
                tab.call("Network.clearBrowserCache")
            browser.network(latency=150, down=1.6e6 / 8, up=750e3 / 8)
            tab.processor(4)
            tab.open(served.address + address)
            tab.wait(ready)
            tab.wait(f"Number.isFinite(came.{what})")
            seen = tab.ask("""return { paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
                list: came[args[0]], shifts, longest: Math.max(0, ...tasks.map(([, d]) => d)),
                bytes: performance.getEntriesByType("resource").reduce((sum, e) => sum + e.transferSize, 0),
                requests: performance.getEntriesByType("resource").length };""", what)
            tab.processor(1)
            browser.network()
            tab.wait("await navigator.serviceWorker.ready.then((r) => r.active?.state === 'activated')", what="the shell is kept")
            tab.call("HeapProfiler.collectGarbage")
            seen["heap"] = tab.call("Runtime.getHeapUsage")["usedSize"] / 1e6
            times.append(seen)
            tab.close()
        return {key: statistics.median(one[key] for one in times) for key in times[0]}

    def test_first_view(self):
        seen = self.measure("", "document.querySelector('main .row, #side-list .row') && document.body.innerText.includes('Late set')", "list")
        note("first view, cold, 1.6 Mbit/s, 150 ms, processor / 4: first paint", seen["paint"] / 1000, "s", 0.6)
        note("first view: list", seen["list"] / 1000, "s", 1.4)
        note("first view: layout shift", seen["shifts"], "", 0.02)
        note("first view: heap", seen["heap"], "MB", 30)
        note("first view: longest task (processor / 4)", seen["longest"], "ms")
        note("first view: sent", seen["bytes"] / 1000, "kB")
        note("first view: requests", seen["requests"], "")

    def test_session_view(self):
        seen = self.measure(f"#/s/{LATE_SET_ID}", "find('.mark-H') && document.querySelector('[data-id]')", "markers")
        note("session view, cold: first paint", seen["paint"] / 1000, "s", 0.6)
        note("session view, cold: markers", seen["list"] / 1000, "s", 1.8)
        note("session view: layout shift", seen["shifts"], "", 0.02)
        note("session view: heap", seen["heap"], "MB", 30)
        note("session view: longest task (processor / 4)", seen["longest"], "ms", 400)

    def test_with_the_worker(self):
        """As slow, and the shell is kept: what is painted first is there at once."""
        seen = self.measure("", "document.querySelector('main .row, #side-list .row')", "list", with_worker=True)
        note("first view, with the worker: first paint", seen["paint"] / 1000, "s", 0.5)
        note("first view, with the worker: list", seen["list"] / 1000, "s", 0.5)

    def test_interaction_and_tasks(self):
        """Presses while it plays: no interaction over 100 ms, no task over 50."""
        served = self.serve(wired=False)
        browser = self.browse()
        tab = browser.tab(touch=True)
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=WATCHING)
        person = self.person(served, browser, tab=tab)
        person.open_session(LATE_SET_ID)
        person.is_audible()
        person.play()
        tab.evaluate("tasks.length = 0; inputs.length = 0; void 0")
        for category in ("highlight", "structure", "texture-sample", "fix-review"):
            person.mark(category)
        for tail in ("/notes", "/digest", "/problems", ""):
            person.go(f"#/s/{LATE_SET_ID}{tail}")
            tab.wait("!document.querySelector('main [aria-busy=true], main .skeleton')")
        person.drained()
        note("session view: slowest interaction", tab.evaluate("Math.max(0, ...inputs.map(([, d]) => d))"), "ms", 100)
        note("session view: longest task", tab.evaluate("Math.max(0, ...tasks.map(([, d]) => d))"), "ms", 50)

    def test_opens_offline(self):
        """What Lighthouse would ask: a manifest, icons, and a start without a network."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.shell_is_kept()
        manifest = person.tab.call("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        person.tab.wait("document.body.innerText.includes('Late set')")
        about = json.loads(manifest["data"])
        self.assertTrue({"name", "short_name", "start_url", "display", "icons"} <= set(about))
        self.assertTrue(any("512" in icon["sizes"] for icon in about["icons"]))
        self.assertEqual([error["errorId"] for error in person.tab.call("Page.getInstallabilityErrors")["installabilityErrors"]
                          if error["errorId"] != "in-incognito"], [])
        served.wire.cut()
        tab = browser.tab(touch=True)
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=WATCHING)
        tab.open(served.address)
        tab.wait("document.body.innerText.includes('Late set')")
        note("first view without a network: list", tab.evaluate("performance.now()") / 1000, "s")


class Bars(PageCase):
    def test_press_to_row_in_another_browser(self):
        served = self.serve(wired=False)
        first, second = self.browse(), self.browse()
        one, other = self.person(served, first), self.person(served, second)
        for who in (one, other):
            who.open_session(LATE_SET_ID)
        other.tab.evaluate("""void (() => { window.came = {};
            new MutationObserver(() => { for (const row of document.querySelectorAll("[data-id]")) came[row.dataset.id] ??= Date.now(); })
              .observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true }); })()""")
        one.tab.evaluate("""void (() => { window.pressed = [];
            document.addEventListener("pointerdown", () => pressed.push(performance.timeOrigin + performance.now()), true); })()""")
        times = []
        warm = 5
        for number in range(warm + 60):
            mark = one.mark(("highlight", "structure", "texture-sample", "fix-review")[number % 4])
            other.tab.wait("came[args[0]]", mark)
            times.append(other.tab.evaluate(f"came['{mark}']") - one.tab.evaluate("pressed.at(-1)"))
        times = sorted(times[warm:])
        # Beside it what the server alone takes: a PUT, until the line is told as an event.
        alone = self.without_a_browser(served)
        note("press in one browser, row in another: p50", statistics.median(times), "ms", alone + 34)
        note("press in one browser, row in another: p99", times[-1], "ms", 250)
        note("PUT, event by HTTP: p50", alone, "ms")

    def without_a_browser(self, served):
        import urllib.request
        token = served.token()
        stream = urllib.request.urlopen(urllib.request.Request(
            f"http://localhost:{served.port}/api/v1/events?session={LATE_SET_ID}", headers={"Authorization": f"Bearer {token}"}), timeout=30)
        times = []
        for number in range(30):
            id = f"01KGN8{number:020}"
            begin = time.monotonic()
            served.ask(f"sessions/{LATE_SET_ID}/markers/{id}", "PUT", {
                "offset_ms": number, "created_at": "2026-02-04T20:50:00.000Z", "source": "user"})
            while id.encode() not in stream.readline():
                pass
            times.append((time.monotonic() - begin) * 1000)
        stream.close()
        return statistics.median(times)

    def many(self, served, count):
        place = served.sessions / f"many-{count}"
        place.mkdir()
        id = f"01KGN6HCMGFP2XYCH0{count:08}"
        (place / "session.json").write_text(json.dumps({
            "id": id, "title": f"Many {count}", "created_at": "2026-02-04T20:47:10.480Z", "updated_at": "2026-02-04T20:47:10.480Z",
            "status": "closed", "start_time": "2026-02-04T20:47:10.480Z", "timeline_path": None, "markers_path": "markers.jsonl",
            "transcript_path": None, "voice_notes_path": None, "digest_path": None, "media": [],
            "end_time": "2026-02-04T22:47:10.480Z", "duration_ms": 7_200_000}))
        with (place / "markers.jsonl").open("w") as out:
            for number in range(count):
                out.write(f'{{"id":"01KGN6{number:020}","offset_ms":{number * 7_200_000 // count},"created_at":"2026-02-04T20:50:00.000Z",'
                          f'"source":"user","label":"No {number}","tags":["{("highlight", "structure", "texture-sample", "fix-review")[number % 4]}"]}}\n')
        return id

    def test_list_of_a_million(self):
        """Ten jumps of the scroll bar."""
        served = self.serve(wired=False)
        ids = {count: self.many(served, count) for count in (1_000, 1_000_000)}
        served.restart()
        browser = self.browse()
        person = self.person(served, browser)
        took = {}
        for count, id in ids.items():
            served.soon(lambda id=id, count=count: any(row["session_id"] == id and row["marker_count"] == count for row in served.ask("sessions")),
                        "the index", patience=120)
            person.go(f"#/s/{id}")
            # The view of the session before it is there until this one is loaded.
            person.tab.wait("document.getElementById('title').textContent.includes(args[0]) && document.querySelector('[data-id]')",
                            f"Many {count}", patience=60)
            times = []
            for number in range(1, 11):
                part = (number * 0.37) % 1
                times.append(person.tab.ask("""
                    const box = document.querySelector(".rows-scroller"), total = args[1];
                    const answered = () => Math.max(0, ...performance.getEntriesByType("resource").filter((e) => e.name.includes("/api/")).map((e) => e.responseEnd));
                    performance.clearResourceTimings();
                    const begin = performance.now();
                    box.scrollTop = (box.scrollHeight - box.clientHeight) * args[0];
                    for (;;) {
                      await new Promise(requestAnimationFrame);
                      const top = box.getBoundingClientRect();
                      const rows = [...box.querySelectorAll(".marker")].filter((r) => { const b = r.getBoundingClientRect(); return b.bottom > top.top && b.top < top.bottom; });
                      const wanted = args[0] * total;
                      const there = rows.length > 3 && rows.every((r) => r.dataset.id) && Math.abs(Number(/No (\\d+)/.exec(rows[0].innerText)?.[1]) - wanted) < total * 0.02 + 40;
                      if (there) return { all: performance.now() - begin, after: answered() ? performance.now() - Math.max(begin, answered()) : performance.now() - begin };
                      if (performance.now() - begin > 20000) return { all: 20000, after: 20000, rows: rows.map((r) => r.innerText) };
                    }""", part, count))
            took[count] = times
            note(f"list of {count:,}: a jump until its rows are there, p50", statistics.median(one["all"] for one in times), "ms")
            note(f"list of {count:,}: rows there after the answer, longest", max(one["after"] for one in times), "ms", 100)
            note(f"list of {count:,}: elements in the page", person.tab.evaluate("document.querySelectorAll('*').length"), "")
            self.assertNotIn(20000, [one["all"] for one in times], times)
        person.tab.call("HeapProfiler.collectGarbage")
        note("a million markers: heap", person.tab.call("Runtime.getHeapUsage")["usedSize"] / 1e6, "MB", 30)
        note("a jump among 1,000,000, compared with 1,000", statistics.median(one["after"] for one in took[1_000_000])
               / max(16.7, statistics.median(one["after"] for one in took[1_000])), "×", 1.5)


class Shifts(PageCase):
    def test_nothing_moves_while_a_view_loads(self):
        served = self.serve(journals=True)
        browser = self.browse()
        person = None
        late, winter = f"#/s/{LATE_SET_ID}", f"#/journals/{WINTER_ID}"
        moved = []
        for width, height in ((390, 844), (844, 390), (1280, 800)):
            tab = browser.tab(width=width, height=height)
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=WATCHING)
            person = person or self.person(served, browser, "admin", tab=tab)
            for address in ("#/", late, f"{late}/digest", winter, f"{winter}/log", f"{winter}/insights", "#/at/2026-02-04T20:50", "#/settings"):
                tab.open("about:blank")
                tab.open(served.address + address)
                tab.wait("document.querySelector('main')?.innerText.length > 20 && !document.querySelector('main [aria-busy=true], main .skeleton')")
                # Waveforms are made meanwhile.
                tab.wait("!document.querySelector('.wave') || new Promise((done) => setTimeout(() => done(true), 1500))")
                shift = tab.evaluate("shifts")
                if shift > 0.02:
                    moved.append(f"{address} at {width} px: {shift:.3f}")
        self.assertEqual(moved, [])


class Sizes(PageCase):
    """What every view is, at the sizes that people have."""

    SIZES = ((390, 844, True), (844, 390, True), (320, 640, True), (768, 1024, True), (1440, 900, False), (2560, 1440, False))

    def at(self, served, browser, width, height, touch, person=None):
        tab = browser.tab(width=width, height=height, touch=touch)
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=WATCHING)
        if person is None:
            return self.person(served, browser, "admin", tab=tab)
        tab.open(served.address)
        tab.wait("document.body.dataset.state === 'ready'")
        return type(person)(served, tab)

    def test_targets(self):
        """Every button, link and field is as large as a finger, and a finger that is 21 px beside its middle still hits it."""
        served, browser, person = self.serve(journals=True), self.browse(), None
        small, covered, seen = {}, {}, 0
        for size in self.SIZES:
            person = self.at(served, browser, *size, person=person)
            for name, view in views.views().items():
                views.see(person, view)
                found = person.tab.ask(TARGETS)
                seen += found["seen"]
                for kind, all in (("small", small), ("covered", covered)):
                    for what in found[kind]:
                        all.setdefault(what, []).append(f"{name} {size[0]}")
            person.tab.close()
        for word, all in (("smaller than 44", small), ("covered", covered)):
            for what, where in sorted(all.items(), key=lambda one: -len(one[1]))[:20]:
                print(f"        {word}: {what}: {len(where)} times, first in {where[0]}")
        note("targets below 44 px, of all views and six sizes", sum(map(len, small.values())), "", 0)
        note("targets that are covered within 44 px", sum(map(len, covered.values())), "", 0)
        self.assertGreater(seen, 2000)
        self.assertEqual({**small, **covered}, {})

    def test_shift(self):
        """Each view as it is loaded, and as another one becomes it; the tabs of a session one after the other."""
        served, browser, person = self.serve(journals=True), self.browse(), None
        loaded, changed = {}, {}
        for size in ((390, 844, True), (844, 390, True), (768, 1024, True), (1440, 900, False)):
            person = self.at(served, browser, *size, person=person)
            tab = person.tab
            for name, view in views.views().items():
                tab.evaluate("shifts = 0; void 0")
                views.see(person, view)
                changed[f"{name} at {size[0]}"] = tab.evaluate("new Promise((done) => setTimeout(() => done(shifts), 300))")
                tab.reload()
                views.see(person, view)
                loaded[f"{name} at {size[0]}"] = tab.evaluate("new Promise((done) => setTimeout(() => done(shifts), 300))")
            tab.close()
        for word, all in (("load", loaded), ("change", changed)):
            for what, shift in sorted(all.items(), key=lambda one: -one[1])[:5]:
                print(f"        {word}: {what}: {shift:.4f}")
            note(f"layout shift, the worst {word} of a view at three widths and on its side", max(all.values()), "", 0.02)
        self.assertEqual({what: shift for all in (loaded, changed) for what, shift in all.items() if shift > 0.02}, {})

    def test_memory(self):
        """Going round through the views leaves nothing behind."""
        served, browser = self.serve(journals=True), self.browse()
        person = self.at(served, browser, 1440, 900, False)
        names = ("sessions", "session", "session-notes", "session-digest", "at", "journal", "day", "search", "settings", "outbox")

        def counted(rounds):
            for _ in range(rounds):
                for name in names:
                    views.see(person, views.views()[name])
            for _ in range(2):
                person.tab.call("HeapProfiler.collectGarbage")
            counts = person.tab.call("Memory.getDOMCounters")
            return counts["nodes"], counts["jsEventListeners"], person.tab.call("Runtime.getHeapUsage")["usedSize"] / 1000

        before, rounds = counted(3), 8
        after = counted(rounds)
        holds = [note(f"left behind by a round through ten views: {what}", max(0, other - one) / rounds, unit, bar)
                 for what, unit, bar, one, other in zip(("elements", "listeners", "heap"), ("", "", "kB"), (0, 0, 20), before, after)]
        self.assertTrue(all(holds[:2]))


# Links within a sentence may be as tall as its lines. All else is pressed in its middle and at four places around it.
TARGETS = """
  const small = [], covered = [], all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=slider]")];
  let seen = 0;
  for (const e of all) {
    // Of a lane of a day its parts are pressed.
    if (e.disabled || !shown(e) || e.closest("[inert]") || e.matches(".off-screen, #skip, .lane")) continue;
    const label = e.closest("label"), area = label && e.matches("input[type=checkbox], input[type=radio]") ? label : e;
    area.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = area.getBoundingClientRect(), what = `${e.tagName.toLowerCase()}.${[...e.classList].join(".")} “${nameOf(e).slice(0, 24)}”`;
    if (!box.width || !box.height) continue;
    seen += 1;
    const inText = e.matches("p a, li a, dd a, h2 a, .links a, td a, .notice a, button.link, .link");
    if (Math.min(box.width, box.height) < 43.5 && !inText) small.push(`${what} ${Math.round(box.width)}×${Math.round(box.height)}`.replace(/\d+:\d+(:\d+)?/g, "0:00"));
    for (const [x, y] of inText ? [[0, 0]] : [[0, 0], [-21, 0], [21, 0], [0, -21], [0, 21]]) {
      const hit = document.elementFromPoint(box.left + box.width / 2 + x, box.top + box.height / 2 + y);
      if (hit && (area.contains(hit) || (!x && !y && hit.contains(area)) || hit.closest("label")?.control === e)) continue;
      covered.push(`${what} at ${x}, ${y} by ${hit?.tagName.toLowerCase()}.${hit?.className}`);
      break;
    }
  }
  return { small, covered, seen };"""
