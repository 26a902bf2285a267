import CSimdJSON
internal import TraceText

/// Parses JSON with libsimdjson. A parser is reused for many texts, by one thread at a time.
package final class JSONParser {
    /// How deep objects and arrays may nest.
    package static let maximumDepth = 128

    /// How many readable bytes must follow a text that is parsed.
    package static let padding = trace_json_padding()

    /// Why a text is not JSON, according to libsimdjson; ``JSONScanner`` finds the location.
    package enum Failure: Error, Equatable {
        case empty, syntax, tooDeep, string, number, notUTF8, tooLarge, memory
    }

    private let parser: OpaquePointer

    /// - Throws: ``FormatError`` with `.memory`.
    package init() throws(FormatError) {
        guard let parser = trace_json_parser_create(Self.maximumDepth) else {
            throw FormatError(.memory, "no memory for a JSON parser")
        }
        self.parser = parser
    }

    deinit { trace_json_parser_destroy(parser) }

    /// Parses one JSON text that is in a larger buffer.
    ///
    /// - Parameter text: Bytes that are followed by ``padding`` readable ones, whatever their values.
    /// - Returns: The root; it may be used until the next call or the parser's end.
    func parse(padded text: UnsafeRawBufferPointer) throws(Failure) -> JSONValue {
        var document = trace_json_document()
        let bytes = text.baseAddress?.assumingMemoryBound(to: UInt8.self)
        switch trace_json_parse(parser, bytes, bytes == nil ? 0 : text.count, &document) {
        case TRACE_JSON_OK:
            guard let tape = document.tape, let strings = document.strings else { throw .memory }
            return JSONValue(tape: tape, strings: strings, index: 1)
        case TRACE_JSON_EMPTY: throw .empty
        case TRACE_JSON_DEPTH: throw .tooDeep
        case TRACE_JSON_STRING: throw .string
        case TRACE_JSON_NUMBER: throw .number
        case TRACE_JSON_UTF8: throw .notUTF8
        case TRACE_JSON_TOO_LARGE: throw .tooLarge
        case TRACE_JSON_MEMORY: throw .memory
        default: throw .syntax
        }
    }
}
