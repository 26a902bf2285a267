"""How the list, a search and the memory grow from 2,000 to 20,000 sessions."""

import json
import re

from measuring import Bar, Figure, alternating, check, ratio
from sections.restart import ACTION_RUNS, MARKERS, VOICE_NOTES
from serving import API, copy_session
from workplace import first_session

LIMIT = 50
# No generated text has it: the search finds as much in archives of all sizes.
WORD = "xylorimba"
# So many that none is asked again while its answer is remembered.
QUESTIONS = 1_000


def moments():
    """Different moments before all sessions."""
    return [f"2001-01-01T00:00:00.{number:03}Z" for number in range(QUESTIONS)]


def run(workplace):
    sizes = [workplace.scaled(count) for count in (2_000, 20_000)]
    rare = copy_session(workplace, first_session(workplace.sessions(1, 10)), "rare", 3)
    markers = rare / "markers.jsonl"
    markers.write_text(re.sub(r'"label":"[^"]*"', f'"label":"{WORD} solo"', markers.read_text()))
    roots = [(workplace.sessions(count, MARKERS, VOICE_NOTES, ACTION_RUNS), rare.parent) for count in sizes]
    for count, root in zip(sizes, roots):
        # So that memory is that of a later start, and the search text is there.
        with API(workplace, f"growth-{count}", *root) as api:
            api.await_rest()
            api.local_client(api.search(WORD)).count(1)
    with API(workplace, f"growth-{sizes[0]}", *roots[0]) as few, API(workplace, f"growth-{sizes[1]}", *roots[1]) as many:
        resident = []
        for api in (few, many):
            api.await_rest()
            resident.append(api.resident())
        subjects, found_counts = {}, []
        for name, api, count in (("few", few, sizes[0]), ("many", many, sizes[1])):
            body, first = api.kept(f"growth-{name}", f"/sessions?limit={LIMIT}")
            check(body.count(b'"handle"') == min(LIMIT, count + 1), f"{body.count(b'handle')} rows of {count} sessions")
            lists = [api.request(f"/sessions?limit={LIMIT}&since={moment}", answer=first.answer) for moment in moments()]
            subjects[f"list {name}"] = lambda one=api.client(*lists): one.seconds(1)
            hits = api.local_client(*(
                api.request(f"/search?q={WORD}&limit=20&since={moment}", token=None) for moment in moments()))
            _, found = api.local_client(api.search(WORD)).once()
            found_counts.append(len(json.loads(found)))
            subjects[f"search {name}"] = lambda one=hits: one.seconds(1)
        check(min(found_counts) == max(found_counts) > 0, f"'{WORD}' is found in {found_counts} records")
        runs = alternating(workplace.times(10), **subjects)
        busy = [api.resident() for api in (few, many)]
    for what, title in (("list", f"GET /sessions?limit={LIMIT}"), ("search", "GET /search")):
        small, large = (
            Figure(
                f"{title}, {count:,} sessions, p50", [load.p50 for load in runs[f"{what} {name}"]],
                turn=runs[f"{what} {name}"].turn)
            for name, count in (("few", sizes[0]), ("many", sizes[1])))
        yield from (small, large)
        yield Bar.of(f"{title}, {sizes[1]:,} sessions to {sizes[0]:,}, p50", ratio, large, small, at_most=2)
    for when, values in (("at rest", resident), ("after the questions", busy)):
        small, large = (
            Figure(f"resident {when}, {count:,} sessions", [value], unit="MB") for count, value in zip(sizes, values))
        yield from (small, large)
        yield Bar.of(f"resident {when}, {sizes[1]:,} sessions to {sizes[0]:,}", ratio, large, small, at_most=1.5)

