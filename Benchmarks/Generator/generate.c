// Writes sessions for measurements: the same seed and sizes give the same bytes, and all of it is valid.
//
// usage: generate SEED DIRECTORY SESSIONS MARKERS VOICE_NOTES ACTION_RUNS
//
// Makes DIRECTORY/0000/session-00000 and so on, a hundred sessions to a directory. Every second session is closed, from
// the second on. The line of a marker has 235 to 250 bytes; a voice note's audio is a file of a few bytes.
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { ULID_LENGTH = 26, SESSIONS_PER_DIRECTORY = 100, SHORTEST_LINE = 235, LONGEST_LINE = 250 };

/// 2026-01-01T00:00:00Z, where the first session starts; the others follow a day apart, from the beginning again after
/// ten years.
static const int64_t FIRST_START = 1767225600000;
static const int64_t DAY = 86400000;
/// Ten hours.
static const int64_t SESSION_LENGTH = 36000000;

typedef struct {
    char text[ULID_LENGTH + 1];
} ulid;

static void fail(const char *what, const char *path) {
    fprintf(stderr, "error: could not %s %s: %s\n", what, path, strerror(errno));
    exit(74);
}

// MARK: - Random values

static uint64_t random_state;

/// SplitMix64.
static uint64_t random_bits(void) {
    uint64_t z = (random_state += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

static uint64_t random_below(uint64_t limit) { return random_bits() % limit; }

static ulid random_ulid(int64_t milliseconds) {
    static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    ulid id;
    for (int i = 9; i >= 0; i--, milliseconds >>= 5) id.text[i] = alphabet[milliseconds & 31];
    for (int half = 0; half < 2; half++) {
        uint64_t bits = random_bits();
        for (int i = 0; i < 8; i++, bits >>= 5) id.text[10 + 8 * half + i] = alphabet[bits & 31];
    }
    id.text[ULID_LENGTH] = 0;
    return id;
}

// MARK: - Text

static const char *const WORDS[] = {
    "again",  "amp",   "answer", "bass", "bridge", "bright", "café",   "chord",  "clean",  "cut",  "delay",  "drone",
    "drums",  "early", "fade",   "feedback", "fix", "groove", "guitar", "hiss",  "intro",  "keep", "late",   "listen",
    "loop",   "loud",  "melody", "mix",  "noise",  "outro",  "part",   "phrase", "pulse",  "quiet", "reverb", "ring",
    "second", "slow",  "snare",  "strum", "take",  "tape",   "tempo",  "theme",  "tune",   "Übersee", "voice", "warm",
};
static const char *const CATEGORIES[] = {"highlight", "structure", "texture-sample", "fix-review"};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ONE_OF(array) ((array)[random_below(COUNT(array))])

/// Grows in place; one is used for each file.
typedef struct {
    char *bytes;
    size_t length, capacity;
} text;

static void append_bytes(text *to, const char *bytes, size_t count) {
    if (to->length + count > to->capacity) {
        to->capacity = (to->length + count) * 2;
        to->bytes = realloc(to->bytes, to->capacity);
        if (to->bytes == NULL) fail("hold", "a file in memory");
    }
    memcpy(to->bytes + to->length, bytes, count);
    to->length += count;
}

static void append(text *to, const char *string) { append_bytes(to, string, strlen(string)); }

__attribute__((format(printf, 2, 3))) static void append_format(text *to, const char *format, ...) {
    char buffer[1024];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    if (count < 0 || (size_t)count >= sizeof buffer) abort();
    append_bytes(to, buffer, (size_t)count);
}

static void append_words(text *to, int count) {
    for (int i = 0; i < count; i++) {
        if (i > 0) append(to, " ");
        append(to, ONE_OF(WORDS));
    }
}

/// Fills up to exactly `length` bytes with whole words and full stops.
static void append_words_until(text *to, size_t length) {
    while (to->length < length) {
        const char *word = ONE_OF(WORDS);
        if (to->length + strlen(word) + 1 > length) break;
        append(to, word);
        append(to, " ");
    }
    while (to->length < length) append(to, ".");
}

static void append_key(text *to, const char *key) {
    append(to, ",\"");
    append(to, key);
    append(to, "\":");
}

static void append_string(text *to, const char *key, const char *value) {
    append_key(to, key);
    append(to, "\"");
    append(to, value);
    append(to, "\"");
}

static void append_number(text *to, const char *key, int64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    append_key(to, key);
    append(to, digits);
}

typedef struct {
    char text[32];
} timestamp;

static timestamp time_text(int64_t milliseconds) {
    time_t seconds = milliseconds / 1000;
    struct tm date;
    gmtime_r(&seconds, &date);
    timestamp result;
    size_t length = strftime(result.text, sizeof result.text, "%Y-%m-%dT%H:%M:%S", &date);
    snprintf(result.text + length, sizeof result.text - length, ".%03dZ", (int)(milliseconds % 1000));
    return result;
}

// MARK: - Records

typedef struct {
    char path[4096];
    int64_t start;
    int is_closed;
    int markers, voice_notes, action_runs;
} session;

/// Opens an object with its `id` and returns when it was made.
static int64_t begin_record(text *to, const session *of, const ulid *id, int64_t offset) {
    append(to, "{\"id\":\"");
    append_bytes(to, id->text, ULID_LENGTH);
    append(to, "\"");
    return of->start + offset;
}

/// A marker that was made at `moment`, in milliseconds after the session's start: mostly of that moment, else of an earlier
/// one.
static void append_marker(text *to, const session *of, const ulid *id, int64_t moment, const ulid *voice_note) {
    size_t start = to->length;
    int64_t made = begin_record(to, of, id, moment);
    int is_late = random_below(8) == 0;
    append_number(to, "offset_ms", is_late ? (int64_t)random_below((uint64_t)moment + 1) : moment);
    append_string(to, "created_at", time_text(made).text);
    append_string(to, "source", random_below(8) == 0 ? "system" : "user");
    append_key(to, "label");
    append(to, "\"");
    append_words(to, 1 + (int)random_below(2));
    append(to, "\"");

    text end = {0};
    append_string(&end, "tags", "");
    end.length -= 2;
    append(&end, "[\"");
    append(&end, ONE_OF(CATEGORIES));
    append(&end, "\"");
    if (random_below(6) == 0) append_format(&end, ",\"take-%d\"", (int)random_below(20));
    append(&end, "]");
    if (random_below(4) == 0) append_number(&end, "duration_ms", (int64_t)random_below(8000));
    if (voice_note) append_string(&end, "voice_note_id", voice_note->text);
    append(&end, "}\n");

    size_t length = SHORTEST_LINE + random_below(LONGEST_LINE - SHORTEST_LINE + 1);
    append_key(to, "note");
    append(to, "\"");
    append_words_until(to, start + length - end.length - 1);
    append(to, "\"");
    append_bytes(to, end.bytes, end.length);
    free(end.bytes);
}

static void append_voice_note(text *to, const session *of, const ulid *id, const ulid *marker) {
    int64_t offset = (int64_t)random_below((uint64_t)SESSION_LENGTH);
    int64_t made = begin_record(to, of, id, offset);
    append_string(to, "created_at", time_text(made).text);
    append_format(to, ",\"media_path\":\"media/%s.m4a\"", id->text);
    append_number(to, "offset_ms", offset);
    append_number(to, "duration_ms", 1000 + (int64_t)random_below(9000));
    append_key(to, "transcript_text");
    append(to, "\"");
    append_words(to, 12);
    append(to, "\"");
    if (marker) append_string(to, "marker_id", marker->text);
    append(to, "}\n");
}

/// The two lines of a run: when it was asked for, and what came of it.
static void append_action_run(text *to, const session *of) {
    int64_t offset = (int64_t)random_below((uint64_t)SESSION_LENGTH);
    ulid id = random_ulid(of->start + offset);
    int has_failed = random_below(5) == 0;
    for (int line = 0; line < 2; line++) {
        int64_t made = begin_record(to, of, &id, offset) + line * 1500;
        append_string(to, "action", "loudness-report");
        append_string(to, "created_at", time_text(made).text);
        append_string(to, "status", line == 0 ? "started" : has_failed ? "failed" : "succeeded");
        append(to, ",\"inputs\":{\"format\":\"flac\"}");
        if (line == 1) append(to, has_failed ? ",\"error\":\"no audio\"" : ",\"outputs\":{\"peak_dbfs\":-1.5}");
        append(to, "}\n");
    }
}

static void append_timeline_entry(text *to, const session *of, const char *kind, int64_t offset) {
    ulid id = random_ulid(of->start + offset);
    timestamp made = time_text(begin_record(to, of, &id, offset));
    append_string(to, "kind", kind);
    append_number(to, "offset_ms", offset);
    append_string(to, "wall_time", made.text);
    append_string(to, "created_at", made.text);
    append_string(to, "source", "system");
    append(to, "}\n");
}

static void append_header(text *to, const session *of) {
    timestamp start = time_text(of->start), end = time_text(of->start + SESSION_LENGTH);
    ulid id = random_ulid(of->start);
    append_format(to, "{\n  \"id\": \"%s\",\n  \"title\": \"", id.text);
    append_words(to, 3);
    append_format(to, "\",\n  \"created_at\": \"%s\",\n  \"updated_at\": \"%s\",\n", start.text, end.text);
    append_format(to, "  \"status\": \"%s\",\n", of->is_closed ? "closed" : "active");
    append_format(to, "  \"start_time\": \"%s\",\n", start.text);
    append(to, "  \"timeline_path\": \"timeline.jsonl\",\n  \"markers_path\": \"markers.jsonl\",\n");
    append(to, "  \"transcript_path\": null,\n");
    append_format(to, "  \"voice_notes_path\": %s,\n", of->voice_notes > 0 ? "\"voice_notes.jsonl\"" : "null");
    append(to, "  \"digest_path\": null,\n  \"media\": []");
    if (of->is_closed)
        append_format(to, ",\n  \"end_time\": \"%s\",\n  \"duration_ms\": %" PRId64, end.text, SESSION_LENGTH);
    append(to, "\n}\n");
}

// MARK: - Files

static void make_directory(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) fail("make the directory", path);
}

static void write_file(const session *of, const char *name, const text *contents) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", of->path, name);
    FILE *file = fopen(path, "wx");
    if (file == NULL) fail("make", path);
    if (fwrite(contents->bytes, 1, contents->length, file) != contents->length) fail("write", path);
    if (fclose(file) != 0) fail("write", path);
}

