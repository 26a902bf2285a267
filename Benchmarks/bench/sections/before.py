"""This version beside an earlier one, whose programs `--before` names: the same, in turn, on the same data."""

import json
import shutil

from load import Answer
from measuring import Bar, Figure, Run, alternating, check, ratio
from sections import importing, practice
from sections.http import writes
from serving import API, copy_session, new_id
from workplace import first_session

# What a marker, and a row with the view that follows it, may cost over HTTP of what they cost before an entry was parsed once.
PUT_CPU = 0.6
SCORE_CPU = 0.4
# About 5 MB of a document.
ROWS = 16_500
FIRST_SCORE = 1 << 24


def commands(workplace):
    """Whole processes: the start, a mark, what Tab costs in fish, a row and a merge of a practice journal."""
    jobs = of_both(workplace, Jobs)
    count = workplace.times(30)
    yield from compared("trace --version", count, jobs, Jobs.version)
    yield from compared("trace mark, session of 10 markers", count, jobs, Jobs.mark)
    yield from compared("trace mark, session of 1,000,000 markers", count, jobs, Jobs.mark_large)
    for name, job in (("trace mar", Jobs.complete_verb), ("trace marker edit", Jobs.complete_marker)):
        words = f"fish completes {name}"
        yield from compared(words, workplace.times(5), jobs, job, cpu=1)
    yield from compared("trace practice score, 20,000 rows", workplace.times(9), jobs, Jobs.score)
    yield from compared("trace practice merge of an equal document, 20,000 rows", workplace.times(5), jobs, Jobs.merge)


def imports(workplace):
    """Files of each format into a session that has none."""
    small = first_session(workplace.sessions(1, workplace.scaled(100_000)))
    for format in importing.FORMATS:
        jobs = of_both(workplace, lambda place: Import(place, small, format))
        yield from compared(f"trace import --format {format}, 100,000 markers", workplace.times(5), jobs, Import.run)


def interface(workplace):
    """The HTTP API: a marker, a row of a practice journal of 5 MB with the view that follows, lists."""
    jobs = of_both(workplace, Served)
    with jobs["now"] as now, jobs["before"] as before:
        times = workplace.times(9)
        yield from compared("PUT of a marker", times, jobs, Served.put, cpu=PUT_CPU)
        yield from compared("GET sessions", times, jobs, Served.sessions)
        yield from compared("GET markers, 200 of 10,000", times, jobs, Served.markers)
        yield from compared("a score over HTTP, and the view of its game", times, jobs, Served.score, cpu=SCORE_CPU)
        now.check()
        before.check()


def of_both(workplace, make):
    """What a function makes of the workplace of each version."""
    return {"now": make(workplace), "before": make(workplace.before)}


def compared(name, times, jobs, job, cpu=None):
    """The figures of a job for both versions, and what one took of the other."""
    runs = alternating(times, **{version: (lambda jobs=some: job(jobs)) for version, some in jobs.items()})
    figures = {version: Figure.of(f"{name}, {version}", some) for version, some in runs.items()}
    yield from figures.values()
    yield Bar.of(f"{name}: time", ratio, figures["now"], figures["before"], at_most=1)
    used = {
        version: Figure(f"{name}, {version}, processor time", [run.cpu for run in some], turn=some.turn)
        for version, some in runs.items()}
    if cpu is not None:
        yield Bar.of(f"{name}: processor time", ratio, used["now"], used["before"], at_most=cpu)


class Jobs:
    """Commands of one version, on data of its own."""

    def __init__(self, workplace):
        self.workplace = workplace
        self.small = workplace.copy(first_session(workplace.sessions(1, 10)), "small")
        self.large = workplace.copy(workplace.large_session(), "large")
        self.journal = practice.make(workplace, "before-practice", workplace.scaled(practice.ROWS))
        self.rows = workplace.environment(self.journal.parent, "before-practice-state")
        self.twin = workplace.own / "practice-twin.json"

    def command(self, *words, environment, starts):
        run = self.workplace.run(self.workplace.trace, *words, environment=environment)
        check(run.output.startswith(starts), f"trace {words[0]} answers {run.output.strip()}")
        return run

    def version(self):
        return self.workplace.run(self.workplace.trace, "--version")

    def marked(self, session):
        environment = self.workplace.environment(session.parent, "mark")
        return self.command(
            "mark", session, "--offset", "120000", "--label", "again", "--no-queue", environment=environment, starts="marker: ")

    def mark(self):
        return self.marked(self.small)

    def mark_large(self):
        return self.marked(self.large)

    def completed(self, line):
        """What fish, which starts for it, makes of a line when Tab is pressed behind it."""
        script = self.workplace.own / "trace.fish"
        if not script.exists():
            script.write_text(self.workplace.run(self.workplace.trace, "--generate-completion-script", "fish").output)
        environment = self.workplace.environment(self.small.parent, "mark")
        environment["PATH"] = f"{self.workplace.trace.parent}:{environment['PATH']}"
        run = self.workplace.run(
            "fish", "--no-config", "--command", f"source {script}; complete --do-complete '{line}'", environment=environment)
        check(run.output, f"nothing completes {line}")
        return run

    def complete_verb(self):
        return self.completed("trace mar")

    def complete_marker(self):
        return self.completed("trace marker edit ")

    def score(self):
        return self.workplace.run(
            self.workplace.trace, "practice", "score", practice.GAMES[7], "12,345,678", "--no-queue", environment=self.rows)

    def merge(self):
        shutil.copyfile(self.journal / "practice-state.json", self.twin)
        return self.command(
            "practice", "merge", self.twin, "--device", "phone", environment=self.rows, starts="merged: phone")


