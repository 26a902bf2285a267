"""How long a command takes that has nothing to do."""

from measuring import Figure, alternating
from workplace import first_session


def run(workplace):
    root = workplace.sessions(1, 10)
    environment = workplace.environment(root, "start")
    session = first_session(root)
    runs = alternating(
        workplace.times(40),
        nothing=lambda: workplace.run("/bin/true"),
        version=lambda: workplace.run(workplace.trace, "--version"),
        markers=lambda: workplace.run(workplace.trace, "markers", "list", session, environment=environment),
    )
    yield Figure.of("/bin/true", runs["nothing"])
    yield Figure.of("trace --version", runs["version"])
    yield Figure.of("trace markers list, 10 markers", runs["markers"])