/// Writes what has been gathered, and makes room for the next file.
static void flush_to(const session *of, const char *name, text *contents) {
    write_file(of, name, contents);
    contents->length = 0;
}

static void write_session(const session *of, text *scratch) {
    make_directory(of->path);
    size_t notes = (size_t)of->voice_notes, markers = (size_t)of->markers;
    size_t linked = notes < markers ? notes : markers;
    ulid *note_ids = malloc((notes + 1) * sizeof *note_ids), *marker_ids = malloc((linked + 1) * sizeof *marker_ids);
    if (note_ids == NULL || marker_ids == NULL) fail("hold", "ids in memory");
    for (size_t i = 0; i < notes; i++) note_ids[i] = random_ulid(of->start + (int64_t)i);
    // The first markers have a voice note each, which names its marker in turn.
    for (size_t i = 0; i < markers; i++) {
        // As people make them, in the order of time, so that their ids ascend.
        int64_t moment = SESSION_LENGTH * (int64_t)i / (int64_t)markers;
        ulid id = random_ulid(of->start + moment);
        if (i < linked) marker_ids[i] = id;
        append_marker(scratch, of, &id, moment, i < linked ? &note_ids[i] : NULL);
    }
    flush_to(of, "markers.jsonl", scratch);
    append_timeline_entry(scratch, of, "session_start", 0);
    if (of->is_closed) append_timeline_entry(scratch, of, "session_end", SESSION_LENGTH);
    flush_to(of, "timeline.jsonl", scratch);
    char media[4200];
    snprintf(media, sizeof media, "%s/media", of->path);
    make_directory(media);
    for (size_t i = 0; i < notes; i++) {
        char name[64];
        snprintf(name, sizeof name, "media/%s.m4a", note_ids[i].text);
        append(scratch, "audio of a note");
        flush_to(of, name, scratch);
    }
    for (size_t i = 0; i < notes; i++)
        append_voice_note(scratch, of, &note_ids[i], i < linked ? &marker_ids[i] : NULL);
    if (notes > 0) flush_to(of, "voice_notes.jsonl", scratch);
    for (int i = 0; i < of->action_runs; i++) append_action_run(scratch, of);
    if (of->action_runs > 0) flush_to(of, "actions.jsonl", scratch);
    append_header(scratch, of);
    flush_to(of, "session.json", scratch);
    free(note_ids);
    free(marker_ids);
}

