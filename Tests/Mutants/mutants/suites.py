"""The test suites: which mutants each reaches, how long it takes, and what it says of a mutant."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

# A mutant may remove what it must not, kill whom it must not, and gather without end. So a test sees a machine of its own:
# /tmp is a directory that goes afterwards, the disks are read-only, it knows no other processes, and memory (KiB) is bounded.
# A tree that lies below /tmp itself is carried into that directory.
MEMORY = 8 << 20
SANDBOX = f"""
case $PWD in /tmp/*) mkdir -p "$0${{PWD#/tmp}}" && mount --bind "$PWD" "$0${{PWD#/tmp}}" || exit 125 ;; esac
mount --rbind "$0" /tmp || exit 125
cd "$PWD" || exit 125
while read -r device place rest; do
    # What lies below the old /tmp can't be seen any more.
    [ -e "$place" ] || continue
    case $device in /dev/*) [ "$place" = /tmp ] || mount -o remount,bind,ro "$place" || exit 125 ;; esac
done < /proc/self/mounts
ulimit -v {MEMORY}
"$@"
"""
# It ends with whoever waits for it.
UNSHARE = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
# Seconds that a suite may take undisturbed.
PATIENCE = 900
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# "Module.Suite/test(…)"; a suite may be named in backticks.
SUITE = re.compile(r"^(\w+\.(?:`[^`]+`|\w+))/")


@dataclass
class Suite:
    name: str
    seconds: float = 0
    reached: frozenset = frozenset()
    passed: bool = True


class Suites:
    def __init__(self, tree, seed):
        self.tree = tree
        # Tests that throw dice throw the same ones each time.
        self.seed = seed
        self.program = [str(tree.binaries / "tracePackageTests.xctest"), "--testing-library", "swift-testing"]
        listed = subprocess.run(
            [*self.program, "--list-tests"], cwd=tree.path, check=True, capture_output=True, text=True).stdout
        self.names = sorted({match[1] for match in map(SUITE.match, listed.splitlines()) if match})
        self.store = tree.scratch / f"reached-{tree.fingerprint}.jsonl"
        self.known = {}
        if self.store.exists():
            for line in self.store.read_text().splitlines():
                self._take(**json.loads(line))

    def record(self, target, count, pool):
        """Runs each suite of a target once, undisturbed, and notes its time and what it reaches.

        A suite that fails then, or does not end, says nothing of a mutant.
        """
        def record_one(name):
            record = bytearray(count + 1)
            begun = time.monotonic()
            complaint = self._test(name, {"MUTANT_RECORD": "/tmp/reached"}, PATIENCE, record)
            found = {
                "name": name, "seconds": time.monotonic() - begun, "complaint": complaint,
                "reached": [number for number, byte in enumerate(record) if byte]}
            self._take(**found)
            with self.store.open("a") as file:
                file.write(json.dumps(found) + "\n")
            if complaint:
                print(f"left out, since it fails without a mutant: {name}: {complaint}", flush=True)

        todo = [name for name in self.names if name.startswith(target + ".") and name not in self.known]
        print(f"{target}: recording what {len(todo)} suites reach", flush=True)
        list(pool.map(record_one, todo))

    def _take(self, name, seconds, complaint, reached):
        self.known[name] = Suite(name, seconds, frozenset(reached), complaint is None)

    def reaching(self, number, target):
        return [
            suite for suite in self.known.values()
            if suite.name.startswith(target + ".") and suite.passed and number in suite.reached]

    def run(self, suite, number):
        """What the suite complains of when the mutant is on; nothing where it does not notice. What takes far longer than
        undisturbed is a complaint, too."""
        return self._test(suite.name, {"MUTANT": str(number)}, 3 * suite.seconds + 30)

    def _test(self, name, variables, timeout, record=None):
        """What the suite complains of, or nothing. `record` takes in the file into which it notes what it has reached."""
        scratch = Path(tempfile.mkdtemp(prefix="mutant-", dir=self.tree.scratch))
        scratch.chmod(0o1777)
        if record is not None:
            (scratch / "reached").write_bytes(bytes(record))
        pattern = "^" + re.sub(r"([.()\[\]+*?|])", r"\\\1", name) + "/"
        process = subprocess.Popen(
            [*UNSHARE, *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c", SANDBOX, scratch,
             *self.program, "--filter", pattern],
            env=os.environ | variables | {"TMPDIR": "/tmp", "TRACE_SEED": str(self.seed)},
            cwd=self.tree.path, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        late = threading.Event()

        def stop():
            late.set()
            process.kill()

        timer = threading.Timer(timeout, stop)
        timer.start()
        try:
            for line in process.stdout:
                # The first complaint is enough.
                line = COLOUR.sub("", line).strip()
                if line.startswith("✘ "):
                    return line
            status = process.wait()
            if late.is_set():
                return f"timeout: {name} took longer than {timeout:.0f} s"
            if status == 125:
                sys.exit("error: the tests could not be fenced in; unshare(1) must be permitted")
            return f"{name} ended with status {status}" if status else None
        finally:
            timer.cancel()
            # With it goes whatever it has started.
            process.kill()
            process.wait()
            if record is not None:
                record[:] = (scratch / "reached").read_bytes()
            shutil.rmtree(scratch, ignore_errors=True)
