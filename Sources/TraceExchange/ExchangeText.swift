internal import RecordFormat
internal import TraceText

/// Helpers shared by the formats.
enum ExchangeText {
    /// Where the bytes stop being UTF-8, or nil if they don't.
    static func firstInvalidByte(_ text: [UInt8]) -> Int? {
        text.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                if bytes[position] < 0x80 {
                    position += 1
                } else if let length = UTF8Sequence.length(in: bytes, at: position) {
                    position += length
                } else {
                    return position
                }
            }
            return nil
        }
    }
}

/// A line of a text, without its line break.
struct TextLine {
    /// 1-based.
    var number: Int
    /// Bytes from the start of the file.
    var offset: Int
    var text: Substring

    func place(_ file: String) -> Finding.Place {
        Finding.Place(file: file, line: number, byteOffset: offset)
    }

    /// Whether there is nothing but white space.
    var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }
}

extension ImportSource {
    /// The text without a byte order mark, and how many bytes that has.
    func decoded() throws(ExchangeProblem) -> (text: String, skipped: Int) {
        let start = Finding.Place(file: file, line: 1, byteOffset: 0)
        if let otherEncoding {
            throw ExchangeProblem(
                start, "the text is \(otherEncoding)", cure: "save it as UTF-8, then import it again")
        }
        let skipped = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard let decoded = String(validating: text[skipped...], as: UTF8.self) else {
            throw ExchangeProblem(
                place(of: ExchangeText.firstInvalidByte(text) ?? text.count), "the bytes are not UTF-8",
                cure: "save it as UTF-8, then import it again")
        }
        return (decoded, skipped)
    }

    /// Where a byte stands.
    func place(of position: Int) -> Finding.Place {
        var place = Finding.Place(file: file, line: 1, byteOffset: position, column: position + 1)
        for before in 0..<min(position, text.count) where text.endsLine(at: before) {
            place.line += 1
            place.column = position - before
        }
        return place
    }

    /// Hands out the lines, which end with `\n`, `\r\n` or `\r`; the last need not.
    private func forEachLine(_ body: (TextLine) -> Void) throws(ExchangeProblem) {
        let (text, skipped) = try decoded()
        var number = 0
        let bytes = text.utf8
        var start = bytes.startIndex
        var offset = skipped
        while start < bytes.endIndex {
            let content = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
            number += 1
            body(TextLine(number: number, offset: offset, text: text[start..<content]))
            var end = content
            if end < bytes.endIndex {
                let isReturn = bytes[end] == 0x0D
                end = bytes.index(after: end)
                if isReturn, end < bytes.endIndex, bytes[end] == 0x0A { end = bytes.index(after: end) }
            }
            offset += bytes.distance(from: start, to: end)
            start = end
        }
    }

    /// Reads line by line; a problem of the text as a whole, or of a line, goes among the problems.
    func readLines(
        into read: inout MarkerSink,
        _ body: (TextLine, inout MarkerSink) throws(ExchangeProblem) -> Void
    ) {
        do throws(ExchangeProblem) {
            try forEachLine { line in
                do throws(ExchangeProblem) { try body(line, &read) } catch { read.problems.append(error) }
            }
        } catch { read.problems.append(error) }
    }
}

extension [UInt8] {
    /// Whether the line ends with this byte: a `\n`, or a `\r` without one behind it.
    func endsLine(at position: Int) -> Bool {
        switch self[position] {
        case 0x0A: true
        case 0x0D: position + 1 == count || self[position + 1] != 0x0A
        default: false
        }
    }

    /// Appends `hh:mm:ss.mmm`.
    mutating func append(longClock offset: SessionOffset) {
        let seconds = offset.milliseconds / 1000
        append(number: seconds / 3600, width: 2)
        append(UInt8(ascii: ":"))
        append(number: seconds / 60 % 60, width: 2)
        append(UInt8(ascii: ":"))
        append(number: seconds % 60, width: 2)
        append(UInt8(ascii: "."))
        append(number: offset.milliseconds % 1000, width: 3)
    }

    /// Appends seconds with so many decimals, at least three.
    mutating func append(seconds offset: SessionOffset, decimals: Int = 3) {
        append(number: offset.milliseconds / 1000)
        append(UInt8(ascii: "."))
        append(number: abs(offset.milliseconds % 1000), width: 3)
        for _ in 3..<Swift.max(3, decimals) { append(UInt8(ascii: "0")) }
    }
}

/// Parses and formats the times of other programs.
enum ExchangeTime {
    /// Seconds with decimals (`12.5`, `-0,25`), rounded to milliseconds; nil for anything else.
    static func seconds(_ text: some StringProtocol) -> SessionOffset? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        let parts = digits.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard let whole = parts.first, !whole.isEmpty || (parts.count == 2 && !parts[1].isEmpty),
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }), whole.utf8.count <= 12
        else { return nil }
        let seconds = whole.isEmpty ? 0 : Int64(whole) ?? 0
        let decimals =
            Array((parts.count == 2 ? parts[1] : "").utf8.map { Int64($0 - UInt8(ascii: "0")) }) + [
                0, 0, 0, 0,
            ]
        let thousandths = decimals[0] * 100 + decimals[1] * 10 + decimals[2] + (decimals[3] >= 5 ? 1 : 0)
        let total = seconds * 1000 + thousandths
        return SessionOffset(milliseconds: isNegative ? -total : total)
    }

    /// `m:ss`, `h:mm:ss`, each with decimals of the seconds or not; nil for anything else.
    static func clock(_ text: some StringProtocol) -> SessionOffset? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last, let seconds = seconds(last),
            !last.hasPrefix("-"), last.utf8.prefix(while: \.isASCIIDigit).count == 2,
            seconds.milliseconds < 60_000
        else { return nil }
        var total: Int64 = 0
        for (index, part) in parts.dropLast().enumerated() {
            guard part.utf8.allSatisfy(\.isASCIIDigit), part.utf8.count <= 9, let number = Int64(part),
                index == 0 || number < 60
            else { return nil }
            total = total * 60 + number
        }
        return SessionOffset(milliseconds: total * 60_000).adding(seconds)
    }
}
