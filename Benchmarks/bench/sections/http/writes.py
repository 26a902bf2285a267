"""Markers that a device sends, one by one and many at once, beside `trace mark` and the syncs that each must wait for."""

import json
import random
import subprocess
import time

from load import Answer, pooled
from measuring import Bar, Figure, Run, alternating, check, plain, quantile, ratio
from sections import practice
from serving import API, Hello, copy_session, header, new_id
from workplace import first_session

LEDGER = 100_000
# More than all of one run: ids of ours begin behind those of the ledger.
FIRST_ID = 1 << 20
# Of no marker, and no voice note of another section.
FIRST_NOTE = 1 << 26
# Of no marker but those that are sent here.
LABEL = "Sent by a device"


class Marks:
    """Markers that are sent to the sessions of one daemon, and whether each of them stands there once."""

    def __init__(self, workplace, api):
        self.workplace, self.api = workplace, api
        self.expected = workplace.own / "marks.expected"
        self.count = 0
        self.sent = {}

    def new(self, session, **more):
        """The id and the text of one more marker; without a session, of one that comes nowhere."""
        number = FIRST_ID + self.count
        self.count += 1
        marker = {
            "id": new_id(number), "offset_ms": number % 3_600_000, "created_at": "2026-01-01T01:00:00.000Z", "source": "user",
            "label": LABEL, "tags": ["highlight"], **more}
        self.sent.setdefault(session, []).append(marker["id"])
        return marker["id"], json.dumps(marker)

    def put(self, session, count, statuses=(201,)):
        """Sends that many, one after the other over one connection."""
        handle = header(session)["id"]
        requests, answers, offset = [], [], 0
        for _ in range(count):
            token = self.api.token_for(self.count)
            id, text = self.new(session)
            # What is written at once is answered so; what waits has no such answer.
            begin = f'{{"id":"{id}","result":"applied"' if statuses == (201,) else f'{{"id":"{id}","result":"'
            answers.append(begin)
            requests.append(self.api.request(
                f"/sessions/{handle}/markers/{id}", "PUT", body=text.encode(), token=token,
                answer=Answer(statuses, "start", self.expected, offset, len(begin))))
            offset += len(begin)
        self.expected.write_text("".join(answers))
        return self.api.client(*requests).count(count)

    def entry(self, session, **more):
        """A marker as an entry of the queue, and its id."""
        id, text = self.new(session, **more)
        to = NOWHERE if session is None else header(session)["id"]
        entry = {"id": id, "kind": "marker", "session_id": to, "created_at": "2026-01-01T01:00:00.000Z"}
        return id, json.dumps(entry)[:-1] + f',"payload":{text}}}'

    def check(self):
        """Whether each stands in its session, once."""
        # What is for no session waits for ever.
        self.api.await_queue(but=self.sent.pop(None, []))
        for session, ids in self.sent.items():
            with open(session / "markers.jsonl") as lines:
                # No other has this label.
                found = [json.loads(line)["id"] for line in lines if LABEL in line]
            check(sorted(found) == sorted(ids), f"{len(ids)} markers were sent, {len(found)} stand in {session.name}")


def write_ledger(workplace, state):
    """A ledger of entries of other sessions, as a year of use leaves it."""
    directory = workplace.own / state
    directory.mkdir()
    with open(directory / "applied.jsonl", "w") as file:
        for number in range(workplace.scaled(LEDGER)):
            file.write(
                f'{{"id":"{new_id(number)}","kind":"marker","session_id":"{new_id(number % 100)}","sha256":"{number:064x}",'
                f'"applied_at":"2026-01-01T00:00:00.000Z"}}\n')


def sessions(workplace, root):
    small = copy_session(workplace, first_session(workplace.sessions(1, 10)), root, 1)
    large = copy_session(workplace, workplace.large_session(), root, 2)
    return small, large


