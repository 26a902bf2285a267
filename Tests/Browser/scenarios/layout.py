"""The layout: what is on the screen at each size, how large it is, that nothing moves, and what is said at the foot."""

from driving.person import Person
from driving.served import LATE_SET_ID, WINTER_ID

from .budget import WATCHING
from .case import PageCase
from .views import BUSY, see, views

#: Name, width, height, and whether fingers are what presses.
SIZES = {"phone": (390, 844, True), "phone on its side": (844, 390, True), "tablet": (768, 1024, True), "desktop": (1440, 900, False),
         "wide": (2560, 1440, False), "narrow": (320, 640, True), "desktop at 200 %": (720, 450, False)}

# Whatever can be pressed, with its box and what a finger in its middle would meet. What has been scrolled away is left out, and
# so is a lane of a day: its parts are pressed.
CONTROLS = """
    const clip = (e) => {
      let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
      for (let p = e.parentElement; p; p = p.parentElement) {
        if (!/auto|scroll|hidden|clip/.test(getComputedStyle(p).overflow) || p === document.body || p === document.documentElement) continue;
        const b = p.getBoundingClientRect();
        [left, top, right, bottom] = [Math.max(left, b.left), Math.max(top, b.top), Math.min(right, b.right), Math.min(bottom, b.bottom)];
      }
      return { left, top, right, bottom };
    };
    const controls = () => [...document.querySelectorAll("button,a[href],input,select,textarea,summary,[role=slider]")]
      .filter((e) => shown(e) && e.id !== "skip" && !e.matches(".lane, p a, p .link, .words a") && !e.closest("[inert]")).map((e) => {
        const target = e.matches("input[type=checkbox],input[type=radio],.order select") && e.closest("label") || e;
        const box = target.getBoundingClientRect(), seen = clip(target), x = box.left + box.width / 2, y = box.top + box.height / 2;
        const isSeen = box.width > 1 && x >= seen.left && x < seen.right && y >= seen.top && y < seen.bottom;
        const hit = isSeen && document.elementFromPoint(x, y);
        return { name: `${e.tagName}.${e.className} ${nameOf(e).slice(0, 30)}`, width: Math.round(box.width), height: Math.round(box.height), isSeen,
          isCovered: isSeen && !(hit && (target.contains(hit) || hit.contains(target) && hit !== document.documentElement && hit !== document.body)) };
      });"""


