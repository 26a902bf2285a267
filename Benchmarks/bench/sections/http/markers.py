"""200 markers out of 1,000,000, and how all of them are spread, beside hello and one pass of the index by sqlite3."""

import json
import os
import random
import re
import time

from measuring import Bar, Figure, alternating, check, ratio
from serving import API, Hello, copy_session, header, new_id
from workplace import first_session

ANSWERS = 200
SESSION_LENGTH = 36_000_000
CELLS = 500
CATEGORIES = ("highlight", "structure", "texture-sample", "fix-review")
# Events of a session are collected for that long.
QUIET_PERIOD = 0.3


def run(workplace):
    few, many = workplace.scaled(10_000), workplace.scaled(1_000_000)
    small = copy_session(workplace, first_session(workplace.sessions(1, few)), "markers", 1)
    large = copy_session(workplace, workplace.large_session(), "markers", 2)
    with Hello(workplace) as hello:
        with API(workplace, "markers-state", large.parent) as api:
            api.await_rest()
            yield from ranges(workplace, hello, api, {few: small, many: large})
        yield from strip(workplace, hello, large, many)


def ranges(workplace, hello, api, sessions):
    requests = 400 if workplace.scale >= 1 else 50
    clients = {count: api.client(*questions(workplace, api, session, count)) for count, session in sessions.items()}
    (few, small), (many, large) = clients.items()
    runs = alternating(
        workplace.times(10), hello=lambda: hello.hello.count(requests), few=lambda: small.count(requests),
        many=lambda: large.count(requests))
    theirs, less, more = (
        Figure(f"{name}, p50", [load.p50 for load in runs[key]], turn=runs[key].turn)
        for key, name in (
            ("hello", "hello"), ("few", f"{ANSWERS} of {few:,} markers"), ("many", f"{ANSWERS} of {many:,} markers")))
    yield from (theirs, less, more)
    yield Bar.of(f"{ANSWERS} markers of {many:,} to the same of {few:,}, p50", ratio, more, less, at_most=1.3)
    yield Bar.of(
        f"{ANSWERS} of {many:,} markers, p50 beyond that of hello", lambda ours, hello: ours - hello, more, theirs,
        at_most=0.004, unit="s")


def questions(workplace, api, session, count):
    """Requests for the markers from some moments on, each compared with what the file has."""
    lines = (session / "markers.jsonl").read_bytes().splitlines()
    offset = re.compile(rb'"offset_ms":(\d+)')
    ordered = sorted((int(offset.search(line)[1]), number) for number, line in enumerate(lines))
    dice = random.Random(workplace.seed)
    wanted = min(ANSWERS, count)
    for number in range(20):
        first = dice.randrange(max(1, len(ordered) - wanted))
        # Of markers at the same offset, the answer begins with the first.
        while first > 0 and ordered[first - 1][0] == ordered[first][0]:
            first -= 1
        rows = [lines[line] for _, line in ordered[first:first + wanted]]
        path = f"/sessions/{header(session)['id']}/markers?offset_min={ordered[first][0]}ms&limit={wanted}"
        body, request = api.kept(f"range-{count}-{number}", path)
        check(body.strip() == b"[" + b",".join(rows) + b"]", f"{path} answers something else")
        yield request


def strip(workplace, hello, session, count):
    """The first question for the strip of a daemon, later ones, and those that follow an append."""
    path = f"/sessions/{header(session)['id']}/strip?cells={CELLS}"
    cold, passes = [], []
    state = "markers-state"
    for _ in range(workplace.times(5)):
        with API(workplace, state, session.parent) as api:
            api.await_rest()
            passes.append(one_pass(workplace, api.index, session, count))
            load, body = api.client(api.request(path)).once()
            check_strip(workplace, api.index, session, json.loads(body))
            cold.append(load.latencies[0])
    with API(workplace, state, session.parent) as api:
        api.await_rest()
        _, request = api.kept("strip", path)
        warm = api.client(request)
        requests = 40 if workplace.scale >= 1 else 5
        runs = alternating(
            workplace.times(5), hello=lambda: hello.hello.count(requests), warm=lambda: warm.count(requests))
        appended = [
            after_append(api, session, path, number, total=count + number + 1)
            for number in range(40 if workplace.scale >= 1 else 5)]
    theirs = Figure("hello, p50", [load.p50 for load in runs["hello"]], turn=runs["hello"].turn)
    again = Figure("strip, asked again, p50", [load.p50 for load in runs["warm"]], turn=runs["warm"].turn)
    first = Figure(f"strip of {count:,} markers, the first time", cold)
    sqlite = Figure.of("sqlite3, offset and tags of each marker, as a process", passes)
    later = Figure("strip after an append", appended)
    yield from (first, sqlite, theirs, again, later)
    yield Bar.of("strip, the first time, to one pass by sqlite3", ratio, first, sqlite, at_most=1.5)
    beyond = lambda ours, hello: ours - hello
    yield Bar.of("strip, asked again, p50 beyond that of hello", beyond, again, theirs, at_most=0.002, unit="s")
    yield Bar.of("strip after an append, beyond hello", beyond, later, theirs, at_most=0.008, unit="s")


# Row after row: with an index by offset it takes half as long again.
ROWS = """
FROM record NOT INDEXED WHERE source_id = (SELECT id FROM source WHERE journal_id = '{id}')
  AND kind = (SELECT code FROM record_kind WHERE name = 'marker') AND is_authoritative
"""


def sqlite3(workplace, index, session, columns):
    question = f"SELECT {columns} {ROWS.format(id=header(session)['id'])}"
    return workplace.run("sqlite3", f"file:{index}?mode=ro", question)


def one_pass(workplace, index, session, count):
    run = sqlite3(workplace, index, session, "count(*), sum(offset_ms), sum(length(tags))")
    check(run.output.startswith(f"{count}|"), f"sqlite3 counts {run.output}")
    return run


def check_strip(workplace, index, session, strip):
    """Whether SQLite counts as many of each category, and as many in all before each cell."""
    rows = sqlite3(workplace, index, session, "offset_ms, tags").output
    # A tag a line: a row is several lines.
    offsets = sorted(int(offset) for offset in re.findall(r"^(\d+)\|", rows, re.MULTILINE))
    check(strip["total"] == len(offsets), f"the strip counts {strip['total']} of {len(offsets)} markers")
    check(strip["before"] == sorted(strip["before"]) and strip["before"][0] == 0, "the strip's totals do not grow")
    for category in CATEGORIES:
        theirs = len(re.findall(rf"^(?:\d+\|)?{category}$", rows, re.MULTILINE))
        check(sum(strip["categories"][category]) == theirs, f"the strip does not count {theirs} of {category}")


def after_append(api, session, path, number, total):
    """Seconds of the question that follows an append by another program at once."""
    line = (
        f'{{"id":"{new_id(100 + number)}","offset_ms":{number},"created_at":"2026-01-01T00:00:00.000Z","source":"user",'
        f'"tags":["highlight"]}}\n')
    with open(session / "markers.jsonl", "a") as file:
        file.write(line)
    load, body = api.client(api.request(path)).once()
    check(json.loads(body)["total"] == total, "the strip lacks what was appended before it was asked for")
    time.sleep(QUIET_PERIOD)
    return load.latencies[0]
