// A thin C face on libsimdjson: parses one JSON text and hands out the tape that the library wrote.
// The tape's layout is the one that simdjson documents.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trace_json_parser trace_json_parser;

typedef enum trace_json_status {
    TRACE_JSON_OK = 0,
    TRACE_JSON_EMPTY,
    TRACE_JSON_SYNTAX,
    TRACE_JSON_DEPTH,
    TRACE_JSON_STRING,
    TRACE_JSON_NUMBER,
    TRACE_JSON_UTF8,
    TRACE_JSON_TOO_LARGE,
    TRACE_JSON_MEMORY,
} trace_json_status;

/// What a successful parse left: valid until the parser's next parse or its end.
typedef struct trace_json_document {
    const uint64_t *tape;
    const uint8_t *strings;
} trace_json_document;

/// How many readable bytes must follow the text that is parsed; their values do not matter.
size_t trace_json_padding(void);

/// A parser that can be used again and again, by one thread at a time; NULL when memory is short.
trace_json_parser *trace_json_parser_create(size_t maximum_depth);
void trace_json_parser_destroy(trace_json_parser *parser);

/// Parses `length` bytes that are followed by `trace_json_padding()` readable ones.
trace_json_status trace_json_parse(trace_json_parser *parser, const uint8_t *bytes, size_t length,
                                   trace_json_document *document);

#ifdef __cplusplus
}
#endif

#endif
