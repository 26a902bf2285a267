"""Questions about 50,000 sessions, with a traced that watches them and without one."""

from daemon import Daemon
from measuring import Bar, Figure, alternating, check, plain

SESSIONS, MARKERS, VOICE_NOTES = 50_000, 5, 1
QUESTIONS = {
    "sessions": ("sessions",),
    "sessions as JSON": ("sessions", "--json"),
    "sessions of a week": ("sessions", "--since", "2026-02-01", "--until", "2026-02-07"),
    "status": ("status",),
    "doctor": ("doctor",),
    "at": ("at", "2026-02-01T03:00Z"),
}


def run(workplace):
    count = workplace.scaled(SESSIONS)
    root = workplace.sessions(count, MARKERS, VOICE_NOTES)
    environment = workplace.environment(root, "watched")
    workplace.run(workplace.trace, "index", "rebuild", environment=environment)

    def ask(question):
        # What is written would take longer to read here than to write; doctor finds what a machine for measuring lacks.
        command = ("sh", "-c", '"$0" "$@" > /dev/null || true', workplace.trace, *QUESTIONS[question])
        return workplace.run(*command, environment=environment)

    def answers():
        return [
            workplace.run(workplace.trace, *QUESTIONS[name], environment=environment).output
            for name in ("sessions", "sessions of a week", "at")]

    compared = answers()
    yield from figures(workplace, ask, count, "compared")
    with Daemon(workplace, root, "watched") as daemon:
        daemon.await_rest()
        check(answers() == compared, "answers with a daemon and without one differ")
        for figure in figures(workplace, ask, count, "watched"):
            yield figure
            yield Bar.of(f"{figure.name}", plain, figure, at_most=0.3, unit="s")


def figures(workplace, ask, count, how):
    """A figure for each question, whose runs come in turn."""
    subjects = {name: lambda name=name: ask(name) for name in QUESTIONS}
    runs = alternating(workplace.times(5), **subjects)
    for name in QUESTIONS:
        yield Figure.of(f"trace {name}, {count:,} sessions, {how}", runs[name])
