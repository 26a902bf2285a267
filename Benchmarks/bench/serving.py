"""The HTTP API of a running traced, and the servers beside which it is measured. All of them listen on the loopback address."""

import getpass
import json
import os
import socket
import sqlite3
import subprocess
import time
from contextlib import closing
from urllib.parse import quote

from daemon import START_PATIENCE, TICKS, Daemon
from load import Answer, Client, Request
from measuring import Failed, check

# What a token may write at once, as docs/http.md has it; a run that writes more takes the next token.
WRITES_OF_A_TOKEN = 450


class API(Daemon):
    """traced with its HTTP API, by TCP and by a Unix socket; several of them may run at once.

    - listens: False for the same daemon with the API switched off.
    """

    def __init__(self, workplace, state, *roots, listens=True):
        super().__init__(workplace, ":".join(str(root) for root in roots), state)
        self.workplace = workplace
        self.port = free_port()
        self.socket = workplace.own / f"{state}.sock"
        self.listens = listens
        self.index = workplace.own / state / "index.sqlite"
        configuration = workplace.own / f"{state}.yaml"
        configuration.write_text(f"http_listen: [127.0.0.1:{self.port}, unix:{self.socket}]\n" if listens else "")
        self.environment["TRACE_CONFIG"] = str(configuration)
        self.tokens = []

    def __enter__(self):
        super().__enter__()
        if self.listens and not self.tokens:
            self.add_token()
        return self

    def add_token(self):
        """Makes one more token, which may do everything."""
        name = f"bench-{len(self.tokens)}"
        run = self.trace("token", "add", "--name", name, "--scope", "admin")
        self.tokens.append(run.output.strip())

    def trace(self, *arguments, status=0):
        """Runs trace with the configuration of the daemon, and measures it."""
        return self.workplace.run(self.workplace.trace, *arguments, environment=self.environment, status=status)

    # Requests

    def request(self, path, method="GET", fields=None, body=None, answer=None, token=0):
        """A request to a path below /api/v1; without a token it is for the Unix socket."""
        fields = {**({} if token is None else {"Authorization": f"Bearer {self.tokens[token]}"}), **(fields or {})}
        if body is not None:
            fields.setdefault("Content-Type", "application/json")
        return Request(f"/api/v1{path}", method, fields, body, answer or Answer())

    def client(self, *requests):
        return Client(self.workplace, self.port, requests)

    def search(self, words):
        """A search over the Unix socket, at which searches are not counted."""
        return self.request(f"/search?q={quote(words)}&limit=20", token=None)

    def local_client(self, *requests):
        return Client(self.workplace, self.socket, requests)

    def kept(self, name, path, **more):
        """The body of a first answer, and a request whose answer must be the same byte for byte."""
        _, body = self.client(self.request(path, **more)).once()
        file = self.workplace.own / f"{name}.expected"
        file.write_bytes(body)
        return body, self.request(path, answer=Answer.part(file, 0, len(body), 200), **more)

    def field(self, name, request):
        """A field of the answer to a request, which the client that measures does not hand out."""
        head = raw_head(self.port, request)
        value = next((line.partition(":")[2].strip() for line in head if line.lower().startswith(name.lower() + ":")), None)
        check(value is not None, f"{request.path} has no {name}: {head[0]}")
        return value

    # Writes

    def token_for(self, written):
        """The number of a token that may still write, where so many writes of a run came before."""
        number = written // WRITES_OF_A_TOKEN
        while len(self.tokens) <= number:
            self.add_token()
        return number

    def await_queue(self, but=()):
        """Waits until no entry waits any more, but for those of some ids."""
        names = {f"{id}.json" for id in but}
        spool = self.index.parent / "queue"
        for _ in range(START_PATIENCE * 10):
            if not any(name.endswith(".json") and name not in names for name in os.listdir(spool)):
                return
            time.sleep(0.1)
        raise Failed("entries wait and wait")


