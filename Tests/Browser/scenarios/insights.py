"""A practice journal beyond noting: groups, insights with their plots, mechanics, the library and the league."""

import json

from driving.person import Person
from driving.served import WINTER_ID
from driving.wire import CUT, answer

from . import views
from .case import PICTURES, PageCase
from .journals import DOCUMENT

FERRY = "GmF58"
VIEWS = {
    "": "records", "log": "Show", f"game/{FERRY}": "Note of the game",
    "groups": "Bank 3 Focus", "groups/new": "Create group", "insights": "Consistency", f"insights/{FERRY}": "Midnight Ferry",
    "mechanics": "Post Pass", "library": "12 games", "library/GLp41": "Practise this game", "league": "Ada Quill",
}


def address(view):
    return f"#/journals/{WINTER_ID}" + (f"/{view}" if view else "")


class InsightsCase(PageCase):
    scope = "admin"
    browsers_of = ["chromium", "firefox", "webkit"]

    def setUp(self):
        super().setUp()
        self.served = self.serve(journals=True)
        self.browser = self.browse()
        self.someone = self.person(self.served, self.browser, self.scope, width=1280, height=800)
        self.tab = self.someone.tab

    def see(self, view, words=None):
        self.someone.go(address(view))
        self.shows(view, words or VIEWS[view])

    def shows(self, view, words):
        self.tab.wait("location.hash === args[0] && document.querySelector('main').innerText.includes(args[1])"
                      f" && {views.BUSY}", address(view), words, what=f"{view} with “{words}”")

    def says(self, words):
        self.tab.wait(f"document.querySelector('main').innerText.includes(args[0]) && {views.BUSY}", words, what=f"“{words}”")

    def choose(self, field, value):
        """Picks an entry of a select, as a press on it does."""
        self.tab.wait("find(args[0])", f"field={field}")
        self.tab.ask("""const e = find(args[0]); e.focus(); e.value = args[1];
            if (e.value !== args[1]) throw new Error("no such entry: " + args[1]);
            e.dispatchEvent(new Event("change", { bubbles: true }));""", f"field={field}", value)

    def needs_kills(self):
        if not self.tab.kills:
            self.skipTest("the driver of this browser kills no tab")

    def document(self):
        return json.loads((self.served.journals / "pinball/practice-state.json").read_text())

    def group(self, name):
        return next((group for group in self.document()["customGroups"] if group["name"] == name), None)

    def is_gone(self, locator):
        """Waits until the view has followed the file: what is pressed next does not move any more."""
        self.tab.wait(f"!find(args[0]) && {views.BUSY}", locator)

    def is_confirmed(self, label):
        self.tab.wait("document.querySelector('dialog[open]')")
        self.tab.press(f"button=^{label}$")


