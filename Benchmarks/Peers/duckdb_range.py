"""Asks DuckDB for the markers of a JSONL file between two offsets, and prints their ids in order.

usage: duckdb_range.py FILE LOWEST HIGHEST
"""

import sys

import duckdb

file, lowest, highest = sys.argv[1:]
rows = duckdb.execute(
    "SELECT id FROM read_json(?, format = 'newline_delimited')"
    " WHERE offset_ms BETWEEN ? AND ? ORDER BY offset_ms",
    [file, int(lowest), int(highest)],
).fetchall()
for row in rows:
    print(row[0])
