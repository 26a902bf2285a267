"""What schemathesis does not know of the API: how requests are sent so that no limit stops the run, types of bodies that it can
neither write nor read, and two checks of its own."""

import itertools
import json
import os

import requests
import schemathesis
from schemathesis.core.failures import Failure

TOKENS = os.environ["TOKENS"].split()
"""Some of scope `admin`: one alone may search five times a second. The last one is given up by `logOut`."""

LINES = ("application/jsonl", "application/x-ndjson")

numbers = itertools.count()


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """The schema of lines is that of each line; here they are read and written as an array. And what the description allows to be
    added later is not to be there now."""
    for schema in raw_schema["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            for holder in [operation.get("requestBody", {}), *operation["responses"].values()]:
                for name, media in holder.get("content", {}).items():
                    if name in LINES:
                        media["schema"] = {"type": "array", "items": media["schema"]}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Each request comes from an address of its own, by a proxy that is trusted: twenty wrong tokens would close one."""
    number = next(numbers)
    case.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if case.headers.get("If-Match") == "current":
        answer = requests.get(case.as_transport_kwargs()["url"], headers=case.headers)
        case.headers["If-Match"] = answer.headers.get("ETag", "current")


@schemathesis.auth()
class Tokens:
    def get(self, case, context):
        if case.operation.definition.raw.get("operationId") == "logOut":
            return TOKENS[-1]
        return TOKENS[next(numbers) % (len(TOKENS) - 1)]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.serializer(*LINES)
def write_lines(context, value):
    if isinstance(value, bytes):
        return value
    lines = value if isinstance(value, list) else [value]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@schemathesis.serializer("text/csv", "text/markdown", "application/partial-upload", "*/*")
def write_text(context, value):
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@schemathesis.deserializer(*LINES)
def read_lines(context, response):
    return [json.loads(line) for line in response.content.splitlines()]


@schemathesis.deserializer("text/markdown", "text/html")
def read_text(context, response):
    return response.content.decode()


@schemathesis.check
def declared_success(context, response, case):
    """Every operation may answer with a problem, and no document could name all of them; what it does when all is well is named."""
    declared = case.operation.definition.raw["responses"]
    if response.status_code < 400 and str(response.status_code) not in declared and case.method != "OPTIONS":
        raise Failure(operation=case.operation.label, title="Undeclared success",
                      message=f"{response.status_code} is not declared")


@schemathesis.check
def problem_that_says_what(context, response, case):
    """A problem is one of the answer's status, with a code and a reason."""
    if response.status_code < 400 or case.method == "HEAD":
        return
    is_health = case.operation.path in ("/healthz", "/readyz") and response.status_code == 503
    try:
        problem = response.json()
        says = problem["status"] == response.status_code and problem["code"] and problem["detail"]
    except (KeyError, TypeError, ValueError):
        says = is_health
    if not says:
        raise Failure(operation=case.operation.label, title="Problem that does not say what",
                      message=f"{response.status_code} {response.content[:1000]!r}")


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """The path `/queue/flush` is also that of an entry of that name, so that `Allow` names the methods of both."""
    return not (failure.title == "Allow header mismatch" and case.operation.path == "/api/v1/queue/flush")