class Layout(PageCase):
    def setUp(self):
        super().setUp()
        self.served = self.serve(journals=True)
        self.browser = self.browse()

    def come(self, size, scope="admin"):
        width, height, touch = SIZES[size]
        tab = self.browser.tab(width=width, height=height, touch=touch)
        tab.look(reduced=True)
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=WATCHING)
        if hasattr(self, "known"):
            tab.open(self.served.address)
            tab.wait("document.body.innerText.includes('Late set')")
            return Person(self.served, tab)
        self.known = True
        return self.person(self.served, self.browser, scope, tab=tab)

    def test_what_can_be_pressed_is_large_and_uncovered(self):
        wrong = []
        for size in SIZES:
            person = self.come(size)
            for name, view in views().items():
                see(person, view)
                wrong += [f"{size}, {name}: {one}" for one in person.tab.ask(CONTROLS + """
                    return controls().filter((one) => one.isCovered || (one.width > 1 && (one.width < 43.5 || one.height < 43.5)))
                      .map((one) => `${one.name} ${one.width}x${one.height}${one.isCovered ? " covered" : ""}`);""")]
            person.tab.close()
        self.assertEqual(wrong, [])

    def test_a_session_has_all_of_its_buttons_on_the_screen(self):
        missing = []
        for size in SIZES:
            person = self.come(size)
            for name in ("session", "session-digest"):
                see(person, views()[name])
                missing += [f"{size}, {name}: {one}" for one in person.tab.ask("""
                    return [".mark-H", ".mark-S", ".mark-T", ".mark-F", ".speak", "button=^Play$", "field=^Position$"].filter((name) => {
                      const e = name === "field=^Position$" ? document.querySelector(args[0] ? ".wave" : ".play") : find(name);
                      if (!e) return true;
                      const box = e.getBoundingClientRect();
                      const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                      return box.width < 43.5 || box.height < 43.5 || box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight
                        || !e.contains(hit);
                    });""", name == "session")]
            person.tab.close()
        self.assertEqual(missing, [])

    def test_what_is_read_has_most_of_the_height(self):
        person = self.come("phone")
        person.tab.size(390, 664)
        see(person, views()["session-digest"])
        person.tab.wait("document.querySelector('.panel')?.innerText.includes('thirty people')", what="the digest")
        share = person.tab.evaluate("document.querySelector('.panel').getBoundingClientRect().height / innerHeight")
        self.assertGreaterEqual(share, 0.6)
        see(person, views()["session"])
        # The player goes as the rows are scrolled, and the dock has one then.
        person.tab.ask("""const box = document.querySelector(".rows-scroller"); box.dispatchEvent(new WheelEvent("wheel", { bubbles: true, deltaY: 400 }));
            box.scrollTop = 400;""")
        person.tab.wait("document.querySelector('.dock') && !document.querySelector('.dock').hidden", what="a player in the dock")
        share = person.tab.evaluate("document.querySelector('.rows-box').getBoundingClientRect().height / innerHeight")
        self.assertGreaterEqual(share, 0.6)

    def test_columns_scroll_by_themselves(self):
        person = self.come("desktop")
        see(person, views()["session"])
        person.tab.wait("document.querySelector('.panel')?.innerText.includes('thirty people')", what="the digest beside the markers")
        boxes = person.tab.ask("""return [".markers", ".panel"].map((name) => { const b = document.querySelector(name).getBoundingClientRect();
            return [b.left, b.right, b.bottom]; });""")
        self.assertLessEqual(boxes[0][1], boxes[1][0] + 1, "side by side")
        self.assertLessEqual(max(bottom for *_, bottom in boxes), 900)
        self.assertFalse(person.tab.evaluate("document.scrollingElement.scrollHeight > innerHeight"))

    def test_nothing_moves_from_tab_to_tab(self):
        moved = []
        late, winter = f"#/s/{LATE_SET_ID}", f"#/journals/{WINTER_ID}"
        for size in ("phone", "phone on its side", "desktop"):
            person = self.come(size)
            for base, tails in ((late, ("", "/notes", "/digest", "/actions", "/problems", "")), (winter, ("", "/log", "/insights", "/league"))):
                for number, tail in enumerate(tails):
                    person.tab.evaluate("shifts = 0; void 0")
                    person.go(base + tail)
                    person.tab.wait(f"document.querySelector('main .tabs') && document.querySelector('main').innerText.length > 20 && {BUSY}")
                    person.tab.wait("new Promise((done) => setTimeout(() => done(true), 400))")
                    shift = person.tab.evaluate("shifts")
                    # Into another view the title goes along; what a view does as it loads is looked at in `budget.Shifts`.
                    if number and shift > 0.02:
                        moved.append(f"{size}, {base + tail}: {shift:.3f}")
            person.tab.close()
        self.assertEqual(moved, [])

    def test_a_category_has_one_shape(self):
        person = self.come("phone")
        see(person, views()["session-digest"])
        person.tab.wait("document.querySelector('main .bars .tick-F')", what="the digest's picture")
        shapes = person.tab.ask("""return ["H", "S", "T", "F"].map((letter) => [...document.querySelectorAll(`main .badge-${letter}, main .bars .tick-${letter}`)]
            .map((e) => { const s = getComputedStyle(e); return s.clipPath.split(",").length; }));""")
        self.assertEqual(len(shapes[3]) > 1, True)
        self.assertEqual(set(shapes[3]), {3}, "a fix is a triangle")

    def test_who_goes_back_before_a_view_has_come_stays(self):
        person = self.come("phone")
        see(person, views()["session"])
        person.tab.evaluate(f"location.hash = '#/help'; void setTimeout(() => (location.hash = '#/s/{LATE_SET_ID}?at=0'), 0)")
        person.tab.wait("new Promise((done) => setTimeout(() => done(true), 700))")
        self.assertTrue(person.tab.there(".mark-H"), "the session is there")


