"""Where everything lies that a measurement needs, made when it is first asked for."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measuring

HERE = Path(__file__).resolve().parent.parent
PEERS = HERE / "Peers"
GENERATOR = HERE / "Generator" / "generate.c"
HELLO = HERE / "Hello"

# The file of `recording()` and its session.
RECORDING = "recording.wav"
RECORDING_ID = "01KZ0000000000000000RECRDG"

# What files of a session look like to the index soon after they were written differs from what they look like later.
SETTLING_SECONDS = 5


class Workplace:
    """The binaries, the peers, the generated data and a directory of its own, which is removed at the end."""

    def __init__(self, binaries, scratch, scale, seed, before=None):
        self.trace = (binaries / "trace").resolve()
        self.traced = (binaries / "traced").resolve()
        self.scratch = scratch.resolve()
        self.scale = scale
        self.seed = seed
        self.scratch.mkdir(parents=True, exist_ok=True)
        # The same for an earlier version, with the same data and a directory of its own.
        self.before = Workplace(before, scratch, scale, seed) if before else None

    def __enter__(self):
        self.own = Path(tempfile.mkdtemp(prefix="run-", dir=self.scratch))
        (self.own / "config.yaml").touch()
        if self.before:
            self.before.__enter__()
        return self

    def __exit__(self, *_):
        if self.before:
            self.before.__exit__()
        shutil.rmtree(self.own)

    def scaled(self, size):
        return max(1, round(size * self.scale))

    def times(self, count):
        """How often something is done; at a small scale only to see that it works."""
        return count if self.scale >= 1 else min(count, 3)

    # Programs

    def peer(self, name):
        """The program that Peers/NAME.c or .cpp makes."""
        sources = [path for path in (PEERS / f"{name}.c", PEERS / f"{name}.cpp") if path.exists()]
        return self._compiled(sources[0])

    def python(self):
        """A Python with the packages of Peers/requirements.txt."""
        wanted = (PEERS / "requirements.txt").read_text()
        environment = self.scratch / "venv"
        installed = environment / "requirements.txt"
        if not installed.exists() or installed.read_text() != wanted:
            say("installing the Python packages of Peers/requirements.txt")
            subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
            pip = [environment / "bin" / "python", "-m", "pip", "install", "--quiet"]
            pip += ["--disable-pip-version-check"]
            subprocess.run([*pip, "-r", PEERS / "requirements.txt"], check=True)
            installed.write_text(wanted)
        return environment / "bin" / "python"

    def _compiled(self, source):
        program = self.scratch / "peers" / source.stem
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            program.parent.mkdir(exist_ok=True)
            is_cpp = source.suffix == ".cpp"
            compiler = ["g++", "-std=c++17"] if is_cpp else ["gcc", "-std=gnu17"]
            libraries = ["-lsimdjson"] if is_cpp else ["-lsqlite3"]
            subprocess.run([*compiler, "-O2", "-Wall", "-o", program, source, *libraries], check=True)
        return program

    def hello(self):
        """The program that Hello makes, with the versions of the toolkit's own dependencies."""
        pins = HERE.parent / "Package.resolved"
        package = self.scratch / "hello"
        program = package / ".build" / "release" / "http-hello"
        sources = [pins, HELLO / "Package.swift", *(HELLO / "Sources").rglob("*.swift")]
        if program.exists() and all(program.stat().st_mtime > source.stat().st_mtime for source in sources):
            return program
        say("building http-hello")
        # Beside its sources, since a build writes there which versions it took.
        shutil.copytree(HELLO, package, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
        shutil.copy(pins, package)
        build = ["swift", "build", "-c", "release", "--static-swift-stdlib", "-Xlinker", "-s", "--package-path", package]
        subprocess.run([*build, "--product", "http-hello"], check=True, stdout=sys.stderr)
        taken, wanted = (version(file, "hummingbird") for file in (package / pins.name, pins))
        measuring.check(taken == wanted, f"http-hello was built with Hummingbird {taken}, traced with {wanted}")
        program.touch()
        return program

    # Data

    def sessions(self, count, markers, voice_notes=0, action_runs=0):
        """A root with that many generated sessions, which must not be changed: later runs use it again."""
        name = f"{self.seed}-{count}-{markers}-{voice_notes}-{action_runs}"
        root = self.scratch / "data" / name
        whole = root.with_suffix(".whole")
        if not whole.exists() or whole.stat().st_mtime < GENERATOR.stat().st_mtime:
            say(f"writing {count:,} sessions with {markers:,} markers each")
            shutil.rmtree(root, ignore_errors=True)
            root.parent.mkdir(exist_ok=True)
            sizes = [str(size) for size in (count, markers, voice_notes, action_runs)]
            subprocess.run([self._compiled(GENERATOR), str(self.seed), root, *sizes], check=True)
            os.sync()
            time.sleep(SETTLING_SECONDS)
            whole.touch()
        return root

    def large_session(self):
        """The session of 1,000,000 markers, in a root of its own."""
        return first_session(self.sessions(1, self.scaled(1_000_000)))

    def recording(self):
        """A session with a file of 1 GiB in `media/`, in a root of its own, which must not be changed."""
        size = self.scaled(1 << 10)
        root = self.scratch / "data" / f"{self.seed}-recording-{size}"
        whole = root.with_suffix(".whole")
        if not whole.exists():
            say(f"writing a recording of {size:,} MiB")
            shutil.rmtree(root, ignore_errors=True)
            session = root / "recording"
            shutil.copytree(first_session(self.sessions(1, 10)), session)
            # The first session of each root has the same id.
            header = session / "session.json"
            header.write_text(re.sub('"id": "[^"]*"', f'"id": "{RECORDING_ID}"', header.read_text(), count=1))
            dice = random.Random(self.seed)
            with open(session / "media" / RECORDING, "wb") as file:
                for _ in range(size):
                    file.write(dice.randbytes(1 << 20))
            os.sync()
            time.sleep(SETTLING_SECONDS)
            whole.touch()
        return root / "recording"

    def copy(self, session, root):
        """A copy of a session that may be changed, in a root among this run's own files."""
        copy = self.own / root / session.name
        shutil.copytree(session, copy)
        os.sync()
        return copy

    # Running

    def environment(self, root, state):
        """What trace and traced are told: no configuration but this."""
        state = self.own / state
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("TRACE_", "XDG_", "NOTIFY_"))
        }
        environment["TRACE_CONFIG"] = str(self.own / "config.yaml")
        environment["TRACE_ROOTS"] = str(root)
        environment["TRACE_STATE_DIRECTORY"] = str(state)
        environment["TRACE_RUNTIME_DIRECTORY"] = str(state / "run")
        return environment

    def forget(self, state):
        """Removes a state directory, so that the next run finds none."""
        shutil.rmtree(self.own / state, ignore_errors=True)

    def run(self, *command, environment=None, status=0):
        """Runs a command once and measures it."""
        return measuring.run(
            self.peer("measure"), [str(word) for word in command], self.own / "output", environment, status)


def first_session(root):
    return root / "0000" / "session-00000"


def version(pins, package):
    """Which version of a package a Package.resolved names."""
    pin = next(pin for pin in json.loads(pins.read_text())["pins"] if pin["identity"] == package)
    return pin["state"]["version"]


def say(text):
    print(f"  … {text}", file=sys.stderr, flush=True)
