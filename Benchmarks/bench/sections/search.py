"""Searches in 1,000,000 markers, as whole processes."""

import json

from measuring import Figure, alternating, check


def run(workplace):
    session = workplace.large_session()
    count = workplace.scaled(1_000_000)
    environment = workplace.environment(session.parent, "search")
    workplace.run(workplace.trace, "index", "rebuild", environment=environment)

    def search(*words, limit=20):
        return workplace.run(
            workplace.trace, "search", *words, "--limit", limit, "--json", environment=environment)

    # Fills in the search text, and finds the words to search for: those of a marker in the middle.
    search(common_words(session)[0])
    words = common_words(session)
    for result in search(words[0], words[1]), search(words[0][:3] + "*"):
        check(json.loads(result.output), f"nothing is found by {words}")
    runs = alternating(
        workplace.times(20), one=lambda: search(words[0]), two=lambda: search(words[0], words[1]),
        prefix=lambda: search(words[0][:3] + "*"))
    yield Figure.of(f"trace search WORD, the best 20 in {count:,} markers", runs["one"])
    yield Figure.of("trace search WORD WORD", runs["two"])
    yield Figure.of("trace search BEGINNING*", runs["prefix"])


def common_words(session):
    """Two words that stand in one marker's note, the longest."""
    with open(session / "markers.jsonl") as lines:
        marker = json.loads(next(lines))
    letters = "".join(c if c.isalpha() else " " for c in marker.get("note", "") + " " + marker.get("label", ""))
    return sorted(set(letters.split()), key=len, reverse=True)[:2]
