"""Every view: accessible, by keyboard alone, narrow, large, dark; and pictures of all of them."""

import html
from pathlib import Path


from driving.person import Person
from driving.served import ACTIVE, BROKEN, LATE_SET_ID, WINTER_ID, sample_handle
from driving.wire import CUT

from .case import PICTURES, PageCase

BUSY = "!document.querySelector('main [aria-busy=true], main .skeleton, main .loading')"


def views():
    """Name, address, and what is there when it is whole."""
    late, active, broken = LATE_SET_ID, sample_handle(ACTIVE), sample_handle(BROKEN)
    return {
        "sessions": ("#/", "Late set"), "session": (f"#/s/{late}?at=0", "Drone in D"),
        "session-transcript": (f"#/s/{late}/transcript", "this is the late set"), "session-notes": (f"#/s/{late}/notes", "breathes"), "session-digest": (f"#/s/{late}/digest", "thirty people|Notable|Late set"),
        "session-actions": (f"#/s/{late}/actions", "loudness"), "session-problems": (f"#/s/{late}/problems", "."),
        "session-left-open": (f"#/s/{active}/live", "It still runs"), "session-active": (f"#/s/{active}", "Add a marker at"),
        "session-live": (f"#/s/{active}/live", "Highlight|It still runs"),
        "broken": (f"#/s/{broken}", "."), "broken-problems": (f"#/s/{broken}/problems", "."),
        "search": ("#/search?q=theme", "Theme"), "search-nothing": ("#/search?q=zzzz", "."), "search-empty": ("#/search", "."),
        "at": ("#/at/2026-02-04T20:50", "Late set"), "at-nothing": ("#/at/2001-01-01T12:00", "."),
        "problems": ("#/problems", "."), "outbox": ("#/outbox", "."), "settings": ("#/settings", "."), "help": ("#/help", "."),
        "journals": ("#/journals", "Winter season"), "journal": (f"#/journals/{WINTER_ID}", "Score"),
        "journal-unknown": ("#/journals/01K6N9GJRR0000000000000000", "."),
        "day": ("#/day/2026-02-04", "Tutorial"), "day-nothing": ("#/day/2001-01-01", "."),
        "not-found": ("#/nowhere", "."),
    }


def see(person, view):
    address, words = view
    person.go(address)
    if "Highlight|" in words:
        # The sample's session was left open.
        person.tab.press("button=^It still runs$")
    person.tab.wait(f"location.hash.startsWith(args[0]) && new RegExp(args[1], 'i').test(document.querySelector('main').innerText) && {BUSY}",
                    address, words, what=f"the view {address}")
    person.tab.evaluate("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))")


