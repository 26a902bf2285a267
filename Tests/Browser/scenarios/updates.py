"""New versions of the page while the outbox is full (server.md, row 53)."""

from driving.served import LATE_SET, LATE_SET_ID

from .case import PageCase


class NewVersion(PageCase):
    def renew(self, served, number):
        """Installs another version of the page, as an upgrade of the package does."""
        for name in ("core.js", "session.js"):
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

    def test_server_is_older_than_the_page(self):
        """Members that an older server does not send are missed by nobody: what it refuses is kept."""
        served = self.serve()
        browser = self.browse()
        person = self.person(served, browser)
        served.wire.rule = lambda request: ("answer", 404, "application/problem+json", b'{"status":404,"code":"not-found"}', {
            "Trace-Time": "2026-02-11T18:25:40.102Z"}) if request.matches("/position|/peaks|/digest") else None
        person.open_session(LATE_SET_ID)
        mark = person.mark("highlight")
        person.drained()
        self.stands_once(served, LATE_SET, [mark])
