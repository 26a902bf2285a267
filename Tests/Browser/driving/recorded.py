"""Sessions that are made for a scenario: tones and silence of given lengths, markers, and what was said."""

import array
import itertools
import json
import math
import wave

RATE = 8000
START = "2026-02-05T20:00:00.000Z"
NUMBERS = itertools.count(1)


def ulid():
    return f"01KGQ0{next(NUMBERS):020}"


def tone(file, *seconds):
    """A WAV file: a tone of so many seconds, then so many of silence, and again a tone."""
    with wave.open(str(file), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        for number, length in enumerate(seconds):
            level = 0 if number % 2 else 9000
            out.writeframes(array.array("h", (int(level * math.sin(t * 2 * math.pi * 440 / RATE))
                                              for t in range(round(length * RATE)))).tobytes())
    return file


def recorded(served, title, recordings, markers=(), transcript=()):
    """
    A closed session, and its id. `recordings` are pairs of where one begins (s) and the lengths of its tones and silences;
    `markers` are members of records beside the usual ones; `transcript` has triples of offset, length (ms) and text.
    """
    id, place = ulid(), served.sessions / title.lower().replace(" ", "-")
    (place / "media").mkdir(parents=True)
    media = []
    for start, seconds in recordings:
        name = ulid()
        tone(place / f"media/{name}.wav", *seconds)
        media.append({"id": name, "kind": "audio", "path": f"media/{name}.wav", "mime": "audio/wav", "created_at": START,
                      "start_offset_ms": round(start * 1000), "duration_ms": round(sum(seconds) * 1000)})
    lines = [{"id": ulid(), "created_at": START, "source": "user", "tags": ["highlight"], **one} for one in markers]
    said = [{"id": ulid(), "offset_ms": offset, "duration_ms": length, "text": text, **dict(more)} for offset, length, text, *more in transcript]
    end = max(item["start_offset_ms"] + item["duration_ms"] for item in media)
    for name, records in (("markers.jsonl", lines), ("transcript.jsonl", said)):
        (place / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    (place / "session.json").write_text(json.dumps({
        "id": id, "title": title, "created_at": START, "updated_at": START, "status": "closed", "start_time": START,
        "end_time": "2026-02-05T22:00:00.000Z", "duration_ms": end, "timeline_path": None, "markers_path": "markers.jsonl",
        "transcript_path": "transcript.jsonl" if said else None, "voice_notes_path": None, "digest_path": None, "media": media}))
    served.soon(lambda: any(row["session_id"] == id for row in served.ask("sessions")), f"the session {title}")
    return id
