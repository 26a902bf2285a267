"""The digest of a session, by its files alone and with a current index, beside jq counting the categories."""

import json

from measuring import Bar, Figure, alternating, check, plain
from workplace import first_session


def run(workplace):
    peaks = {}
    for size in (100_000, 1_000_000):
        count = workplace.scaled(size)
        # The first session is active: what it holds tells how long it is, and it is gone through once more for that.
        session = first_session(workplace.sessions(1, count))
        outside = workplace.environment(workplace.own / "elsewhere", f"digest-files-{size}")
        inside = workplace.environment(session.parent, f"digest-index-{size}")
        workplace.run(workplace.trace, "index", "rebuild", environment=inside)

        def trace(environment):
            return workplace.run(workplace.trace, "digest", "show", "--json", session, environment=environment)

        def jq():
            return workplace.run(
                "jq", "-n", "-c", "reduce (inputs | .tags[]?) as $tag ({}; .[$tag] += 1)",
                session / "markers.jsonl")

        runs = alternating(
            workplace.times(5), files=lambda: trace(outside), index=lambda: trace(inside))
        check(runs["files"][0].output == runs["index"][0].output, "files and index answer differently")
        peer = jq()
        check_counts(runs["files"][0].output, peer.output)
        files = Figure.of(f"trace digest show, {count:,} markers, from the files", runs["files"])
        index = Figure.of(f"trace digest show, {count:,} markers, with the index", runs["index"])
        peaks[size] = index.peak
        yield files
        yield index
        yield Figure.of(f"jq counts the categories of {count:,} markers", [peer])
    yield Bar.of("digest of 1,000,000 markers from the files", plain, files, at_most=3, unit="s")
    yield Bar.of("digest of 1,000,000 markers with the index", plain, index, at_most=3, unit="s")
    yield Bar(
        "memory with the index, 1,000,000 markers to 100,000", peaks[1_000_000] / peaks[100_000], at_most=1.2)


def check_counts(digest, counts):
    """Whether both have counted the same."""
    ours = json.loads(digest)["counts"]
    theirs = json.loads(counts)
    for name in ("highlight", "structure", "texture-sample", "fix-review"):
        seen = ours[name.replace("-", "_")]
        check(seen == theirs.get(name, 0), f"trace counts {seen} of {name}, jq {theirs.get(name, 0)}")
