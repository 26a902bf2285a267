// Makes an index again in a bare loop over its rows: what SQLite alone costs.
//
// usage: insert_rows INDEX NEW-DATABASE first|last rows|words
//
// Reads every row of INDEX into memory; then, timed, makes NEW-DATABASE with the same schema and pragmas, inserts them in
// one transaction and has the file synced. Indexes are made first, or last, when the rows are in. With `words`, the rows of
// full-text tables are inserted too, with the texts that their index was made from. Prints the seconds, those of CPU time,
// and how many rows there are.
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    char *insert;
    int columns;
    sqlite3_value **values;
    size_t count, capacity;
} table;

static table tables[64];
static int table_count;
static char *definitions[256];
static int definition_is_index[256];
static int definition_count;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(int result, sqlite3 *database) {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    fprintf(stderr, "error: %s\n", sqlite3_errmsg(database));
    exit(65);
}

static void run(sqlite3 *database, const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL), database); }

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), database);
    return statement;
}

static char *copy(const unsigned char *string) { return strdup((const char *)string); }

/// Makes SQLite's own tokenizer known by the name of the one that the index uses, which is no other for this text.
static void name_tokenizer(sqlite3 *database) {
    fts5_api *api = NULL;
    void *context = NULL;
    fts5_tokenizer functions;
    sqlite3_stmt *statement = prepare(database, "SELECT fts5(?)");
    check(sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL), database);
    check(sqlite3_step(statement), database);
    check(sqlite3_finalize(statement), database);
    if (api == NULL) exit(69);
    check(api->xFindTokenizer(api, "unicode61", &context, &functions), database);
    check(api->xCreateTokenizer(api, "trace", context, &functions, NULL), database);
}

/// The columns of a table that are inserted, as a list; with the rowid where it is no column.
static char *column_list(sqlite3 *database, const char *name) {
    char *sql = sqlite3_mprintf(
        "SELECT iif((SELECT sql FROM sqlite_schema WHERE name = %Q) LIKE '%%USING fts5%%', 'rowid, ', '')"
        " || group_concat('\"' || name || '\"') FROM pragma_table_info(%Q)", name, name);
    sqlite3_stmt *statement = prepare(database, sql);
    check(sqlite3_step(statement), database);
    char *list = copy(sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return list;
}

static void read_table(sqlite3 *database, const char *name) {
    table *into = &tables[table_count++];
    char *columns = column_list(database, name);
    char *sql = sqlite3_mprintf("SELECT %s FROM \"%w\"", columns, name);
    sqlite3_stmt *statement = prepare(database, sql);
    into->columns = sqlite3_column_count(statement);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        if (into->count + (size_t)into->columns > into->capacity) {
            into->capacity = into->capacity * 2 + 1024;
            into->values = realloc(into->values, into->capacity * sizeof *into->values);
            if (into->values == NULL) exit(71);
        }
        for (int i = 0; i < into->columns; i++)
            into->values[into->count++] = sqlite3_value_dup(sqlite3_column_value(statement, i));
    }
    check(sqlite3_finalize(statement), database);
    sqlite3_free(sql);
    char *places = malloc((size_t)into->columns * 2);
    for (int i = 0; i < into->columns; i++) memcpy(places + 2 * i, "?,", 2);
    places[into->columns * 2 - 1] = 0;
    into->insert = sqlite3_mprintf("INSERT INTO \"%w\" (%s) VALUES (%s)", name, columns, places);
    free(places);
    free(columns);
}

/// Reads the definitions, and the rows of every table but those that SQLite and full-text tables keep for themselves.
static void read_index(const char *path, int with_words) {
    sqlite3 *database;
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), database);
    name_tokenizer(database);
    sqlite3_stmt *statement = prepare(
        database,
        "SELECT s.type, s.name, s.sql FROM sqlite_schema AS s JOIN pragma_table_list AS l ON l.name = s.tbl_name"
        " AND l.schema = 'main' WHERE s.sql IS NOT NULL AND l.type <> 'shadow' AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY s.rowid");
    while (sqlite3_step(statement) == SQLITE_ROW) {
        definition_is_index[definition_count] = strcmp((const char *)sqlite3_column_text(statement, 0), "index") == 0;
        definitions[definition_count++] = copy(sqlite3_column_text(statement, 2));
        if (strcmp((const char *)sqlite3_column_text(statement, 0), "table") == 0
            && (with_words || strstr(definitions[definition_count - 1], "USING fts5") == NULL))
            read_table(database, (const char *)sqlite3_column_text(statement, 1));
    }
    check(sqlite3_finalize(statement), database);
    sqlite3_close(database);
}

static void define(sqlite3 *database, int indexes) {
    for (int i = 0; i < definition_count; i++)
        if (definition_is_index[i] == indexes) run(database, definitions[i]);
}

static size_t insert(sqlite3 *database, const table *from) {
    sqlite3_stmt *statement = prepare(database, from->insert);
    for (size_t i = 0; i < from->count; i += (size_t)from->columns) {
        for (int column = 0; column < from->columns; column++)
            sqlite3_bind_value(statement, column + 1, from->values[i + (size_t)column]);
        check(sqlite3_step(statement), database);
        sqlite3_reset(statement);
    }
    check(sqlite3_finalize(statement), database);
    return from->count / (size_t)from->columns;
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: %s INDEX NEW-DATABASE first|last rows|words\n", arguments[0]);
        return 64;
    }
    int indexes_first = strcmp(arguments[3], "first") == 0;
    read_index(arguments[1], strcmp(arguments[4], "words") == 0);
    double start = now(CLOCK_MONOTONIC), start_cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    sqlite3 *database;
    check(sqlite3_open(arguments[2], &database), database);
    name_tokenizer(database);
    run(database,
        "PRAGMA temp_store = FILE; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -8192;"
        "PRAGMA threads = 2; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
    define(database, 0);
    if (indexes_first) define(database, 1);
    size_t rows = 0;
    for (int i = 0; i < table_count; i++) rows += insert(database, &tables[i]);
    if (!indexes_first) define(database, 1);
    run(database, "COMMIT; PRAGMA journal_mode = WAL");
    check(sqlite3_close(database), database);
    int file = open(arguments[2], O_RDONLY);
    if (file < 0 || fsync(file) != 0) {
        perror("error: could not sync the database");
        return 74;
    }
    printf("%.9f %.9f %zu\n", now(CLOCK_MONOTONIC) - start, now(CLOCK_PROCESS_CPUTIME_ID) - start_cpu, rows);
    return 0;
}
