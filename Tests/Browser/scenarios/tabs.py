"""Several tabs, tabs that are killed at each step, and browsers that keep nothing (docs/page.md#what-is-kept-where)."""

from driving.person import READY
from driving.served import LATE_SET, LATE_SET_ID
from driving.tab import Gone

from .case import PageCase

# Stops the page for good at its step number N: at each call of IndexedDB that writes, at the end of each transaction, before
# each request and after each answer. The tab is then killed there. Rows that were shown until then are told first.
STEPS = """(() => {
  const wanted = STEP;
  let count = 0, armed = false;
  window.arm = () => { armed = true; count = 0; };
  const step = (name) => { if (armed && ++count === wanted) { reached(name); for (;;) {} } };
  for (const name of ["put", "add", "delete", "clear"]) {
    const plain = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (...all) { step(`before ${name}`); const it = plain.apply(this, all); step(`after ${name}`); return it; };
  }
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...all) {
    const it = begin.apply(this, all);
    if (all[1] === "readwrite") it.addEventListener("complete", () => step("complete"));
    return it;
  };
  const plain = window.fetch;
  window.fetch = async (...all) => {
    const method = all[1]?.method ?? "GET";
    if (method === "GET") return plain(...all);
    step(`before ${method}`); const it = await plain(...all); step(`after ${method}`); return it;
  };
  new MutationObserver(() => { if (armed) for (const row of document.querySelectorAll("[data-id]")) shown(row.dataset.id); })
    .observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-id"] });
})()"""


class SeveralTabs(PageCase):
    def test_two_tabs_drain_at_once(self):
        served = self.serve()
        browser = self.browse()
        first = self.person(served, browser)
        first.open_session(LATE_SET_ID)
        second = self.again(served, browser, f"#/s/{LATE_SET_ID}")
        second.in_session()
        served.wire.cut()
        marks = [who.mark(category) for who in (first, second, first, second) for category in ("highlight", "structure")]
        served.wire.mend()
        first.core("core.outbox.drain(true)")
        second.core("core.outbox.drain(true)")
        first.drained()
        self.stands_once(served, LATE_SET, marks)
        for who in (first, second):
            who.shows(marks[-1])

    def test_two_tabs_without_web_locks(self):
        """As in a browser that has none, or where the page is not in a secure context: two that drain do no harm."""
        served = self.serve()
        browser = self.browse()
        people = []
        for number in range(2):
            tab = browser.tab()
            tab.call("Page.addScriptToEvaluateOnNewDocument", source="delete Navigator.prototype.locks;")
            if number == 0:
                people.append(self.person(served, browser, tab=tab))
            else:
                tab.open(served.address)
                people.append(type(people[0])(served, tab))
            people[-1].open_session(LATE_SET_ID)
        served.wire.cut()
        marks = [who.mark("highlight") for who in people * 3]
        served.wire.mend()
        for who in people:
            who.core("core.outbox.drain(true)")
        people[0].drained()
        self.stands_once(served, LATE_SET, marks)

    def test_one_stream_of_events_for_all_tabs(self):
        """A seventh tab would hang, if each held a stream."""
        served = self.serve()
        browser = self.browse()
        first = self.person(served, browser)
        tabs = [first] + [self.again(served, browser, f"#/s/{LATE_SET_ID}") for _ in range(7)]
        for who in tabs[1:]:
            who.in_session()
        served.trace("mark", LATE_SET_ID, "--offset", "100s", "--label", "for all tabs")
        for who in tabs[1:]:
            who.tab.front()
            who.tab.wait("document.body.innerText.includes('for all tabs')")
        # The tab that holds the stream goes: another takes it over.
        tabs[0].tab.close()
        tabs[1].tab.close()
        served.trace("mark", LATE_SET_ID, "--offset", "101s", "--label", "taken over")
        for who in tabs[2:]:
            who.tab.front()
            who.tab.wait("document.body.innerText.includes('taken over')")

    def test_killed_at_each_step(self):
        served = self.serve()
        browser = self.browse()
        self.person(served, browser).tab.close()
        reached, number = True, 0
        while reached and number < 60:
            number += 1
            tab = browser.tab()
            seen = []
            plain = tab.take

            def take(method, about, seen=seen, plain=plain):
                if method == "Runtime.bindingCalled":
                    seen.append((about["name"], about["payload"]))
                plain(method, about)

            tab.take = take
            for name in ("reached", "shown"):
                tab.call("Runtime.addBinding", name=name)
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=STEPS.replace("STEP", str(number)))
            tab.open(f"{served.address}#/s/{LATE_SET_ID}")
            tab.wait(READY)
            before = set(tab.evaluate("[...document.querySelectorAll('[data-id]')].map((e) => e.dataset.id)"))
            total = len(served.lines(LATE_SET))
            tab.evaluate("arm()")
            try:
                tab.browser.call("Input.dispatchKeyEvent", tab.session, 5, type="keyDown", key="1", code="Digit1",
                                 windowsVirtualKeyCode=49, text="1")
            except Gone:
                pass
            with browser.state:
                reached = browser.state.wait_for(lambda: any(name == "reached" for name, _ in seen), 3)
            shown = {payload for name, payload in seen if name == "shown"} - before
            where = next((payload for name, payload in seen if name == "reached"), "the end")
            tab.crash() if reached else tab.close()
            after = self.again(served, browser, f"#/s/{LATE_SET_ID}")
            after.in_session()
            after.drain()
            after.drained()
            with self.subTest(step=number, where=where):
                self.assertLessEqual(len(served.lines(LATE_SET)) - total, 1, "at most one mark")
                self.stands_once(served, LATE_SET, shown)
            after.tab.close()
        self.assertGreater(number, 4, "there were steps")
        print(f"        killed at {number - 1} steps")


