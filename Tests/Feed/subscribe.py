"""Subscribes to a feed as a podcast app does, by feedparser of PyPI, and fetches what belongs to each episode; prints it as JSON.

    subscribe.py ADDRESS
"""

import io
import json
import sys
import urllib.request
import xml.dom.minidom

import feedparser
import webvtt


def get(address, **fields):
    request = urllib.request.Request(address, headers={name.replace("_", "-"): value for name, value in fields.items()})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.status, answer.headers, answer.read()


address = sys.argv[1]
feed = feedparser.parse(address)
status, headers, document = get(address)
channel = xml.dom.minidom.parseString(document).getElementsByTagName("channel")[0]


def beside(item, name):
    found = item.getElementsByTagName(name)
    return found[0].getAttribute("url") if found else None


def described(element):
    return {"text": element.getAttribute("text") or "".join(node.data for node in element.childNodes if node.nodeType == node.TEXT_NODE),
            **dict(element.attributes.items())}


elements = {}
for element in channel.childNodes:
    if element.nodeType == element.ELEMENT_NODE and element.tagName != "item":
        elements.setdefault(element.tagName, []).append(described(element))

again = feedparser.parse(address, etag=feed.etag)
episodes = []
for entry, item in zip(feed.entries, channel.getElementsByTagName("item")):
    enclosure = entry.enclosures[0]
    status, part, some = get(enclosure.href, Range="bytes=100-299")
    chapters = json.loads(get(beside(item, "podcast:chapters"))[2])
    transcript = beside(item, "podcast:transcript")
    cues = webvtt.from_buffer(io.StringIO(get(transcript)[2].decode())).captions if transcript else []
    episodes.append({
        "title": entry.title, "guid": entry.id, "isLink": entry.guidislink, "published": entry.get("published"),
        "summary": entry.summary, "audio": enclosure.href, "type": enclosure.type, "length": int(enclosure.length),
        "duration": entry.get("itunes_duration"), "sent": part["Content-Range"], "part": some.hex(), "status": status,
        "chapters": chapters["chapters"], "cues": [[cue.start_in_seconds, cue.raw_text] for cue in cues],
    })
print(json.dumps({
    "bozo": bool(feed.bozo), "why": str(feed.get("bozo_exception", "")), "title": feed.feed.title, "again": again.status,
    "type": headers["Content-Type"], "blocked": feed.feed.get("itunes_block"), "channel": elements, "episodes": episodes,
}))
