internal import RecordFormat
internal import TraceText

/// Values within a JSON text, with where they are.
struct PlacedJSON {
    let source: ImportSource
    /// The value's bytes in the text.
    let range: Range<Int>
    /// Where they begin.
    let place: Finding.Place

    /// The whole text, without a byte order mark.
    ///
    /// Numbers that JSON does not have, and that programs write all the same (`NaN`, `Infinity`), are values without a meaning.
    ///
    /// - Throws: ``ExchangeProblem`` if it is not a JSON.
    init(_ source: ImportSource) throws(ExchangeProblem) {
        let (_, skipped) = try source.decoded()
        let start = Finding.Place(file: source.file, line: 1, byteOffset: skipped, column: skipped + 1)
        self.init(source: source, range: skipped..<source.text.count, place: start)
        var failure = failure
        if failure != nil, let replaced = source.withoutImpossibleNumbers {
            self.init(source: replaced, range: skipped..<replaced.text.count, place: start)
            failure = self.failure
        }
        if let failure { throw problem(failure.reason, at: failure.position) }
    }

    /// Why the text is not a JSON, or nil if it is.
    private var failure: JSONScanner.Failure? {
        source.text[range].withUnsafeBytes { JSONScanner.failure(in: $0) }
    }

    private init(source: ImportSource, range: Range<Int>, place: Finding.Place) {
        self.source = source
        self.range = range
        self.place = place
    }

    func problem(_ message: String, at position: Int = 0, cure: Cure? = nil) -> ExchangeProblem {
        ExchangeProblem(
            position == 0 ? place : source.place(of: range.lowerBound + position), message,
            cure: cure ?? "it may be cut off or edited: export it again with the program that wrote it")
    }

    /// The last member of that name of an object, or nil.
    subscript(name: String) -> PlacedJSON? {
        let members = source.text[range].withUnsafeBytes { try? JSONScanner.members(of: $0) } ?? []
        return members.last { $0.name == name }.flatMap { within([$0.valueRange]).first }
    }

    /// The elements of an array; none of anything else.
    var elements: [PlacedJSON] {
        within(source.text[range].withUnsafeBytes { try? JSONScanner.elements(of: $0) } ?? [])
    }

    /// Values at ranges of this one that ascend; lines are counted through once for all of them.
    private func within(_ ranges: [Range<Int>]) -> [PlacedJSON] {
        var place = place
        return ranges.map { inner in
            let start = range.lowerBound + inner.lowerBound
            for position in place.byteOffset..<start {
                place.column += 1
                guard source.text.endsLine(at: position) else { continue }
                place.line += 1
                place.column = 1
            }
            place.byteOffset = start
            return PlacedJSON(
                source: source, range: start..<range.lowerBound + inner.upperBound, place: place)
        }
    }

    /// Hands `body` the value, or nil if it can't be parsed.
    func withValue<Result>(_ parser: JSONParser, _ body: (JSONValue) -> Result) -> Result? {
        try? parser.withParsed(source.text[range], body)
    }
}

extension ImportSource {
    /// The text with an empty string, as long as it was, in place of each `NaN`, `Infinity` and `-Infinity`; nil if there is none.
    ///
    /// Source: OpenTimelineIO writes these (RapidJSON's `kWriteNanAndInfFlag`), and Python's `json` does.
    fileprivate var withoutImpossibleNumbers: ImportSource? {
        var text = text
        var isString = false
        var position = 0
        var isChanged = false
        while position < text.count {
            let byte = text[position]
            if byte == 0x22 { isString.toggle() }
            if byte == 0x5C, isString { position += 1 }
            let mayBegin = !isString && (byte == 0x4E || byte == 0x49 || byte == 0x2D)
            let word = mayBegin ? Self.impossibleNumbers.first { text[position...].starts(with: $0) } : nil
            if let word {
                let blank = [0x22, 0x22] + [UInt8](repeating: 0x20, count: word.count - 2)
                text.replaceSubrange(position..<position + word.count, with: blank)
                isChanged = true
            }
            position += word?.count ?? 1
        }
        return isChanged ? ImportSource(text, file: file) : nil
    }

    private static let impossibleNumbers = ["NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }

    /// Reads JSON; a problem of the text goes among the problems.
    func readJSON(
        into read: inout MarkerSink,
        _ body: (PlacedJSON, JSONParser, inout MarkerSink) throws(ExchangeProblem) -> Void
    ) {
        do throws(ExchangeProblem) {
            let root = try PlacedJSON(self)
            let parser: JSONParser
            do throws(FormatError) { parser = try JSONParser() } catch { throw root.problem(error.message) }
            try body(root, parser, &read)
        } catch { read.problems.append(error) }
    }
}
