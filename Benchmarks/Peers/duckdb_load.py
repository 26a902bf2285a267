"""Loads a JSONL file into a table of a new DuckDB database, and prints how many rows it has.

usage: duckdb_load.py DATABASE FILE
"""

import sys

import duckdb

database, file = sys.argv[1:]
connection = duckdb.connect(database)
connection.execute("CREATE TABLE marker AS SELECT * FROM read_json(?, format = 'newline_delimited')", [file])
print(connection.execute("SELECT count(*) FROM marker").fetchone()[0])
connection.close()
