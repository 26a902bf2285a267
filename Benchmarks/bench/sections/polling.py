"""What traced uses for directories that inotify can't watch."""

import os
import subprocess
import time

from daemon import Daemon
from measuring import Bar, Figure, check, plain
from workplace import say

SESSIONS = 5_000
WATCHES = 16
# The default of poll_interval, in seconds.
INTERVAL = 5


def run(workplace):
    count = workplace.scaled(SESSIONS)
    root = workplace.own / "polling"
    # A copy: sessions are appended to.
    subprocess.run(["cp", "-r", workplace.sessions(count, 10), root], check=True)
    seconds = 60 if workplace.scale >= 1 else 10
    if subprocess.run(few_watches("true"), capture_output=True).returncode != 0:
        say("user namespaces are not permitted here, so watches can't be made few")
        return
    with Daemon(workplace, root, "polling-state", under=few_watches) as daemon:
        daemon.await_polls(2 * INTERVAL)
        before = daemon.cpu()
        time.sleep(seconds)
        used = (daemon.cpu() - before) / seconds * 100
        found = [found_after(workplace, root, number) for number in range(0, count, max(1, count // workplace.times(7)))]
        polling = Figure(f"CPU of traced, {count:,} sessions without watches", [used], unit="%")
        yield polling
        yield Figure("an append there until the index has it", found)
        yield Bar.of("CPU of polling, part of a core", plain, polling, at_most=5, unit="%")
        yield Bar("an append until the index has it, the latest", max(found), at_most=INTERVAL + 1, unit="s")


def few_watches(*command):
    """A command whose user may watch a few directories only."""
    return ["unshare", "-Ur", "sh", "-c", f'echo {WATCHES} > /proc/sys/user/max_inotify_watches && exec "$0" "$@"', *command]


def found_after(workplace, root, number):
    """Seconds from an append until the index has its offset."""
    index = workplace.own / "polling-state" / "index.sqlite"
    session = sorted(root.glob("*/*"))[number]
    offset = 900_000_000 + number
    identifier = f"01J{number:023d}"
    line = (
        f'{{"id":"{identifier}","offset_ms":{offset},"created_at":"2026-02-04T20:01:00.000Z","source":"user"}}\n')
    with open(session / "markers.jsonl", "a") as file:
        file.write(line)
    start = time.monotonic()
    question = f"SELECT count(*) FROM record WHERE offset_ms = {offset}"
    while time.monotonic() - start < 10 * INTERVAL:
        done = subprocess.run(["sqlite3", f"file:{index}?mode=ro", question], capture_output=True, text=True)
        if done.stdout.strip() == "1":
            return time.monotonic() - start
        time.sleep(0.05)
    check(False, f"an append to {session} was not found in {10 * INTERVAL} s")
