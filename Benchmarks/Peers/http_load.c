// Asks an HTTP server over connections that stay open, compares each answer with what it must be, and says how long each took.
//
// usage: http_load ADDRESS CONNECTIONS (count N | seconds S | pace SECONDS BYTES-PER-SECOND) REQUESTS [BODIES]
//
// ADDRESS is PORT on the loopback address, or the path of a Unix socket. Each connection has one request under way, and the
// requests go out in the order of the file, from its beginning again at its end. With `pace` no connection reads faster than
// that, as a player does, and all end after so many seconds, whatever is still to come.
//
// REQUESTS is a file of requests: a line `LENGTH STATUSES HOW FILE OFFSET COUNT`, then LENGTH bytes that are sent as they are.
// STATUSES are those that are right, separated by commas. HOW is `whole` where the body must be COUNT bytes of FILE from OFFSET
// on, `start` where it must begin with them, `length` where it must have as many, and `any`. The bodies go to BODIES, if that is
// given.
//
// Prints the seconds and the CPU seconds of the run and the bytes of all bodies; then, of each answer, its seconds from before
// the request is sent until its last byte has come, and its status; with `pace`, of each connection the bytes that came. An
// answer that is not what it must be ends it with status 65.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_LIMIT = 16384, PIECE = 262144, FILE_LIMIT = 64, STATUS_LIMIT = 4 };
/// How long all connections may be silent, in milliseconds.
enum { PATIENCE = 60000 };
/// A paced connection holds little back in the kernel, and is looked at this often.
enum { PACED_BUFFER = 65536, PACE_STEP = 50 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noreturn, format(printf, 2, 3))) static void fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("error: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(status);
}

// MARK: - Requests

typedef enum { ANY, WHOLE, START, LENGTH } comparison;

typedef struct {
    const char *bytes;
    size_t length;
    int statuses[STATUS_LIMIT];
    comparison how;
    const char *expected;
    int64_t count;
} request;

static request *requests;
static size_t request_count;

typedef struct {
    const char *bytes;
    int64_t size;
} mapping;

static mapping map(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) fail(66, "%s: %s", path, strerror(errno));
    mapping result = {"", status.st_size};
    if (status.st_size > 0)
        result.bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (result.bytes == MAP_FAILED) fail(71, "%s: %s", path, strerror(errno));
    close(file);
    return result;
}

static mapping expected_file(const char *path) {
    static char *paths[FILE_LIMIT];
    static mapping files[FILE_LIMIT];
    int i = 0;
    for (; i < FILE_LIMIT && paths[i] != NULL; i++)
        if (strcmp(paths[i], path) == 0) return files[i];
    if (i == FILE_LIMIT) fail(64, "answers are compared with more than %d files", FILE_LIMIT);
    paths[i] = strdup(path);
    return files[i] = map(path);
}

static void read_requests(const char *path) {
    mapping file = map(path);
    for (int64_t at = 0; at < file.size;) {
        char statuses[64], how[16], name[4096];
        long long length, offset, count;
        int used;
        if (sscanf(file.bytes + at, "%lld %63s %15s %4095s %lld %lld%n", &length, statuses, how, name, &offset, &count, &used) != 6)
            fail(64, "%s: byte %lld is not the beginning of a request", path, (long long)at);
        at += used + 1;
        if (length < 1 || length > file.size - at) fail(64, "%s: byte %lld: the request is cut off", path, (long long)at);
        if (request_count % 1024 == 0) requests = realloc(requests, (request_count + 1024) * sizeof *requests);
        request *new = &requests[request_count++];
        *new = (request){.bytes = file.bytes + at, .length = (size_t)length, .count = count};
        int number = 0;
        for (char *word = strtok(statuses, ","); word != NULL && number < STATUS_LIMIT; word = strtok(NULL, ","))
            new->statuses[number++] = atoi(word);
        new->how = strcmp(how, "whole") == 0 ? WHOLE : strcmp(how, "start") == 0 ? START : strcmp(how, "length") == 0 ? LENGTH : ANY;
        if (new->how == WHOLE || new->how == START) {
            mapping answer = expected_file(name);
            if (offset < 0 || count < 0 || offset + count > answer.size) fail(64, "%s has no such range", name);
            new->expected = answer.bytes + offset;
        }
        at += length;
    }
    if (request_count == 0) fail(64, "%s has no request", path);
}