def run(workplace):
    many = workplace.scaled(1_000_000)
    small, large = sessions(workplace, "put")
    write_ledger(workplace, "put-state")
    beside = workplace.own / "put-syncs"
    beside.mkdir()
    each = 50 if workplace.scale >= 1 else 5
    with Hello(workplace) as hello, API(workplace, "put-state", small.parent) as api:
        api.await_rest()
        marks = Marks(workplace, api)

        def commands(session):
            return [command(api, session) for _ in range(each // 5)]

        def syncs():
            run = workplace.run(workplace.peer("fsyncs"), beside, each)
            return [float(line) for line in run.output.split()]

        runs = alternating(
            workplace.times(20), hello=lambda: hello.hello.count(each), syncs=syncs, small=lambda: marks.put(small, each),
            mark=lambda: commands(small), large=lambda: marks.put(large, each), mark_large=lambda: commands(large))
        marks.check()
    theirs = Figure("hello, p50", [load.p50 for load in runs["hello"]], turn=runs["hello"].turn)
    waits = Figure(
        "two fsync, one fdatasync and a rename, from C, p50", [quantile(times, 0.5) for times in runs["syncs"]],
        turn=runs["syncs"].turn)
    few, more = (
        Figure(f"PUT of a marker, session of {count:,} markers, p50", [load.p50 for load in runs[key]], turn=runs[key].turn)
        for key, count in (("small", 10), ("large", many)))
    mark, mark_large = (
        Figure(
            f"trace mark, session of {count:,} markers, p50",
            [quantile([one.wall for one in some], 0.5) for some in runs[key]], turn=runs[key].turn)
        for key, count in (("mark", 10), ("mark_large", many)))
    late, late_large = (
        Figure(f"PUT of a marker, session of {count:,} markers, p99", [quantile(pooled(runs[key]), 0.99)])
        for key, count in (("small", 10), ("large", many)))
    late_mark, late_mark_large = (
        Figure(
            f"trace mark, session of {count:,} markers, p99",
            [quantile([one.wall for some in runs[key] for one in some], 0.99)])
        for key, count in (("mark", 10), ("mark_large", many)))
    yield from (theirs, waits, few, mark, late, late_mark, more, mark_large, late_large, late_mark_large)
    yield Bar.of("PUT of a marker to trace mark, p50", ratio, few, mark, at_most=0.4)
    yield Bar.of(f"PUT of a marker to trace mark, {many:,} markers, p50", ratio, more, mark_large, at_most=0.4)
    for name, ours in (("10", few), (f"{many:,}", more)):
        yield Bar.of(
            f"PUT of a marker, {name} markers, to hello and 4 × the syncs, p50",
            lambda ours, hello, syncs: ours / (hello + 4 * syncs), ours, theirs, waits, at_most=1)
    yield Bar.of("PUT of a marker to trace mark, p99", ratio, late, late_mark, at_most=1)
    yield Bar.of(f"PUT of a marker to trace mark, {many:,} markers, p99", ratio, late_large, late_mark_large, at_most=1)
    yield Bar.of(f"PUT of a marker, {many:,} markers to 10, p50", ratio, more, few, at_most=1.2)


def command(api, session):
    run = api.trace("mark", session, "--offset", "120000", "--label", "again", "--no-queue")
    check(run.output.startswith("marker: "), f"trace mark said: {run.output}")
    return run


def drain(workplace):
    """Marks while the spool is drained into the same session and three readers search."""
    entries = workplace.scaled(1_000)
    small, large = sessions(workplace, "drain")
    write_ledger(workplace, "drain-state")
    each = 10
    with API(workplace, "drain-state", small.parent) as api:
        api.await_rest()
        marks = Marks(workplace, api)
        alone, beside, drained = [], [], []
        api.local_client(*searches(api)).once()
        for _ in range(workplace.times(5)):
            api.await_rest()
            alone.append(marks.put(small, 10 * each))
            ids = deliver(workplace, api, marks, small, entries)
            with Readers(api):
                start = time.monotonic()
                ids()
                while waiting(api):
                    beside.append(marks.put(small, each, statuses=(201, 202)))
                drained.append(time.monotonic() - start)
        marks.check()
    quiet = Figure("PUT of a marker, alone, p99", [quantile(pooled(alone), 0.99)])
    late = Figure(
        f"PUT of a marker, beside a drain of {entries:,} entries and three readers, p99", [quantile(pooled(beside), 0.99)],
        note=f"{sum(load.statuses.count(202) for load in beside)} of {len(pooled(beside))} answered with 202")
    yield from (quiet, late)
    yield Figure("the same, p50", [quantile(pooled(beside), 0.5)])
    yield Figure("the drain meanwhile", drained)
    yield Bar.of("PUT of a marker beside a drain and three readers, p99", plain, late, at_most=0.35, unit="s")


def deliver(workplace, api, marks, session, count):
    """Entries beside the spool; what is handed out renames all of them into it."""
    directory = workplace.own / "drain-state" / "incoming"
    directory.mkdir(exist_ok=True)
    spool = api.index.parent / "queue"
    names = []
    for _ in range(count):
        id, text = marks.entry(session)
        (directory / f"{id}.json").write_text(text)
        names.append(f"{id}.json")

    def rename():
        for name in names:
            (directory / name).rename(spool / name)

    return rename


def waiting(api):
    return any(name.suffix == ".json" for name in (api.index.parent / "queue").iterdir())


def searches(api):
    return [api.search(word) for word in ("groove", "feedback", "melody")]


class Readers:
    """Three that search without a pause, over the socket at which searches are not counted, until the end of a `with`."""

    def __init__(self, api):
        self.client = api.local_client(*searches(api))

    def __enter__(self):
        self.process = subprocess.Popen(
            self.client.command("seconds", 600, connections=3), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def __exit__(self, *_):
        has_ended = self.process.poll() is not None
        self.process.kill()
        _, errors = self.process.communicate()
        check(not has_ended, f"the readers have ended: {errors}")


# How many entries a batch may have, as docs/http.md has it.
ENTRIES_OF_A_BATCH = 200
# Of a session that no server knows.
NOWHERE = "01KZZZZZZZZZZZZZZZZZZZZZZZ"


def large_bodies(workplace):
    """Marks while others send the largest bodies that each route takes."""
    small = copy_session(workplace, first_session(workplace.sessions(1, 10)), "bodies", 1)
    others = copy_session(workplace, first_session(workplace.sessions(1, 10)), "bodies", 2)
    pins = practice.make(workplace, "bodies-pins", 0)
    session = f"/sessions/{header(others)['id']}"
    replicas = f"/journals/{json.loads((pins / 'practice.json').read_text())['id']}/replica"
    size = workplace.scaled
    with API(workplace, "bodies-state", small.parent, pins.parent) as api:
        api.await_rest()
        marks = Marks(workplace, api)
        kinds = {
            "an import": lambda turn: ("POST", f"{session}/import", "text/csv", markers(size(16 << 20), turn)),
            "a dry run": lambda turn: ("POST", f"{session}/import?dry_run=true", "text/csv", markers(size(16 << 20), turn)),
            "the phone's arrays": lambda turn: (
                "POST", f"{session}/phone-import", "application/json", arrays(size(2 << 20), turn)),
            "a device's document": lambda turn: (
                "PUT", f"{replicas}/phone-{turn}", "application/json", pins_of(workplace, size(16 << 20), turn)),
            "a batch": lambda turn: ("POST", "/queue", "application/jsonl", entries(marks, size(8 << 20), others)),
            "a recording": lambda turn: recording(api, session, size(64 << 20), turn, marks.count),
            "a batch that waits": lambda turn: ("POST", "/queue", "application/jsonl", entries(marks, size(8 << 20), None)),
        }
        alone = [marks.put(small, 10) for _ in range(workplace.times(10))]
        yield Figure("PUT of a marker, alone, p50", [quantile(pooled(alone), 0.5)])
        yield Figure("PUT of a marker, alone, p99", [quantile(pooled(alone), 0.99)])
        for name, make in kinds.items():
            beside, lasted = [], []
            for turn in range(workplace.times(3)):
                method, path, kind, body = make(turn)
                client = api.client(api.request(
                    path, method, fields={"Content-Type": kind}, body=body, answer=Answer((200, 201)),
                    token=api.token_for(marks.count)))
                start = time.monotonic()
                other = subprocess.Popen(client.command("count", 1), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                while other.poll() is None:
                    beside.append(marks.put(small, 5, statuses=(201, 202)))
                lasted.append(time.monotonic() - start)
                check(other.returncode == 0, f"{name}: {other.stderr.read()}")
            late = Figure(f"PUT of a marker beside {name} of the largest size, p99", [quantile(pooled(beside), 0.99)])
            yield Figure(f"PUT of a marker beside {name} of the largest size, p50", [quantile(pooled(beside), 0.5)])
            yield from (late, Figure(f"{name} meanwhile", lasted))
            yield Bar.of(f"PUT of a marker beside {name}, p99", plain, late, at_most=0.25, unit="s")
        marks.check()


def pins_of(workplace, size, turn):
    """A practice document of nearly so many bytes, which lacks a row for each turn."""
    # A row has some 300 bytes.
    text = json.dumps(practice.document(workplace.seed, size // 330 - turn), separators=(",", ":")).encode()
    check(len(text) <= size, f"the document has {len(text):,} bytes")
    return text


def recording(api, session, size, turn, written):
    """Audio of so many bytes, whose record waits for it already."""
    path = f"{session}/voice-notes/{new_id(FIRST_NOTE + turn)}"
    record = {
        "offset_ms": turn, "duration_ms": 60_000, "created_at": "2026-01-01T01:00:00.000Z",
        "attachment": {"size": size, "type": "audio/ogg"}}
    api.client(api.request(
        path, "PUT", body=json.dumps(record).encode(), answer=Answer((202,)), token=api.token_for(written))).count(1)
    return "PUT", f"{path}/audio", "audio/ogg", b"OggS" + random.Random(turn).randbytes(size - 4)


def entries(marks, size, session):
    """A batch of markers with notes of so many bytes together; for no session, one that is nowhere."""
    lines = []
    for _ in range(ENTRIES_OF_A_BATCH):
        id, text = marks.entry(session, note="n" * (size // ENTRIES_OF_A_BATCH - 512))
        lines.append(text + "\n")
    return "".join(lines).encode()


def markers(size, turn):
    """So many bytes of markers as lines of CSV that no other turn has."""
    lines = ["offset_ms,label"]
    while size > 0:
        lines.append(f"{len(lines) * 10 + turn},taken from another program")
        size -= len(lines[-1]) + 1
    return "\n".join(lines[:-1] + [""]).encode()


def arrays(size, turn):
    """So many bytes of markers as the phone's app keeps them, which no other turn has."""
    things, created = [], "2026-01-01T01:00:00.000Z"
    while size > 0:
        thing = json.dumps({"tag": "highlight", "offset_ms": len(things) * 10 + turn, "created_at": created})
        things.append(thing)
        size -= len(thing) + 2
    return ("[" + ", ".join(things[:-1]) + "]").encode()


def batch(workplace):
    """500 markers of a week without a network, by `POST /queue`, beside as many single `PUT`s."""
    count, limit = workplace.scaled(500), 200
    session = copy_session(workplace, first_session(workplace.sessions(1, 10)), "batch", 1)
    with API(workplace, "batch-state", session.parent) as api:
        api.await_rest()
        marks = Marks(workplace, api)

        def batches():
            requests, ids = [], []
            for first in range(0, count, limit):
                some = [marks.entry(session) for _ in range(min(limit, count - first))]
                ids += [id for id, _ in some]
                body = "".join(text + "\n" for _, text in some).encode()
                requests.append(api.request(
                    "/queue", "POST", fields={"Content-Type": "application/jsonl"}, body=body,
                    token=api.token_for(marks.count)))
            load, body = api.client(*requests).once()
            outcomes = [json.loads(line) for line in body.splitlines()]
            check([one["id"] for one in outcomes] == ids, "the outcomes are not those of the entries")
            check(all(one["result"] == "applied" for one in outcomes), "not every entry of the batch was applied")
            return Run(load.wall, load.cpu, 0, "")

        def singles():
            load = marks.put(session, count)
            return Run(load.wall, load.cpu, 0, "")

        runs = alternating(workplace.times(5), batches=batches, singles=singles)
        marks.check()
    together, single = (
        Figure(name, [run.wall for run in runs[key]], turn=runs[key].turn)
        for key, name in (("batches", f"POST /queue, {count} markers, {limit} a batch"), ("singles", f"{count} single PUTs")))
    yield from (together, single)
    yield Bar.of(f"POST /queue of {count} markers to single PUTs", ratio, together, single, at_most=0.2)
