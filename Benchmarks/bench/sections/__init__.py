"""What is measured: a function a section, which yields figures and bars."""

from . import append, index, mark, question, restart, start, validate

ALL = {
    "start": start.run,
    "mark": mark.run,
    "question": question.run,
    "append": append.run,
    "restart": restart.run,
    "index": index.run,
    "validate": validate.run,
}