class Import:
    """Imports of one file by one version."""

    def __init__(self, workplace, session, format):
        self.workplace, self.format = workplace, format
        self.target = workplace.own / "imported" / "target"
        self.environment = workplace.environment(self.target.parent, "import")
        self.file = workplace.own / f"all.{format}"
        self.trace("export", session, "--format", format, "--force", "--output", self.file)

    def trace(self, *words):
        return self.workplace.run(self.workplace.trace, *words, "--quiet", environment=self.environment)

    def run(self):
        shutil.rmtree(self.target.parent, ignore_errors=True)
        self.target.parent.mkdir()
        self.workplace.forget("import")
        self.trace("session", "init", self.target, "--title", "Imported")
        run = self.trace("import", self.file, self.target, "--format", self.format, "--yes")
        check((self.target / "markers.jsonl").stat().st_size > 0, f"{self.format}: no marker has come")
        return run


class Served:
    """The daemon of one version, with a session of 10 markers, one of 10,000, and a practice journal."""

    # So many requests are one run: the system counts the processor time of a process in hundredths of a second.
    WRITES, READS = 50, 500

    def __init__(self, workplace):
        self.workplace = workplace
        small = first_session(workplace.sessions(1, 10))
        many = first_session(workplace.sessions(1, workplace.scaled(10_000)))
        self.small = copy_session(workplace, small, "served", 1)
        self.many = copy_session(workplace, many, "served", 2)
        self.journal = practice.make(workplace, "served-practice", workplace.scaled(ROWS))
        self.count = 0

    def __enter__(self):
        self.api = API(self.workplace, "served-state", self.small.parent, self.journal.parent)
        self.api.__enter__()
        self.api.await_rest()
        self.marks = writes.Marks(self.workplace, self.api)
        return self

    def __exit__(self, *problem):
        self.api.__exit__(*problem)

    def measured(self, load):
        """The median time of an answer, and the processor time of the daemon for each."""
        before = self.api.cpu()
        done = load()
        return Run(done.p50, (self.api.cpu() - before) / len(done.latencies), 0, "")

    def put(self):
        return self.measured(lambda: self.marks.put(self.small, self.WRITES))

    def asked(self, path):
        client = self.api.client(self.api.request(path))
        return self.measured(lambda: client.count(self.READS))

    def sessions(self):
        return self.asked("/sessions?limit=50")

    def markers(self):
        handle = json.loads((self.many / "session.json").read_text())["id"]
        return self.asked(f"/sessions/{handle}/markers?limit=200")

    def score(self):
        """A row, then what the page asks of its game."""
        journal = json.loads((self.journal / "practice.json").read_text())["id"]
        game = practice.GAMES[7]
        requests = []
        for _ in range(3):
            self.count += 1
            entry = {
                "id": new_id(FIRST_SCORE + self.count), "kind": "practice.score", "journal_id": journal,
                "created_at": "2026-02-11T18:30:00.000Z",
                "payload": {"game": game, "score": 10_000_000 + self.count, "context": "practice"}}
            requests.append(self.api.request(
                "/queue", "POST", fields={"Content-Type": "application/jsonl"}, body=json.dumps(entry).encode() + b"\n"))
            requests += [
                self.api.request(f"/journals/{journal}/practice/{view}", answer=Answer((200,)))
                for view in (f"game?game={game}", f"journal?game={game}")]
        client = self.api.client(*requests)
        before = self.api.cpu()
        load = client.count(len(requests))
        return Run(load.wall / 3, (self.api.cpu() - before) / 3, 0, "")

    def check(self):
        self.marks.check()
        with open(self.journal / "practice-state.json") as file:
            scores = [row["score"] for row in json.load(file)["scoreEntries"] if 10_000_000 < row["score"] <= 10_000_000 + self.count]
        check(len(set(scores)) == self.count, f"{self.count} scores were sent, {len(set(scores))} stand in the document")