class EveryView(PageCase):
    def axe(self, person, what):
        """What axe has to say of the page as it stands."""
        tab = person.tab
        if not tab.evaluate("Boolean(window.axe)"):
            tab.evaluate(axe_source() + "; void 0")
        found = tab.evaluate("""axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
            resultTypes: ["violations"] }).then((all) => all.violations
            // What the bar covers is scrolled to; sizes have a test of their own.
            .map((one) => ({ ...one, nodes: one.nodes.filter((node) => !/partially obscured/.test(node.any[0]?.message)) }))
            .filter((one) => one.nodes.length).map((one) => one.id + ": " + one.help + " " +
            one.nodes.slice(0, 4).map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join(" | ")))""")
        self.assertEqual(found, [], what)

    def test_axe_finds_nothing(self):
        served = self.serve(journals=True)
        browser = self.browse(bypass_csp=True)
        for dark in (False, True):
            for width, height, touch in ((390, 844, True), (1280, 800, False)):
                tab = browser.tab(width=width, height=height, touch=touch)
                tab.look(dark=dark, reduced=True)
                where = f"{'dark' if dark else 'light'} {width}"
                if (dark, width) == (False, 390):
                    tab.open(served.address)
                    tab.wait("find('field=Pairing code')")
                    with self.subTest(view="sign-in", where=where):
                        self.axe(Person(served, tab), f"sign-in {where}")
                    person = self.person(served, browser, "admin", tab=tab)
                else:
                    tab.open(served.address)
                    person = Person(served, tab)
                    tab.wait("document.body.innerText.includes('Late set')")
                for name, view in views().items():
                    with self.subTest(view=name, where=where):
                        see(person, view)
                        self.axe(person, f"{name} {where}")
                tab.close()

    def test_axe_in_dialogs(self):
        served = self.serve(journals=True)
        browser = self.browse(bypass_csp=True)
        person = self.person(served, browser, "admin")
        person.tab.look(reduced=True)
        for size in ((390, 844), (1280, 800)):
            person.tab.size(*size)
            see(person, views()["session"])
            mark = person.mark("highlight")
            # With the focus in it, it stays: else it goes by itself while it is looked at, and whatever comes then is pressed.
            person.tab.ask("document.querySelector('.toast button').focus();")
            self.axe(person, f"toast {size}")
            person.tab.press("button=^Name")
            person.tab.wait("document.querySelector('dialog[open], form input:focus, [contenteditable]:focus, input:focus')")
            self.axe(person, f"naming {size}")
            person.tab.keys("Escape")
            self.assertIn(mark, person.rows())
            see(person, views()["sessions"])
            person.tab.press("button=^Start a session")
            person.tab.wait("document.querySelector('dialog[open]')")
            self.axe(person, f"start {size}")
            person.tab.keys("Escape")
            person.tab.wait("!document.querySelector('dialog[open]')")

    def test_everything_by_keyboard(self):
        """Tab reaches all that can be pressed, the focus is seen, and it comes out again at the other end."""
        served = self.serve(journals=True)
        browser = self.browse()
        for width, height in ((390, 844), (1280, 800)):
            tab = browser.tab(width=width, height=height)
            if width == 390:
                person = self.person(served, browser, "admin", tab=tab)
            else:
                tab.open(served.address)
                person = Person(served, tab)
            for name, view in views().items():
                with self.subTest(view=name, width=width):
                    see(person, view)
                    tab.reload()
                    see(person, view)
                    # After the first connection the list is asked for again, and the frame is drawn.
                    tab.wait("document.getElementById('net').dataset.state === 'live'"
                             " && !(await import(new URL('sessions/list.js', location))).sessionRows.loading", what="the frame rests")
                    self.reaches_everything(tab)

    def reaches_everything(self, tab):

        tab.evaluate("document.activeElement?.blur?.(); void 0")
        reached, unseen, outside = [], [], 0
        for _ in range(400):
            tab.keys("Tab")
            found = tab.ask("""
                const e = document.activeElement;
                if (!e || e === document.body) return null;
                const box = e.getBoundingClientRect(), style = getComputedStyle(e);
                const mid = [box.left + box.width / 2, box.top + box.height / 2];
                const hit = document.elementFromPoint(...mid);
                const covered = mid[0] >= 0 && mid[1] >= 0 && mid[0] < innerWidth && mid[1] < innerHeight
                  && !(hit && (e.contains(hit) || hit.contains(e) || hit.closest("label")?.contains(e)));
                const outside = box.bottom <= 0 || box.top >= innerHeight;
                const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1
                  || style.boxShadow !== "none" || e.closest(":focus-within:not(body):not(html)") && hasRing(e);
                function hasRing(e) { for (let p = e.parentElement; p && p !== document.body; p = p.parentElement) {
                  const s = getComputedStyle(p); if (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1) return true; } return false; }
                const again = e.hasAttribute("data-test-reached");
                e.setAttribute("data-test-reached", "");
                // A field for a date has several stops in one.
                const same = window.testLast === e;
                window.testLast = e;
                return { same, name: e.tagName + " " + nameOf(e).slice(0, 50), covered, outside, ring: Boolean(ring), again };""")
            if found is None:
                # Behind the last one comes the browser's own, then the first one.
                outside += 1
                if outside > 3:
                    break
                continue
            if found["same"]:
                continue
            if found["again"]:
                break
            reached.append(found["name"])
            if found["covered"] or found["outside"] or not found["ring"]:
                unseen.append(found)
        missed = tab.ask("""
            return [...document.querySelectorAll("a[href],button,input,select,textarea,[tabindex='0'],[role=slider],summary")]
              .filter((e) => shown(e) && !e.disabled && e.type !== "hidden" && !e.closest("[inert]") && e.tabIndex >= 0)
              .filter((e) => !e.hasAttribute("data-test-reached"))
              // Of radio buttons, one is in the order of tabs.
              .filter((e) => e.type !== "radio" || !document.querySelector(`input[name="${e.name}"][data-test-reached]`))
              .map((e) => e.tagName + " " + nameOf(e).slice(0, 50));""")
        self.assertEqual(missed, [], f"not reached; reached were {len(reached)}")
        self.assertEqual(unseen, [], "focus that can't be seen")
        self.assertGreater(len(reached), 1)

    def test_work_without_a_mouse(self):
        """From signing in to a mark with a name, by keys alone."""
        served = self.serve(journals=True)
        browser = self.browse()
        tab = browser.tab(served.address, width=1280, height=800)
        tab.wait("find('field=Pairing code')")
        code = served.pair("mark")
        self.tab_to(tab, "Pairing code")
        tab.insert(code)
        tab.keys("Enter")
        tab.wait("document.body.innerText.includes('Late set')")
        self.tab_to(tab, "Late set")
        tab.keys("Enter")
        person = Person(served, tab)
        person.in_session()
        person.shows("01KGN6KABG4CSWE84XXM21GJG4")
        person.is_audible()
        tab.evaluate("document.activeElement.blur?.()")
        begin = person.moment()
        tab.keys("2")
        mark = person.kept_since(begin)
        tab.keys("n")
        tab.wait("document.activeElement?.matches('input, textarea')", what="a field for the name")
        tab.insert("By keys")
        tab.keys("Enter")
        served.soon(lambda: any(line["id"] == mark and line.get("label") == "By keys"
                                for line in served.lines("2026-02-04-late-set")), "the name")
        tab.evaluate("document.activeElement.blur?.()")
        tab.keys("?")
        tab.wait("document.querySelector('dialog[open]') || location.hash === '#/help'", what="help")

    def tab_to(self, tab, words):
        for _ in range(100):
            if tab.ask("const e = document.activeElement; return Boolean(e && e !== document.body && nameOf(e).includes(args[0]));", words):
                return
            tab.keys("Tab")
        self.fail(f"Tab does not reach {words}")

    def test_narrow_and_large(self):
        """320 px wide, with letters of twice the size, and both: nothing has to be scrolled sideways."""
        served = self.serve(journals=True)
        browser = self.browse()
        person = self.person(served, browser, "admin")
        wide = []
        for width, size in ((320, 16), (390, 32), (1280, 32), (320, 32)):
            for name, view in views().items():
                person.tab.size(width, 700)
                # As the setting of the browser for its letters.
                person.tab.call("Emulation.setEmulatedMedia", media="screen")
                person.tab.evaluate(f"void (document.documentElement.style.fontSize = '{size}px')")
                see(person, view)
                over = person.tab.ask("""
                    const limit = document.documentElement.clientWidth + 1;
                    if (document.scrollingElement.scrollWidth <= limit) return null;
                    return [...document.querySelectorAll("body *")].filter((e) => shown(e) && e.getBoundingClientRect().right > limit)
                      .slice(0, 4).map((e) => `<${e.tagName.toLowerCase()} class="${e.className}"> ${Math.round(e.getBoundingClientRect().right)}`);""")
                if over is not None:
                    wide.append(f"{name} at {width} px, letters {size} px: {over}")
        self.assertEqual(wide, [])

    def test_targets_are_large_enough(self):
        """44 px on a phone; 24 are asked."""
        served = self.serve(journals=True)
        browser = self.browse()
        person = self.person(served, browser, "admin", touch=True)
        small = []
        for name, view in views().items():
            see(person, view)
            small += [f"{name}: {one}" for one in person.tab.ask("""
                return [...document.querySelectorAll("button,a[href],input,select,summary,[role=slider],[role=button],[role=tab]")]
                  .filter((e) => shown(e) && !e.matches("p a, p .link, .words a, #skip")).map((e) => {
                    const box = (e.matches("input[type=checkbox],input[type=radio]") && e.closest("label") || e).getBoundingClientRect();
                    return [box.width, box.height, e.tagName + "." + e.className + " " + nameOf(e).slice(0, 30)]; })
                  .filter(([w, h]) => w > 1 && (w < 43.5 || h < 43.5)).map(([w, h, n]) => `${Math.round(w)}x${Math.round(h)} ${n}`);""")]
        self.assertEqual(small, [])

    def test_without_a_network_each_view_says_so(self):
        served = self.serve(journals=True)
        browser = self.browse()
        person = self.person(served, browser, "admin")
        person.shell_is_kept()
        for name in ("session", "sessions"):
            see(person, views()[name])
        # One that was never opened, so that its module comes from the worker.
        served.wire.cut()
        person.tab.reload()
        person.tab.wait("document.querySelector('main')?.innerText.length > 10")
        for name, (address, _) in views().items():
            with self.subTest(view=name):
                person.go(address)
                person.tab.wait(f"document.querySelector('main').innerText.trim().length > 10 && {BUSY}")
                text = person.tab.text("main")
                self.assertNotRegex(text, r"undefined|\[object|NaN|null")


