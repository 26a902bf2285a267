internal import RecordFormat

/// A line of a list of chapters: a title with a time before or behind it, as people and programs write them.
///
/// The time may be in brackets, have a bullet or a number before it, and an end or a length behind it: `1. [0:00 - 1:05] Intro`.
struct TimedLine {
    /// When it begins.
    let offset: SessionOffset
    /// What is not a time; of a line that begins with one, a separator between the two may be in front of it.
    var title: String
    /// A link in angle brackets at the end, as Auphonic's chapters have them.
    private(set) var link: String?
    /// Whether the time is before the title.
    let isTimeFirst: Bool
    /// Whether there is a second time, an end or a length.
    private(set) var hasSecondTime: Bool
    /// Whether the title is to be taken as it is: an export has put ``literalMark`` before it.
    let isLiteral: Bool

    /// What an export puts before a title that begins or ends like something that a reader would take off; it has no width.
    static let literalMark: UnicodeScalar = "\u{2060}"

    /// Reads a line; nil if it has no time at its beginning or end.
    init?(_ line: Substring) {
        guard line.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let text = TimedText(line)
        if let (time, next) = text.leadingTime {
            (offset, hasSecondTime, isTimeFirst) = (time.offset, time.isFollowed, true)
            var start = next
            // A separator right behind the time belongs to it; without one a space must be there, unless a bracket ends the time.
            let isClosed = text.isClosingBracket(at: start - 1)
            let isAttached = text.isSeparator(at: start)
            if isAttached { start += 1 }
            guard
                isAttached || isClosed || start == text.end || text.isSpace(at: start)
                    || text.isBeyondASCII(at: start)
            else { return nil }
            let literal = text.afterLiteralMark(from: start)
            isLiteral = literal != nil
            title = text.trimmed(literal ?? start, text.end)
        } else if let (time, end) = text.trailingTime {
            (offset, hasSecondTime, isTimeFirst, isLiteral) = (time.offset, time.isFollowed, false, false)
            title = text.trimmed(0, end)
            guard !title.isEmpty else { return nil }
        } else {
            return nil
        }
        if !isLiteral { takeLink() }
    }

    private mutating func takeLink() {
        guard title.hasSuffix(">"), let start = title.lastIndex(of: "<") else { return }
        let inner = title[title.index(after: start)...].dropLast()
        guard inner.hasPrefix("http://") || inner.hasPrefix("https://") else { return }
        link = String(inner)
        let scalars = TimedText(title[..<start])
        title = scalars.trimmed(0, scalars.end)
    }

    /// The title without the separator that it begins with, followed by a space; nil if it has none.
    var titleWithoutSeparator: String? {
        let text = TimedText(title[...])
        guard text.isSeparator(at: 0), text.end == 1 || text.isSpace(at: 1) else { return nil }
        return text.trimmed(1, text.end)
    }

