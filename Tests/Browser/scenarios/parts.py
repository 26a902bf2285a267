"""Parts of the page that do not come: the page says so within ten seconds, and they can be asked for again."""

from driving.served import LATE_SET_ID, WINTER_ID
from driving.wire import CUT, HANG, answer

from .case import PageCase

MISSING = "This view could not be opened"
#: Seconds: ten of the page, and a little for a machine that is at something else.
LIMIT = 14


class Missing(PageCase):
    browsers_of = ["chromium", "firefox", "webkit"]

    def setUp(self):
        super().setUp()
        self.served = self.serve(journals=True)
        self.browser = self.browse()
        # What a browser says of a script that is not there.
        self.allowed += ["fetching the script", "dynamically imported"]
        self.what = None
        self.how = CUT
        # Without the worker, which would have all of it soon.
        self.served.wire.rule = self.rule
        self.me = self.person(self.served, self.browser, "admin", width=1000, height=800)
        self.tab = self.me.tab

    def rule(self, request):
        if request.matches(r" /sw\.js"):
            return answer(404)
        return self.how if self.what and request.matches(self.what) else None

    def is_missing(self, place="main"):
        self.tab.wait(f"document.querySelector('{place}')?.innerText.includes(args[0]) && find('button=^Try again$')", MISSING, patience=LIMIT,
                      what="that something is missing")

    def again(self):
        self.what = None
        self.tab.press("button=^Try again$")

    def test_a_view(self):
        for how in (CUT, HANG):
            with self.subTest(how=how):
                self.me.go("#/")
                self.tab.reload()
                self.tab.wait("document.body.innerText.includes('Late set')")
                self.what, self.how = r"/more/search\.js", how
                self.me.go("#/search")
                self.is_missing()
                self.again()
                self.tab.wait("find('main input[type=search]')", what="the search")

    def test_a_tab_of_a_session(self):
        self.me.open_session(LATE_SET_ID)
        self.what = r"/sessions/digest\.js"
        self.me.go(f"#/s/{LATE_SET_ID}/digest")
        self.is_missing(".panel")
        # What stands beside it is there.
        self.assertTrue(self.tab.there(".mark-H"))
        self.again()
        self.tab.wait("/thirty people/.test(document.querySelector('.panel')?.innerText)", what="the digest")

    def test_a_journal_of_a_kind_with_views(self):
        self.what = r"/practice/kind\.js"
        self.me.go(f"#/journals/{WINTER_ID}")
        self.is_missing()
        self.again()
        self.tab.wait("find('main .form [data-focus=score]')", what="the form")

    def test_a_view_of_a_journal(self):
        self.me.go(f"#/journals/{WINTER_ID}")
        self.tab.wait("find('main .form [data-focus=score]')")
        self.what = r"/practice/log\.js"
        self.me.go(f"#/journals/{WINTER_ID}/log")
        self.is_missing()
        self.again()
        self.tab.wait("find('main [data-focus=show]')", what="the log")

    def test_a_menu_is_missed_aloud(self):
        self.me.open_session(LATE_SET_ID)
        self.tab.reload()
        self.what = r"/sessions/over\.js"
        self.me.in_session()
        mark = self.me.rows()[0]
        self.tab.press(f"[data-id='{mark}'] [data-part=more]")
        self.tab.wait("/could not be loaded/.test(document.getElementById('toasts').innerText)", patience=LIMIT, what="that it is missing")

    def test_a_page_without_network_and_worker_is_not_left(self):
        """Loading it again would leave the browser's own error in its place."""
        self.me.go("#/")
        self.tab.wait("document.body.innerText.includes('Late set')")
        self.served.wire.cut()
        self.me.go("#/search")
        self.is_missing()
        self.tab.press("button=^Try again$")
        self.tab.wait("/reached/.test(document.getElementById('toasts').innerText)", patience=LIMIT, what="why not")
        self.assertTrue(self.tab.evaluate("document.body.dataset.state === 'ready'"))
        self.served.wire.mend()
        self.served.wire.rule = self.rule
        self.tab.press("button=^Try again$")
        self.tab.wait("find('main input[type=search]')", what="the search")
