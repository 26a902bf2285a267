"""What is measured: a function a section, which yields figures and bars."""

from . import append, archive, digest, export, importing, index, listing, mark, polling, question, restart, search, start, validate, watched

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
    "digest": digest.run,
    "export": export.run,
    "import": importing.run,
}