    /// The title without a time at its end; nil if it has none.
    var titleWithoutTime: String? {
        guard title.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let text = TimedText(title[...])
        return text.trailingTime.map { text.trimmed(0, $0.end) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a reader of `0:00 title` might take another title from it.
    static func isAmbiguous(_ title: String) -> Bool {
        let text = TimedText(title[...])
        let start = text.skippingSpaces(from: 0)
        if text.isSeparator(at: start) || text.isLiteralMark(at: 0) { return true }
        guard title.utf8.contains(UInt8(ascii: ":")) else { return false }
        return text.time(at: start) != nil || text.trailingTime != nil
    }
}

/// The characters of a line, as far as times are looked for in it.
private struct TimedText {
    private let scalars: [UnicodeScalar]

    init(_ text: Substring) { scalars = Array(text.unicodeScalars) }

    /// A time, and whether another one follows.
    struct Time {
        var offset: SessionOffset
        var isFollowed = false
    }

    var end: Int { scalars.count }

    // MARK: - Characters

    /// White space, and characters that nobody sees; not those that join others, nor the mark of a literal title.
    private static func isSpace(_ scalar: UnicodeScalar) -> Bool {
        switch scalar {
        case "\u{AD}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}",
            "\u{FEFF}":
            true
        default: scalar.isASCII ? scalar.value <= 0x20 : scalar.properties.isWhitespace
        }
    }

    func isSpace(at place: Int) -> Bool { place < end && Self.isSpace(scalars[place]) }

    func isLiteralMark(at place: Int) -> Bool { place < end && scalars[place] == TimedLine.literalMark }

    func isBeyondASCII(at place: Int) -> Bool { place < end && !scalars[place].isASCII }

    func isSeparator(at place: Int) -> Bool { place < end && Self.separators.contains(scalars[place]) }

    private static let separators: Set<UnicodeScalar> = ["-", "–", "—", "−", "|", ":", "→", "·", "•", "~"]
    private static let brackets: [UnicodeScalar: UnicodeScalar] = [
        "(": ")", "[": "]", "{": "}", "<": ">", "（": "）", "【": "】",
    ]
    private static let closingBrackets = Set(brackets.values)

    func isClosingBracket(at place: Int) -> Bool { Self.closingBrackets.contains(scalars[place]) }

    private func isDigit(at place: Int) -> Bool { place < end && ("0"..."9").contains(scalars[place]) }

    func skippingSpaces(from place: Int) -> Int {
        var place = place
        while isSpace(at: place) { place += 1 }
        return place
    }

    /// What is between two places, without spaces and invisible characters at its ends.
    func trimmed(_ start: Int, _ end: Int) -> String {
        let start = skippingSpaces(from: start)
        var end = end
        while end > start, Self.isSpace(scalars[end - 1]) { end -= 1 }
        guard start < end else { return "" }
        return String(String.UnicodeScalarView(scalars[start..<end]))
    }

    /// Where a title begins that is marked to be taken as it is, if there is a mark before it.
    func afterLiteralMark(from place: Int) -> Int? {
        var place = place
        while isSpace(at: place), !isLiteralMark(at: place) { place += 1 }
        return isLiteralMark(at: place) ? place + 1 : nil
    }

    // MARK: - Times

    /// A clock like `1:05`, `01:00:00.250`, and where it ends.
    private func clock(at start: Int) -> (offset: SessionOffset, next: Int)? {
        guard isDigit(at: start) else { return nil }
        var next = start
        var hasColon = false
        while next < end {
            let scalar = scalars[next]
            if scalar == ":" {
                guard isDigit(at: next + 1) else { break }
                hasColon = true
            } else if scalar == "." || scalar == "," {
                guard hasColon, isDigit(at: next + 1) else { break }
            } else if !isDigit(at: next) {
                break
            }
            next += 1
        }
        guard hasColon else { return nil }
        // `7:30pm` is a time of day.
        if next < end, scalars[next].isASCII, scalars[next].properties.isAlphabetic { return nil }
        return ExchangeTime.clock(String(String.UnicodeScalarView(scalars[start..<next]))).map { ($0, next) }
    }

    /// A time, in brackets or not, perhaps with another one behind it, and where that ends.
    func time(at start: Int) -> (time: Time, next: Int)? {
        let closing = start < end ? Self.brackets[scalars[start]] : nil
        guard let first = clock(at: closing == nil ? start : skippingSpaces(from: start + 1)) else {
            return nil
        }
        var next = first.next
        var time = Time(offset: first.offset)
        if let second = secondTime(after: next) { (time.isFollowed, next) = (true, second) }
        if let closing {
            next = skippingSpaces(from: next)
            guard next < end, scalars[next] == closing else { return nil }
            next += 1
            if !time.isFollowed, let second = secondTime(after: next) {
                (time.isFollowed, next) = (true, second)
            }
        }
        return (time, next)
    }

    /// Where a second time ends: ` - 1:05`, `–1:05`, ` (1:05)`, ` 1:05`.
    private func secondTime(after place: Int) -> Int? {
        var next = skippingSpaces(from: place)
        if isSeparator(at: next) || next < end && scalars[next] == "/" {
            next = skippingSpaces(from: next + 1)
        }
        let closing = next < end ? Self.brackets[scalars[next]] : nil
        if closing != nil { next = skippingSpaces(from: next + 1) }
        guard let clock = clock(at: next) else { return nil }
        guard let closing else { return clock.next }
        next = skippingSpaces(from: clock.next)
        return next < end && scalars[next] == closing ? next + 1 : nil
    }

    /// The time at the beginning, behind a bullet and a number, and where it ends.
    var leadingTime: (time: Time, next: Int)? {
        var start = 0
        while start < end, Self.brackets[scalars[start]] == nil, !scalars[start].properties.isAlphabetic,
            !isDigit(at: start)
        {
            start += 1
        }
        if let found = time(at: start) { return found }
        var next = start
        while isDigit(at: next), next < start + 3 { next += 1 }
        guard next > start, next < end else { return nil }
        if scalars[next] == "." || scalars[next] == ")" || scalars[next] == ":" { next += 1 }
        guard isSpace(at: next) else { return nil }
        next = skippingSpaces(from: next)
        if isSeparator(at: next) { next = skippingSpaces(from: next + 1) }
        return time(at: next)
    }

    /// The time at the end, and where what is before it ends.
    var trailingTime: (time: Time, end: Int)? {
        var last = end
        while last > 0, Self.isSpace(scalars[last - 1]) { last -= 1 }
        guard last > 0 else { return nil }
        // The longest one: with its brackets, and with the time before it.
        var found: (time: Time, end: Int)?
        var start = last
        while start > 0, !scalars[start - 1].properties.isAlphabetic {
            start -= 1
            let mayBegin =
                Self.brackets[scalars[start]] != nil
                || isDigit(at: start) && (start == 0 || !isPart(scalars[start - 1]))
            guard mayBegin else { continue }
            // One that ends before the end may be the inside of a bracket that begins further in front.
            guard let (time, next) = time(at: start), next == last else { continue }
            found = (time, titleEnd(before: start))
        }
        return found
    }

    /// Whether a digit behind this belongs to something that has begun before.
    private func isPart(_ scalar: UnicodeScalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == ":" || scalar == "."
            || scalar == ","
    }

    /// Where a title ends that a time follows: before what separates them.
    private func titleEnd(before place: Int) -> Int {
        var place = place
        while place > 0, Self.isSpace(scalars[place - 1]) || Self.separators.contains(scalars[place - 1]) {
            place -= 1
        }
        return place
    }
}