class Groups(InsightsCase):
    def test_from_the_form_to_the_archive(self):
        """A group of a bank with one game more: created, selected, given priority, archived, deleted; the file has each step."""
        self.see("groups")
        self.tab.press("link=^New group$")
        self.shows("groups/new", "Create group")
        self.choose("Take the games of", "2")
        self.assertEqual(self.tab.ask("return find('field=^Name$').value;"), "Bank 2 Focus")
        self.tab.fill("field=^Name$", "Before the finals")
        self.tab.press("button=^Sundial Rally$")
        self.tab.press("button=^Create group$")
        self.shows("groups", "Before the finals")
        made = self.group("Before the finals")
        self.assertEqual(set(made["gameIDs"]), {"GmF58", "GpD16", "GgX75", "GmX24", "GsR80"})
        self.assertEqual((made["type"], made["isActive"], made["isPriority"]), ("bank", True, False))
        self.tab.press("button=^Select: Before the finals$")
        self.served.soon(lambda: self.document()["practiceSettings"]["selectedGroupID"].lower() == made["id"].lower(), "it is selected")
        self.is_gone("button=^Select: Before the finals$")
        self.tab.press("button=^Give priority: Before the finals$")
        self.served.soon(lambda: [group["name"] for group in self.document()["customGroups"] if group["isPriority"]] == ["Before the finals"],
                         "it alone has priority")
        self.is_gone("button=^Give priority: Before the finals$")
        self.tab.press("button=^Archive: Before the finals$")
        self.served.soon(lambda: self.group("Before the finals")["isArchived"], "it is archived")
        self.says("3 archived groups")
        self.tab.press("button=3 archived groups")
        self.tab.press("button=^Delete: Before the finals$")
        self.is_confirmed("Delete")
        self.served.soon(lambda: self.group("Before the finals") is None, "it is deleted")
        self.assertEqual(self.document()["scoreEntries"], json.loads(DOCUMENT.read_text())["scoreEntries"])

    def test_overview_is_that_of_the_server(self):
        self.see("groups")
        text = self.tab.text("main")
        for group in self.served.ask(f"journals/{WINTER_ID}/practice/groups"):
            if not group["archived"]:
                self.assertIn(f"{group['completion']}% done · {group['stale_games']} not practised lately", text)
        self.assertIn("Selected", text)

    def test_the_form_says_what_is_missing(self):
        self.see("groups/new")
        complaint = "return [...document.querySelectorAll('main :invalid')].filter((e) => e.matches('input')).map((e) => e.validationMessage);"
        self.tab.press("button=^Create group$")
        self.assertIn("Select at least one game.", self.tab.ask(complaint))
        self.tab.fill("field=^Name$", "   ")
        self.tab.press("button=^Comet Racer$")
        self.tab.ask("""for (const [name, day] of [["Start", "2026-02-10"], ["End", "2026-02-09"]]) {
            const e = find(`field=^${name}$`); e.value = day; e.dispatchEvent(new Event("input", { bubbles: true })); }""")
        self.tab.press("button=^Create group$")
        self.assertIn("End date must be on or after start date.", self.tab.ask(complaint))
        self.assertEqual(len(self.tab.ask(complaint)), 2)
        self.assertEqual(self.document()["customGroups"], json.loads(DOCUMENT.read_text())["customGroups"])

    def fill_day(self, field, day):
        self.tab.ask("const e = find(args[0]); e.value = args[1]; e.dispatchEvent(new Event('input', { bubbles: true }));", f"field=^{field}$", day)

    def test_a_group_is_changed_and_moved(self):
        """Another name, game, kind, day and place; the file has what was changed, and all else as it was."""
        before = self.group("Old and fast")
        self.see("groups")
        self.tab.press("link=^Edit: Old and fast$")
        self.says("Edit group")
        self.assertEqual(self.tab.ask("return find('field=^Name$').value;"), "Old and fast")
        self.tab.fill("field=^Name$", "Fast ones")
        self.tab.press("button=^Comet Racer$")
        self.choose("Kind", "location")
        self.fill_day("End", "2026-12-24")
        self.choose("Place in the list", "")
        self.tab.press("button=^Save$")
        self.shows("groups", "Fast ones")
        self.served.soon(lambda: self.document()["customGroups"][2]["name"] == "Fast ones", "it is the first that is not archived")
        after = self.group("Fast ones")
        self.assertEqual(after["gameIDs"], [*before["gameIDs"], "GcR07"])
        self.assertEqual((after["type"], after["startDate"], after["id"]), ("location", before["startDate"], before["id"]))
        self.assertGreater(after["endDate"], after["startDate"])
        self.assertEqual([group["name"] for group in self.document()["customGroups"]],
                         ["Bank 1 Focus", "Bank 2 Focus", "Fast ones", "Bank 3 Focus", "Lock Street Hall"])
        self.tab.press("link=^Edit: Fast ones$")
        self.says("Edit group")
        self.fill_day("End", "")
        self.tab.press("button=^Save$")
        self.shows("groups", "Fast ones")
        self.served.soon(lambda: self.group("Fast ones").get("endDate") is None, "it has no end any more")
        self.assertEqual({**self.group("Fast ones"), "endDate": 0}, {**after, "endDate": 0})
        # Nothing is written where nothing was changed.
        text = self.document()
        self.tab.press("link=^Edit: Fast ones$")
        self.says("Edit group")
        self.tab.press("button=^Save$")
        self.shows("groups", "Fast ones")
        self.assertEqual(self.document(), text)

    def test_a_copy_has_the_games_of_the_group(self):
        self.see("groups")
        self.tab.press("link=^Copy: Old and fast$")
        self.says("Create group")
        self.tab.press("button=^Create group$")
        self.shows("groups", "Copy of Old and fast")
        self.assertEqual(self.group("Copy of Old and fast")["gameIDs"], self.group("Old and fast")["gameIDs"])


