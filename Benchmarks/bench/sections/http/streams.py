"""200 players of 256 kbit/s: what the daemon holds of each, and what it gives back."""

import random
import subprocess
import time

from load import PATIENCE, Answer
from measuring import Bar, Failed, Figure, check
from sections.restart import ACTION_RUNS, MARKERS, VOICE_NOTES
from serving import API
from workplace import RECORDING, RECORDING_ID

STREAMS = 200
BYTES_PER_SECOND = 256_000 // 8


def run(workplace):
    count = workplace.scaled(2_000)
    session = workplace.recording()
    roots = workplace.sessions(count, MARKERS, VOICE_NOTES, ACTION_RUNS), session.parent
    with API(workplace, "streams", *roots) as api:
        api.await_rest()
    # Beside the same index, and started the same way.
    with API(workplace, "streams", *roots, listens=False) as daemon:
        daemon.await_rest()
        off = daemon.resident()
    with API(workplace, "streams", *roots) as api:
        # What the first answer takes, above all the program's code, is there from then on.
        api.client(
            api.request("/sessions?limit=50"),
            api.request(
                f"/sessions/{RECORDING_ID}/files/media/{RECORDING}", fields={"Range": "bytes=0-99999"},
                answer=Answer((206,)))).count(2)
        api.await_rest()
        rest = api.resident()
        most, used = stream(workplace, api, session)
        api.await_rest()
        after = api.resident()
    each = (most - rest) * 1e6 / 1024 / STREAMS
    yield Figure(f"resident, {count:,} sessions, HTTP off", [off], unit="MB")
    yield Figure("the same, HTTP on, at rest", [rest], unit="MB")
    yield Figure(f"the same with {STREAMS} streams", [most], unit="MB", note="the most that was seen")
    yield Figure("CPU of the streams, part of a core", [used * 100], unit="%")
    yield Figure("resident after them", [after], unit="MB")
    yield Bar("resident, HTTP off", off, at_most=40, unit="MB")
    yield Bar("resident at rest, HTTP on", rest, at_most=48, unit="MB")
    yield Bar(f"resident with {STREAMS} streams", most, at_most=90, unit="MB")
    yield Bar("growth a stream", each, at_most=150, unit="KiB")
    yield Bar("resident after the streams, beyond before", after - rest, at_most=5, unit="MB")


def stream(workplace, api, session):
    """The most that is resident while all of them play, and the part of a core that this takes."""
    seconds = 60 if workplace.scale >= 1 else 5
    file = session / "media" / RECORDING
    size = file.stat().st_size
    dice = random.Random(workplace.seed)
    requests = []
    for _ in range(STREAMS):
        first = dice.randrange(max(1, size - 2 * seconds * BYTES_PER_SECOND))
        requests.append(api.request(
            f"/sessions/{RECORDING_ID}/files/media/{RECORDING}", fields={"Range": f"bytes={first}-"},
            answer=Answer((206,), "start", file, first, size - first)))
    client = api.client(*requests)
    before = api.cpu()
    players = subprocess.Popen(
        client.command("pace", seconds, BYTES_PER_SECOND, connections=STREAMS), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    most, end = 0, time.monotonic() + PATIENCE
    while players.poll() is None and time.monotonic() < end:
        most = max(most, api.resident())
        time.sleep(0.25)
    if players.poll() is None:
        players.kill()
    output, errors = players.communicate()
    if players.returncode != 0:
        raise Failed(f"http_load: {errors.strip()}")
    totals = [int(line) for line in output.splitlines()[1:]]
    check(len(totals) == STREAMS, f"{len(totals)} streams of {STREAMS}")
    least = min(totals) / seconds
    check(least > 0.9 * BYTES_PER_SECOND, f"a stream had {least:.0f} bytes a second instead of {BYTES_PER_SECOND}")
    return most, (api.cpu() - before) / seconds
