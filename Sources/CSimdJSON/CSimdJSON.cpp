#include "CSimdJSON.h"

#include <simdjson.h>

#include <new>

struct trace_json_parser {
    explicit trace_json_parser(size_t depth) : maximum_depth(depth) {}
    simdjson::dom::parser parser;
    size_t maximum_depth;
};

static trace_json_status status_of(simdjson::error_code error) {
    switch (error) {
    case simdjson::SUCCESS: return TRACE_JSON_OK;
    case simdjson::EMPTY: return TRACE_JSON_EMPTY;
    case simdjson::DEPTH_ERROR: return TRACE_JSON_DEPTH;
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS:
    case simdjson::UNCLOSED_STRING: return TRACE_JSON_STRING;
    case simdjson::NUMBER_ERROR: return TRACE_JSON_NUMBER;
    case simdjson::UTF8_ERROR: return TRACE_JSON_UTF8;
    case simdjson::CAPACITY: return TRACE_JSON_TOO_LARGE;
    case simdjson::MEMALLOC: return TRACE_JSON_MEMORY;
    default: return TRACE_JSON_SYNTAX;
    }
}

size_t trace_json_padding(void) { return simdjson::SIMDJSON_PADDING; }

trace_json_parser *trace_json_parser_create(size_t maximum_depth) {
    return new (std::nothrow) trace_json_parser(maximum_depth);
}

void trace_json_parser_destroy(trace_json_parser *parser) { delete parser; }

trace_json_status trace_json_parse(trace_json_parser *self, const uint8_t *bytes, size_t length,
                                   trace_json_document *document) {
    simdjson::dom::parser &parser = self->parser;
    if (parser.capacity() < length || parser.max_depth() != self->maximum_depth) {
        // Room for twice the text, so that lines which grow little by little don't reallocate each time.
        size_t wanted = length < 4096 ? 8192 : length * 2;
        if (wanted > simdjson::SIMDJSON_MAXSIZE_BYTES) wanted = simdjson::SIMDJSON_MAXSIZE_BYTES;
        if (simdjson::error_code error = parser.allocate(wanted, self->maximum_depth)) return status_of(error);
        if (simdjson::error_code error = parser.doc.allocate(wanted)) return status_of(error);
    }
    simdjson::dom::element root;
    if (simdjson::error_code error = parser.parse(bytes, length, false).get(root)) return status_of(error);
    document->tape = parser.doc.tape.get();
    document->strings = parser.doc.string_buf.get();
    return TRACE_JSON_OK;
}