class Insights(InsightsCase):
    def points(self):
        """Where the scores are drawn: across and down."""
        return self.tab.ask("""return [...document.querySelectorAll(".plot .dot")].map((e) => e.getAttribute("d").match(/^M([\\d.]+) ([\\d.]+)/).slice(1).map(Number));""")

    def test_scores_over_time_in_each_mode(self):
        self.see(f"insights/{FERRY}")
        written = sorted((entry for entry in json.loads(DOCUMENT.read_text())["scoreEntries"] if entry["gameID"] == FERRY),
                         key=lambda entry: entry["timestamp"])
        days = [(later["timestamp"] - earlier["timestamp"]) / 86_400_000 for earlier, later in zip(written, written[1:])]
        self.assertTrue(any(gap >= 14 for gap in days), "a sample with a long break")
        across = {}
        for mode in ("Real time", "Short breaks", "Scores only", "Broken axis"):
            self.tab.press(f"button=^{mode}$")
            self.tab.wait("find(args[0]).getAttribute('aria-pressed') === 'true'", f"button=^{mode}$")
            points = self.points()
            self.assertEqual(len(points), len(written))
            across[mode] = [x for x, _ in points]
            # The greater score is drawn higher, whatever the mode.
            down = [y for _, y in points]
            self.assertEqual(sorted(range(len(written)), key=lambda n: -down[n]), sorted(range(len(written)), key=lambda n: written[n]["score"]))
            pieces = self.tab.ask("return document.querySelector('.plot .line').getAttribute('d').split('M').length - 1;")
            self.assertEqual(pieces, 1 + sum(gap >= 14 for gap in days) if mode == "Broken axis" else 1)
        widths = {mode: [b - a for a, b in zip(xs, xs[1:])] for mode, xs in across.items()}
        scale = sum(widths["Real time"]) / sum(days)
        for width, gap in zip(widths["Real time"], days):
            self.assertAlmostEqual(width, gap * scale, delta=0.1)
        self.assertLess(max(widths["Scores only"]) - min(widths["Scores only"]), 0.1)
        for mode in ("Short breaks", "Broken axis"):
            long = [width for width, gap in zip(widths[mode], days) if gap >= 14]
            self.assertLess(max(long) - min(long), 0.1, "all long breaks are equally wide")
            self.assertLess(max(long), max(width for width, gap in zip(widths["Real time"], days) if gap >= 14))
        label = self.tab.ask("return document.querySelector('.plot').getAttribute('aria-label');")
        self.assertIn(f"{max(entry['score'] for entry in written):,}", label)
        # The table beside it has every score.
        self.tab.press(f"button=^All {len(written)} scores$")
        text = self.tab.text("main")
        for entry in written:
            self.assertIn(f"{entry['score']:,}", text)

    def test_numbers_are_those_of_the_server(self):
        for one in self.served.ask(f"journals/{WINTER_ID}/practice/focus"):
            with self.subTest(game=one["name"]):
                game = self.served.ask(f"journals/{WINTER_ID}/practice/game?game={one['game']}")
                self.see(f"insights/{one['game']}", f"{round(game['scores']['floor']):,}")
                text = self.tab.text("main")
                self.assertIn(game["scores"]["consistency"].lower(), text.lower())
                self.assertIn(f"{one['completion']}% done", text)

    def test_the_game_that_needs_practice_most_comes_first(self):
        self.see("insights")
        first = self.served.ask(f"journals/{WINTER_ID}/practice/focus")[0]
        self.assertEqual(self.tab.ask("return find('field=^Game').value;"), first["game"])
        self.choose("Game", "GhF12")
        self.shows("insights/GhF12", "Consistency")
        self.tab.press("link=Tin Orchestra")
        self.shows("insights/GtO33", "Consistency")

    def test_a_skill_has_its_trend(self):
        self.see("mechanics")
        skills = {row["skill"]: row for row in self.served.ask(f"journals/{WINTER_ID}/practice/mechanics")}
        text = self.tab.text("main")
        for name, skill in skills.items():
            self.assertIn(name, text)
            self.assertIn(f"{skill['latest']}/5", text)
        drawn = self.tab.ask("return [...document.querySelectorAll('.spark')].map((e) => e.getAttribute('aria-label'));")
        self.assertIn("So far 2, 3, 4, 5", drawn)
        self.assertEqual([len(label.split(",")) for label in drawn], [skill["logs"] for skill in skills.values()])


