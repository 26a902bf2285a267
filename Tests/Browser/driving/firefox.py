"""Firefox by WebDriver BiDi."""

import base64
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from .tab import PATIENCE, Gone, Problem, Tab
from .w3c import Fingers, hold_actions, key_actions, pointer_actions

PROGRAM = next((path for path in map(shutil.which, ["firefox-esr", "firefox"]) if path), None)

SETTINGS = {
    "media.navigator.permission.disabled": True, "media.navigator.streams.fake": True, "media.autoplay.default": 0,
    "media.autoplay.blocking_policy": 0, "browser.shell.checkDefaultBrowser": False, "intl.accept_languages": "en-US",
    "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False, "toolkit.telemetry.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore", "browser.aboutwelcome.enabled": False,
    "extensions.update.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "services.settings.server": "", "browser.tabs.unloadOnLowMemory": False,
    # Reopening what was open is a person's wish, not a test's.
    "browser.sessionstore.resume_from_crash": False, "toolkit.startup.max_resumed_crashes": -1,
}


class Firefox:
    name = "firefox"
    #: Without a sound card it plays what is muted alone.
    has_sound = False

    def __init__(self, microphone=None, zone="UTC"):
        if not PROGRAM:
            raise Problem("no Firefox; 'make browser' installs one")
        self.profile = tempfile.mkdtemp(prefix="trace-browser-")
        (Path(self.profile) / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items()))
        self.complaints = []
        self.zone = zone
        self.start()

    def start(self):
        from websockets.sync.client import connect

        self.log = open(Path(self.profile) / "browser.log", "w+")
        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log, start_new_session=True,
            env=os.environ | {"HOME": self.profile, "XDG_RUNTIME_DIR": self.profile, "MOZ_HEADLESS": "1", "TZ": self.zone})
        end = time.monotonic() + 60
        while not (found := re.search(r"WebDriver BiDi listening on (ws://\S+)", Path(self.log.name).read_text())):
            if self.process.poll() is not None or time.monotonic() > end:
                raise Problem(f"Firefox does not start: {Path(self.log.name).read_text()[-1000:]}")
            time.sleep(0.05)
        self.socket = connect(found.group(1) + "/session", max_size=None)
        self.numbers = itertools.count(1)
        self.state = threading.Condition()
        self.answered = {}
        self.tabs = {}
        self.ended = False
        threading.Thread(target=self.read, daemon=True).start()
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])

    def read(self):
        try:
            for text in self.socket:
                message = json.loads(text)
                with self.state:
                    if message.get("id") is not None:
                        self.answered[message["id"]] = message
                    elif message.get("method") == "log.entryAdded":
                        about = message["params"]
                        # A page's own words; those of the network are told as errors of scripts nowhere.
                        tab = self.tabs.get(about["source"].get("context"))
                        words = f"{about.get('method', about['type'])}: {about['text']}"
                        (tab.complaints if tab else self.complaints).append(words)
                    self.state.notify_all()
        except Exception:  # noqa: BLE001 - however it ended, it has
            pass
        with self.state:
            self.ended = True
            self.state.notify_all()

    def call(self, method, patience=PATIENCE, **parameters):
        number = next(self.numbers)
        try:
            self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        except Exception as error:
            raise Gone("the browser has ended") from error
        with self.state:
            self.state.wait_for(lambda: number in self.answered or self.ended, patience)
            message = self.answered.pop(number, None)
        if message is None:
            raise Gone(f"no answer to {method}")
        if message["type"] == "error":
            raise Gone(f"{method}: {message['error']}: {message['message']}")
        return message["result"]

    def tab(self, address="about:blank", context=None, width=390, height=844, touch=False):
        given = {"userContext": context} if context else {}
        name = self.call("browsingContext.create", type="tab", **given)["context"]
        tab = self.tabs[name] = FirefoxTab(self, name)
        tab.by_touch = touch
        self.call("browsingContext.setViewport", context=name, viewport={"width": width, "height": height})
        if address != "about:blank":
            tab.open(address)
        return tab

    def context(self):
        return self.call("browser.createUserContext")["userContext"]

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for lock in [".parentlock", "lock"]:
            (Path(self.profile) / lock).unlink(missing_ok=True)

    def restart(self):
        if self.process.poll() is None:
            self.quit()
        self.start()

    def quit(self):
        try:
            self.call("browser.close", patience=5)
            self.process.wait(15)
        except (Gone, subprocess.TimeoutExpired):
            pass
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def close(self):
        if self.process.poll() is None:
            self.quit()
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def all_complaints(self):
        return self.complaints + [words for tab in self.tabs.values() for words in tab.complaints]


class FirefoxTab(Tab):
    def __init__(self, browser, name):
        super().__init__()
        self.browser = browser
        self.name = name
        self.fingers = Fingers("touch", lambda actions: self.call("input.performActions", actions=actions), 2)

    def call(self, method, **parameters):
        return self.browser.call(method, context=self.name, **parameters)

    def open(self, address):
        self.call("browsingContext.navigate", url=address, wait="complete")

    def reload(self, hard=False):
        self.call("browsingContext.reload", wait="complete")

    def evaluate(self, script, *, patience=PATIENCE):
        # As JSON, because BiDi's own values would have to be read back.
        result = self.browser.call(
            "script.evaluate", patience, expression=f"(async () => JSON.stringify(await ({script})) ?? 'null')()",
            target={"context": self.name}, awaitPromise=True, userActivation=False)
        if result["type"] == "exception":
            raise Problem(f"{result['exceptionDetails']['text']}\nin: {script[-600:]}")
        return json.loads(result["result"]["value"])

    def size(self, width, height, touch=False, scale=1):
        self.call("browsingContext.setViewport", viewport={"width": width, "height": height})

    def front(self):
        self.call("browsingContext.activate")

    def mouse(self, x, y):
        self.call("input.performActions", actions=pointer_actions(x, y, "mouse"))

    def touch(self, x, y):
        self.call("input.performActions", actions=pointer_actions(x, y, "touch"))

    def keys(self, *names):
        for name in names:
            self.call("input.performActions", actions=key_actions(name))

    def hold(self, name, times=30):
        self.call("input.performActions", actions=hold_actions(name, times))

    def before(self, script):
        self.browser.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}", contexts=[self.name])

    def picture(self, file, whole=False):
        data = self.call("browsingContext.captureScreenshot", origin="document" if whole else "viewport")["data"]
        Path(file).write_bytes(base64.b64decode(data))

    def crash(self):
        """The nearest that this driver can do: the tab goes."""
        self.close()

    def close(self):
        self.browser.complaints += self.complaints
        self.browser.tabs.pop(self.name, None)
        try:
            self.call("browsingContext.close")
        except Gone:
            pass
