"""Two real Syncthings on loopback: a device and a home server, which has the daemon.

Sessions and spools are synced between two directories. Thousands of files arrive and are indexed; entries that the device queued
are applied, and their removal comes back as the acknowledgement; two clients of the server's HTTP API watch a session while Syncthing
replaces a file of it and makes a conflict copy; both sides change the same files while they are apart, and the
conflict copies are merged when asked. Nothing temporary is ever taken for a session file.

Prints a line for each step; the exit status is not 0 where something does not hold. `make syncthing-test` runs it.
"""

import argparse
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import xml.etree.ElementTree as xml

FOLDERS = ("sessions", "phone-queue")
CREATED = "2026-02-04T20:00:00.000Z"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ulid(number):
    return "01J" + str(number).zfill(23)


def soon(what, is_true, patience=900):
    deadline = time.monotonic() + patience
    while True:
        value = is_true()
        if value:
            return value
        if time.monotonic() > deadline:
            raise SystemExit(f"error: this did not come true: {what}")
        time.sleep(0.2)


def check(what, seen, wanted):
    if seen != wanted:
        raise SystemExit(f"error: {what}: {seen!r}, not {wanted!r}")


class Syncthing:
    """One Syncthing with a directory of its own, reachable on loopback alone."""

    def __init__(self, home, files):
        self.home, self.files = home, files
        self.key = hashlib.sha256(str(home).encode()).hexdigest()[:32]
        self.port, self.gui = free_port(), free_port()
        subprocess.run(
            ["syncthing", "generate", f"--home={home}", "--no-default-folder", "--skip-port-probing"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.id = subprocess.run(
            ["syncthing", f"--home={home}", "--device-id"], check=True, capture_output=True, text=True).stdout.strip()

    def configure(self, other):
        path = self.home / "config.xml"
        tree = xml.parse(path)
        root = tree.getroot()
        for device in list(root.findall("device")):
            if device.get("id") != self.id:
                root.remove(device)
        peer = xml.SubElement(root, "device", id=other.id, name="peer", compression="never")
        xml.SubElement(peer, "address").text = f"tcp://127.0.0.1:{other.port}"
        for name in FOLDERS:
            (self.files / name).mkdir(parents=True, exist_ok=True)
            folder = xml.SubElement(
                root, "folder", id=name, label=name, path=str(self.files / name), type="sendreceive",
                rescanIntervalS="3600", fsWatcherEnabled="true", fsWatcherDelayS="1", ignorePerms="true")
            for device in (self.id, other.id):
                xml.SubElement(folder, "device", id=device)
            xml.SubElement(folder, "filesystemType").text = "basic"
            # The server's own removals are what acknowledges: they are synced like everything else.
            xml.SubElement(folder, "maxConflicts").text = "-1"
        gui = root.find("gui")
        gui.find("address").text = f"127.0.0.1:{self.gui}"
        gui.find("apikey").text = self.key
        options = root.find("options")
        for element in options.findall("listenAddress"):
            options.remove(element)
        xml.SubElement(options, "listenAddress").text = f"tcp://127.0.0.1:{self.port}"
        for name, value in {
            "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false",
            "natEnabled": "false", "urAccepted": "-1", "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0",
            "startBrowser": "false", "reconnectionIntervalS": "1", "announceLANAddresses": "false",
            "stunKeepaliveStartS": "0",
        }.items():
            element = options.find(name)
            (xml.SubElement(options, name) if element is None else element).text = value
        tree.write(path)

    def start(self):
        environment = dict(os.environ, STNOUPGRADE="1", STNODEFAULTFOLDER="1", HOME=str(self.home))
        self.log = open(self.home / "log", "wb")
        self.process = subprocess.Popen(
            ["syncthing", f"--home={self.home}", "--no-browser", "--no-restart", "--no-upgrade"],
            stdout=self.log, stderr=self.log, env=environment)
        soon("Syncthing answers", self.answers)

    def answers(self):
        try:
            return self.ask("system/ping")
        except OSError:
            return None

    def ask(self, path, method="GET"):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gui}/rest/{path}", method=method, headers={"X-API-Key": self.key},
            data=b"" if method == "POST" else None)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text.strip() else True

    def scan(self):
        for name in FOLDERS:
            self.ask(f"db/scan?folder={name}", "POST")

    def is_idle(self):
        for name in FOLDERS:
            status = self.ask(f"db/status?folder={name}")
            if status["state"] != "idle" or status["needTotalItems"] or status["pullErrors"]:
                return False
        return True

    def part(self, other):
        self.ask(f"system/pause?device={other.id}", "POST")

    def join(self, other):
        self.ask(f"system/resume?device={other.id}", "POST")

    def stop(self):
        if getattr(self, "process", None) is None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Side:
    """The directories of one side, and `trace` on them."""

    def __init__(self, path, binaries):
        self.path, self.binaries = path, binaries
        self.sessions, self.spool, self.state = path / "sessions", path / "phone-queue", path / "state"
        self.state.mkdir(parents=True)
        self.environment = {
            "HOME": str(path), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TRACE_CONFIG": "/dev/null",
            "TRACE_ROOTS": str(self.sessions), "TRACE_SPOOLS": str(self.spool),
            "TRACE_STATE_DIRECTORY": str(self.state), "TRACE_RUNTIME_DIRECTORY": str(path / "run"),
            "TRACE_SETTLE_TIME": "1s", "TRACE_RECONCILE_INTERVAL": "1h",
            "TRACE_HTTP_LISTEN": f"unix:{path / 'http.sock'}",
        }

    def trace(self, *arguments, status=0):
        done = subprocess.run(
            [self.binaries / "trace", *map(str, arguments)], env=self.environment, capture_output=True, text=True,
            cwd=self.path)
        if status is not None and done.returncode != status:
            raise SystemExit(f"error: trace {arguments}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def connect(self):
        """A connection to the daemon's HTTP API, over its Unix socket, which needs no token."""
        connection = http.client.HTTPConnection("localhost", timeout=60)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(60)
        connection.sock.connect(str(self.path / "http.sock"))
        return connection

    def ask(self, path, method="GET", body=None):
        connection = self.connect()
        connection.request(
            method, f"/api/v1{path}", body and json.dumps(body), {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text) if text else None

    def tree(self):
        """Every file that is not Syncthing's own, with a checksum."""
        tree = {}
        for folder in FOLDERS:
            for directory, names, files in os.walk(self.path / folder):
                names[:] = [name for name in names if not name.startswith(".st")]
                for file in files:
                    if file.startswith(".syncthing.") or file == ".stignore":
                        continue
                    path = pathlib.Path(directory, file)
                    try:
                        tree[str(path.relative_to(self.path))] = hashlib.sha256(path.read_bytes()).hexdigest()
                    except FileNotFoundError:
                        return None
        return tree


def marker(number, offset, label="Drop"):
    return json.dumps(
        {"id": ulid(number), "offset_ms": offset, "created_at": CREATED, "source": "user", "label": label},
        separators=(",", ":")) + "\n"


def make_session(root, number, dice):
    """A closed session with audio, as a device leaves it."""
    path = root / f"2026-02-{number % 28 + 1:02}-set-{number:04}"
    (path / "media").mkdir(parents=True)
    notes = ""
    for note in range(4):
        name = f"media/{ulid(number * 1000 + 500 + note)}.m4a"
        (path / name).write_bytes(dice.randbytes(dice.randrange(500, 20_000)))
        notes += json.dumps(
            {"id": ulid(number * 1000 + 500 + note), "created_at": CREATED, "media_path": name,
             "offset_ms": note * 1000, "duration_ms": 900}, separators=(",", ":")) + "\n"
    (path / "voice_notes.jsonl").write_text(notes)
    (path / "markers.jsonl").write_text("".join(marker(number * 1000 + 100 + i, i * 500) for i in range(20)))
    (path / "timeline.jsonl").write_text("".join(
        json.dumps(
            {"id": ulid(number * 1000 + i), "kind": kind, "offset_ms": offset, "wall_time": CREATED,
             "created_at": CREATED, "source": "system"}, separators=(",", ":")) + "\n"
        for i, (kind, offset) in enumerate([("session_start", 0), ("session_end", 120_000)])))
    (path / "session.json").write_text(json.dumps(
        {"id": ulid(900_000 + number), "title": f"Set {number}", "created_at": CREATED,
         "updated_at": "2026-02-04T20:02:00.000Z", "status": "closed", "start_time": CREATED,
         "timeline_path": "timeline.jsonl", "markers_path": "markers.jsonl", "transcript_path": None,
         "voice_notes_path": "voice_notes.jsonl", "digest_path": None, "media": [],
         "end_time": "2026-02-04T20:02:00.000Z", "duration_ms": 120_000}, indent=2) + "\n")
    return path


class Watching:
    """A client that is told what happens to one session, as server-sent events."""

    def __init__(self, side, session):
        self.events, self.changed = [], threading.Condition()
        self.connection = side.connect()
        # A comment comes every 15 seconds.
        self.connection.request("GET", f"/api/v1/events?session={session}")
        self.answer = self.connection.getresponse()
        check("the stream of events", self.answer.status, 200)
        # What is told of the connection itself.
        while self.answer.readline().strip():
            pass
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        kind = "message"
        try:
            while line := self.answer.readline():
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    with self.changed:
                        self.events.append((time.monotonic(), kind, json.loads(value)))
                        self.changed.notify_all()
                    kind = "message"
        except (OSError, http.client.HTTPException):
            pass  # It was closed.

    def first(self, what, is_it, patience=60):
        """The first event that is so, and the time at which it came."""
        def found():
            return next((event for event in self.events if is_it(*event[1:])), None)

        with self.changed:
            if not self.changed.wait_for(found, patience):
                raise SystemExit(f"error: no event came: {what}; {[event[1:] for event in self.events]}")
            return found()

    def resets(self):
        with self.changed:
            return [data for _, kind, data in self.events if kind == "reset"]

    def close(self):
        self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.reader.join()
        self.connection.close()


def replace(path, text):
    """Puts another file in the place of one, as editors do."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    new.rename(path)


def is_another(path, inode):
    """Whether another file stands there than the one of that number. Between two there may be none."""
    try:
        return path.stat().st_ino != inode
    except FileNotFoundError:
        return False


class Pair:
    def __init__(self, scratch, binaries, count):
        self.dice = random.Random(1)
        self.count = count
        self.server = Side(scratch / "server", binaries)
        self.device = Side(scratch / "device", binaries)
        self.at_server = Syncthing(scratch / "syncthing-server", self.server.path)
        self.at_device = Syncthing(scratch / "syncthing-device", self.device.path)
        self.at_server.configure(self.at_device)
        self.at_device.configure(self.at_server)
        self.daemon = None

    def start(self):
        self.at_server.start()
        self.at_device.start()
        self.log = self.server.path / "traced.log"
        with open(self.log, "wb") as log:
            self.daemon = subprocess.Popen(
                [self.server.binaries / "traced"], env=self.server.environment, stdout=log, stderr=log)
        soon("traced is ready", lambda: b" ready " in self.log.read_bytes())

    def stop(self):
        if self.daemon and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGTERM)
            check("the daemon's exit status", self.daemon.wait(20), 0)
        self.at_server.stop()
        self.at_device.stop()

    def settle(self, what):
        """Waits until both have the same, and the index is up to date without a question."""
        self.at_server.scan()
        self.at_device.scan()

        def is_same():
            if not (self.at_server.is_idle() and self.at_device.is_idle()):
                return False
            tree = self.server.tree()
            return tree is not None and tree == self.device.tree()

        soon(f"both sides have the same: {what}", is_same)

        def is_indexed():
            status = json.loads(self.server.trace("index", "status", "--json").stdout)
            return status["lagging"] == 0 and status["sessions"] == self.count

        soon(f"the index is up to date: {what}", is_indexed)
        print(f"ok: {what}: {len(self.server.tree())} files on both sides", flush=True)

    # The steps.

    def arrive(self):
        for number in range(self.count):
            make_session(self.device.sessions, number, self.dice)
        self.settle(f"{self.count} sessions of a device arrive and are indexed")

    def queue(self):
        before = len(list(self.server.sessions.glob("*/markers.jsonl")))
        check("sessions", before, self.count)
        wanted = {}
        for number in range(100):
            id, session = ulid(50_000_000 + number), ulid(900_000 + number % self.count)
            payload = {"id": id, "offset_ms": number, "created_at": CREATED, "source": "user"}
            entry = {"id": id, "kind": "marker", "session_id": session, "created_at": CREATED, "payload": payload}
            if number % 4 == 0:
                audio = self.dice.randbytes(30_000)
                (self.device.spool / f"{id}.m4a").write_bytes(audio)
                entry["kind"] = "voice_note"
                entry["payload"] = {
                    "id": id, "created_at": CREATED, "media_path": f"media/{id}.m4a", "offset_ms": number,
                    "duration_ms": 900}
                entry["attachment"] = {
                    "name": f"{id}.m4a", "size": len(audio), "sha256": hashlib.sha256(audio).hexdigest()}
            temporary = self.device.spool / f".{id}.tmp"
            temporary.write_text(json.dumps(entry))
            temporary.rename(self.device.spool / f"{id}.json")
            wanted[id] = session
        self.at_device.scan()
        def is_acknowledged():
            # Syncthing itself waits a minute before it tells of what was removed.
            self.at_server.scan()
            return not [name for name in os.listdir(self.device.spool) if not name.startswith(".st")]

        soon("the device sees its spool empty", is_acknowledged)
        self.settle("entries are applied, and their removal is the acknowledgement")
        for id in wanted:
            lines = [
                line for path in self.device.sessions.glob("*/*.jsonl") for line in path.read_text().splitlines()
                if f'"id":"{id}"' in line or f'"id": "{id}"' in line]
            check(f"how often {id} stands on the device", len(lines), 1)
        check("refused entries", list((self.server.state / "failed").glob("*")), [])

    def watch(self):
        """Two clients watch while Syncthing replaces a file, and while it does so and makes a conflict copy."""
        last = self.count - 1
        self.watch_change(last, "Syncthing replaces a file", has_conflict=False)
        self.watch_change(last - 1, "Syncthing replaces a file and keeps a conflict copy", has_conflict=True)
        name = self.paths(last - 1)[0].parent.name
        self.settle("what was watched")
        self.server.trace("repair", self.server.sessions / name, "--write", "-q", status=None)
        self.settle("the copy that was watched is merged")
        for side in (self.server, self.device):
            text = (side.sessions / name / "markers.jsonl").read_text()
            for label in ("of the server", "of the device", "the next"):
                check(f"'{label}' of the {side.path.name}", text.count(f'"label":"{label}"'), 1)

    def paths(self, number):
        name = f"2026-02-{number % 28 + 1:02}-set-{number:04}"
        return self.server.sessions / name / "markers.jsonl", self.device.sessions / name / "markers.jsonl"

    def watch_change(self, number, what, has_conflict):
        session = ulid(900_000 + number)
        here, there = self.paths(number)
        self.at_server.part(self.at_device)
        self.at_device.part(self.at_server)
        if has_conflict:
            # The older of two versions becomes the copy.
            replace(here, here.read_text() + marker(60_000_001, 60_000, "of the server"))
            time.sleep(1.1)
        # In the middle, so that it is no line that was added.
        lines = there.read_text().splitlines(keepends=True)
        new = ulid(60_000_010 + number)
        line = marker(60_000_010 + number, 1_234, "of the device")
        replace(there, "".join(lines[:5] + [line] + lines[5:]))
        before = here.stat().st_ino
        # What the server's own change was told as is over before they watch.
        soon("the server knows its own change", lambda: self.server.ask(f"/sessions/{session}/markers")[0] == 200)
        time.sleep(1)
        watching = [Watching(self.server, session) for _ in range(2)]
        # Each knows its own change before it hears of the other's.
        self.at_server.scan()
        self.at_device.scan()
        self.at_server.join(self.at_device)
        self.at_device.join(self.at_server)
        deadline = time.monotonic() + 300
        while not is_another(here, before):
            if time.monotonic() > deadline:
                raise SystemExit(f"error: Syncthing has not replaced the file: {what}")
            time.sleep(0.002)
        replaced = time.monotonic()
        told = [one.first("a reset", lambda kind, data: kind == "reset")[0] for one in watching]
        for one in watching:
            check(f"the reset: {what}", one.resets()[0].get("handle"), session)
        status, shown = self.server.ask(f"/sessions/{session}/markers/{new}")
        asked = time.monotonic()
        check(f"the marker is shown: {what}", (status, (shown or {}).get("label")), (200, "of the device"))
        # A machine that has more to do than it has cores may take its time.
        limit = 1 if os.getloadavg()[0] < os.cpu_count() else 5
        if asked - replaced > limit:
            raise SystemExit(f"error: {what}: shown after {asked - replaced:.2f} s, told after "
                             f"{[round(at - replaced, 2) for at in told]}")
        # Nothing else is to be asked for once more before the next marker is told.
        next_one = ulid(61_000_000 + number)
        status, answer = self.server.ask(
            f"/sessions/{session}/markers/{next_one}", "PUT",
            {"offset_ms": 2_000, "created_at": CREATED, "source": "user", "label": "the next"})
        check(f"a marker after it: {answer}", status, 201)
        for one in watching:
            one.first("the next marker", lambda kind, data: data.get("id") == next_one)
            check(f"resets: {what}: {one.resets()}", len(one.resets()), 1)
            one.close()
        wanted = 1 if has_conflict else 0
        check(f"conflict copies: {what}", len(list(here.parent.glob("*.sync-conflict-*"))), wanted)

        def findings():
            rows = self.server.ask(f"/sessions/{session}/findings")[1]
            return sum(
                finding["rule"] == "conflict-copy" for row in rows for finding in row.get("findings", []))

        soon(f"the copy is a finding: {what}", lambda: findings() == wanted, 10)
        print(f"ok: {what}: told after {max(told) - replaced:.2f} s, shown after {asked - replaced:.2f} s, "
              f"{wanted} conflict copies among the findings", flush=True)

    def conflict(self):
        chosen = sorted(self.server.sessions.iterdir())
        chosen = [path.name for path in chosen if not path.name.startswith(".")][:20]
        self.at_server.part(self.at_device)
        self.at_device.part(self.at_server)
        time.sleep(1)
        for number, name in enumerate(chosen):
            for side, offset in ((self.server, 0), (self.device, 1000)):
                for more in range(3):
                    side.trace(
                        "mark", side.sessions / name, "--offset", 60_000 + offset + more, "--label",
                        f"{side.path.name}-{number}-{more}", "-q")
        self.at_server.join(self.at_device)
        self.at_device.join(self.at_server)
        copies = lambda side: sorted(str(path.relative_to(side.path)) for path in side.sessions.rglob("*.sync-conflict-*"))
        self.settle("both sides have changed the same files while apart")
        seen = copies(self.server)
        if not [name for name in seen if "/markers.sync-conflict" in name]:
            raise SystemExit(f"error: there are no conflict copies of markers: {seen}")
        print(f"ok: {len(seen)} conflict copies, on both sides: {copies(self.device) == seen}", flush=True)
        found = json.loads(self.server.trace("validate", "--all", "--json", status=None).stdout)
        told = json.dumps(found).count('"conflict-copy"')
        if told < len(seen):
            raise SystemExit(f"error: validate tells of {told} conflict copies, there are {len(seen)}")
        for name in chosen:
            time.sleep(0)
            self.server.trace("repair", self.server.sessions / name, "--write", "-q", status=None)
        self.settle("the copies are merged")
        check("conflict copies that are left", copies(self.device), [])
        for number, name in enumerate(chosen):
            for side in (self.server, self.device):
                text = (side.sessions / name / "markers.jsonl").read_text()
                for author in ("server", "device"):
                    for more in range(3):
                        check(
                            f"{author}'s marker in {name} of the {side.path.name}",
                            text.count(f'"{author}-{number}-{more}"'), 1)
        self.server.trace("validate", "--all")

    def end(self):
        """What must hold at the end: no temporary file was ever taken for a file of a session."""
        verified = self.server.trace("index", "verify", "-v")
        check("index verify", verified.stderr, "answered from the index\n")
        listed = json.loads(self.server.trace("sessions", "--json").stdout)
        check("sessions in the index", len(listed), self.count)
        log = self.log.read_text()
        if re.search(r"\berror\b", log):
            raise SystemExit("error: the daemon's log tells of errors:\n" + log[-3000:])
        # Syncthing writes .syncthing.NAME.tmp beside the file; nothing of the kind became a session or an entry.
        strange = [line for line in log.splitlines() if "syncthing" in line.replace(str(self.server.path), "")]
        check("lines of the log about temporary files", strange, [])
        for session in listed:
            if not re.fullmatch(r"2026-02-\d\d-set-\d{4}", pathlib.Path(session["session_path"]).name):
                raise SystemExit(f"error: taken for a session: {session['session_path']}")
        ours = [path for path in self.device.tree() if "trace-tmp" in path or "trace-new" in path or "trace-media" in path]
        check("temporary files of ours that were synced", ours, [])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binaries", type=pathlib.Path, required=True)
    parser.add_argument("--sessions", type=int, default=400, help="each has eight files")
    parser.add_argument("--keep", action="store_true", help="keep the scratch directory")
    arguments = parser.parse_args()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="trace-syncthing-"))
    pair = Pair(scratch, arguments.binaries.resolve(), arguments.sessions)
    if arguments.keep:
        print(f"in {scratch}", flush=True)
    try:
        pair.start()
        pair.arrive()
        pair.queue()
        pair.watch()
        pair.conflict()
        pair.end()
    finally:
        try:
            pair.stop()
        finally:
            if arguments.keep:
                print(f"kept: {scratch}")
            else:
                shutil.rmtree(scratch, ignore_errors=True)
    print("ok: everything arrived, was indexed and merged")


if __name__ == "__main__":
    sys.exit(main())