// MARK: - Connections

typedef enum { HEAD, BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER } part;

typedef struct {
    int socket;
    const request *request;
    size_t sent;
    double start;
    part part;
    char head[HEAD_LIMIT];
    size_t head_length;
    int status;
    bool closes;
    /// Of the body or the chunk; -1 until the end of the connection.
    int64_t remaining;
    int64_t received;
    /// Of all answers.
    int64_t total;
} connection;

static union {
    struct sockaddr any;
    struct sockaddr_in network;
    struct sockaddr_un local;
} address;
static socklen_t address_length;
static int poller;
static FILE *bodies;

static double *latencies;
static int *statuses;
static size_t answered, begun, wanted = SIZE_MAX;
static int64_t body_bytes;
static double pace;

static void read_address(const char *text) {
    if (text[0] == '/') {
        address.local.sun_family = AF_UNIX;
        if (strlen(text) >= sizeof address.local.sun_path) fail(64, "%s is too long", text);
        strcpy(address.local.sun_path, text);
        address_length = sizeof address.local;
    } else {
        address.network = (struct sockaddr_in){
            .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(text)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        address_length = sizeof address.network;
    }
}

static void open_connection(connection *of) {
    int kind = SOCK_STREAM | SOCK_CLOEXEC, yes = 1, size = PACED_BUFFER;
    of->socket = socket(address.any.sa_family, kind, 0);
    if (of->socket < 0) fail(71, "could not make a socket: %s", strerror(errno));
    if (pace > 0) setsockopt(of->socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (connect(of->socket, &address.any, address_length) != 0) fail(69, "could not connect: %s", strerror(errno));
    setsockopt(of->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(of->socket, F_SETFL, O_NONBLOCK);
    // A paced connection is read when its time has come, and not when there is something.
    struct epoll_event event = {.events = pace > 0 ? 0 : EPOLLIN, .data.ptr = of};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, of->socket, &event) != 0) fail(71, "epoll: %s", strerror(errno));
}

static void send_rest(connection *of) {
    while (of->sent < of->request->length) {
        ssize_t count = send(of->socket, of->request->bytes + of->sent, of->request->length - of->sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EAGAIN) break;
        // The answer may say why.
        if (count < 0 && (errno == EPIPE || errno == ECONNRESET)) return;
        if (count < 0) fail(74, "could not send: %s", strerror(errno));
        of->sent += (size_t)count;
    }
    if (pace > 0) return;
    bool is_whole = of->sent == of->request->length;
    struct epoll_event event = {.events = is_whole ? EPOLLIN : EPOLLIN | EPOLLOUT, .data.ptr = of};
    epoll_ctl(poller, EPOLL_CTL_MOD, of->socket, &event);
}

static void begin(connection *of) {
    if (begun >= wanted) {
        of->request = NULL;
        return;
    }
    of->request = &requests[begun++ % request_count];
    of->sent = of->head_length = 0;
    of->received = 0;
    of->part = HEAD;
    of->start = now();
    if (of->socket < 0) open_connection(of);
    send_rest(of);
}

// MARK: - Answers

static void wrong(const connection *of, const char *what) {
    fail(65, "%s\n%.*s\nto\n%.*s", what, (int)of->head_length, of->head, (int)(of->request->length < 600 ? of->request->length : 600),
         of->request->bytes);
}

static const char *field(const char *head, const char *name) {
    size_t length = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL && line[2] != 0; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, name, length) == 0 && line[2 + length] == ':') return line + 3 + length + strspn(line + 3 + length, " ");
    return NULL;
}

static void read_head(connection *of) {
    if (sscanf(of->head, "HTTP/1.%*d %d", &of->status) != 1) wrong(of, "this is not HTTP");
    if (of->status == 100) {
        of->head_length = 0;
        return;
    }
    const char *length = field(of->head, "Content-Length"), *coding = field(of->head, "Transfer-Encoding");
    const char *connection = field(of->head, "Connection");
    of->closes = connection != NULL && strncasecmp(connection, "close", 5) == 0;
    bool is_empty = of->status == 204 || of->status == 304 || strncmp(of->request->bytes, "HEAD ", 5) == 0;
    of->remaining = is_empty ? 0 : length != NULL ? atoll(length) : -1;
    of->part = !is_empty && coding != NULL && strncasecmp(coding, "chunked", 7) == 0 ? CHUNK_SIZE : BODY;
}

