// Appends markers at a steady rate and measures for each how long it takes until the index has it.
//
// usage: append_latency INDEX SESSION-DIRECTORY COUNT PER-SECOND
//
// The line is one write to markers.jsonl, without locks, as a program that knows nothing of this project does it. Then the
// index is asked for the id of the oldest marker that it lacks, every 20 microseconds until it has it: by a connection of its
// own, as `trace` has one. Appends keep to their times, whatever the index does. Prints the seconds of each.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static const int64_t PAUSE = 20000;
/// How long an append may stay unseen before this gives up.
static const int64_t PATIENCE = 10000000000;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void rest(int64_t nanoseconds) {
    struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    nanosleep(&time, NULL);
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "error: could not %s: %s\n", what, why);
    exit(74);
}

static int64_t first_id;

static void id_text(char *id, int number) {
    static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    int64_t rest = first_id + number;
    memcpy(id, "01KF0000000000000000000000", 27);
    for (int i = 25; i >= 10; i--, rest >>= 5) id[i] = alphabet[rest & 31];
}

static void append(int file, int number) {
    char id[27], line[512];
    id_text(id, number);
    int length = snprintf(
        line, sizeof line,
        "{\"id\":\"%s\",\"offset_ms\":%d,\"created_at\":\"2026-02-04T20:15:00.000Z\",\"source\":\"user\",\"label\":"
        "\"appended\",\"note\":\"a marker that another program has put into this file while it was being watched by the "
        "daemon, with a note of usual length\",\"tags\":[\"highlight\"]}\n",
        id, number);
    if (write(file, line, (size_t)length) != length) fail("append", strerror(errno));
}

static int has(sqlite3_stmt *question, int number) {
    char id[27];
    id_text(id, number);
    sqlite3_bind_text(question, 2, id, 26, SQLITE_STATIC);
    int result = sqlite3_step(question);
    sqlite3_reset(question);
    if (result != SQLITE_ROW && result != SQLITE_DONE && result != SQLITE_BUSY)
        fail("ask the index", sqlite3_errmsg(sqlite3_db_handle(question)));
    return result == SQLITE_ROW;
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: %s INDEX SESSION-DIRECTORY COUNT PER-SECOND\n", arguments[0]);
        return 64;
    }
    int total = atoi(arguments[3]);
    int64_t interval = 1000000000 / atoi(arguments[4]);
    // Two runs on one session must not use the same ids.
    struct timespec clock;
    clock_gettime(CLOCK_REALTIME, &clock);
    first_id = clock.tv_sec * INT64_C(1000000000) + clock.tv_nsec;
    prctl(PR_SET_TIMERSLACK, 1);

    sqlite3 *index;
    sqlite3_stmt *question;
    if (sqlite3_open_v2(arguments[1], &index, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        fail("open the index", sqlite3_errmsg(index));
    const char *sql = "SELECT 1 FROM record WHERE source_id = (SELECT id FROM source WHERE path = ?1) AND record_id = ?2";
    if (sqlite3_prepare_v2(index, sql, -1, &question, NULL) != SQLITE_OK) fail("ask the index", sqlite3_errmsg(index));
    sqlite3_bind_blob(question, 1, arguments[2], (int)strlen(arguments[2]), SQLITE_STATIC);

    char path[4200];
    snprintf(path, sizeof path, "%s/markers.jsonl", arguments[2]);
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    int64_t *times = calloc((size_t)total, sizeof *times);
    if (file < 0 || times == NULL) fail("open markers.jsonl", strerror(errno));

    int64_t start = now();
    int sent = 0, seen = 0;
    while (seen < total) {
        int64_t due = start + sent * interval;
        if (sent < total && now() >= due) {
            // The clock starts before the write, for its return may come after the daemon's work where both share a core.
            times[sent] = now();
            append(file, sent++);
        }
        if (seen == sent) {
            int64_t left = due - now();
            if (left > 0) rest(left);
        } else if (has(question, seen)) {
            printf("%.9f\n", (double)(now() - times[seen]) / 1e9);
            seen++;
        } else {
            if (now() - times[seen] > PATIENCE) fail("find an appended marker", "the index has not got it in ten seconds");
            rest(PAUSE);
        }
    }
    sqlite3_finalize(question);
    sqlite3_close(index);
    return 0;
}
