"""A built `traced` that serves a copy of the sample's sessions, and the files behind it."""

import itertools
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from .tab import PATIENCE, Problem
from .wire import Wire

ROOT = Path(__file__).resolve().parents[3]

LATE_SET = "2026-02-04-late-set"
LATE_SET_ID = "01KGN6HCMGFP2XYCHA2GHD03GQ"
ACTIVE = "2026-02-11-loop-practice"
BROKEN = "2026-01-28-rehearsal-broken"
# The practice journals beside them.
WINTER_ID = "01K6N9GJRR6XHSZZQCSQQTEMM5"
OLD_PHONE = "practice-upgrade-state-v1.json"
# As old as the sample is, so that a torn line is not taken for one in transit.
OLD = 1_772_000_000

NUMBERS = itertools.count(1)


class Served:
    """Directories of its own, the daemon, and a wire to it that keeps its address when the daemon is restarted."""

    binaries = None
    page = ROOT / "page"

    def __init__(self, sample=True, state=None, wired=True, own_page=False, disk=None, journals=False, **environment):
        """
        With `own_page` it serves a copy of the page in `self.page`, installed beside a copy of the program; with `disk` all of it
        is on a file system of so many megabytes, which needs root. With `journals` the sample's journals are there beside the sessions.
        """
        self.directory = Path(tempfile.mkdtemp(prefix="trace-page-"))
        self.disk = disk
        if disk:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={disk}m", "tmpfs", self.directory], check=True)
        self.sessions = self.directory / "sessions"
        self.state = Path(state) if state else self.directory / "state"
        self.journals = self.directory / "journals"
        for there, root in ((sample, self.sessions), (journals, self.journals)):
            if there:
                shutil.copytree(ROOT / "sessions-sample" / root.name, root)
                for file in [*root.rglob("*"), root]:
                    os.utime(file, (OLD, OLD), follow_symlinks=False)
            else:
                root.mkdir()
        (self.directory / "tmp").mkdir()
        self.program = self.binaries / "traced"
        if own_page:
            self.page = Path(shutil.copytree(self.page, self.directory / "share/trace/page"))
            (self.directory / "bin").mkdir()
            self.program = Path(shutil.copy(self.program, self.directory / "bin/traced"))
        self.environment = {
            "HOME": str(self.directory), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TRACE_CONFIG": "",
            "XDG_CONFIG_HOME": str(self.directory / "config"), "TRACE_ROOTS": f"{self.sessions}:{self.journals}" if journals else str(self.sessions),
            "TRACE_STATE_DIRECTORY": str(self.state), "TRACE_RUNTIME_DIRECTORY": str(self.directory / "run"),
            "TMPDIR": str(self.directory / "tmp"), "TRACE_HTTP_LISTEN": "127.0.0.1:0", **environment}
        self.log = self.directory / "traced.log"
        self.daemon = None
        self.wire = Wire() if wired else None
        self.start()

    def start(self):
        begin = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.daemon = subprocess.Popen(
                [self.program], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=log)
        end = time.monotonic() + PATIENCE
        while True:
            text = self.log.read_bytes()[begin:].decode(errors="replace")
            found = re.search(r" listening address=127\.0\.0\.1:(\d+)", text)
            if found and " ready " in text:
                break
            if self.daemon.poll() is not None or time.monotonic() > end:
                raise Problem(f"traced does not become ready: {text}")
            time.sleep(0.02)
        self.port = int(found.group(1))
        if self.wire:
            self.wire.server_port = self.port

    @property
    def address(self):
        """Where the page is."""
        return self.wire.address if self.wire else f"http://localhost:{self.port}/"

    def kill(self):
        self.daemon.kill()
        self.daemon.wait()

    def restart(self):
        if self.daemon.poll() is None:
            self.kill()
        self.start()

    def close(self):
        if self.daemon.poll() is None:
            self.daemon.terminate()
            try:
                self.daemon.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        if self.wire:
            self.wire.close()
        if self.disk:
            self.disk = None
            subprocess.run(["umount", "-l", self.directory], check=True)
        if "TRACE_KEEP_SCRATCH" not in os.environ:
            shutil.rmtree(self.directory, ignore_errors=True)

    def fill(self):
        """Leaves no room on its disk."""
        with (self.directory / "filler").open("ab", buffering=0) as out:
            try:
                while True:
                    out.write(bytes(1 << 16))
            except OSError:
                pass

    def free(self):
        (self.directory / "filler").unlink(missing_ok=True)

    def trace(self, *arguments, status=0):
        outcome = subprocess.run([self.binaries / "trace", *arguments], env=self.environment, capture_output=True, text=True,
                                 cwd=self.directory, stdin=subprocess.DEVNULL)
        if outcome.returncode != status:
            raise Problem(f"trace {' '.join(arguments)}: {outcome.returncode}\n{outcome.stdout}{outcome.stderr}")
        return outcome.stdout

    def pair(self, scope="mark", *more):
        """A code as a person would type it."""
        return json.loads(self.trace("pair", "--scope", scope, *more, "--json"))["code"]

    def token(self, scope="admin", *more):
        # Two tokens of one name are refused.
        name = [] if "--name" in more else ["--name", f"test {next(NUMBERS)}"]
        return json.loads(self.trace("token", "add", *name, "--scope", scope, *more, "--json"))["token"]

    def ask(self, path, method="GET", body=None, token=None, **fields):
        """A request past the browser and the wire."""
        self.own = getattr(self, "own", None) or self.token()
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Authorization": f"Bearer {token or self.own}", **fields}
        if data:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"http://localhost:{self.port}/api/v1/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return json.loads(response.read() or b"null")

    # The files.

    def file(self, session, name):
        return self.sessions / session / name

    def lines(self, session, name="markers.jsonl"):
        """All lines that are records; a sample's torn or broken ones are not."""
        found = []
        try:
            data = self.file(session, name).read_bytes()
        except FileNotFoundError:
            return []
        for line in data.split(b"\n"):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                found.append(record)
        return found

    def times(self, session, id, name="markers.jsonl"):
        """How many lines have this id."""
        return sum(record.get("id") == id for record in self.lines(session, name))

    def media(self, session):
        return {path.name: path.stat().st_size for path in (self.sessions / session / "media").iterdir()}

    def soon(self, condition, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while not (value := condition()):
            if time.monotonic() > end:
                raise Problem(f"{what} did not come\n--- traced's log:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.02)
        return value


def sample_handle(session):
    return json.loads((ROOT / "sessions-sample/sessions" / session / "session.json").read_text())["id"]