class Library(InsightsCase):
    def names(self):
        return self.tab.ask("return [...document.querySelectorAll('main .item b')].map((e) => e.textContent);")

    def test_search_sort_and_filter(self):
        self.see("library")
        library = self.served.ask(f"journals/{WINTER_ID}/practice/library")
        self.assertEqual(self.names(), [game["name"] for game in library])
        self.choose("^Order", "name")
        self.assertEqual(self.names(), sorted(game["name"] for game in library))
        self.choose("^Bank", "3")
        self.assertEqual(self.names(), sorted(game["name"] for game in library if game["bank"] == 3))
        self.tab.fill("field=Search games", "fog stairs")
        self.says("1 game")
        self.assertEqual(self.names(), ["Harbor Fog"])
        self.tab.press("link=Harbor Fog")
        self.shows("library/GhF12", "Practise this game")

    def test_only_what_leads_to_the_web_is_a_link(self):
        """A rulesheet, a playfield and videos; addresses that are no page on the web stay words."""
        game = {"game": "G1", "id": "g1", "slug": "g1", "name": "<b>Orbit</b>", "source": "hall", "source_name": "The hall", "bank": 4,
                "tutorials": 2, "gameplays": 0, "played": True, "rulesheet_url": "https://example.org/rules", "playfield_file": "playfields/g1.webp",
                "videos": [{"kind": "tutorial", "label": "How to begin", "url": "http://example.net/watch?v=1"},
                           {"kind": "tutorial", "url": "javascript:alert(1)"}]}
        other = {"game": "G2", "id": "g2", "slug": "g2", "name": "Never", "source": "hall", "tutorials": 0, "gameplays": 0, "played": False, "videos": []}
        self.served.wire.rule = lambda request: answer(200, json.dumps([game, other]), "application/json", **{"Trace-Time": "2026-02-11T18:25:40.102Z"}) if request.matches(
            r"^GET .*/api/.*practice/library") else None
        self.see("library", "2 games")
        self.choose("^Played", "false")
        self.assertEqual(self.names(), ["Never"])
        self.see("library/G1", "How to begin")
        links = self.tab.ask("""return [...document.querySelectorAll("main a[target]")].map((e) => [e.getAttribute("href"), e.rel, e.target]);""")
        self.assertEqual(links, [[address, "noreferrer noopener", "_blank"] for address in ("https://example.org/rules", "http://example.net/watch?v=1")])
        text = self.tab.text("main")
        for words in ("<b>Orbit</b>", "playfields/g1.webp", "javascript:alert(1)", "The hall · Bank 4"):
            self.assertIn(words, text)