/// Reading a wrong status, the body says why; so it is looked at when all of it is there.
static void check_body(connection *of, const char *bytes, size_t count) {
    const request *asked = of->request;
    int64_t at = of->received;
    of->received += (int64_t)count;
    of->total += (int64_t)count;
    body_bytes += (int64_t)count;
    if (bodies != NULL) fwrite(bytes, 1, count, bodies);
    bool is_right = false;
    for (int i = 0; i < STATUS_LIMIT; i++) is_right |= asked->statuses[i] == of->status;
    if (!is_right) {
        fprintf(stderr, "%.*s\n", (int)count, bytes);
        wrong(of, "this status is not right");
    }
    if (asked->expected == NULL) return;
    if (asked->how == START && at >= asked->count) return;
    size_t compared = count;
    if (at + (int64_t)count > asked->count) {
        if (asked->how == WHOLE) wrong(of, "the body is longer than it must be");
        compared = (size_t)(asked->count - at);
    }
    if (memcmp(asked->expected + at, bytes, compared) != 0) {
        fprintf(stderr, "%.*s\n", (int)(count < 600 ? count : 600), bytes);
        wrong(of, "the body is not what it must be");
    }
}

static void finish(connection *of) {
    check_body(of, NULL, 0);
    if (of->request->how != ANY && of->received < of->request->count) wrong(of, "the body is shorter than it must be");
    if (of->request->how == LENGTH && of->received != of->request->count) wrong(of, "the body has not the length that it must have");
    if (answered % 65536 == 0) {
        latencies = realloc(latencies, (answered + 65536) * sizeof *latencies);
        statuses = realloc(statuses, (answered + 65536) * sizeof *statuses);
    }
    latencies[answered] = now() - of->start;
    statuses[answered++] = of->status;
    if (of->closes) {
        close(of->socket);
        of->socket = -1;
    }
    begin(of);
}

/// Takes bytes of the answer. Returns how many.
static size_t take(connection *of, const char *bytes, size_t count) {
    switch (of->part) {
    case HEAD: {
        size_t before = of->head_length, space = HEAD_LIMIT - 1 - before, some = count < space ? count : space;
        if (space == 0) wrong(of, "the head is too long");
        memcpy(of->head + before, bytes, some);
        of->head[before + some] = 0;
        char *end = strstr(of->head + (before > 3 ? before - 3 : 0), "\r\n\r\n");
        if (end == NULL) {
            of->head_length += some;
            return some;
        }
        end[2] = 0;
        of->head_length = (size_t)(end - of->head) + 2;
        size_t used = of->head_length + 2 - before;
        read_head(of);
        if (of->part == BODY && of->remaining == 0 && of->status != 100) finish(of);
        return used;
    }
    case CHUNK_SIZE:
    case TRAILER: {
        // The line is short, so it is gathered behind the head.
        size_t used = 0;
        for (; used < count; used++) {
            if (of->head_length + 2 >= HEAD_LIMIT) wrong(of, "a line of chunks is too long");
            of->head[of->head_length++] = bytes[used];
            if (bytes[used] != '\n') continue;
            of->head[of->head_length] = 0;
            size_t line = of->head_length - 1;
            while (line > 0 && of->head[line - 1] != '\n') line--;
            const char *text = of->head + line;
            bool is_empty = text[0] == '\r' || text[0] == '\n';
            of->remaining = strtoll(text, NULL, 16);
            of->head_length = line;
            if (of->part == CHUNK_SIZE) of->part = of->remaining == 0 ? TRAILER : CHUNK;
            else if (is_empty) finish(of);
            return used + 1;
        }
        return used;
    }
    case CHUNK_END: {
        if (bytes[0] == '\n') of->part = CHUNK_SIZE;
        return 1;
    }
    case BODY:
    case CHUNK: {
        size_t some = of->remaining >= 0 && (int64_t)count > of->remaining ? (size_t)of->remaining : count;
        check_body(of, bytes, some);
        if (of->remaining > 0) of->remaining -= (int64_t)some;
        if (of->remaining == 0) {
            if (of->part == BODY) finish(of);
            else of->part = CHUNK_END;
        }
        return some;
    }
    }
    return count;
}

