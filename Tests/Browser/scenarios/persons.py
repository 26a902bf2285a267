"""Several people, one after the other, in one browser: nobody reads what was kept for somebody else."""

from driving.person import DATABASE, Person
from driving.served import ACTIVE, LATE_SET, LATE_SET_ID

from .case import PageCase

ACTIVE_ID = "01KH6Y2ENP8CHDTMR3J01NAY2F"


class OneAfterTheOther(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def owners(self, who):
        return {row.get("owner") for row in who.kept("kept")}

    def personal(self, who):
        return {row["key"] for row in who.kept("settings") if row.get("value") is not None and
                (row["key"] in ("owner", "person", "recent") or row["key"].startswith(("position.", "listening.")))}

    def sign_in(self, served, browser, person, *more, tab=None):
        secret = served.token("mark", "--person", person, "--name", person, *more)
        id = served.ask("tokens", token=secret)[0]["id"]
        who = Person(served, tab or browser.tab()).follow_link(secret)
        return who, id

    def signed_out(self, who):
        who.tab.wait("find('field=Pairing code')", what="the page asks who is there")

    def test_a_token_that_was_revoked(self):
        served = self.serve()
        browser = self.browse()
        ann, id = self.sign_in(served, browser, "ann")
        ann.open_session(LATE_SET_ID)
        ann.tab.wait(f"await (async () => {{ {DATABASE} return rows.length > 3 }})()", "kept", what="answers are kept")
        self.assertEqual(self.owners(ann), {id})
        ann.shell_is_kept()  # A worker that is still loading the shell would complain.
        served.wire.cut()
        mark = ann.mark("highlight")
        served.trace("token", "revoke", "ann")
        served.wire.mend()
        ann.tab.open(served.address)
        self.signed_out(ann)
        self.assertEqual(ann.kept("kept"), [])
        self.assertEqual(self.personal(ann), set())
        self.assertEqual([entry["id"] for entry in ann.kept()], [mark])
        # The next one sees another session, and what waits under the name of who wrote it.
        bob, other = self.sign_in(served, browser, "bob", "--session", ACTIVE, tab=ann.tab)
        bob.go(f"#/s/{ACTIVE_ID}")
        bob.tab.wait(f"await (async () => {{ {DATABASE} return rows.length > 2 }})()", "kept", what="answers are kept")
        self.assertEqual(self.owners(bob), {other})
        self.assertNotIn("Übersee", bob.tab.evaluate("document.body.textContent"))
        bob.core("await core.outbox.drain(true)")
        self.assertEqual([(entry["id"], entry["state"]) for entry in bob.kept()], [(mark, "waiting")])
        self.assertEqual(served.times(LATE_SET, mark), 0)
        # Of what waits the next one sees that it is there, and nothing of what it says.
        bob.go(f"#/s/{ACTIVE_ID}")
        bob.go("#/outbox")
        bob.tab.wait("document.querySelector('main').innerText.includes('1 entry of ann waits')")
        self.assertNotIn("Highlight", bob.tab.evaluate("document.querySelector('main').innerText"))
        # It goes when the one who wrote it is back.
        served.trace("token", "revoke", "bob")
        again, _ = self.sign_in(served, browser, "ann", tab=ann.tab)
        again.drain()
        again.drained()
        self.stands_once(served, LATE_SET, [mark])

    def test_another_token_in_another_tab(self):
        served = self.serve()
        browser = self.browse()
        ann, _ = self.sign_in(served, browser, "ann")
        ann.open_session(LATE_SET_ID)
        bob, id = self.sign_in(served, browser, "bob", "--session", ACTIVE)
        bob.tab.wait("document.body.dataset.state === 'ready'")
        ann.tab.front()
        ann.tab.wait("!document.body.textContent.includes('Übersee')", what="what was shown is gone")
        self.assertEqual(self.owners(bob), {id})

    def test_what_older_versions_kept(self):
        served = self.serve()
        browser = self.browse()
        ann, id = self.sign_in(served, browser, "ann")
        ann.tab.wait(f"await (async () => {{ {DATABASE} return rows.length > 0 }})()", "kept", what="answers are kept")
        ann.core("""await core.store.put("kept", { address: "sessions?limit=99", body: [], at: 1 });
            await core.store.del("settings", "owner");""")
        ann.tab.open(served.address)
        ann.tab.wait("document.body.dataset.state === 'ready'")
        self.assertEqual(self.owners(ann) - {id}, set())

    def test_signing_out(self):
        served = self.serve()
        browser = self.browse()
        ann, _ = self.sign_in(served, browser, "ann")
        ann.open_session(LATE_SET_ID)
        ann.go("#/settings")
        ann.tab.press("button=^Sign out$")
        ann.tab.press("button=^Sign out$")
        self.signed_out(ann)
        self.assertEqual(ann.kept("kept"), [])
        self.assertEqual(self.personal(ann), set())
