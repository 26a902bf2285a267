"""Reads what trace has exported with other people's libraries, and prints what they see: an array of [milliseconds, text].

usage: read_back.py FORMAT FILE

FILE.again is what the library saves, where it writes the format.
"""

import csv
import html
import json
import sys


def from_audacity(path):
    """Two times in seconds and a text, separated by tabs; a line that begins with a backslash has the frequencies of the label before it."""
    with open(path, newline="\n", encoding="utf-8") as file:
        labels = [line.rstrip("\n").split("\t") for line in file if not line.startswith("\\")]
    assert all(len(label) == 3 and float(label[0]) <= float(label[1]) for label in labels), labels
    return [[round(float(start) * 1000), text] for start, _, text in labels]


def from_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [[int(row["offset_ms"]), row["label"]] for row in csv.DictReader(file)]


def from_tsv(path):
    with open(path, newline="\n", encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [[int(row["offset_ms"]), row["label"]] for row in rows]


def from_reaper(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [[clock(row["Start"]), row["Name"]] for row in csv.DictReader(file)]


def from_podcast(path):
    with open(path, encoding="utf-8") as file:
        chapters = json.load(file)["chapters"]
    return [[round(chapter["startTime"] * 1000), chapter.get("title", "")] for chapter in chapters]


def from_webvtt(path):
    import webvtt

    captions = webvtt.read(path)
    with open(path + ".again", "w", encoding="utf-8") as file:
        captions.write(file)
    # It leaves entities to those who show the text.
    return [[clock(caption.start), html.unescape(caption.text)] for caption in captions]


def from_otio(path):
    import opentimelineio as otio

    timeline = otio.adapters.read_from_file(path, "otio_json")
    otio.adapters.write_to_file(timeline, path + ".again", "otio_json")
    return [
        [round(marker.marked_range.start_time.to_seconds() * 1000), marker.name] for marker in timeline.tracks.markers]


def from_edl(path):
    """Each event's place in the timeline, at 25 frames a second, and the comment that Resolve takes for its marker."""
    import opentimelineio as otio

    timeline = otio.adapters.read_from_file(path, "cmx_3600", rate=25)
    otio.adapters.write_to_file(timeline, path + ".again", "cmx_3600", rate=25)
    hour = 3600 * 25
    return [
        [round((clip.trimmed_range().start_time.value - hour) * 40), clip.metadata["cmx_3600"]["comments"][0]]
        for clip in timeline.find_clips()]


def clock(text):
    *minutes, seconds = text.split(":")
    total = 0
    for part in minutes:
        total = total * 60 + int(part)
    return total * 60000 + round(float(seconds) * 1000)


print(json.dumps(globals()["from_" + sys.argv[1]](sys.argv[2]), ensure_ascii=False))
