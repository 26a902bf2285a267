// Does just what a mark must wait for: a line appended and synced with fdatasync, session.json replaced by a new file with
// fsync, rename, and fsync of the directory.
//
// usage: fsyncs DIRECTORY TIMES
//
// DIRECTORY must exist. Prints the seconds of each time.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char line[245], header[400];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(int succeeded, const char *what) {
    if (succeeded) return;
    fprintf(stderr, "error: could not %s: %s\n", what, strerror(errno));
    exit(74);
}

static void mark(int directory) {
    int markers = openat(directory, "markers.jsonl", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    check(markers >= 0 && write(markers, line, sizeof line) == sizeof line, "append");
    check(fdatasync(markers) == 0 && close(markers) == 0, "sync the line");
    int session = openat(directory, ".session.json.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    check(session >= 0 && write(session, header, sizeof header) == sizeof header, "write session.json");
    check(fsync(session) == 0 && close(session) == 0, "sync session.json");
    check(renameat(directory, ".session.json.new", directory, "session.json") == 0, "rename session.json");
    check(fsync(directory) == 0, "sync the directory");
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: %s DIRECTORY TIMES\n", arguments[0]);
        return 64;
    }
    memset(line, 'x', sizeof line);
    memset(header, 'x', sizeof header);
    int directory = open(arguments[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    check(directory >= 0, "open the directory");
    for (int i = 0; i < atoi(arguments[2]); i++) {
        double start = now();
        mark(directory);
        printf("%.9f\n", now() - start);
    }
    return 0;
}
