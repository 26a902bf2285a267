"""What is measured: a function a section, which yields figures and bars."""

from . import (
    append, archive, before, digest, export, importing, index, listing, mark, polling, practice, question, restart, search, start,
    validate, watched)
from .http import events, files, growth, health, markers, sessions, slow, streams, uploads, writes

ALL = {
    "start": start.run,
    "mark": mark.run,
    "question": question.run,
    "listing": listing.run,
    "append": append.run,
    "restart": restart.run,
    "polling": polling.run,
    "archive": archive.run,
    "watched": watched.run,
    "index": index.run,
    "search": search.run,
    "validate": validate.run,
    "practice": practice.run,
    "digest": digest.run,
    "export": export.run,
    "import": importing.run,
    "http-health": health.run,
    "http-sessions": sessions.run,
    "http-markers": markers.run,
    "http-files": files.run,
    "http-streams": streams.run,
    "http-events": events.run,
    "http-put": writes.run,
    "http-drain": writes.drain,
    "http-batch": writes.batch,
    "http-large": writes.large_bodies,
    "http-uploads": uploads.run,
    "http-growth": growth.run,
    "http-slow": slow.run,
    "before-commands": before.commands,
    "before-imports": before.imports,
    "before-interface": before.interface,
}

# What measures an earlier version too, whose programs have to be named.
BESIDE = [name for name in ALL if name.startswith("before-")]


def named(names):
    """The sections of some names; `http` stands for all whose names begin with `http-`.

    - Raises `KeyError` with the first name that is none.
    """
    chosen = []
    for name in names:
        some = [section for section in ALL if section == name or section.startswith(f"{name}-")]
        if not some:
            raise KeyError(name)
        chosen += some
    return list(dict.fromkeys(chosen))