class League(InsightsCase):
    def test_each_view_has_what_the_server_says(self):
        def ask(view, **query):
            return self.served.ask(f"journals/{WINTER_ID}/practice/league?view={view}" + "".join(f"&{key}={value}" for key, value in query.items()))

        self.see("league")
        standings = ask("standings")
        text = self.tab.text("main")
        for row in standings[:5]:
            self.assertIn(row["player"], text)
        self.assertNotIn("Zoë Hart", text)
        self.tab.press("button=^3 more$")
        self.says(standings[-1]["player"])
        self.choose("^Show", "stats")
        self.says("Lantern Parade")
        self.tab.press("button=^Comet Racer")
        machine = next(row for row in ask("stats") if row["machine"] == "Comet Racer")
        self.says(f"{machine['high']:,}")
        self.choose("^Show", "targets")
        self.says(f"great {ask('targets')[0]['great']:,}")
        self.choose("^Show", "next")
        self.says("Bank 3")
        self.choose("^Show", "recent")
        self.says("932,881,530")
        self.choose("^Show", "versus")
        self.says("Ada Quill and Bo Marsh")
        self.choose("^Compared with", "Cy Ferro")
        self.says("Ada Quill and Cy Ferro")
        self.choose("^Player", "Eli Stone")
        self.says("Eli Stone and Cy Ferro")

    def test_scores_are_imported_once_and_taken_out_again(self):
        before = self.document()
        self.see("league")
        log = self.served.journals / "pinball/sync.jsonl"
        for number in range(2):
            self.tab.press("button=^Import scores$")
            self.is_confirmed("Import scores")
            self.served.soon(lambda number=number: log.exists() and log.read_text().count('"practice.league_import"') > number, "the import")
        imported = [entry for entry in self.document()["scoreEntries"] if entry.get("leagueImported")]
        self.assertGreater(len(imported), len([entry for entry in before["scoreEntries"] if entry.get("leagueImported")]))
        places = [(entry["gameID"], entry["score"], entry["timestamp"]) for entry in imported]
        self.assertEqual(len(places), len(set(places)))
        self.tab.press("button=^Remove imports$")
        self.is_confirmed("Remove imports")
        self.served.soon(lambda: not any(entry.get("leagueImported") for entry in self.document()["scoreEntries"]), "they are gone")
        own = [entry["id"] for entry in before["scoreEntries"] if not entry.get("leagueImported")]
        self.assertEqual([entry["id"] for entry in self.document()["scoreEntries"]], own)

    def test_without_tables(self):
        for file in (self.served.journals / "pinball/league").glob("*.csv"):
            file.unlink()
        self.allowed += ["404", "400"]
        self.see("league", "Nothing to show")
        self.assertFalse(self.tab.there("button=^Import"))
        self.assertNotRegex(self.tab.text("main"), r"undefined|\[object|NaN|null")


class ReadOnly(InsightsCase):
    scope = "read"

    def test_nothing_to_write_with(self):
        for view, words in VIEWS.items():
            if view != "groups/new":
                self.see(view, words)
            else:
                self.someone.go(address(view))
                self.shows(view, "Bank 3 Focus")
            for button in ("New group", "Create", "Select", "Archive", "Delete", "Import", "Remove imports"):
                self.assertFalse(self.tab.there(f"button=^{button}"), f"{button} in {view}")


