"""A running traced, and what it uses."""

import os
import signal
import socket
import subprocess
import time

from measuring import Failed

START_PATIENCE = 600
TICKS = os.sysconf("SC_CLK_TCK")


class Daemon:
    """traced on one root, from its start until READY, stopped at the end of a `with`."""

    def __init__(self, workplace, root, state, under=lambda *command: list(command)):
        self.environment = workplace.environment(root, state)
        self.under = under
        self.program = workplace.traced
        self.log_path = workplace.own / f"{state}.log"
        self.socket_path = str(workplace.own / "notify")

    def __enter__(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener, open(self.log_path, "w") as log:
            if os.path.exists(self.socket_path):
                os.unlink(self.socket_path)
            listener.bind(self.socket_path)
            listener.settimeout(START_PATIENCE)
            environment = {**self.environment, "NOTIFY_SOCKET": self.socket_path}
            start = time.monotonic()
            self.process = subprocess.Popen(self.under(str(self.program)), env=environment, stderr=log)
            while "READY=1" not in listener.recv(65536).decode().splitlines():
                if self.process.poll() is not None:
                    raise Failed(f"traced ended: {self.log_path.read_text()}")
            self.ready_after = time.monotonic() - start
            self.ready_cpu = self.cpu()
        return self

    def __exit__(self, *_):
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(120)
        self.stopped_after = time.monotonic() - start
        if status != 0:
            raise Failed(f"traced ended with {self.process.returncode}: {self.log_path.read_text()}")

    def resident(self):
        """Resident memory in MB (10⁶ bytes)."""
        return self._status("VmRSS") * 1024 / 1e6

    def _status(self, key):
        with open(f"/proc/{self.process.pid}/status") as lines:
            return next(int(line.split()[1]) for line in lines if line.startswith(key))

    def cpu(self):
        """Seconds of CPU so far, all threads."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def await_polls(self, seconds):
        """Waits until it needs no more CPU in some seconds than in as many after them."""
        before = self.cpu()
        time.sleep(seconds)
        used = self.cpu() - before
        for _ in range(START_PATIENCE):
            before, last = self.cpu(), used
            time.sleep(seconds)
            used = self.cpu() - before
            if used > 0.9 * last - 0.05:
                return
        raise Failed("traced does not come to rest")

    def await_rest(self):
        """Waits until a second, and one more, has passed without work."""
        quiet, before = 0, self.cpu()
        for _ in range(START_PATIENCE):
            time.sleep(1)
            now = self.cpu()
            quiet = quiet + 1 if now - before < 0.02 else 0
            before = now
            if quiet == 4:
                return
        raise Failed("traced does not come to rest")
