"""Reading: the transcript follows what is heard, is tapped, and marked."""

from driving.recorded import recorded
from driving.served import LATE_SET, LATE_SET_ID

from .case import PageCase

AUDIO = "document.querySelector('audio')"
TITLE = "Long talk"
FOLDER = "long-talk"


class Transcript(PageCase):
    def setUp(self):
        super().setUp()
        self.served = self.serve()
        self.browser = self.browse()

    def come(self, width=390, height=844, **settings):
        """A talk of three minutes: each sentence takes 1.6 s; after each third one nobody says anything for 2.4 s."""
        said, offset = [], 1000
        for number in range(75):
            said.append((offset, 1600, f"Sentence number {number} is about the tape and what can be heard on it."))
            offset += 2000 if number % 3 < 2 else 4000
        self.handle = recorded(self.served, TITLE, [(0, [offset / 1000 + 1])], transcript=said)
        self.said = said
        self.tab = self.browser.tab(width=width, height=height, **settings)
        self.me = self.person(self.served, self.browser, tab=self.tab)
        self.me.go(f"#/s/{self.handle}/transcript")
        self.tab.wait("document.querySelectorAll('.segment').length === args[0]", len(said), what="the transcript")
        self.me.is_audible()

    def height(self):
        """Where the current segment stands, as a part of what is seen."""
        return self.tab.ask("""const root = document.querySelector(".panel").getBoundingClientRect(), e = document.querySelector(".segment[aria-current]");
            return (e.getBoundingClientRect().top - root.top) / root.height;""")

    def current(self):
        return self.tab.ask("return [...document.querySelectorAll('.segment[aria-current]')].map((one) => Number(one.dataset.index));")

    def test_it_is_in_paragraphs_and_follows(self):
        self.come()
        self.assertEqual(self.tab.ask("return document.querySelectorAll('.paragraph').length;"), 25)
        self.tab.look(reduced=True)
        self.me.seek(100)
        self.me.play()
        wanted = [number for number, (offset, *_) in enumerate(self.said) if offset <= 100_000][-1]
        self.tab.wait("Number(document.querySelector('.segment[aria-current]')?.dataset.index) >= args[0]", wanted)
        self.assertEqual(len(self.current()), 1)
        self.assertAlmostEqual(self.height(), 0.35, delta=0.05)
        before = self.current()
        self.tab.wait("Number(document.querySelector('.segment[aria-current]').dataset.index) > args[0]", before[0] + 2, what="that it follows")
        self.assertAlmostEqual(self.height(), 0.35, delta=0.05)
        # Who scrolls by hand is left alone, and finds back.
        self.assertFalse(self.tab.there(".transcript-back"))
        self.tab.ask("""const e = document.querySelector(".panel"); e.dispatchEvent(new WheelEvent("wheel", { bubbles: true, deltaY: -900 })); e.scrollTop = 0;""")
        self.tab.wait("/^Back to 1:\\d\\d$/.test(document.querySelector('.transcript-back:not([hidden])')?.innerText)", what="the way back")
        before = self.current()
        self.tab.wait("Number(document.querySelector('.segment[aria-current]').dataset.index) > args[0]", before[0])
        self.assertEqual(self.tab.ask("return document.querySelector('.panel').scrollTop;"), 0)
        self.tab.press(".transcript-back")
        self.tab.wait("document.querySelector('.transcript-back').hidden")
        self.assertAlmostEqual(self.height(), 0.35, delta=0.05)

    def test_a_tap_plays(self):
        self.come(touch=True)
        # What takes more than one line is not in the middle of its box.
        self.tab.touch(*self.tab.ask("const [b] = document.querySelector(\".segment[data-index='4']\").getClientRects(); return [b.left + 8, b.top + b.height / 2];"))
        self.tab.wait(f"Math.abs({AUDIO}.currentTime - {self.said[4][0] / 1000}) < 1.5 && !{AUDIO}.paused", what="the sentence that was tapped")
        self.assertEqual(self.current(), [4])
        self.tab.press("button=^Play from 0:01$")
        self.tab.wait(f"{AUDIO}.currentTime < 3 && !{AUDIO}.paused", what="the paragraph")
        # By keys alone: one stop, arrows from one to the next, Enter plays.
        stops = self.tab.ask("return [...document.querySelectorAll('.segment-time')].filter((one) => one.tabIndex === 0).length;")
        self.assertEqual(stops, 1)
        self.tab.evaluate("document.querySelector('.segment-time').focus()")
        self.tab.keys("ArrowDown", "ArrowDown", "Enter")
        self.tab.wait(f"Math.abs({AUDIO}.currentTime - {self.said[6][0] / 1000}) < 1.5", what="the third paragraph")

    def test_a_passage_is_marked(self):
        self.come()
        self.assertFalse(self.tab.there("button=^Mark passage$"))
        begin = self.me.moment()
        # From within one sentence into another paragraph.
        self.tab.ask("""const text = (index) => document.querySelector(`.segment[data-index='${index}']`).firstChild;
            getSelection().setBaseAndExtent(text(1), 9, text(3), 8);""")
        self.tab.wait("find('button=^Mark passage$')")
        self.tab.press("button=^Mark passage$")
        self.tab.wait("document.querySelector('.toast')?.innerText.includes('Marked at 0:03')", what="that it is marked")
        self.me.go(f"#/s/{self.handle}")
        mark = self.me.kept_since(begin)
        [line] = self.served.soon(lambda: self.served.lines(FOLDER), "the marker in the file")
        self.assertEqual(line["id"], mark)
        first, last = self.said[1], self.said[3]
        self.assertEqual((line["offset_ms"], line["duration_ms"]), (first[0], last[0] + last[1] - first[0]))
        self.assertTrue(line["label"].startswith("number 1 is about"), line["label"])
        self.assertLessEqual(len(line["label"]), 100)
        self.assertIn("…", line["label"])
        # Without a selection there is nothing to mark. Keys select paragraphs.
        self.me.go(f"#/s/{self.handle}/transcript")
        self.tab.wait("document.querySelector('.segment')")
        self.assertFalse(self.tab.there("button=^Mark passage$"))
        self.tab.evaluate("document.querySelector('.segment-time').focus()")
        self.tab.keys("ArrowDown", "Shift+ArrowDown")
        self.tab.wait("find('button=^Mark passage$')")
        self.tab.ask("find('button=^Mark passage$').focus();")
        self.tab.keys("Enter")
        _, line = self.served.soon(lambda: len(self.served.lines(FOLDER)) == 2 and self.served.lines(FOLDER), "the second marker")
        first, last = self.said[3], self.said[8]
        self.assertEqual((line["offset_ms"], line["duration_ms"]), (first[0], last[0] + last[1] - first[0]))

    def test_where_there_is_none_it_says_how_to_make_one(self):
        id = recorded(self.served, "Nothing said", [(0, [3])])
        self.me = self.person(self.served, self.browser)
        self.me.go(f"#/s/{id}/transcript")
        self.me.tab.wait("document.querySelector('.panel')?.innerText.includes('trace transcribe')")

    def test_on_a_wide_screen_it_is_a_column(self):
        self.tab = self.browser.tab(width=2560, height=1440)
        self.me = self.person(self.served, self.browser, tab=self.tab)
        self.me.go(f"#/s/{LATE_SET_ID}")
        self.tab.wait("document.querySelector('.aside .segment')", what="the transcript beside the digest")
        self.assertFalse(self.tab.there("link=^Transcript"))
        self.assertTrue(self.tab.there("link=^Notes"))
        self.assertIn("this is the late set", self.tab.text(".aside"))
        self.assertEqual(len(self.served.lines(LATE_SET, "transcript.jsonl")), 10)
