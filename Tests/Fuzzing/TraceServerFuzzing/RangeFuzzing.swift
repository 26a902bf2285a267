internal import HTTPTypes
internal import TraceServer

/// Conditional requests and ranges.
struct RangeFuzzing {
    private let input: [UInt8]
    private let now = HTTPDate(seconds: 1_770_000_000)

    init(_ input: [UInt8]) { self.input = input }

    func check() throws {
        let representation = self.representation
        for method in [HTTPRequest.Method.get, .head, .put] {
            let request = ConditionalRequest(method, fields)
            for there in [representation, nil] {
                try require(request.answer(for: there, now: now), fits: there, to: method)
            }
        }
        try requireReadable(representation)
    }

    /// The first three bytes choose it.
    private var representation: Representation {
        let sizes: [Int64] = [0, 1, 2, 10, 1000, .max]
        let choice = input.byte(0)
        return Representation(
            size: sizes[Int(choice) % sizes.count],
            tag: choice & 0x40 == 0 ? EntityTag(hash: [0xAB], isWeak: choice & 0x80 != 0) : nil,
            modified: input.byte(1) & 1 == 0 ? HTTPDate(seconds: 784_111_777) : nil,
            hasRested: input.byte(1) & 2 == 0)
    }

    /// The first byte of a line chooses the field, the rest is its value.
    private var fields: HTTPFields {
        let names: [HTTPField.Name] = [
            .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
        ]
        var fields = HTTPFields()
        for line in [UInt8](input.dropFirst(2)).lines.prefix(64) {
            let name = names[Int(line.utf8.first ?? 0) % names.count]
            fields.append(
                HTTPField(name: name, value: String(decoding: line.utf8.dropFirst(), as: UTF8.self)))
        }
        return fields
    }

    private func require(
        _ answer: ConditionalRequest.Response, fits there: Representation?, to method: HTTPRequest.Method
    ) throws {
        switch answer {
        case .part(let range):
            let size = there?.size ?? 0
            try TraceServerFuzzing.require(
                method == .get && range.first >= 0 && range.first <= range.last && range.last < size
                    && range.count > 0, "\(range) of \(size) bytes")
        case .rangeNotSatisfiable, .notModified:
            try TraceServerFuzzing.require(method != .put && there != nil, "\(answer) to \(method)")
        case .whole, .preconditionFailed: break
        }
        try TraceServerFuzzing.require(
            fields.contains(.range) || ![.rangeNotSatisfiable].contains(answer),
            "a range that nobody asked for")
    }

    /// What is read as a date or as a tag is the same when it is written and read again; ranges are those of a reader that
    /// goes through them byte by byte.
    private func requireReadable(_ there: Representation) throws {
        for line in input.lines {
            if let date = HTTPDate(line, now: now) {
                try TraceServerFuzzing.require(
                    HTTPDate(date.description, now: now) == date, "written and read, \(date) is another")
            }
            if let tag = EntityTag(line), tag.opaque.allSatisfy({ $0 < 0x80 }) {
                try TraceServerFuzzing.require(
                    EntityTag(tag.description) == tag, "written and read, \(tag) is another")
            }
            if there.size <= 1000, let ranges = ByteRanges(line) {
                try requireSame(ranges.selection(of: there.size), line, size: Int(there.size))
            }
        }
    }

    /// Compares with the bytes that the ranges name, one by one.
    private func requireSame(_ selection: ByteRanges.Selection, _ text: String, size: Int) throws {
        var isWanted = [Bool](repeating: false, count: size)
        var isLastOfNothing = false
        for element in text.split(separator: "=", maxSplits: 1).last?.split(separator: ",") ?? [] {
            let digits = element.filter { $0 != " " && $0 != "\t" }
            guard let dash = digits.firstIndex(of: "-") else { continue }
            let first = Int(digits[..<dash]) ?? (dash == digits.startIndex ? nil : .max)
            let after = digits[digits.index(after: dash)...]
            let last = Int(after) ?? (after.isEmpty ? nil : .max)
            let wanted: Range<Int>
            if let first {
                wanted = min(first, size)..<max(min(first, size), last.map { min($0, size - 1) + 1 } ?? size)
            } else {
                wanted = size - min(last ?? 0, size)..<size
                isLastOfNothing = isLastOfNothing || size == 0 && last ?? 0 > 0
            }
            for index in wanted { isWanted[index] = true }
        }
        let expected: ByteRanges.Selection
        if let first = isWanted.firstIndex(of: true), let last = isWanted.lastIndex(of: true) {
            let isOne = isWanted[first...last].allSatisfy { $0 }
            expected = isOne ? .part(ByteRange(first: Int64(first), last: Int64(last))) : .whole
        } else {
            expected = isLastOfNothing ? .whole : .nothing
        }
        try TraceServerFuzzing.require(
            selection == expected, "\(text) of \(size): \(selection), not \(expected)")
    }
}
