"""Writes the markers of a JSONL file as CSV in the order of their offsets, with DuckDB.

usage: duckdb_copy.py FILE
"""

import sys

import duckdb

columns = "id, offset_ms, duration_ms, label, note, array_to_string(tags, ' ') AS tags, created_at, source"
duckdb.execute(
    f"COPY (SELECT {columns} FROM read_json('{sys.argv[1]}', format = 'newline_delimited') ORDER BY offset_ms)"
    " TO '/dev/stdout' (FORMAT csv, HEADER)")
