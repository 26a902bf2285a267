"""Says of each line of a JSONL file whether it is valid under a JSON Schema document: a line of 1 or 0 for each.

usage: agree.py SCHEMA RECORDS
"""

import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError as error:
    sys.exit(f"error: {sys.executable} has no jsonschema 4.10 or later ({error})\n"
             "  hint: apt-get install python3-jsonschema, as 'make test' does")


def is_valid(line, validator):
    try:
        record = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return validator.is_valid(record)


def main(schema_path, records_path):
    with open(schema_path, "rb") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    with open(records_path, "rb") as file:
        for line in file:
            print(1 if is_valid(line, validator) else 0)


main(*sys.argv[1:])
