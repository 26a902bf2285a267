"""Shows a page in a headless Chromium, and tells as JSON what the browser saw.

    look.py PAGE [--dark] [--print] [--width N] [--picture FILE.png] [--click SELECTOR] [--fragment t=12] [--no-script]

Nothing but Python and the browser: it is driven through a pipe (DevTools protocol), not over the network. What it tells:

    requests    URLs that the page asked for, beside itself
    complaints  errors and warnings of scripts, of the console and of the page's own policy
    title       the title
    text        all text that can be seen
    player      where the audio player stands: source, seconds, length, whether it is shown
    links       the targets of all links
"""

import argparse
import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# How long anything may take on a busy machine, in seconds.
PATIENCE = 120
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]


class Browser:
    """A browser with one page."""

    def __init__(self, width):
        program = next((path for path in map(shutil.which, BROWSERS) if path), None)
        if not program:
            sys.exit("error: no Chromium; 'make browser' installs one")
        self.profile = tempfile.mkdtemp(prefix="trace-browser-")
        read_end, self.commands = os.pipe()
        self.answers, write_end = os.pipe()
        arguments = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--mute-audio",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={self.profile}",
            f"--window-size={width},1400", "about:blank",
        ]

        def take_pipes():
            # 3 and 4 are where Chromium looks.
            commands, answers = os.dup(read_end), os.dup(write_end)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            # Else its sound library leaves a directory in /tmp.
            env=os.environ | {"XDG_RUNTIME_DIR": self.profile}, close_fds=False, preexec_fn=take_pipes)
        os.close(read_end)
        os.close(write_end)
        self.buffer = b""
        self.events = []
        self.number = 0
        targets = self.call("Target.getTargets", session=None)["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call(
            "Target.attachToTarget", session=None, targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def message(self, patience):
        """The next message, or None."""
        end = time.monotonic() + patience
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0, end - time.monotonic()))
            if not ready:
                return None
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                sys.exit("error: the browser has ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session="", **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session is not None:
            request["sessionId"] = session or self.session
        os.write(self.commands, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message(PATIENCE)
            if message is None:
                sys.exit(f"error: no answer to {method}")
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"error: {method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def wait(self, event):
        end = time.monotonic() + PATIENCE
        while not any(seen.get("method") == event for seen in self.events):
            message = self.message(max(0, end - time.monotonic()))
            if message is None:
                sys.exit(f"error: {event} did not come")
            self.events.append(message)

    def settle(self):
        """Takes what comes until nothing has come for a while."""
        while message := self.message(0.3):
            self.events.append(message)

    def evaluate(self, expression):
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            sys.exit(f"error: {expression}: {result['exceptionDetails']['text']}")
        return result["result"].get("value")

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def complaint(event):
    """What an event complains of, or None."""
    about = event.get("params", {})
    match event.get("method"):
        case "Runtime.exceptionThrown":
            return about["exceptionDetails"].get("exception", {}).get("description") or about["exceptionDetails"]["text"]
        case "Runtime.consoleAPICalled" if about["type"] in ("error", "warning", "assert"):
            return f"console: {about['args']}"
        case "Log.entryAdded" if about["entry"]["level"] in ("error", "warning"):
            return f"{about['entry']['source']}: {about['entry']['text']}"
    return None


PLAYER = """(() => { const player = document.querySelector("audio");
    return player && { source: player.getAttribute("src"), seconds: player.currentTime, paused: player.paused,
        length: isFinite(player.duration) ? player.duration : null, hidden: player.hidden,
        error: player.error && player.error.message }; })()"""

# Until the length of the recording is known, and the page, which hears of that first, has gone where it wants to be.
READY = """(async () => { const player = document.querySelector("audio");
    const one = (...names) => new Promise((done) => names.forEach((name) => player.addEventListener(name, done, { once: true })));
    if (!player || !player.getAttribute("src")) return;
    if (player.readyState === 0 && !player.error) await one("loadedmetadata", "error");
    if (player.seeking && !player.error) await one("seeked", "error"); })()"""

CLICKED = """document.querySelector(SELECTOR).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--print", action="store_true", dest="printed")
    parser.add_argument("--width", type=int, default=900)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--click")
    parser.add_argument("--fragment", default="")
    parser.add_argument("--no-script", action="store_true")
    chosen = parser.parse_args()
    browser = Browser(chosen.width)
    try:
        features = [{"name": "prefers-color-scheme", "value": "dark" if chosen.dark else "light"}]
        browser.call("Emulation.setEmulatedMedia", media="print" if chosen.printed else "screen", features=features)
        # A window has a least width, a page has not.
        browser.call(
            "Emulation.setDeviceMetricsOverride", width=chosen.width, height=1400, deviceScaleFactor=1, mobile=False)
        if chosen.no_script:
            browser.call("Emulation.setScriptExecutionDisabled", value=True)
        address = chosen.page.resolve().as_uri() + (f"#{chosen.fragment}" if chosen.fragment else "")
        browser.events.clear()
        browser.call("Page.navigate", url=address)
        browser.wait("Page.loadEventFired")
        if not chosen.no_script:
            browser.evaluate(READY)
        if chosen.click:
            browser.evaluate(CLICKED.replace("SELECTOR", json.dumps(chosen.click)))
            browser.evaluate(READY)
        # It plays on while the rest is looked at.
        player = browser.evaluate(PLAYER)
        browser.settle()
        if chosen.picture:
            height = browser.call("Page.getLayoutMetrics")["cssContentSize"]["height"]
            clip = {"x": 0, "y": 0, "width": chosen.width, "height": min(height, 6000), "scale": 1}
            shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
            chosen.picture.write_bytes(base64.b64decode(shot["data"]))
        # What the player shows of itself comes as data, and the page is what was asked for.
        asked = [event["params"]["request"]["url"] for event in browser.events
                 if event.get("method") == "Network.requestWillBeSent"]
        seen = {
            "requests": sorted({url for url in asked if not url.startswith("data:") and url.split("#")[0] != address.split("#")[0]}),
            "complaints": [words for words in map(complaint, browser.events) if words],
            "title": browser.evaluate("document.title"),
            "text": browser.evaluate("document.body.innerText"),
            "player": player,
            "links": browser.evaluate("[...document.links].map((link) => link.href.baseVal || link.getAttribute('href'))"),
            "address": browser.evaluate("location.href"),
        }
        print(json.dumps(seen, ensure_ascii=False))
    finally:
        browser.close()


if __name__ == "__main__":
    main()