class EachView(PageCase):
    """Accessible in light and dark, by keyboard, narrow, with large letters."""

    axe, reaches_everything = views.EveryView.axe, views.EveryView.reaches_everything

    def all_views(self, person):
        for name, words in VIEWS.items():
            views.see(person, (address(name), words))
            yield name

    def test_axe_finds_nothing(self):
        served, browser = self.serve(journals=True), self.browse(bypass_csp=True)
        person = self.person(served, browser, "admin")
        for dark in (False, True):
            for width in (390, 1280):
                person.tab.size(width, 844)
                person.tab.look(dark=dark, reduced=True)
                for name in self.all_views(person):
                    with self.subTest(view=name, dark=dark, width=width):
                        self.axe(person, f"{name} {width}")

    def test_by_keyboard(self):
        served, browser = self.serve(journals=True), self.browse()
        person = self.person(served, browser, "admin")
        for name in self.all_views(person):
            with self.subTest(view=name):
                person.tab.reload()
                views.see(person, (address(name), VIEWS[name]))
                self.reaches_everything(person.tab)

    def test_narrow_and_large(self):
        served, browser = self.serve(journals=True), self.browse()
        person = self.person(served, browser, "admin", touch=True)
        for width, size in ((320, 16), (320, 32), (1280, 32)):
            person.tab.size(width, 700)
            person.tab.evaluate(f"void (document.documentElement.style.fontSize = '{size}px')")
            for name in self.all_views(person):
                with self.subTest(view=name, width=width, letters=size):
                    self.assertLessEqual(person.tab.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth"), 1)
                    small = person.tab.ask("""return [...document.querySelectorAll("main :is(button, a[href], input, select, summary)")]
                        .filter((e) => shown(e) && !e.closest("p")).map((e) => [(e.closest("label.choice, label.switch") ?? e).getBoundingClientRect(), nameOf(e)])
                        .filter(([box]) => box.width > 1 && (box.width < 43.5 || box.height < 43.5)).map(([box, name]) => `${name} ${box.width}x${box.height}`);""")
                    self.assertEqual(small, [])

    def test_pictures(self):
        served, browser = self.serve(journals=True), self.browse()
        PICTURES.mkdir(parents=True, exist_ok=True)
        person = self.person(served, browser, "admin")
        for theme in ("light", "dark"):
            for size, width, height in (("phone", 390, 844), ("desktop", 1280, 800)):
                person.tab.size(width, height)
                person.tab.look(dark=theme == "dark", reduced=True)
                for name in self.all_views(person):
                    person.tab.picture(PICTURES / f"practice-{name.replace('/', '-')}-{size}-{theme}.png", whole=True)


class Offline(InsightsCase):
    def test_what_was_seen_is_there(self):
        self.someone.shell_is_kept()
        for view in VIEWS:
            self.see(view)
        self.served.wire.cut()
        for view in VIEWS:
            self.see("library")
            self.see(view)
            self.assertNotRegex(self.tab.text("main"), r"undefined|\[object|NaN|null")

    def test_a_group_made_without_a_network_is_there_once(self):
        """Created offline, the tab killed, the browser opened again: it is in the file, once."""
        self.needs_kills()
        self.someone.shell_is_kept()
        self.see("groups")
        self.see("groups/new")
        self.served.wire.rule = lambda request: CUT
        self.tab.fill("field=^Name$", "On the train")
        self.tab.press("button=^Comet Racer$")
        self.tab.press("button=^Create group$")
        self.shows("groups", "On the train")
        self.assertIsNone(self.group("On the train"))
        self.tab.crash()
        self.served.wire.rule = None
        again = Person(self.served, self.browser.tab(self.served.address + address("groups")))
        again.tab.wait("document.querySelector('main')?.innerText.includes('On the train')")
        again.drained()
        self.served.soon(lambda: self.group("On the train"), "the group")
        self.assertEqual([group["name"] for group in self.document()["customGroups"]].count("On the train"), 1)


class NewJournal(PageCase):
    def test_each_view_says_how_it_begins(self):
        """A journal without a library, rows and tables; then with a single score."""
        served = self.serve(journals=True)
        served.trace("journal", "init", "practice", str(served.journals / "new"), "--title", "New one")
        served.soon(lambda: "New one" in json.dumps(served.ask("journals?kind=practice")), "the journal")
        handle = next(one["handle"] for one in served.ask("journals?kind=practice") if one["title"] == "New one")
        person = self.person(served, self.browse(), "admin")
        self.allowed += ["404", "400"]
        first = {"groups": "No groups yet", "groups/new": "No games yet", "insights": "No games yet", "insights/G1": "No scores yet",
                 "mechanics": "No skills noted yet", "library": "No games yet", "library/G1": "not in the library", "league": "Nothing to show"}
        for view, words in first.items():
            with self.subTest(view=view):
                views.see(person, (f"#/journals/{handle}/{view}", words))
                self.assertNotRegex(person.tab.text("main"), r"undefined|\[object|NaN|null")
        # Without a library the game is typed, and stays whatever is noted about it.
        views.see(person, (f"#/journals/{handle}", "Note something"))
        person.tab.fill("field=^Game$", "G1")
        person.tab.ask("document.querySelector('input[name=kind][value=practice]').click();")
        self.assertEqual(person.tab.ask("return find('field=^Game$').value;"), "G1")
        served.trace("practice", "score", "G1", "900", "--journal", "New one")
        views.see(person, (f"#/journals/{handle}/insights/G1", "Stable"))
        self.assertEqual(person.tab.evaluate("document.querySelectorAll('.plot .dot').length"), 1)
        self.assertNotRegex(person.tab.evaluate("document.querySelector('.plot').outerHTML"), "NaN|Infinity|undefined")
