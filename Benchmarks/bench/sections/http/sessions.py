"""The first 50 of 2,000 sessions, beside hello, Datasette over the same index and the command."""

import json
from urllib.parse import urlencode

from load import Answer, Request
from measuring import Bar, Figure, alternating, check, ratio
from sections.restart import ACTION_RUNS, MARKERS, VOICE_NOTES
from serving import API, Datasette, Hello

LIMIT = 50
CONNECTIONS = 8
# The rows that the API makes, as Datasette is asked for them: the 50 first, then what is counted of each.
QUESTION = f"""
WITH listed AS (
  SELECT id, CAST(path AS TEXT) AS path, journal_id, title, status, epoch_ms, end_ms, duration_ms
  FROM source JOIN session ON session.source_id = source.id ORDER BY epoch_ms DESC, source.path LIMIT {LIMIT})
SELECT listed.*,
  (SELECT count(*) FROM record WHERE source_id = listed.id AND is_authoritative
     AND kind = (SELECT code FROM record_kind WHERE name = 'marker')) AS marker_count,
  (SELECT count(*) FROM record WHERE source_id = listed.id AND is_authoritative
     AND kind = (SELECT code FROM record_kind WHERE name = 'voice_note')) AS voice_note_count,
  (SELECT count(*) FROM finding WHERE source_id = listed.id AND severity = 'error') AS errors,
  (SELECT count(*) FROM finding WHERE source_id = listed.id AND severity = 'warning') AS warnings
FROM listed
"""


def run(workplace):
    count = workplace.scaled(2_000)
    seconds = 3 if workplace.scale >= 1 else 1
    root = workplace.sessions(count, MARKERS, VOICE_NOTES, ACTION_RUNS)
    with Hello(workplace) as hello, API(workplace, "list", root) as api:
        api.await_rest()
        with Datasette(workplace, api.index) as datasette:
            body, request = api.kept("list", f"/sessions?limit={LIMIT}")
            tag = api.field("ETag", request)
            unchanged = api.client(
                api.request(f"/sessions?limit={LIMIT}", fields={"If-None-Match": tag}, answer=Answer.length(0, 304)))
            peer = datasette.client(rows_of_datasette(workplace, datasette, body, min(LIMIT, count)))
            ours = api.client(request)
            alone = alternating(
                workplace.times(10), hello=lambda: hello.hello.seconds(1), ours=lambda: ours.seconds(1),
                datasette=lambda: peer.seconds(1), command=lambda: command(api, count))
            busy = alternating(
                workplace.times(5), hello=lambda: hello.hello.seconds(seconds, connections=CONNECTIONS),
                ours=lambda: ours.seconds(seconds, connections=CONNECTIONS),
                unchanged=lambda: unchanged.seconds(seconds, connections=CONNECTIONS),
                datasette=lambda: peer.seconds(seconds, connections=CONNECTIONS))
    names = {"hello": "hello", "ours": f"GET /sessions?limit={LIMIT} of {count:,}", "datasette": "Datasette, the same rows"}
    middle = {
        key: Figure(f"{name}, p50", [load.p50 for load in alone[key]], turn=alone[key].turn) for key, name in names.items()}
    command_figure = Figure.of("trace sessions --json", alone["command"], "all of them")
    names["unchanged"] = f"GET /sessions?limit={LIMIT}, If-None-Match"
    rates = {
        key: Figure(
            f"{names[key]}, {CONNECTIONS} connections", [load.rate for load in busy[key]], unit="/s", turn=busy[key].turn)
        for key in ("hello", "ours", "unchanged", "datasette")}
    yield from (*middle.values(), command_figure, *rates.values())
    yield Bar.of(
        f"GET /sessions?limit={LIMIT}, p50 beyond that of hello", lambda ours, hello: ours - hello, middle["ours"],
        middle["hello"], at_most=0.003, unit="s")
    yield Bar.of("GET /sessions to Datasette, answers a second", ratio, rates["ours"], rates["datasette"], at_least=10)
    yield Bar.of("GET /sessions, p50, to trace sessions --json", ratio, middle["ours"], command_figure, at_most=0.5)
    yield Bar.of(
        "GET /sessions with If-None-Match to hello, answers a second", ratio, rates["unchanged"], rates["hello"],
        at_least=0.5)


def command(api, count):
    run = api.trace("sessions", "--json")
    check(run.output.count('"handle"') + run.output.count('"session_path"') >= count, "trace sessions lists fewer")
    return run


def rows_of_datasette(workplace, datasette, ours, count):
    """The request to Datasette, whose rows must be ours."""
    query = urlencode({"sql": QUESTION, "_shape": "array"})
    request = Request(f"/datasette.json?{query}")
    _, body = datasette.client(request).once()
    theirs, own = json.loads(body), json.loads(ours)
    check(len(theirs) == count, f"Datasette answers with {len(theirs)} rows instead of {count}")
    pairs = (("journal_id", "session_id"), ("marker_count", "marker_count"), ("voice_note_count", "voice_note_count"))
    for their, our in pairs:
        check([row[their] for row in theirs] == [row[our] for row in own], f"Datasette has another {their}")
    file = workplace.own / "datasette.expected"
    file.write_bytes(body)
    request.answer = Answer.part(file, 0, len(body), 200)
    return request
