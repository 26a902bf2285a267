// Runs one command and says what it took: a small program, since a child's peak memory is never less than that of the
// process that started it, and since starting one from a large process costs time.
//
// usage: measure OUTPUT COMMAND [ARGUMENT …]
//
// The command's standard output goes to the file OUTPUT. Prints: wall, user and system seconds, peak resident KiB, and the
// exit status (128 + the signal where one ended it).
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: %s OUTPUT COMMAND [ARGUMENT …]\n", arguments[0]);
        return 64;
    }
    int output = open(arguments[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output < 0) {
        fprintf(stderr, "error: %s: %s\n", arguments[1], strerror(errno));
        return 73;
    }
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        dup2(output, STDOUT_FILENO);
        execvp(arguments[2], arguments + 2);
        fprintf(stderr, "error: %s: %s\n", arguments[2], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        fprintf(stderr, "error: %s: %s\n", arguments[2], strerror(errno));
        return 71;
    }
    double wall = now() - start;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("%.9f %.6f %.6f %ld %d\n", wall, seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss, code);
    return 0;
}
