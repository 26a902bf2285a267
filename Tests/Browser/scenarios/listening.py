"""Listening: what is played next, how fast, until when, in which tab, and what is left out."""

from driving.person import sound
from driving.recorded import recorded
from driving.served import LATE_SET_ID

from .case import PageCase

AUDIO = "document.querySelector('audio')"
# Where the recording is in each frame, and which recordings are heard.
WATCHED = """void (() => {
  const audio = document.querySelector("audio"), ids = () => /media\\/(\\w+)/.exec(audio.currentSrc)?.[1];
  Object.assign(window, { places: [], heard: [], first: audio });
  audio.addEventListener("playing", () => heard.at(-1) !== ids() && heard.push(ids()));
  const look = () => { if (!audio.paused) places.push(audio.currentTime); requestAnimationFrame(look); };
  look();
})()"""


class Listening(PageCase):
    def come(self, id=LATE_SET_ID, width=1280, height=800, **settings):
        self.served = self.served if hasattr(self, "served") else self.serve()
        self.browser = self.browse(**settings)
        self.tab = self.browser.tab(width=width, height=height)
        self.me = self.person(self.served, self.browser, tab=self.tab)
        self.open(id)

    def open(self, id, who=None):
        who = who or self.me
        who.go(f"#/s/{id}")
        who.tab.wait(f"find('button=^(Play|Pause)$') && find('.mark-H') && {AUDIO}.currentSrc.includes(args[0])", id)
        who.is_audible()

    def choose(self, name, value):
        """An option of a list; its window is the browser's own."""
        self.tab.ask("""const e = find(args[0]); e.value = args[1]; e.dispatchEvent(new Event("change", { bubbles: true }));""",
                     f"field={name}", value)

    def media(self, id):
        return [item["id"] for item in self.served.ask(f"sessions/{id}")["media"]]

    def test_the_next_recording_follows(self):
        self.served = self.serve()
        # The third is another take of the first two; the last follows after a break.
        id = recorded(self.served, "In parts", [(0, [3]), (3, [2]), (0, [5]), (8, [2])])
        self.come(id)
        self.tab.evaluate(WATCHED)
        first, second, _, last = self.media(id)
        self.me.seek(2)
        self.me.play()
        self.tab.wait("heard.length >= 3 && document.querySelector('audio').ended", what="the end of the last one")
        self.assertEqual(self.tab.evaluate("heard"), [first, second, last])
        self.assertTrue(self.tab.evaluate("document.querySelector('audio') === first"), "the element is the same")
        # A loop stays where it is.
        self.choose("^Recording$", first)
        self.tab.wait(f"{AUDIO}.currentSrc.includes(args[0]) && {AUDIO}.readyState > 0", first)
        self.tab.evaluate("document.activeElement.blur(); heard.length = 0; void 0")
        self.me.seek(1)
        self.tab.keys("l")
        self.me.seek(2.9)
        self.tab.keys("l")
        self.me.play()
        self.tab.evaluate("places.length = 0; void 0")
        self.tab.wait("places.filter((place, index) => place < places[index - 1] - 1).length >= 2", what="two turns of the loop")
        self.assertEqual(self.tab.evaluate("heard"), [first])

    def test_the_speed_is_remembered_for_its_session_and_its_token(self):
        self.served = self.serve()
        other = recorded(self.served, "Another", [(0, [3])])
        self.come()
        self.assertEqual(self.tab.ask("return [...find('field=^Speed$').options].map((one) => Number(one.value));"),
                         [0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5, 2])
        self.choose("^Speed$", "1.25")
        self.tab.evaluate("document.activeElement.blur()")
        self.tab.keys(">")
        speeds = lambda: self.tab.ask("const a = document.querySelector('audio'); return [a.playbackRate, find('field=^Speed$').value, a.preservesPitch ?? true];")  # noqa: E731
        self.tab.wait("find('field=^Speed$').value === '1.5'")
        self.assertEqual(speeds(), [1.5, "1.5", True])
        self.open(other)
        self.assertEqual(speeds(), [1, "1", True])
        self.open(LATE_SET_ID)
        self.assertEqual(speeds(), [1.5, "1.5", True])
        self.tab.reload()
        self.open(LATE_SET_ID)
        self.me.play()
        self.assertEqual(speeds(), [1.5, "1.5", True])
        # It is of the token that was here.
        kept = lambda: [row["key"] for row in self.me.kept("settings") if row["key"].startswith("listening.") and row.get("value")]  # noqa: E731
        self.assertEqual(kept(), [f"listening.{LATE_SET_ID}"])
        self.me.follow_link(self.served.token("mark", "--person", "bob", "--name", "bob"))
        self.tab.wait("document.body.dataset.state === 'ready' && (await import(new URL('data/identity.js', location))).me.person === 'bob'")
        self.open(LATE_SET_ID)
        self.assertEqual(speeds(), [1, "1", True])
        self.assertEqual(kept(), [])

    def passes(self, seconds):
        """By the clock of the device."""
        self.tab.evaluate(f"void (() => {{ const now = Date.now; Date.now = () => now() + {seconds * 1000}; }})()")

    def test_the_sleep_timer_ends_after_a_time(self):
        self.come()
        self.me.play()
        self.choose("^Sleep timer$", "10")
        self.tab.wait("/^(10|9) min$/.test(document.querySelector('.pick-sleep-timer span').innerText)", what="how long it plays yet")
        self.tab.evaluate("window.volumes = []; document.querySelector('audio').addEventListener('volumechange', "
                          "() => volumes.push(document.querySelector('audio').volume)); void 0")
        self.passes(596)
        self.tab.wait(f"{AUDIO}.paused", what="the end")
        volumes = self.tab.evaluate("volumes")
        self.assertLess(min(volumes), 0.1, "it fades")
        self.tab.wait(f"{AUDIO}.volume === 1")
        self.assertEqual(self.tab.ask("return find('field=^Sleep timer$').value;"), "")
        # Play then continues.
        place = self.me.player()["time"]
        self.me.play()
        self.tab.wait(f"{AUDIO}.currentTime > {place} + 1 && !{AUDIO}.paused", what="that it plays on")
        # What was over while nothing played ends nothing.
        self.tab.press("button=^Pause$")
        self.choose("^Sleep timer$", "30")
        self.tab.wait("document.querySelector('.pick-sleep-timer.on')")
        self.passes(1900)
        place = self.me.player()["time"]
        self.me.play()
        self.tab.wait(f"{AUDIO}.currentTime > {place} + 1 && !{AUDIO}.paused", what="that it plays on")
        self.assertFalse(self.tab.there(".pick-sleep-timer.on"))

    def test_the_sleep_timer_ends_with_a_marker_or_a_recording(self):
        self.served = self.serve()
        # By position: at twice the speed, and where a marker has a length.
        id = recorded(self.served, "Bed time", [(0, [8]), (8, [4])], [
            {"offset_ms": 1000, "label": "Long", "duration_ms": 2500}, {"offset_ms": 6000, "label": "Next"}])
        self.come(id)
        self.choose("^Speed$", "2")
        for start, end in ((1.2, 3.5), (4.5, 6)):
            self.me.seek(start)
            self.choose("^Sleep timer$", "marker")
            self.tab.wait("document.querySelector('.pick-sleep-timer.on')")
            self.me.play()
            self.tab.wait(f"{AUDIO}.paused && !document.querySelector('.pick-sleep-timer.on')", what="the end of the marker")
            self.assertAlmostEqual(self.me.player()["time"], end, delta=0.4)
        first, second = self.media(id)
        self.choose("^Sleep timer$", "recording")
        self.tab.wait("document.querySelector('.pick-sleep-timer.on')")
        self.me.play()
        self.tab.wait(f"{AUDIO}.paused && !document.querySelector('.pick-sleep-timer.on')", what="the end of the recording")
        self.assertAlmostEqual(self.me.player()["time"], 8, delta=0.3)
        self.assertIn(first, self.me.player()["source"])
        self.tab.press("button=^Play$")
        self.tab.wait(f"{AUDIO}.currentSrc.includes(args[0]) && !{AUDIO}.paused && {AUDIO}.currentTime > 0.3", second, what="the next recording")

    def test_from_marker_to_marker_and_between_two_places(self):
        self.come()
        self.me.seek(100)
        self.tab.evaluate("document.activeElement.blur()")
        at = lambda seconds: self.tab.wait(f"Math.abs({AUDIO}.currentTime - {seconds}) < 0.5")  # noqa: E731
        self.tab.keys("]")
        at(139.8)
        self.tab.press("button=^Previous marker$")
        at(90.4)
        # A, then B, are seen in the waveform; a third press clears both.
        loop = lambda: self.tab.ask("""const wave = document.querySelector(".wave").getBoundingClientRect(), e = document.querySelector(".wave-loop");
            const b = e.getBoundingClientRect(); return e.hidden ? null : [(b.left - wave.left) / wave.width * 734, (b.right - wave.left) / wave.width * 734];""")  # noqa: E731
        self.assertIsNone(loop())
        self.tab.press("button=^Start a loop here$")
        self.tab.wait("!document.querySelector('.wave-loop').hidden")
        self.me.seek(300)
        self.tab.press("button=^End the loop here$")
        self.tab.wait("!document.querySelector('.wave-loop.open')")
        for seen, wanted in zip(loop(), (91.9, 301.5)):
            self.assertAlmostEqual(seen, wanted, delta=4)
        self.tab.press("button=^Clear the loop$")
        self.tab.wait("document.querySelector('.wave-loop').hidden")
        # What help shows is what there is.
        self.me.go("#/help")
        self.tab.wait("find('main').innerText.includes('Next marker')")
        shown = self.tab.ask("return document.querySelectorAll('.key-table dt').length;")
        self.assertEqual(shown, self.tab.ask("return (await import(new URL('ui/keys.js', location))).KEYS.length;"))

    def test_one_tab_plays(self):
        self.come()
        other = self.again(self.served, self.browser, width=1280, height=800)
        other.tab.wait("document.body.dataset.state === 'ready'")
        self.open(LATE_SET_ID, other)
        self.tab.front()
        self.me.play()
        other.play()
        self.tab.wait(f"{AUDIO}.paused", what="the first tab pauses")
        self.tab.wait("document.querySelector('.toast')?.innerText.includes('Another tab')", what="that it says why")
        self.assertFalse(other.player()["paused"])
        self.tab.press("button=^Play here$")
        self.me.is_playing()
        other.tab.wait(f"{AUDIO}.paused", what="the second tab pauses")
        # Who has paused has lost nothing.
        self.tab.press("button=^Pause$")
        other.press_toasts_away()
        other.play()
        self.assertFalse(self.tab.there(".toast"), "nothing is said where nothing played")

    def test_after_a_note_it_continues_before_the_press(self):
        self.served = self.serve()
        self.come(microphone=sound(self.scratch / "microphone.wav"))
        self.me.seek(60)
        self.me.play()
        self.tab.wait(f"{AUDIO}.currentTime > 63")
        self.tab.evaluate("""void (() => { const a = document.querySelector("audio"); window.begun = [];
            document.addEventListener("pointerdown", () => { window.pressed ??= a.currentTime; }, true);
            a.addEventListener("playing", () => begun.push(a.currentTime)); })()""")
        self.me.record(1)
        self.me.is_playing()
        self.tab.wait("begun.length")
        self.assertAlmostEqual(self.tab.evaluate("begun[0] - pressed"), -2, delta=0.4)
        # Where nothing played, nothing begins.
        self.tab.press("button=^Pause$")
        self.tab.evaluate("begun.length = 0; void 0")
        # Two presses within 300 ms are one.
        self.tab.wait("new Promise((done) => setTimeout(() => done(true), 400))")
        self.me.record(1)
        self.me.drained()
        self.assertEqual(self.tab.evaluate("begun.length"), 0)

    def test_silence_is_left_out_but_never_a_marker(self):
        self.served = self.serve()
        id = recorded(self.served, "Quiet", [(5, [2, 8, 2, 8, 2, 2, 1])], [{"offset_ms": 21_000, "label": "In the silence"}])
        self.come(id)
        self.tab.evaluate(WATCHED)
        self.assertEqual(self.tab.ask("return find('button=^Skip silence$').getAttribute('aria-pressed');"), "false")
        self.tab.press("button=^Skip silence$")
        self.tab.wait("find('button=^Skip silence$').getAttribute('aria-pressed') === 'true'")
        self.tab.wait("!document.querySelector('.wave-caption:not([hidden])')", what="the waveform is there")
        self.me.play()
        self.tab.wait(f"{AUDIO}.ended", what="the end")
        places = self.tab.evaluate("places")
        between = lambda low, high: [place for place in places if low < place < high]  # noqa: E731
        self.assertEqual(between(3, 9.4), [], "the first silence")
        self.assertNotEqual(between(9.5, 10), [], "it continues before the sound")
        self.assertEqual(between(12.8, 15.4), [], "as far as the marker")
        self.assertNotEqual(between(15.65, 16.1), [], "the marker is heard")
        self.assertEqual(between(16.5, 19.4), [], "and after it")
        self.assertNotEqual(between(22.1, 23), [], "two seconds are too short")
        # In a loop all of it is heard.
        self.tab.evaluate("document.activeElement.blur()")
        self.me.seek(3)
        self.tab.keys("l")
        self.me.seek(6)
        self.tab.keys("l")
        self.me.seek(3)
        self.tab.evaluate("places.length = 0; void 0")
        self.me.play()
        self.tab.wait("places.some((place) => place > 5.5) && places.some((place) => place > 4 && place < 4.5)", what="the silence in the loop")

    def test_the_lock_screen(self):
        self.served = self.serve()
        self.browser = self.browse()
        self.tab = self.browser.tab(width=1280, height=800)
        self.tab.before("""window.acts = {}; const set = MediaSession.prototype.setActionHandler;
            MediaSession.prototype.setActionHandler = function (name, act) { acts[name] = act; return set.call(this, name, act); };
            const tell = MediaSession.prototype.setPositionState;
            MediaSession.prototype.setPositionState = function (state) { window.told = state; return tell.call(this, state); };""")
        self.me = self.person(self.served, self.browser, tab=self.tab)
        self.open(LATE_SET_ID)
        self.me.seek(95)
        self.me.play()
        self.tab.wait("acts.nexttrack && navigator.mediaSession.metadata?.title.includes('Theme')", what="the marker's name")
        media = self.tab.ask("""const { title, artist, album, artwork } = navigator.mediaSession.metadata;
            return { title, artist, album, artwork: artwork.map((one) => one.sizes), state: navigator.mediaSession.playbackState };""")
        self.assertEqual(media["album"], "Late set, Café Übersee")
        self.assertEqual(media["artwork"], ["192x192", "512x512"])
        self.assertEqual(media["state"], "playing")
        self.tab.evaluate("acts.nexttrack({ action: 'nexttrack' }); void 0")
        self.tab.wait(f"Math.abs({AUDIO}.currentTime - 139.8) < 1")
        self.tab.evaluate("acts.seekto({ action: 'seekto', seekTime: 200 }); void 0")
        self.tab.wait(f"Math.abs({AUDIO}.currentTime - 200) < 1 && Math.abs(told.position - 200) < 1", what="where it is")
        self.tab.evaluate("acts.previoustrack({ action: 'previoustrack' }); void 0")
        self.tab.wait(f"{AUDIO}.currentTime < 199")
        self.choose("^Speed$", "1.5")
        self.tab.wait("told.playbackRate === 1.5", what="how fast it is")
        self.tab.evaluate("acts.pause({ action: 'pause' }); void 0")
        self.tab.wait("navigator.mediaSession.playbackState === 'paused'")
        self.me.go("#/")
        self.tab.wait("navigator.mediaSession.metadata === null && acts.nexttrack === null", what="nothing of it stays")

    def test_the_dock_and_the_sheet(self):
        self.allowed.append("willReadFrequently")  # The scenario looks at what is drawn.
        self.come(width=390, height=844)
        self.me.go(f"#/s/{LATE_SET_ID}/digest")
        self.tab.wait("document.querySelector('.dock:not([hidden])')")
        drawn = lambda canvas: """(() => { const canvas = document.querySelector("CANVAS"); if (!canvas?.width || !canvas.height) return 0;
            return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.filter((one, index) => index % 4 === 3 && one).length; })()""".replace("CANVAS", canvas)  # noqa: E731
        self.tab.wait(f"{drawn('.dock .wave-sound')} > 200", what="the sound in the dock")
        self.assertEqual(self.tab.ask("""const box = (name) => document.querySelector(name).getBoundingClientRect(), dock = box(".dock"), wave = box(".dock canvas");
            return [dock.height, wave.height, wave.top > dock.top && wave.bottom < dock.bottom && wave.right < dock.right];"""), [56, 16, True])
        self.tab.press(".dock-title")
        self.tab.wait("document.querySelector('.player-sheet[open]')")
        self.tab.wait(f"{drawn('.player-sheet .wave-sound')} > 200", what="the waveform")
        self.assertEqual(self.tab.ask("return document.querySelector('.player-sheet .wave').getBoundingClientRect().height;"), 160)
        small = self.tab.ask("""return ["field=^Speed$", "button=^Start a loop here$", "button=^Zoom out$", "button=^Zoom in$", "field=^Sleep timer$",
            "button=^Skip silence$", "button=^Keep this recording", "button=^Next marker$", "button=^Previous marker$"].filter((name) => {
              const b = find(name)?.getBoundingClientRect(), hit = b && document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
              return !b || b.height < 43.5 || b.width < 43.5 || !(find(name).contains(hit) || hit.contains(find(name))); });""")
        self.assertEqual(small, [])
        self.choose("^Sleep timer$", "60")
        self.tab.wait("document.querySelector('.pick-sleep-timer.on')")
        self.tab.keys("Escape")
        self.tab.wait("!document.querySelector('.player-sheet')")
