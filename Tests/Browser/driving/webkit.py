"""WebKitGTK by WebKitWebDriver: Safari's engine, though not its media. It has one tab, and needs a display."""

import base64
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from .tab import PATIENCE, Gone, Problem, Tab
from .w3c import Fingers, hold_actions, key_actions, pointer_actions

DRIVER = shutil.which("WebKitWebDriver")
BROWSERS = sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"))


class WebKit:
    name = "webkit"
    has_sound = True

    def __init__(self, microphone=None, zone="UTC"):
        if not DRIVER or not BROWSERS or not shutil.which("Xvfb"):
            raise Problem("no WebKitWebDriver or no Xvfb; 'make browser' installs them")
        self.profile = tempfile.mkdtemp(prefix="trace-browser-")
        self.complaints = []
        self.zone = zone
        self.tabs = {}
        self.log = open(Path(self.profile) / "browser.log", "w+")
        read_end, write_end = os.pipe()
        self.display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
            pass_fds=[write_end], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write_end)
        # To the end of the line: it would die of a pipe that nobody reads.
        with os.fdopen(read_end) as number:
            self.screen = ":" + number.readline().strip()
        try:
            self.start()
        except Exception:
            self.close()
            raise

    def start(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [DRIVER, f"--port={self.port}"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            start_new_session=True,
            env=os.environ | {"HOME": self.profile, "DISPLAY": self.screen, "XDG_RUNTIME_DIR": self.profile, "TZ": self.zone,
                              "XDG_DATA_HOME": self.profile, "XDG_CACHE_HOME": self.profile, "LANG": "en_US.UTF-8",
                              "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1",
                              "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"})
        end = time.monotonic() + PATIENCE
        while True:
            try:
                # One that comes too early is never answered.
                self.ask("GET", "/status", patience=1)
                break
            except (OSError, Gone):
                if time.monotonic() > end:
                    raise Problem("WebKitWebDriver does not start") from None
                time.sleep(0.05)
        options = {"binary": BROWSERS[-1], "args": ["--automation"]}
        answer = self.ask("POST", "/session", patience=15, capabilities={"alwaysMatch": {
            "browserName": "MiniBrowser", "webkitgtk:browserOptions": options}})
        self.session = answer["sessionId"]
        self.call("POST", "/timeouts", script=PATIENCE * 1000, pageLoad=PATIENCE * 1000)

    def ask(self, method, path, patience=PATIENCE * 2, **body):
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=patience) as response:
                return json.loads(response.read())["value"]
        except urllib.error.HTTPError as error:
            value = json.loads(error.read())["value"]
            raise Gone(f"{value['error']}: {value['message']}") from None

    def call(self, method, path, **body):
        try:
            return self.ask(method, f"/session/{self.session}{path}", **body)
        except OSError as error:
            raise Gone(f"the browser has ended: {error}") from None

    def tab(self, address="about:blank", context=None, width=390, height=844, touch=False):
        tab = WebKitTab(self)
        if self.tabs:
            tab.handle = self.call("POST", "/window/new", type="tab")["handle"]
        else:
            tab.handle = self.call("GET", "/window")
        self.tabs[tab.handle] = tab
        tab.size(width, height)
        if address != "about:blank":
            tab.open(address)
        return tab

    def quit(self):
        try:
            self.call("DELETE", "")
        except Gone:
            pass
        self.kill()

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.quit()
        self.display.terminate()
        self.display.wait()
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def all_complaints(self):
        for tab in self.tabs.values():
            tab.collect()
        return self.complaints + [words for tab in self.tabs.values() for words in tab.complaints]


# This driver tells nothing of the console: the page's own words are caught in the page.
LISTENING = """(() => { if (window.heard) return; window.heard = [];
  addEventListener("error", (e) => heard.push(String(e.message)));
  addEventListener("unhandledrejection", (e) => heard.push(String(e.reason)));
  document.addEventListener("securitypolicyviolation", (e) => heard.push("policy: " + e.violatedDirective + " " + e.blockedURI));
  for (const kind of ["log", "info", "warn", "error"]) {
    const plain = console[kind]; console[kind] = (...all) => { heard.push(kind + ": " + all.join(" ")); plain.apply(console, all); };
  } })()"""


class WebKitTab(Tab):
    def __init__(self, browser):
        super().__init__()
        self.browser = browser
        self.handle = None
        self.fingers = Fingers("mouse", lambda actions: self.call("POST", "/actions", actions=actions), 1)

    def call(self, method, path, **body):
        if len(self.browser.tabs) > 1:
            self.browser.call("POST", "/window", handle=self.handle)
        return self.browser.call(method, path, **body)

    def open(self, address):
        self.collect()
        self.call("POST", "/url", url=address)
        self.evaluate(LISTENING)

    def collect(self):
        try:
            self.complaints += self.evaluate("(window.heard ?? []).splice(0)") or []
        except (Gone, Problem):
            pass

    def reload(self, hard=False):
        self.collect()
        self.call("POST", "/refresh")
        self.evaluate(LISTENING)

    def evaluate(self, script, *, patience=PATIENCE):
        body = ("const done = arguments[0]; (async () => JSON.stringify(await (" + script + ")) ?? 'null')()"
                ".then((value) => done({ value }), (error) => done({ error: String(error) + '\\n' + error.stack }));")
        answer = self.call("POST", "/execute/async", script=body, args=[])
        if "error" in answer:
            raise Problem(f"{answer['error']}\nin: {script[-600:]}")
        return json.loads(answer["value"])

    def size(self, width, height, touch=False, scale=1):
        # The window has a frame of its own.
        self.call("POST", "/window/rect", width=width, height=height)
        inner = self.evaluate("[innerWidth, innerHeight]")
        if inner != [width, height]:
            self.call("POST", "/window/rect", width=2 * width - inner[0], height=2 * height - inner[1])

    def mouse(self, x, y):
        self.call("POST", "/actions", actions=pointer_actions(x, y, "mouse"))

    def keys(self, *names):
        for name in names:
            self.call("POST", "/actions", actions=key_actions(name))

    def hold(self, name, times=30):
        self.call("POST", "/actions", actions=hold_actions(name, times))

    def picture(self, file, whole=False):
        Path(file).write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def close(self):
        self.collect()
        self.browser.complaints += self.complaints
        self.browser.tabs.pop(self.handle, None)
        if self.browser.tabs:
            self.browser.call("POST", "/window", handle=self.handle)
            self.browser.call("DELETE", "/window")