def axe_source():
    import axe_playwright_python
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


class Pictures(PageCase):
    """A picture of each view: phone and desktop, light and dark; `.build/browser-pictures/index.html` shows them beside each other."""

    def test_pictures(self):
        served = self.serve(journals=True)
        browser = self.browse()
        PICTURES.mkdir(parents=True, exist_ok=True)
        names = []
        code = served.pair("admin")
        for size, width, height, touch in (("phone", 390, 844, True), ("desktop", 1280, 800, False)):
            for theme in ("light", "dark"):
                tab = browser.tab(width=width, height=height, touch=touch)
                tab.look(dark=theme == "dark", reduced=True)
                person = Person(served, tab)
                tab.open(served.address)

                def shoot(name, tab=tab, size=size, theme=theme):
                    tab.picture(PICTURES / f"{name}-{size}-{theme}.png")
                    if name not in names:
                        names.append(name)

                if code:
                    tab.wait("find('field=Pairing code')")
                    shoot("sign-in")
                    tab.fill("field=Pairing code", code)
                    tab.press("button=^Pair this device$")
                    code = None
                tab.wait("document.body.innerText.includes('Late set')")
                for name, view in views().items():
                    see(person, view)
                    shoot(name)
                self.moments(served, person, shoot)
                tab.close()
        self.sheet(names)

    def moments(self, served, person, shoot):
        """What is seen only when something happens."""
        tab = person.tab
        see(person, views()["session"])
        person.is_audible()
        person.seek(140)
        mark = person.mark("highlight")
        shoot("marked")
        tab.press("button=^Name")
        tab.wait("document.activeElement?.matches('input, textarea')")
        shoot("naming")
        tab.keys("Escape")
        served.wire.rule = lambda request: CUT if request.method != "GET" else None
        other = person.mark("fix-review")
        see(person, views()["outbox"])
        shoot("outbox-waiting")
        served.wire.mend()
        person.drain()
        person.drained()
        for one in (mark, other):
            served.ask(f"sessions/{LATE_SET_ID}/markers/{one}", "DELETE")
        if tab.there("button=^Menu"):
            tab.press("button=^Menu")
            tab.wait("document.querySelector('dialog[open]')")
            shoot("menu")
            tab.keys("Escape")

    def sheet(self, names):
        cells = "".join(f"<tr><th>{name}</th>" + "".join(
            f"<td>{self.cell(name, size, theme)}</td>" for size in ("phone", "desktop") for theme in ("light", "dark")) + "</tr>"
            for name in names)
        (PICTURES / "index.html").write_text(
            "<!doctype html><meta charset=utf-8><title>The page</title><style>body{font:14px sans-serif;background:#888}"
            "td{vertical-align:top;padding:4px}img{display:block;height:420px;border:1px solid #444}</style>"
            f"<table>{cells}</table>\n")

    def cell(self, name, size, theme):
        file = f"{name}-{size}-{theme}.png"
        return f'<a href="{file}"><img src="{file}" alt="{html.escape(file)}" loading="lazy"></a>' if (PICTURES / file).exists() else ""


class Shortcuts(PageCase):
    """What a phone's home screen opens besides the page."""
    browsers_of = ["chromium", "firefox", "webkit"]

    def test_mark_now_is_the_room_of_the_only_open_session(self):
        served = self.serve()
        me = self.person(served, self.browse())
        me.go("#/now")
        me.tab.wait("location.hash === '#/'", what="nothing is open: the first view")
        served.trace("session", "init", "--title", "Tonight")
        me.go("#/now")
        me.tab.wait("/^#[/]s[/].+[/]live$/.test(location.hash)", what="the room of the session")
        me.tab.wait("document.querySelector('#title').textContent === 'Tonight' && find('.mark-H')")
        served.trace("session", "init", "--title", "Another")
        me.go("#/now")
        me.tab.wait("location.hash === '#/'", what="two are open: the first view, which has both")
        shown = me.tab.evaluate("document.querySelector('main').textContent")
        self.assertIn("Tonight", shown)
        self.assertIn("Another", shown)
