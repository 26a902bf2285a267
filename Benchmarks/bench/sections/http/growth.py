"""How the list, a search and the memory grow from 2,000 to 20,000 sessions."""

from measuring import Bar, Figure, alternating, check, ratio
from sections.restart import ACTION_RUNS, MARKERS, VOICE_NOTES
from serving import API

LIMIT = 50
# It stands in one marker of the first session, which archives of all sizes begin with; so the search finds as much in each.
WORDS = "melody reverb"


def run(workplace):
    sizes = [workplace.scaled(count) for count in (2_000, 20_000)]
    roots = [workplace.sessions(count, MARKERS, VOICE_NOTES, ACTION_RUNS) for count in sizes]
    for count, root in zip(sizes, roots):
        # So that memory is that of a later start, and the search text is there.
        with API(workplace, f"growth-{count}", root) as api:
            api.await_rest()
            api.local_client(api.search(WORDS)).count(1)
    with API(workplace, f"growth-{sizes[0]}", roots[0]) as few, API(workplace, f"growth-{sizes[1]}", roots[1]) as many:
        resident = []
        for api in (few, many):
            api.await_rest()
            resident.append(api.resident())
        subjects = {}
        for name, api, count in (("few", few, sizes[0]), ("many", many, sizes[1])):
            body, request = api.kept(f"growth-{name}", f"/sessions?limit={LIMIT}")
            check(body.count(b'"handle"') == min(LIMIT, count), f"{body.count(b'handle')} rows of {count} sessions")
            subjects[f"list {name}"] = lambda one=api.client(request): one.seconds(1)
            hits = api.local_client(api.search(WORDS))
            _, found = hits.once()
            check(found.count(b'"handle"') > 0, f"'{WORDS}' is found nowhere")
            subjects[f"search {name}"] = lambda one=hits: one.seconds(1)
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

