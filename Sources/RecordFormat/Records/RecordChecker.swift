/// Checks lines (or a document as a whole) against the declaration of their kind, and hands out what is in them.
///
/// One checker is used for a whole file, by one thread at a time.
package final class RecordChecker {
    private let parser: JSONParser
    private let schema: RecordSchema
    private let file: String
    /// Tape index of each field's value, 0 if there is none.
    ///
    /// Soundness: allocated here with one element a field, initialised before use, freed in `deinit`.
    private let slots: UnsafeMutablePointer<Int32>
    /// Whether a last line without newline has rested long enough to count as torn.
    private let isSettled: Bool
    private let strictness: Strictness

    /// How strictly lines are checked.
    package enum Strictness: Sendable {
        /// Everything that the declaration says is checked.
        case full
        /// Only whether a line is a JSON object; its members are found, whatever they hold.
        case readable
    }

    /// - Parameters:
    ///   - schema: The declaration of the records.
    ///   - file: The file name in findings; that of the declaration by default.
    ///   - isSettled: Whether a last line without newline has rested long enough to count as torn.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(
        schema: RecordSchema, file: String? = nil, isSettled: Bool = true, strictness: Strictness = .full
    ) throws(FormatError) {
        parser = try JSONParser()
        self.schema = schema
        self.file = file ?? schema.fileName
        self.isSettled = isSettled
        self.strictness = strictness
        slots = .allocate(capacity: schema.fields.count)
        slots.initialize(repeating: 0, count: schema.fields.count)
    }

    deinit { slots.deallocate() }

    /// A parsed record; valid until the checker's next call.
    package struct Record {
        package let root: JSONValue
        /// Nil if the record has no valid id.
        package let id: ULID?
        fileprivate let slots: UnsafeMutablePointer<Int32>
        fileprivate let line: Line

        /// The value in a field's place (``RecordSchema/slot(_:)``), or nil.
        package subscript(slot: Int) -> JSONValue? {
            let index = slots[slot]
            return index == 0 ? nil : root.value(at: Int(index))
        }

        /// The elements of an array of a document, each with its place in the file.
        package func placedElements(
            of name: StaticString, in file: String
        ) -> [(value: JSONValue, place: Finding.Place)] {
            guard let array = root[name: name],
                let number = Array(root.members).lastIndex(where: { $0.value.index == array.index })
            else { return [] }
            var places = TextPlaces(of: line, in: file, spansLines: true)
            return array.elements.enumerated().map { ($1, places.element($0, of: number)) }
        }
    }

    /// Checks one line.
    ///
    /// - Returns: What is in it, even where findings were reported, or nil when it is not a JSON object.
    package func check(_ line: Line, report: (Finding) -> Void) -> Record? {
        var line = line
        if line.number == 1, line.content.starts(with: Self.byteOrderMark) {
            var places = places(of: line)
            report(Finding(.byteOrderMark, at: places.place(at: 0), "the file begins with a byte order mark"))
            line = Line(
                number: 1, offset: line.offset + 3,
                content: UnsafeRawBufferPointer(rebasing: line.content.dropFirst(3)), ending: line.ending)
            if line.isBlank, !schema.isDocument { return nil }
        }
        if line.ending == .tooLong {
            report(
                Finding(.lineTooLong, at: places(of: line).whole, "the line is longer than any record"))
            return nil
        }
        do {
            let root = try parser.parse(padded: line.content)
            if line.ending == .endOfFile, !schema.isDocument {
                let message = "the last line has no newline, so it does not count yet"
                report(Finding(.newlineMissing, at: places(of: line).whole, message))
            }
            guard root.kind == .object else {
                report(
                    Finding(
                        .notAnObject, at: places(of: line).whole, "this is \(root.kind.noun), not an object"))
                return nil
            }
            return check(root, line, report)
        } catch {
            report(finding(for: error, in: line))
            return nil
        }
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func places(of line: Line) -> TextPlaces {
        TextPlaces(of: line, in: file, spansLines: schema.isDocument)
    }

    // MARK: - What is not JSON

    private func finding(for failure: JSONParser.Failure, in line: Line) -> Finding {
        let found = JSONScanner.failure(in: line.content)
        let nul = line.content.firstIndex(of: 0)
        let rule: Rule =
            switch failure {
            case _ where nul != nil: .nulBytes
            case _ where line.ending == .endOfFile && !schema.isDocument:
                isSettled ? .lineTorn : .lineInTransit
            case .empty: schema.isDocument ? .fileEmpty : .jsonSyntax
            case .tooDeep: .jsonTooDeep
            case .notUTF8: .notUTF8
            case .number where found?.isNumberTooLarge == true: .numberTooLarge
            default: .jsonSyntax
            }
        var places = places(of: line)
        if let nul, rule == .nulBytes {
            let count = line.content.count { $0 == 0 }
            let message = "the line contains \(count == 1 ? "a NUL byte" : "\(count) NUL bytes")"
            return Finding(rule, at: places.place(at: nul), message)
        }
        guard let found else { return Finding(rule, at: places.whole, "this is not JSON") }
        return Finding(rule, at: places.place(at: found.position), found.reason)
    }

    // MARK: - What the schema says

    private func check(_ root: JSONValue, _ line: Line, _ report: (Finding) -> Void) -> Record {
        // Made for the first finding: most lines have none, and must not pay for it.
        var limit: FindingLimit?
        let record = checkMembers(of: root, line) { finding in
            limit = limit ?? FindingLimit()
            limit?.add(finding, report)
        }
        limit?.finish(report)
        return record
    }

    private func checkMembers(of root: JSONValue, _ line: Line, _ report: (Finding) -> Void) -> Record {
        let fields = schema.fields
        for slot in 0..<fields.count { slots[slot] = 0 }
        let isFull = strictness == .full
        var places = places(of: line)
        var id: ULID?
        var expected = 0
        var number = 0
        for (key, value) in root.members {
            defer { number += 1 }
            guard let slot = slot(of: key, expected) else {
                guard isFull else { continue }
                let message = "unknown key \(ValueCheck.quoted(key))"
                report(Finding(.keyUnknown, at: places.name(of: number), message))
                continue
            }
            expected = slot + 1
            if isFull, slots[slot] != 0 {
                report(
                    Finding(.keyDuplicate, at: places.name(of: number), "\(fields[slot].name) appears twice"))
            }
            slots[slot] = Int32(truncatingIfNeeded: value.index)
            if slot == RecordSchema.idSlot {
                id = value.utf8.flatMap(ULID.init(bytes:))
                if id != nil { continue }
            }
            guard isFull else { continue }
            if let problem = ValueCheck.problem(of: value, as: fields[slot].type) {
                let message = "\(fields[slot].name) \(problem.message)"
                report(Finding(problem.rule, at: places.value(of: number), message))
            } else if case .items(let items) = fields[slot].type {
                ItemCheck.check(value, as: items, member: number, &places, report)
            } else if case .tags = fields[slot].type {
                TagCheck.check(value, named: fields[slot].name, member: number, &places, report)
            }
        }
        for slot in 0..<fields.count where isFull && slots[slot] == 0 && fields[slot].isRequired {
            report(Finding(.keyMissing, at: places.whole, "\(fields[slot].name) is missing"))
        }
        return Record(root: root, id: id, slots: slots, line: line)
    }

    /// The field of that name; writers mostly keep the format's order, so the one after the last is tried
    /// first.
    private func slot(of key: UnsafeRawBufferPointer, _ expected: Int) -> Int? {
        let fields = schema.fields
        if expected < fields.count, key.equals(fields[expected].name) { return expected }
        for slot in 0..<fields.count where key.equals(fields[slot].name) { return slot }
        return nil
    }
}

extension JSONValue.Kind {
    /// The kind with its article.
    var noun: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
