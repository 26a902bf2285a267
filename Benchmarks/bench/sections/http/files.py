"""A recording of 1 GiB, whole and by ranges, beside nginx with and without sendfile."""

import random

from load import Answer, Request, pooled
from measuring import Bar, Figure, alternating, quantile, ratio
from serving import API, Nginx
from workplace import RECORDING, RECORDING_ID

RANGE = 64 * 1024
CONNECTIONS = 32


def run(workplace):
    session = workplace.recording()
    file = session / "media" / RECORDING
    size = file.stat().st_size
    seconds = 5 if workplace.scale >= 1 else 1
    with API(workplace, "files", session.parent) as api, Nginx(workplace, session) as nginx:
        api.await_rest()

        def ours(answer, **fields):
            return api.request(f"/sessions/{RECORDING_ID}/files/media/{RECORDING}", fields=fields, answer=answer)

        def theirs(answer, **fields):
            return Request(f"/media/{RECORDING}", fields=fields, answer=answer)

        # Byte for byte once, where no clock runs; then only the length, for comparing costs as much as sending.
        whole, length = Answer.part(file, 0, size, 200), Answer.length(size)
        with_sendfile = nginx_client(nginx, nginx.with_sendfile)
        for client in (api.client(ours(whole)), with_sendfile(theirs(whole)), nginx.client(theirs(whole))):
            client.count(1)
        clients = {
            "ours": (api, api.client(ours(length))), "on": (nginx, with_sendfile(theirs(length))),
            "off": (nginx, nginx.client(theirs(length)))}
        runs = alternating(
            workplace.times(7), **{name: lambda pair=pair: with_cpu(*pair) for name, pair in clients.items()})
        names = {"ours": "GET …/files/media/…", "on": "nginx, sendfile on", "off": "nginx, sendfile off"}
        figures = {
            key: Figure(
                f"{name}, {size >> 20:,} MiB", [load.latencies[0] for load, _ in runs[key]], turn=runs[key].turn,
                cpu=sum(cpu for _, cpu in runs[key]) / len(runs[key]))
            for key, name in names.items()}
        yield from figures.values()
        yield Bar.of("whole file, speed to nginx with sendfile", ratio, figures["on"], figures["ours"], at_least=0.3)
        yield Bar.of("whole file, speed to nginx without sendfile", ratio, figures["off"], figures["ours"], at_least=0.6)
        used = {
            key: Figure(f"{names[key]}, CPU of a GiB", [cpu / size * 2**30 for _, cpu in runs[key]], turn=runs[key].turn)
            for key in ("ours", "off")}
        yield from used.values()
        # A kernel that counts ticks sees no less than one.
        used["off"].values = [max(value, 0.01) for value in used["off"].values]
        yield Bar.of("whole file, CPU to nginx without sendfile", ratio, *used.values(), at_most=4)

        places = list(ranges(workplace, size))
        client, peer = (
            server.client(*(
                request(Answer.part(file, first, count), Range=f"bytes={first}-{first + count - 1}") for first, count in places))
            for server, request in ((api, ours), (nginx, theirs)))
        runs = alternating(
            workplace.times(5), ours=lambda: client.seconds(seconds, connections=CONNECTIONS),
            nginx=lambda: peer.seconds(seconds, connections=CONNECTIONS))
        names = {"ours": "ranges of 64 KiB", "nginx": "nginx, sendfile off, ranges of 64 KiB"}
        rates, late = {}, {}
        for key, name in names.items():
            rates[key] = Figure(
                f"{name}, {CONNECTIONS} connections", [load.rate for load in runs[key]], unit="/s", turn=runs[key].turn)
            late[key] = Figure(
                f"{name}, p99", [load.p99 for load in runs[key]], turn=runs[key].turn,
                note=f"of all {quantile(pooled(runs[key]), 0.99) * 1000:.2f} ms")
        yield from (*rates.values(), *late.values())
        yield Bar.of("random ranges to nginx, answers a second", ratio, rates["ours"], rates["nginx"], at_least=0.5)
        yield Bar.of("random ranges to nginx, p99", ratio, late["ours"], late["nginx"], at_most=2)


def nginx_client(nginx, port):
    """A client of another port of the same nginx."""

    def client(*requests):
        made = nginx.client(*requests)
        made.address = port
        return made

    return client


def with_cpu(server, client):
    before = server.cpu()
    load = client.count(1)
    return load, server.cpu() - before


def ranges(workplace, size):
    """First byte and length of 2,000 places, on no border of anything."""
    dice = random.Random(workplace.seed)
    for _ in range(2_000 if workplace.scale >= 1 else 200):
        first = dice.randrange(max(1, size - RANGE))
        yield first, min(RANGE, size - first)