/// Reads what there is, and no more than that many bytes. Returns how many.
static size_t receive(connection *of, size_t limit) {
    static char buffer[PIECE];
    size_t all = 0;
    while (of->request != NULL && all < limit) {
        size_t space = limit - all < PIECE ? limit - all : PIECE;
        ssize_t count = recv(of->socket, buffer, space, 0);
        if (count < 0 && errno == EAGAIN) break;
        if (count < 0) fail(74, "could not receive: %s", strerror(errno));
        if (count == 0) {
            if (of->part != BODY || of->remaining >= 0) wrong(of, "the connection was closed before the end of the answer");
            of->closes = true;
            finish(of);
            break;
        }
        all += (size_t)count;
        for (size_t used = 0; used < (size_t)count && of->request != NULL;) used += take(of, buffer + used, (size_t)count - used);
        // What comes next belongs to the next request, and that has just been sent.
        if ((size_t)count < space) break;
    }
    return all;
}

// MARK: - Runs

static void run(connection *connections, size_t count, double end) {
    struct epoll_event events[256];
    for (;;) {
        size_t under_way = 0;
        for (size_t i = 0; i < count; i++) under_way += connections[i].request != NULL;
        if (under_way == 0) return;
        int ready = epoll_wait(poller, events, 256, PATIENCE);
        if (ready == 0) fail(69, "no answer for %d s", PATIENCE / 1000);
        if (now() >= end) wanted = begun;
        for (int i = 0; i < ready; i++) {
            connection *one = events[i].data.ptr;
            if (one->request != NULL && events[i].events & EPOLLOUT) send_rest(one);
            if (one->request != NULL && events[i].events & ~EPOLLOUT) receive(one, SIZE_MAX);
        }
    }
}

static void run_paced(connection *connections, size_t count, double start, double end) {
    int64_t *taken = calloc(count, sizeof *taken);
    for (double time = start; time < end; time = now()) {
        for (size_t i = 0; i < count; i++) {
            int64_t due = (int64_t)((time - start) * pace) - taken[i];
            if (due > 0 && connections[i].request != NULL) taken[i] += (int64_t)receive(&connections[i], (size_t)due);
        }
        struct timespec pause = {.tv_nsec = PACE_STEP * 1000000};
        nanosleep(&pause, NULL);
    }
    free(taken);
}

int main(int count, char **arguments) {
    bool is_paced = count > 3 && strcmp(arguments[3], "pace") == 0;
    if (count < 6 + is_paced || count > 7 + is_paced) {
        fprintf(stderr, "usage: %s ADDRESS CONNECTIONS (count N | seconds S | pace SECONDS BYTES-PER-SECOND) REQUESTS [BODIES]\n", arguments[0]);
        return 64;
    }
    read_address(arguments[1]);
    size_t size = (size_t)atoi(arguments[2]);
    double seconds = 1e9;
    if (strcmp(arguments[3], "count") == 0) wanted = (size_t)atoll(arguments[4]);
    else seconds = atof(arguments[4]);
    if (is_paced) pace = atof(arguments[5]);
    read_requests(arguments[5 + is_paced]);
    if (count == 7 + is_paced && (bodies = fopen(arguments[6 + is_paced], "w")) == NULL)
        fail(73, "%s: %s", arguments[6 + is_paced], strerror(errno));
    poller = epoll_create1(EPOLL_CLOEXEC);
    connection *connections = calloc(size, sizeof *connections);
    // Before the clock runs: connections stay open, and what it takes to make them is not asked here.
    for (size_t i = 0; i < size; i++) open_connection(&connections[i]);
    double start = now();
    for (size_t i = 0; i < size; i++) begin(&connections[i]);
    if (is_paced) run_paced(connections, size, start, start + seconds);
    else run(connections, size, start + seconds);
    double wall = now() - start;
    if (bodies != NULL && fclose(bodies) != 0) fail(74, "could not write the bodies: %s", strerror(errno));
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("%.9f %.6f %lld\n", wall, cpu, (long long)body_bytes);
    if (is_paced)
        for (size_t i = 0; i < size; i++) printf("%lld\n", (long long)connections[i].total);
    else
        for (size_t i = 0; i < answered; i++) printf("%.9f %d\n", latencies[i], statuses[i]);
    return 0;
}
