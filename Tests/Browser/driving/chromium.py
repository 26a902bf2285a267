"""Chromium through its DevTools pipe: nothing but Python and the browser, and no port."""

import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from .tab import PATIENCE, Gone, Problem, Tab

NAMES = ["chromium", "chromium-browser", "google-chrome"]
PROGRAM = next((path for path in map(shutil.which, NAMES) if path), None)


class Chromium:
    """A browser with a profile of its own, which outlives a restart."""

    name = "chromium"
    has_sound = True

    def __init__(self, microphone=None, arguments=(), bypass_csp=False, zone="UTC"):
        if not PROGRAM:
            raise Problem("no Chromium; 'make browser' installs one")
        self.profile = tempfile.mkdtemp(prefix="trace-browser-")
        self.arguments = list(arguments)
        self.bypass_csp = bypass_csp
        self.zone = zone
        if microphone:
            self.arguments += [
                "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-audio-capture={microphone}"]
        self.complaints = []
        self.start()

    def start(self):
        read_end, self.commands = os.pipe()
        self.answers, write_end = os.pipe()

        def take_pipes():
            # 3 and 4 are where Chromium looks.
            commands, answers = os.dup(read_end), os.dup(write_end)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--mute-audio",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--lang=en-US",
             "--disable-backgrounding-occluded-windows", "--autoplay-policy=no-user-gesture-required",
             "--disable-features=Translate,MediaRouter", f"--user-data-dir={self.profile}", *self.arguments, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            # Else its sound library leaves a directory in /tmp.
            env=os.environ | {"XDG_RUNTIME_DIR": self.profile, "TZ": self.zone, "LANGUAGE": "en"}, close_fds=False,
            preexec_fn=take_pipes, start_new_session=True)
        os.close(read_end)
        os.close(write_end)
        self.numbers = itertools.count(1)
        self.state = threading.Condition()
        self.answered = {}
        self.tabs = {}
        self.workers = {}
        self.conditions = None
        self.ended = False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True,
                  filter=[{"type": "service_worker"}, {"exclude": True}])

    def read(self):
        buffer = b""
        while True:
            try:
                piece = os.read(self.answers, 1 << 20)
            except OSError:
                piece = b""
            if not piece:
                break
            buffer += piece
            *whole, buffer = buffer.split(b"\0")
            for text in whole:
                self.take(json.loads(text))
        with self.state:
            self.ended = True
            self.state.notify_all()

    def take(self, message):
        with self.state:
            if "id" in message:
                self.answered[message["id"]] = message
            else:
                session = message.get("sessionId")
                method, about = message["method"], message["params"]
                if method == "Target.attachedToTarget" and about["targetInfo"]["type"] == "service_worker":
                    self.workers[about["sessionId"]] = about["targetInfo"]
                    threading.Thread(target=self.greet, args=(about["sessionId"],), daemon=True).start()
                elif method == "Target.detachedFromTarget":
                    self.workers.pop(about["sessionId"], None)
                elif session in self.tabs:
                    self.tabs[session].take(method, about)
                elif session in self.workers:
                    if words := complaint(method, about):
                        self.complaints.append(f"worker: {words}")
            self.state.notify_all()

    def greet(self, session):
        """A service worker came up: it has a network and a console of its own."""
        try:
            for domain in ["Runtime", "Log", "Network"]:
                self.call(f"{domain}.enable", session)
            if self.conditions:
                self.call("Network.emulateNetworkConditions", session, **self.conditions)
        except (Gone, Problem):
            pass

    def call(self, method, session=None, patience=PATIENCE, **parameters):
        number = next(self.numbers)
        request = {"id": number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        data = json.dumps(request).encode() + b"\0"
        with self.state:
            if self.ended:
                raise Gone("the browser has ended")
            try:
                while data:
                    data = data[os.write(self.commands, data):]
            except OSError as error:
                raise Gone("the browser has ended") from error
            if not self.state.wait_for(lambda: number in self.answered or self.ended, patience):
                raise Gone(f"no answer to {method}")
            if number not in self.answered:
                raise Gone("the browser has ended")
            message = self.answered.pop(number)
        if "error" in message:
            raise Gone(f"{method}: {message['error']['message']}")
        return message["result"]

    def context(self):
        """A private window: it shares nothing with the others, and leaves nothing behind."""
        return self.call("Target.createBrowserContext")["browserContextId"]

    def tab(self, address="about:blank", context=None, width=390, height=844, touch=False):
        given = {"browserContextId": context} if context else {}
        target = self.call("Target.createTarget", url="about:blank", **given)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = ChromiumTab(self, target, session)
        with self.state:
            self.tabs[session] = tab
        for domain in ["Page", "Runtime", "Log", "Network", "Audits", "Inspector"]:
            tab.call(f"{domain}.enable")
        tab.size(width, height, touch)
        if self.bypass_csp:
            tab.call("Page.setBypassCSP", enabled=True)
        if self.conditions:
            tab.call("Network.emulateNetworkConditions", **self.conditions)
        if address != "about:blank":
            tab.open(address)
        return tab

    def network(self, offline=False, latency=0, down=-1, up=-1):
        """Sets the network of every tab and worker; bytes a second, milliseconds."""
        self.conditions = {"offline": offline, "latency": latency, "downloadThroughput": down, "uploadThroughput": up}
        for session in [*self.tabs, *self.workers]:
            try:
                # A worker that is stopped answers nothing until it runs again, and then with these conditions.
                self.call("Network.emulateNetworkConditions", session, 0 if session in self.workers else PATIENCE, **self.conditions)
            except Gone:
                pass

    def offline(self, cut=True):
        self.network(offline=cut)

    def kill(self):
        """Ends all of it as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.reader.join(10)
        for descriptor in (self.commands, self.answers):
            os.close(descriptor)
        for lock in Path(self.profile).glob("Singleton*"):
            lock.unlink(missing_ok=True)

    def restart(self):
        """Starts it again with the same profile."""
        for tab in self.tabs.values():
            self.complaints += tab.complaints
        if self.process.poll() is None:
            self.quit()
        self.start()

    def quit(self):
        try:
            self.call("Browser.close", patience=5)
            self.process.wait(10)
        except (Gone, Problem, subprocess.TimeoutExpired):
            pass
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.reader.join(10)
        for descriptor in (self.commands, self.answers):
            os.close(descriptor)

    def close(self):
        if self.process.poll() is None:
            self.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def all_complaints(self):
        return self.complaints + [words for tab in self.tabs.values() for words in tab.complaints]


class ChromiumTab(Tab):
    kills = True

    def __init__(self, browser, target, session):
        super().__init__()
        self.browser = browser
        self.target = target
        self.session = session
        self.events = []
        self.requests = []
        #: What the page has said by a binding of `listen`.
        self.said = []
        self.crashed = False

    def call(self, method, patience=PATIENCE, **parameters):
        return self.browser.call(method, self.session, patience, **parameters)

    def take(self, method, about):
        """An event of this tab; called with the browser's state held."""
        if method == "Inspector.targetCrashed":
            self.crashed = True
        if method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        if method == "Runtime.bindingCalled" and about["name"] == "say":
            self.said.append(json.loads(about["payload"]))
        if words := complaint(method, about):
            self.complaints.append(words)
        if method in ("Page.loadEventFired", "Page.javascriptDialogOpening", "Page.domContentEventFired"):
            self.events.append((method, about))

    def open(self, address):
        with self.browser.state:
            self.events.clear()
        before = self.evaluate("location.href")
        result = self.call("Page.navigate", url=address)
        if "errorText" in result and result["errorText"] not in ("net::ERR_ABORTED",):
            raise Problem(f"{address}: {result['errorText']}")
        # An address that differs behind '#' alone loads nothing.
        if before.split("#")[0] != address.split("#")[0] or "loaderId" in result:
            self.come("Page.loadEventFired")

    def listen(self, script):
        """Runs a script in each page that this tab opens from now on, and in this one; what it says by `say(text)` comes into `said`."""
        self.call("Runtime.addBinding", name="say")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.evaluate(f"void ({script})")

    def come(self, method, patience=PATIENCE):
        with self.browser.state:
            if not self.browser.state.wait_for(lambda: any(seen == method for seen, _ in self.events), patience):
                raise Problem(f"{method} did not come")

    def evaluate(self, script, *, patience=PATIENCE):
        result = self.call("Runtime.evaluate", patience, expression=script, returnByValue=True, awaitPromise=True,
                           userGesture=False)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            words = details.get("exception", {}).get("description") or details["text"]
            raise Problem(f"{words}\nin: {script[-600:]}")
        return result["result"].get("value")

    def reload(self, hard=False):
        with self.browser.state:
            self.events.clear()
        self.call("Page.reload", ignoreCache=hard)
        self.come("Page.loadEventFired")

    def size(self, width, height, touch=False, scale=1):
        self.by_touch = touch
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def look(self, dark=False, reduced=False, printed=False, contrast=False):
        self.call("Emulation.setEmulatedMedia", media="print" if printed else "screen", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"},
            {"name": "prefers-contrast", "value": "more" if contrast else "no-preference"}])

    def processor(self, slower):
        self.call("Emulation.setCPUThrottlingRate", rate=slower)

    def front(self):
        self.call("Page.bringToFront")

    def mouse(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def touch(self, x, y):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def fingers(self, kind, *places):
        """`touchStart`, `touchMove`, `touchEnd` or `touchCancel`, with those that are down then."""
        self.call("Input.dispatchTouchEvent", type=kind,
                  touchPoints=[{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)])

    def twice(self, x, y):
        for count in (1, 2):
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)

    def hold(self, name, times=30):
        key, code, number, text = key_of(name)
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, **({"text": text} if text else {})}
        for number in range(times + 1):
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", autoRepeat=number > 0, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{name: value for name, value in common.items() if name != "text"})

    def before(self, script):
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def keys(self, *names):
        for name in names:
            *held, last = name.split("+") if len(name) > 1 else [name]
            modifiers = sum({"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}[key] for key in held)
            key, code, number, text = key_of(last)
            common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
            typed = {"text": text} if text and not modifiers & 7 else {}
            self.call("Input.dispatchKeyEvent", type="keyDown" if typed else "rawKeyDown", **common, **typed)
            self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def insert(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, file, whole=False):
        more = {}
        if whole:
            box = self.call("Page.getLayoutMetrics")["cssContentSize"]
            more = {"captureBeyondViewport": True,
                    "clip": {"x": 0, "y": 0, "width": box["width"], "height": min(box["height"], 6000), "scale": 1}}
        Path(file).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **more)["data"]))

    def crash(self):
        """Kills the process that runs the page, and closes what is left of the tab."""
        try:
            self.browser.call("Page.crash", self.session, 0.2)
        except Gone:
            pass
        with self.browser.state:
            self.browser.state.wait_for(lambda: self.crashed, 10)
        self.close()

    def close(self):
        try:
            self.browser.call("Target.closeTarget", targetId=self.target)
        except Gone:
            pass
        with self.browser.state:
            self.browser.tabs.pop(self.session, None)
            self.browser.complaints += self.complaints