class Toasts(PageCase):
    def setUp(self):
        super().setUp()
        self.served = self.serve()
        self.person_ = self.person(self.served, self.browse())
        self.tab = self.person_.tab
        self.person_.open_session(LATE_SET_ID)

    def say(self, text, **options):
        self.tab.ask("(await import(new URL('ui/say.js', location))).toast(args[0], args[1]);", text, options)

    def shown(self):
        return self.tab.ask("return [...document.querySelectorAll('.toast')].filter(shown).map((e) => e.querySelector('p').innerText);")

    def test_one_at_a_time_above_the_dock(self):
        for tail in ("", "/digest"):
            self.person_.go(f"#/s/{LATE_SET_ID}{tail}")
            self.tab.wait(BUSY)
            self.say("Something")
            self.say("Something else that is so long that it takes more lines than there is room for, " * 4)
            self.assertEqual(len(self.shown()), 1)
            toast, foot = self.tab.ask("""const b = document.querySelector(".toast").getBoundingClientRect();
                const tops = [...document.querySelectorAll(".dock, .markbar")].filter(shown).map((e) => e.getBoundingClientRect().top);
                return [[b.height, b.bottom], Math.min(...tops)];""")
            self.assertLessEqual(toast[0], 96.5)
            self.assertLessEqual(toast[1], foot)
            self.tab.evaluate("document.querySelectorAll('.toast').forEach((toast) => toast.remove())")

    def test_marks_are_counted_and_the_last_is_taken_back(self):
        first = self.person_.mark("highlight")
        second = self.person_.mark("structure")
        self.tab.wait("/^2 marks/.test(document.querySelector('.toast p')?.innerText)", what="that there are two")
        self.tab.press("button=^Undo last$")
        self.person_.shows(second, gone=True)
        self.assertIn(first, self.person_.rows())

    def test_time_stands_still_while_somebody_looks(self):
        self.say("Short", ms=4000)
        self.tab.ask("document.querySelector('.toast').dispatchEvent(new PointerEvent('pointerenter'));")
        self.tab.wait("new Promise((done) => setTimeout(() => done(true), 4500))")
        self.assertEqual(self.shown(), ["Short"])
        self.tab.ask("document.querySelector('.toast').dispatchEvent(new PointerEvent('pointerleave'));")
        self.tab.wait("!document.querySelector('.toast')", what="that it goes")

    def test_an_error_comes_first_and_stays(self):
        self.say("Wrong", kind="bad", ms=3000)
        self.say("Right", ms=3000)
        self.assertEqual(self.shown(), ["Wrong"])
        self.tab.wait("document.querySelector('.toast p').innerText === 'Right'", what="what came after it")
        self.tab.wait("document.querySelector('.toast p').innerText === 'Wrong'", what="the error again")
        self.tab.press("button=^Close$")
        self.tab.wait("!document.querySelector('.toast')")


class Scores(PageCase):
    def test_digits_are_grouped_while_they_are_typed(self):
        served = self.serve(journals=True)
        person = self.person(served, self.browse(), "admin")
        tab = person.tab
        person.go(f"#/journals/{WINTER_ID}")
        tab.wait("document.querySelector('[data-focus=score]')")
        tab.press("[data-focus=score]")
        score = lambda: tab.ask("const e = document.querySelector('[data-focus=score]'); return [e.value, e.selectionStart];")  # noqa: E731
        for digit in "1234567":
            tab.keys(digit)
        self.assertEqual(score(), ["1,234,567", 9])
        # A digit goes as a person deletes it; over a separator the digit before it.
        delete = "document.execCommand('delete')"
        tab.evaluate(delete)
        self.assertEqual(score(), ["123,456", 7])
        for _ in range(3):
            tab.keys("ArrowLeft")
        tab.evaluate(delete)
        self.assertEqual(score(), ["12,456", 2])
        tab.keys("9")
        self.assertEqual(score(), ["129,456", 3])
        for pasted, is_right in (("1.234.567", True), ("1 234 567", True), ("123456789012345", True), ("1234567890123456", False), ("1,5", False), ("4.5", False), ("0", False)):
            with self.subTest(pasted=pasted):
                tab.fill("[data-focus=score]", pasted)
                self.assertEqual(tab.ask("return document.querySelector('[data-focus=score]').validity.valid;"), is_right)
                if is_right:
                    self.assertRegex(score()[0], r"^\d{1,3}(,\d{3})+$")
        # What is wrong stands at the field, in words of the page.
        tab.press("button=^Note it$")
        tab.wait("/whole number/.test(document.querySelector('.field .message')?.innerText)", what="why not")
        self.assertEqual(tab.ask("return document.activeElement === document.querySelector('[data-focus=score]');"), True)
        self.assertEqual(person.kept(), [])
