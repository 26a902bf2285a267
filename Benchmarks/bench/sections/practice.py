"""A practice journal whose document has 20,000 rows: checked, written into, and indexed from nothing."""

import json
import os
import random
import shutil
import time
import uuid

from measuring import Bar, Figure, alternating, check, plain
from workplace import SETTLING_SECONDS

ROWS = 20_000
# About 5 MB of a document.
INDEXED_ROWS = 16_500
GAMES = [f"G{1000 + number}" for number in range(120)]


def run(workplace):
    count = workplace.scaled(ROWS)
    journal = make(workplace, "practice", count)
    written = workplace.own / "practice-written" / "pins"
    shutil.copytree(journal, written)
    checking = workplace.environment(journal.parent, "practice-validate")
    writing = workplace.environment(written.parent, "practice-write")

    def validate():
        run = workplace.run(workplace.trace, "validate", journal, environment=checking)
        check(run.output.startswith("ok: "), f"trace validate answers {run.output.strip()}")
        return run

    def score():
        before = (written / "practice-state.json").stat().st_size
        run = workplace.run(
            workplace.trace, "practice", "score", GAMES[7], "12,345,678", "--no-queue", environment=writing)
        check((written / "practice-state.json").stat().st_size > before, "the document has not grown")
        return run

    # The first write notes the whole document in the log, once in a journal's life.
    first = Figure.of(f"trace practice score, the first ever, {count:,} rows", [score()])
    runs = alternating(workplace.times(9), validate=validate, score=score)
    checked = Figure.of(f"trace validate, {count:,} rows", runs["validate"])
    scored = Figure.of(f"trace practice score, {count:,} rows", runs["score"])
    yield checked
    yield scored
    yield first

    # A phone that brings what is there: nothing is said, and nothing is taken apart.
    twin = workplace.own / "practice-twin.json"
    shutil.copyfile(written / "practice-state.json", twin)

    def merge():
        run = workplace.run(workplace.trace, "practice", "merge", twin, "--device", "phone", environment=writing)
        check(run.output.startswith("merged: phone"), f"trace practice merge answers {run.output.strip()}")
        return run

    merged = Figure.of(f"trace practice merge of an equal document, {count:,} rows", [merge() for _ in range(5)])
    yield merged

    small = make(workplace, "practice-index", workplace.scaled(INDEXED_ROWS))
    empty = make(workplace, "practice-empty", 0)
    size = (small / "practice-state.json").stat().st_size / 1e6
    environments = {
        "document": workplace.environment(small.parent, "practice-index-state"),
        "nothing": workplace.environment(empty.parent, "practice-nothing"),
    }

    def rebuild(name):
        workplace.forget("practice-index-state" if name == "document" else "practice-nothing")
        run = workplace.run(workplace.trace, "index", "rebuild", environment=environments[name])
        check((small / "practice-state.json").exists(), "the document is gone")
        return run

    runs = alternating(
        workplace.times(9), document=lambda: rebuild("document"), nothing=lambda: rebuild("nothing"))
    indexed = Figure.of(f"trace index rebuild, a document of {size:.1f} MB", runs["document"])
    nothing = Figure.of("trace index rebuild, an empty document", runs["nothing"])
    yield indexed
    yield nothing

    yield Bar.of("trace validate, whole process", plain, checked, at_most=0.1, unit="s")
    yield Bar.of("trace practice score, whole process", plain, scored, at_most=0.1, unit="s")
    yield Bar("peak memory of trace validate", checked.peak, at_most=64, unit="MiB")
    yield Bar("peak memory of trace practice score", scored.peak, at_most=64, unit="MiB")
    yield Bar("peak memory of the first trace practice score", first.peak, at_most=64, unit="MiB")
    yield Bar.of("trace practice merge of an equal document", plain, merged, at_most=0.3, unit="s")
    yield Bar("peak memory of trace practice merge of an equal document", merged.peak, at_most=64, unit="MiB")
    yield Bar.of(
        "indexing a document of 5 MB", lambda one, other: one - other, indexed, nothing, at_most=0.15, unit="s")


def make(workplace, name, count):
    """A journal in a root of its own."""
    journal = workplace.own / name / "pins"
    (journal / "library").mkdir(parents=True)
    (journal / "practice-state.json").write_text(json.dumps(document(workplace.seed, count), separators=(",", ":")))
    items = [
        {"practice_identity": game, "slug": f"game-{game.lower()}", "name": f"Game {game}", "bank": number % 8 + 1}
        for number, game in enumerate(GAMES)
    ]
    (journal / "library" / "pinball_library_v3.json").write_text(json.dumps({"version": 3, "items": items}))
    (journal / "practice.json").write_text(
        '{"journal":"practice","format":1,"id":"01KGNQZP000000000000000001","created_at":"2026-01-01T00:00:00.000Z"}\n')
    os.sync()
    time.sleep(SETTLING_SECONDS)
    return journal


def document(seed, count):
    """Rows as an app writes them over two years, each with the record that belongs to it."""
    dice = random.Random(seed)

    def new_id():
        return str(uuid.UUID(int=dice.getrandbits(128), version=4)).upper()

    arrays = {name: [] for name in ("studyEvents", "videoProgressEntries", "scoreEntries", "noteEntries", "journalEntries")}
    moment = 1_700_000_000_000.0
    for number in range(count):
        moment += dice.uniform(30_000, 3_000_000)
        written = round(moment + dice.random(), 4)
        row = {"id": new_id(), "gameID": dice.choice(GAMES)}
        linked = dict(row, id=new_id())
        kind = dice.random()
        if kind < 0.45:
            score = dice.randrange(100_000, 900_000_000) * 10
            row |= {"action": "scoreLogged", "score": score, "scoreContext": "practice"}
            linked |= {"score": score, "context": "practice", "timestamp": written, "leagueImported": False}
            arrays["scoreEntries"].append(linked)
        elif kind < 0.7:
            note = f"ramp {number}, then the left orbit {number % 7}; more nudging"
            row |= {"action": "noteAdded", "noteCategory": "shots", "note": note}
            arrays["noteEntries"].append(linked | {"category": "shots", "note": note, "timestamp": written})
        elif kind < 0.9:
            percent = dice.randrange(101)
            row |= {"action": "rulesheetRead", "task": "rulesheet", "progressPercent": percent}
            linked |= {"task": "rulesheet", "progressPercent": percent, "timestamp": written}
            arrays["studyEvents"].append(linked)
        else:
            row["action"] = "gameBrowse"
        arrays["journalEntries"].append(row | {"timestamp": written})
    return {"schemaVersion": 4} | arrays | {"customGroups": [], "gameSummaryNotes": {GAMES[0]: "watch the ramp"}}
