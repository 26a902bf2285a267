"""The audio of voice notes, sent whole, beside nginx, which stores what is PUT, and beside the disk alone."""

import json
import os
import random
import time

from load import Answer, Request
from measuring import Figure, alternating, check, quantile
from serving import API, Dav, copy_session, header, new_id
from workplace import first_session

COUNT, SIZE = 64, 2_500_000
LARGE = 64 << 20
# Behind all that other sections send.
FIRST_ID = 1 << 24


def run(workplace):
    dice = random.Random(workplace.seed)
    # Ogg, so that a voice note may be it.
    many, large = (
        [b"OggS" + dice.randbytes(size - 4) for _ in range(count)]
        for count, size in ((workplace.scaled(COUNT), workplace.scaled(SIZE)), (1, workplace.scaled(LARGE))))
    session = copy_session(workplace, first_session(workplace.sessions(1, 10)), "uploads", 1)
    stored = workplace.own / "uploads-nginx"
    stored.mkdir(mode=0o777)
    beside = workplace.own / "uploads-disk"
    beside.mkdir()
    with API(workplace, "uploads-state", session.parent) as api, Dav(workplace, stored) as nginx:
        api.await_rest()
        notes = Notes(api, session)
        for name, bodies in (
                (f"{len(many)} voice notes of {len(many[0]) / 1e6:.2g} MB", many),
                (f"one of {len(large[0]) >> 20} MiB", large)):
            yield from measured(
                name, alternating(
                    workplace.times(7), ours=lambda: notes.put(bodies), nginx=lambda: put(nginx, stored, bodies),
                    disk=lambda: write(beside, bodies)))


def measured(name, runs):
    names = {
        "ours": f"PUT …/audio, {name}, p50", "nginx": f"nginx, {name}, p50",
        "disk": f"write, fsync and rename, {name}, p50"}
    notes = {"ours": "durable when it is answered", "nginx": "not synced", "disk": "without a server"}
    figures = {
        key: Figure(
            text, [quantile(run.latencies, 0.5) for run in runs[key]], turn=runs[key].turn, note=notes[key],
            cpu=sum(run.used for run in runs[key]) / len(runs[key]))
        for key, text in names.items()}
    yield from figures.values()
    for key, text in (("nginx", "nginx, which syncs nothing"), ("disk", "the disk alone")):
        yield Figure(
            f"{name}: time to that of {text}",
            [one / other for one, other in zip(figures["ours"].values, figures[key].values)], unit="×",
            turn=runs["ours"].turn)


class Notes:
    """Voice notes that are sent to one session: each record first, then, while a clock runs, its audio."""

    def __init__(self, api, session):
        self.api, self.session = api, session
        self.path = f"/sessions/{header(session)['id']}/voice-notes"
        self.count = self.written = 0
        self.expected = api.workplace.own / "uploads.expected"

    def put(self, bodies):
        ids, records, audio, answers, offset = [], [], [], [], 0
        for body in bodies:
            id = new_id(FIRST_ID + self.count)
            self.count += 1
            record = {
                "offset_ms": self.count, "duration_ms": 60_000, "created_at": "2026-01-01T01:00:00.000Z",
                "attachment": {"size": len(body), "type": "audio/ogg"}}
            begin = f'{{"id":"{id}","result":"applied"'
            records.append(self.request(f"/{id}", json.dumps(record).encode(), "application/json", Answer((202,))))
            audio.append(self.request(
                f"/{id}/audio", body, "audio/ogg", Answer((201,), "start", self.expected, offset, len(begin))))
            ids.append(id)
            answers.append(begin)
            offset += len(begin)
        self.expected.write_text("".join(answers))
        self.api.client(*records).count(len(records))
        client = self.api.client(*audio)
        before = self.api.cpu()
        load = client.count(len(audio))
        load.used = self.api.cpu() - before
        client.path.unlink()
        for id, body in zip(ids, bodies):
            file = self.session / "media" / f"{id}.ogg"
            check(file.read_bytes() == body, f"{file} is not what was sent")
        lines = (self.session / "voice_notes.jsonl").read_text()
        check(all(lines.count(f'"id":"{id}"') == 1 for id in ids), "each voice note stands in its session once")
        return load

    def request(self, path, body, type, answer):
        token = self.api.token_for(self.written)
        self.written += 1
        return self.api.request(self.path + path, "PUT", {"Content-Type": type}, body, answer, token)


def put(nginx, stored, bodies):
    """Sends the same to nginx, as files that are not there yet."""
    client = nginx.client(*(
        Request(f"/{number}.ogg", "PUT", body=body, answer=Answer((201,))) for number, body in enumerate(bodies)))
    before = nginx.cpu()
    load = client.count(len(bodies))
    load.used = nginx.cpu() - before
    client.path.unlink()
    for number, body in enumerate(bodies):
        file = stored / f"{number}.ogg"
        check(file.read_bytes() == body, f"{file} is not what was sent")
        file.unlink()
    return load


class Written:
    """What it took to write files, as the runs of a client have it."""

    def __init__(self, latencies, used):
        self.latencies, self.used = latencies, used


def write(directory, bodies):
    """Writes the same as files that are durable, as any server must do that promises so."""
    latencies, before = [], time.process_time()
    for number, body in enumerate(bodies):
        new, file = directory / f"{number}.new", directory / f"{number}.ogg"
        begin = time.monotonic()
        with open(new, "wb", buffering=0) as out:
            for at in range(0, len(body), 1 << 20):
                out.write(body[at:at + (1 << 20)])
            os.fsync(out.fileno())
        new.rename(file)
        place = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(place)
        os.close(place)
        latencies.append(time.monotonic() - begin)
    used = time.process_time() - before
    for number in range(len(bodies)):
        (directory / f"{number}.ogg").unlink()
    return Written(latencies, used)