class Server:
    """Another server: a process of ours, from when it takes connections until the end of a `with`."""

    def __init__(self, workplace, name, port, *command, directory=None):
        self.log_path = workplace.own / f"{name}.log"
        self.name, self.port, self.command, self.directory = name, port, command, directory
        self.workplace = workplace

    def __enter__(self):
        with open(self.log_path, "w") as log:
            self.process = subprocess.Popen(
                [str(word) for word in self.command], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(600):
            if self.process.poll() is not None:
                raise Failed(f"{self.name} ended: {self.log_path.read_text()}")
            with socket.socket() as connection:
                if connection.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        self.__exit__()
        raise Failed(f"{self.name} takes no connections")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def client(self, *requests):
        return Client(self.workplace, self.port, requests)

    def cpu(self):
        """Seconds of CPU so far, of it and of its workers."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
            processes = [self.process.pid, *(int(child) for child in children.read().split())]
        return sum(processor_time(process) for process in processes)


class Hello(Server):
    """Ten lines of Hummingbird that answer `hello`: what an answer costs that says nothing."""

    def __init__(self, workplace):
        port = free_port()
        super().__init__(workplace, "http-hello", port, workplace.hello(), port)

    def __enter__(self):
        super().__enter__()
        self.expected = self.workplace.own / "hello.expected"
        self.expected.write_text("hello")
        self.hello = self.client(Request("/", answer=Answer.part(self.expected, 0, 5, 200)))
        return self


class Nginx(Server):
    """nginx on a directory, by one port with sendfile and by one without."""

    def __init__(self, workplace, root):
        self.with_sendfile, self.without = free_port(), free_port()
        directory = workplace.own / "nginx"
        directory.mkdir(exist_ok=True)
        configuration = directory / "nginx.conf"
        servers = "\n".join(
            f"server {{ listen 127.0.0.1:{port} backlog=1024; sendfile {sendfile}; root {root}; }}"
            for port, sendfile in ((self.with_sendfile, "on"), (self.without, "off")))
        temporary = "\n".join(
            f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = f"user {getpass.getuser()};" if os.getuid() == 0 else ""
        configuration.write_text(
            f"daemon off; {user} worker_processes auto; pid {directory}/pid; error_log stderr;\n"
            f"events {{ worker_connections 1024; }}\n"
            f"http {{ access_log off; keepalive_requests 1000000000; {temporary}\n{servers}\n}}\n")
        super().__init__(workplace, "nginx", self.without, "/usr/sbin/nginx", "-c", configuration, "-e", "stderr")


class Dav(Server):
    """nginx that stores what is PUT below a directory."""

    def __init__(self, workplace, root):
        port = free_port()
        directory = workplace.own / "nginx-dav"
        directory.mkdir(exist_ok=True)
        configuration = directory / "nginx.conf"
        # On the file system of the directory, so that a whole body is renamed and not copied.
        temporary = " ".join(
            f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = f"user {getpass.getuser()};" if os.getuid() == 0 else ""
        configuration.write_text(
            f"daemon off; {user} worker_processes auto; pid {directory}/pid; error_log stderr;\n"
            "events { worker_connections 1024; }\n"
            f"http {{ access_log off; keepalive_requests 1000000000; {temporary}\n"
            f"server {{ listen 127.0.0.1:{port}; root {root}; client_max_body_size 0; dav_methods PUT; }} }}\n")
        super().__init__(workplace, "nginx-dav", port, "/usr/sbin/nginx", "-c", configuration, "-e", "stderr")


class Nchan(Server):
    """nginx with its module for publishing and subscribing: one channel."""

    def __init__(self, workplace):
        port = free_port()
        directory = workplace.own / "nchan"
        directory.mkdir(exist_ok=True)
        configuration = directory / "nginx.conf"
        temporary = " ".join(
            f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = f"user {getpass.getuser()};" if os.getuid() == 0 else ""
        configuration.write_text(
            "load_module /usr/lib/nginx/modules/ngx_nchan_module.so;\n"
            f"daemon off; {user} worker_processes auto; pid {directory}/pid; error_log stderr;\n"
            "events { worker_connections 1024; }\n"
            f"http {{ access_log off; keepalive_requests 1000000000; {temporary}\n"
            f"server {{ listen 127.0.0.1:{port} backlog=1024;\n"
            "location = /publish { nchan_publisher; nchan_channel_id bench; }\n"
            "location = /follow { nchan_subscriber; nchan_channel_id bench; } } }\n")
        super().__init__(workplace, "nchan", port, "/usr/sbin/nginx", "-c", configuration, "-e", "stderr")


class Datasette(Server):
    """Datasette over a copy of an index that lacks the table of the search text, whose tokenizer it does not have."""

    def __init__(self, workplace, index):
        port = free_port()
        copy = workplace.own / "datasette.sqlite"
        copy.unlink(missing_ok=True)
        with closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as from_, closing(sqlite3.connect(copy)) as to:
            from_.backup(to)
            to.execute("PRAGMA writable_schema = ON")
            to.execute("DELETE FROM sqlite_schema WHERE name = 'search'")
            to.commit()
        super().__init__(
            workplace, "datasette", port, workplace.python(), "-m", "datasette", "serve", copy, "--host", "127.0.0.1",
            "--port", port, directory=workplace.own)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def raw_head(port, request):
    """The lines of the head of an answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request.bytes())
        head = b""
        while b"\r\n\r\n" not in head:
            piece = connection.recv(65536)
            check(piece, f"{request.path} is not answered")
            head += piece
    return head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")


def processor_time(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def header(session):
    return json.loads((session / "session.json").read_text())


# The ids that this makes begin like those of a day in 2026 on which the generator makes none.
ID_PREFIX = "01KZ"
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_id(number):
    """A ULID of our own; a higher number has a later one."""
    text = ""
    for _ in range(26 - len(ID_PREFIX)):
        text = DIGITS[number & 31] + text
        number >>= 5
    return ID_PREFIX + text


def copy_session(workplace, session, root, number):
    """A copy that may be changed, with an id of its own: the first session of each root has the same."""
    copy = workplace.copy(session, root)
    if copy.name == session.name:
        copy = copy.rename(copy.with_name(f"{session.name}-{number}"))
    file = copy / "session.json"
    file.write_text(file.read_text().replace(header(session)["id"], new_id(number), 1))
    return copy