class NothingKept(PageCase):
    """Where the browser keeps nothing, nothing is claimed."""

    def told(self, person, words):
        person.tab.wait("document.body.innerText.match(new RegExp(args[0], 'i'))", words, what="that it is not kept is said aloud")

    def test_quota_is_full(self):
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        served.wire.cut()
        # What a full disk does to IndexedDB.
        person.tab.evaluate("""void (() => { const plain = IDBObjectStore.prototype.put;
            IDBObjectStore.prototype.put = function (value, ...more) {
              if (this.name !== "outbox") return plain.call(this, value, ...more);
              this.transaction.abort(); throw new DOMException("full", "QuotaExceededError"); };
            IDBObjectStore.prototype.add = IDBObjectStore.prototype.put; })()""")
        mark = person.mark("highlight")
        self.told(person, "could not keep|storage is full")
        self.assertEqual(person.kept(), [])
        served.wire.mend()
        person.drain()
        served.soon(lambda: served.times(LATE_SET, mark) == 1, "the mark is sent from memory")

    def test_real_quota(self):
        """Chromium's own quota, by its DevTools."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        origin = served.address.rstrip("/")
        person.tab.call("Storage.overrideQuotaForOrigin", origin=origin, quotaSize=1)
        served.wire.cut()
        person.tab.press("button.mark-H")
        person.tab.wait("document.querySelector('[data-id]')")
        kept = person.kept()
        if not kept:
            self.told(person, "could not keep|storage is full")
        person.tab.call("Storage.overrideQuotaForOrigin", origin=origin)

    def test_private_window(self):
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser, tab=browser.tab(context=browser.context()))
        person.open_session(LATE_SET_ID)
        served.wire.cut()
        mark = person.mark("highlight")
        served.wire.mend()
        person.drain()
        served.soon(lambda: served.times(LATE_SET, mark) == 1, "the mark")

    def test_no_storage_at_all(self):
        """As in some browsers' private windows: the page works, marks while it is open, and says what that means."""
        served = self.serve()
        browser = self.browse()
        tab = browser.tab()
        tab.call("Page.addScriptToEvaluateOnNewDocument", source="""
            IDBFactory.prototype.open = () => { throw new DOMException("not here", "SecurityError"); };""")
        person = self.person(served, browser, tab=tab)
        person.open_session(LATE_SET_ID)
        served.wire.cut()
        mark = person.mark("highlight")
        self.told(person, "keeps nothing|private window")
        served.wire.mend()
        person.drain()
        served.soon(lambda: served.times(LATE_SET, mark) == 1, "the mark")

    def test_storage_cleared_while_open(self):
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        served.wire.cut()
        first = person.mark("highlight")
        person.tab.call("Storage.clearDataForOrigin", origin=served.address.rstrip("/"), storageTypes="indexeddb")
        second = person.mark("structure")
        served.wire.mend()
        person.drain()
        served.soon(lambda: served.times(LATE_SET, second) == 1, "the second mark")
        person.tab.wait("!find('any=waiting')")
        # What was cleared is either sent from what the open page still knew, or said to be lost; never silently gone.
        if served.times(LATE_SET, first) == 0:
            self.told(person, "cleared")
        self.assertLessEqual(served.times(LATE_SET, first), 1)