KEYS = {
    "Enter": ("Enter", "Enter", 13, "\r"), "Tab": ("Tab", "Tab", 9, ""), "Escape": ("Escape", "Escape", 27, ""),
    "Space": (" ", "Space", 32, " "), "ArrowLeft": ("ArrowLeft", "ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", "ArrowUp", 38, ""), "ArrowRight": ("ArrowRight", "ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", "ArrowDown", 40, ""), "Home": ("Home", "Home", 36, ""), "End": ("End", "End", 35, ""),
    "[": ("[", "BracketLeft", 219, "["), "]": ("]", "BracketRight", 221, "]"), "/": ("/", "Slash", 191, "/"),
    "?": ("?", "Slash", 191, "?"), "<": ("<", "Comma", 188, "<"), ">": (">", "Period", 190, ">"),
}


def key_of(name):
    if name in KEYS:
        return KEYS[name]
    code = f"Digit{name}" if name.isdigit() else f"Key{name.upper()}"
    return name, code, ord(name.upper()), name


# What a browser writes of a request that failed: the network's fault or the server's, not the page's.
OF_THE_NETWORK = ("net::ERR_", "the server responded with a status of")


def complaint(method, about):
    """What an event complains of, or None."""
    if method == "Runtime.exceptionThrown":
        details = about["exceptionDetails"]
        return details.get("exception", {}).get("description") or details["text"]
    if method == "Runtime.consoleAPICalled":
        words = " ".join(str(one.get("value", one.get("description", ""))) for one in about["args"])
        return f"console.{about['type']}: {words}"
    if method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
        entry = about["entry"]
        if entry["source"] == "network" and any(part in entry["text"] for part in OF_THE_NETWORK):
            return None
        return f"{entry['source']}: {entry['text']} {entry.get('url', '')}"
    if method == "Audits.issueAdded" and about["issue"]["code"] == "ContentSecurityPolicyIssue":
        details = about["issue"]["details"]["contentSecurityPolicyIssueDetails"]
        return f"policy: {details['violatedDirective']} {details.get('blockedURL', '')} {details.get('sourceCodeLocation', '')}"
    return None
