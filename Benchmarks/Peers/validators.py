"""Validates each line of a file with one of PyPI's JSON Schema validators.

usage: validators.py jsonschema-rs|fastjsonschema|jsonschema SCHEMA FILE [LINES]

Prints how many lines are valid; only the first LINES are read where that is given.
"""

import itertools
import sys


def validator(name, schema):
    """A function from a decoded record to whether it is valid."""
    if name == "jsonschema-rs":
        import jsonschema_rs

        return jsonschema_rs.validator_for(schema).is_valid
    if name == "fastjsonschema":
        import fastjsonschema

        check = fastjsonschema.compile(schema)

        def is_valid(record):
            try:
                check(record)
                return True
            except fastjsonschema.JsonSchemaException:
                return False

        return is_valid
    if name == "jsonschema":
        import jsonschema

        return jsonschema.Draft202012Validator(schema).is_valid
    sys.exit(f"error: '{name}' is no validator that is known here")


def main():
    name, schema, file, *limit = sys.argv[1:]
    import orjson

    with open(schema, "rb") as text:
        is_valid = validator(name, orjson.loads(text.read()))
    loads = orjson.loads
    valid = 0
    with open(file, "rb") as lines:
        for line in itertools.islice(lines, int(limit[0]) if limit else None):
            valid += is_valid(loads(line))
    print(valid)


if __name__ == "__main__":
    main()
