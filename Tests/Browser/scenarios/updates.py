"""New versions of the page while the outbox is full (docs/page.md#files)."""

from driving.served import LATE_SET, LATE_SET_ID, WINTER_ID

from .case import PageCase


class NewVersion(PageCase):
    def renew(self, served, number):
        """Installs another version of the page, as an upgrade of the package does."""
        for name in ("boot.js", "sessions/view.js"):
            file = served.page / name
            file.write_text(file.read_text() + f"\n// version {number}\n")
        style = served.page / "style.css"
        style.write_text(style.read_text() + f"\n:root {{ --version: {number}; }}\n")
        served.restart()

    def version(self, person):
        return person.tab.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--version').trim()")

    def test_new_version_while_the_outbox_is_full(self):
        served = self.serve(own_page=True)
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        # From here on the page comes from the worker.
        person.tab.reload()
        person.tab.wait("Boolean(navigator.serviceWorker.controller)")
        served.wire.rule = lambda request: ("answer", 502, "text/html", b"bad", {}) if request.method != "GET" else None
        marks = [person.mark(one) for one in ("highlight", "structure", "fix-review")]
        self.renew(served, 2)
        person.tab.evaluate("void navigator.serviceWorker.getRegistration().then((one) => one.update())")
        person.tab.wait("find('any=new version')", what="the new version is offered")
        self.assertEqual(self.version(person), "", "it does not take over by itself")
        self.assertEqual({entry["id"] for entry in person.kept()}, set(marks))
        # An old tab beside a new one: both know the same outbox.
        beside = self.again(served, browser, f"#/s/{LATE_SET_ID}")
        beside.in_session()
        marks.append(beside.mark("highlight"))
        self.assertEqual({entry["id"] for entry in person.kept()}, set(marks))
        beside.tab.close()
        person.tab.press("button=^Reload$")
        person.tab.wait("getComputedStyle(document.documentElement).getPropertyValue('--version').trim() === '2'",
                        what="the new version")
        self.assertEqual({entry["id"] for entry in person.kept()}, set(marks))
        served.wire.mend()
        person.drain()
        person.drained()
        self.stands_once(served, LATE_SET, marks)

    def test_three_versions_one_after_the_other(self):
        served = self.serve(own_page=True)
        browser = self.browse()
        person = self.person(served, browser)
        person.open_session(LATE_SET_ID)
        person.shell_is_kept()
        # From here on the page comes from the worker.
        person.tab.reload()
        person.tab.wait("Boolean(navigator.serviceWorker.controller)")
        served.wire.rule = lambda request: ("answer", 502, "text/html", b"bad", {}) if request.method != "GET" else None
        marks = []
        for number in (2, 3, 4):
            marks.append(person.mark("highlight"))
            self.renew(served, number)
            person.tab.evaluate("void navigator.serviceWorker.getRegistration().then((one) => one.update())")
            person.tab.wait("find('any=new version')")
            person.tab.press("button=^Reload$")
            person.tab.wait("getComputedStyle(document.documentElement).getPropertyValue('--version').trim() === args[0]",
                            str(number), what="the new version")
            person.in_session()
        self.assertEqual({entry["id"] for entry in person.kept()}, set(marks))
        self.assertEqual(person.core("return (await indexedDB.databases()).find((one) => one.name === 'trace').version"), 1)
        served.wire.mend()
        person.drain()
        person.drained()
        self.stands_once(served, LATE_SET, marks)
        # Offline it is still the version that was taken last, whole.
        served.wire.cut()
        person.tab.reload()
        person.in_session()
        self.assertEqual(self.version(person), "4")

    def test_new_tab_after_an_update_without_a_press(self):
        """Who closes all tabs gets the new version the next time, without being asked."""
        served = self.serve(own_page=True)
        browser = self.browse()
        person = self.person(served, browser)
        person.shell_is_kept()
        # From here on the page comes from the worker.
        person.tab.reload()
        person.tab.wait("Boolean(navigator.serviceWorker.controller)")
        self.renew(served, 2)
        person.tab.evaluate("void navigator.serviceWorker.getRegistration().then((one) => one.update())")
        person.tab.wait("find('any=new version')")
        person.tab.close()
        blank = browser.tab()
        person = self.again(served, browser)
        blank.close()
        person.tab.wait("getComputedStyle(document.documentElement).getPropertyValue('--version').trim() === '2'")

    def test_files_in_folders_are_of_the_version_too(self):
        """What lies in a folder comes from the worker, is renewed with the rest, and may be new, gone or elsewhere in the next version."""
        served = self.serve(own_page=True, journals=True)
        browser = self.browse()
        person = self.person(served, browser, "admin", width=1280, height=800)
        tab, library = person.tab, f"#/journals/{WINTER_ID}/library"
        person.shell_is_kept()
        tab.reload()
        tab.wait("Boolean(navigator.serviceWorker.controller)")
        folder = served.page / "practice"
        views, module = folder / "insights.js", folder / "library.js"
        module.rename(folder / "moved.js")
        views.write_text(views.read_text().replace("./library.js", "./moved.js").replace('"Library"', '"The games"'))
        self.assertIn("The games", views.read_text())
        served.restart()
        tab.evaluate("void navigator.serviceWorker.getRegistration().then((one) => one.update())")
        tab.wait("find('any=new version')", what="the new version is offered")
        # Until then it is the one before, with all of its files.
        person.go(library)
        tab.wait("document.querySelector('main').innerText.includes('12 games') && find('link=^Library$')", what="the version before")
        tab.press("button=^Reload$")
        tab.wait("find('link=^The games$') && document.querySelector('main').innerText.includes('12 games')", what="the new version")
        served.wire.cut()
        for view in (f"#/journals/{WINTER_ID}/league", library):
            tab.open(served.address + "#/")
            person.go(view)
            tab.wait("find('link=^The games$') && !document.querySelector('main .choices ~ div > [aria-busy]')")
        tab.wait("document.querySelector('main').innerText.includes('12 games')", what="the new version without a network")
        names = tab.evaluate("""caches.keys().then(async (names) => (await Promise.all(names.map(async (name) =>
            (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())""")
        self.assertIn("/practice/moved.js", names)
        self.assertNotIn("/practice/library.js", names)

    def test_server_is_older_than_the_page(self):
        """Members that an older server does not send are missed by nobody: what it refuses is kept."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        served.wire.rule = lambda request: ("answer", 404, "application/problem+json", b'{"status":404,"code":"not-found"}', {
            "Trace-Time": "2026-02-11T18:25:40.102Z"}) if request.matches("/api/.*(/position|/peaks|/digest)") else None
        person.open_session(LATE_SET_ID)
        mark = person.mark("highlight")
        person.drained()
        self.stands_once(served, LATE_SET, [mark])
