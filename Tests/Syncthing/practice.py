"""Two home servers with a practice journal between them, which two real Syncthings on loopback carry.

Both write into the journal while they are apart: scores are added, changed and deleted. Syncthing keeps one version of each file, and the
other as a conflict copy; one side repairs, or both do. In the end both have the same document, and each write is in it once.

Prints a line for each step; the exit status is not 0 where something does not hold. `make syncthing-test` runs it.
"""

import argparse
import json
import pathlib
import shutil
import tempfile
import time

from pair import Side, Syncthing, check, soon

ROUNDS = 4


class Servers:
    def __init__(self, scratch, binaries):
        self.sides = [Side(scratch / name, binaries) for name in ("one", "other")]
        self.synced = [Syncthing(scratch / f"syncthing-{side.path.name}", side.path) for side in self.sides]
        for own, other in (self.synced, reversed(self.synced)):
            own.configure(other)
        self.scores = set()
        self.rows = {}

    def start(self):
        for one in self.synced:
            one.start()

    def stop(self):
        for one in self.synced:
            one.stop()

    def settle(self, what):
        def is_same():
            for one in self.synced:
                one.scan()
            if not all(one.is_idle() for one in self.synced):
                return False
            tree = self.sides[0].tree()
            return tree is not None and tree == self.sides[1].tree()

        soon(f"both sides have the same: {what}", is_same)
        print(f"ok: {what}: {len(self.sides[0].tree())} files on both sides", flush=True)

    def document(self, side):
        return json.loads((side.sessions / "pins/practice-state.json").read_text())

    def copies(self, side):
        return sorted(path.name for path in side.sessions.rglob("*.sync-conflict-*"))

    def score(self, side, score):
        answer = json.loads(side.trace("practice", "score", "G1", score, "--json").stdout)
        self.rows[score] = answer["id"]
        self.scores.add(score)

    def write(self, side, base):
        """Adds scores, changes one of before and deletes another; each side others."""
        for score in range(base, base + 5):
            self.score(side, score)
        older = sorted(score for score in self.scores if score % 2 == self.sides.index(side) and score < base)
        if len(older) < 2:
            return
        side.trace("practice", "edit", self.rows[older[0]], f"score={older[0] + 1_000_000}")
        self.rows[older[0] + 1_000_000] = self.rows.pop(older[0])
        self.scores ^= {older[0], older[0] + 1_000_000}
        side.trace("practice", "delete", self.rows.pop(older[1]))
        self.scores.remove(older[1])

    def begin(self):
        self.sides[0].sessions.mkdir(parents=True, exist_ok=True)
        self.sides[0].trace("journal", "init", "practice", self.sides[0].sessions / "pins", "--title", "Pins")
        for score in range(2, 12):
            self.score(self.sides[0], score)
        self.settle("a journal comes to the other server")

    def round(self, number, repairers):
        self.synced[0].part(self.synced[1])
        self.synced[1].part(self.synced[0])
        time.sleep(1)
        for index, side in enumerate(self.sides):
            self.write(side, 10_000 * number + 1_000 * index)
        self.synced[0].join(self.synced[1])
        self.synced[1].join(self.synced[0])
        self.settle(f"both have written, round {number}")
        copies = self.copies(self.sides[0])
        if not any(name.startswith("practice-state.sync-conflict") for name in copies):
            raise SystemExit(f"error: there is no conflict copy of the document: {copies}")
        told = json.dumps(json.loads(
            self.sides[0].trace("validate", self.sides[0].sessions / "pins", "--json", status=None).stdout))
        check("copies that validate tells of", told.count('"conflict-copy"'), len(copies))
        # Nothing that is in transit is touched.
        time.sleep(1.1)
        for side in repairers:
            side.trace("repair", side.sessions / "pins", "--write", "-q", status=None)
        self.settle(f"repaired by {len(repairers)}, round {number}")
        if len(repairers) > 1:
            # Both have written: what came of it may differ once more.
            time.sleep(1.1)
            self.sides[0].trace("repair", self.sides[0].sessions / "pins", "--write", "-q", status=None)
            self.settle(f"repaired once more, round {number}")
        # The next write finds everything.
        self.score(self.sides[number % 2], 10_000 * number + 5_000)
        self.settle(f"written into, round {number}")
        for side in self.sides:
            check(f"conflict copies of {side.path.name}", self.copies(side), [])
            found = [entry["score"] for entry in self.document(side)["scoreEntries"]]
            check(f"scores of {side.path.name}, round {number}", sorted(found), sorted(self.scores))
            side.trace("validate", side.sessions / "pins")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--binaries", type=pathlib.Path, required=True)
    binaries = arguments.parse_args().binaries.resolve()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="trace-syncthing-"))
    servers = Servers(scratch, binaries)
    try:
        servers.start()
        servers.begin()
        for number in range(1, ROUNDS + 1):
            sides = servers.sides
            servers.round(number, [sides[:1], sides[1:], sides][number % 3])
        print(f"ok: {len(servers.scores)} scores, each once on both servers")
    finally:
        servers.stop()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