static int number(const char *argument) {
    char *end;
    long value = strtol(argument, &end, 10);
    if (*end != 0 || end == argument || value < 0 || value > 100000000) {
        fprintf(stderr, "error: '%s' is not a number that can be used here\n", argument);
        exit(64);
    }
    return (int)value;
}

int main(int count, char **arguments) {
    if (count != 7) {
        fprintf(stderr, "usage: %s SEED DIRECTORY SESSIONS MARKERS VOICE_NOTES ACTION_RUNS\n", arguments[0]);
        return 64;
    }
    int seed = number(arguments[1]), sessions = number(arguments[3]);
    const char *directory = arguments[2];
    make_directory(directory);
    text scratch = {0};
    for (int i = 0; i < sessions; i++) {
        session one = {
            .start = FIRST_START + i % 3650 * DAY + i,
            .is_closed = i % 2,
            .markers = number(arguments[4]),
            .voice_notes = number(arguments[5]),
            .action_runs = number(arguments[6]),
        };
        // Each session has its own numbers, so that an archive begins with the same sessions whatever its size.
        random_state = ((uint64_t)seed << 32) + (uint64_t)i;
        snprintf(one.path, sizeof one.path, "%s/%04d", directory, i / SESSIONS_PER_DIRECTORY);
        if (i % SESSIONS_PER_DIRECTORY == 0) make_directory(one.path);
        snprintf(one.path, sizeof one.path, "%s/%04d/session-%05d", directory, i / SESSIONS_PER_DIRECTORY, i);
        write_session(&one, &scratch);
    }
    free(scratch.bytes);
    return 0;
}
