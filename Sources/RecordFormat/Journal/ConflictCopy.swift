/// Names that sync tools give to the loser of two versions which they could not join.
///
/// | tool | between the name and its extension |
/// |---|---|
/// | Syncthing | `.sync-conflict-20260204-120000-ABCDEFG`, formerly without the device |
/// | Nextcloud | ` (conflicted copy 2026-02-04 120000)`, with the user's name before the date; formerly `_conflict-20260204-120000` |
/// | Dropbox | ` (Anna's conflicted copy 2026-02-04)` |
/// | iCloud | ` 2`, ` 3`, … ` 99` |
///
/// Copies of copies have several of them. Anything else is not a conflict copy: these names are acted upon.
///
/// Source: docs/repair.md#merging-conflict-copies.
package enum ConflictCopy {
    /// The file that `name` is a conflict copy of, or nil.
    static func original(of name: String, among files: [String]) -> String? {
        files.first { isCopy(Array(name.utf8), of: Array($0.utf8)) }
    }

    /// The id of the queue entry that `name` is a conflict copy of, or nil.
    package static func entry(of name: String) -> ULID? {
        let bytes = Array(name.utf8)
        guard let id = ULID(name.prefix(ULID.length).uppercased()) else { return nil }
        return isCopy(bytes, of: Array(bytes.prefix(ULID.length)) + ".json".utf8) ? id : nil
    }

    private static func isCopy(_ name: [UInt8], of original: [UInt8]) -> Bool {
        guard let dot = original.lastIndex(of: UInt8(ascii: ".")), name.count > original.count,
            name.starts(with: original[..<dot]), name.suffix(original.count - dot) == original[dot...]
        else { return false }
        var marks = Reader(name[dot..<(name.count - (original.count - dot))])
        return marks.isMarksOnly()
    }

    /// Parses the text between a name and its extension.
    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ text: ArraySlice<UInt8>) { rest = text }

        /// Whether there is one mark after the other, and nothing else.
        mutating func isMarksOnly() -> Bool {
            while !rest.isEmpty {
                guard syncthing() || legacyNextcloud() || parenthesis() || number() else { return false }
            }
            return true
        }

        private mutating func syncthing() -> Bool {
            let start = rest
            guard take(".sync-conflict-"), moment() else { return reset(to: start) }
            let device = rest.dropFirst().prefix(7)
            if rest.first == UInt8(ascii: "-"), device.count == 7, device.allSatisfy(Self.isBase32) {
                rest = rest.dropFirst(8)
            }
            return true
        }

        private mutating func legacyNextcloud() -> Bool {
            let start = rest
            guard take("_conflict-") else { return false }
            if moment() { return true }
            // A user's name, which may hold hyphens too.
            while let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) {
                rest = rest[(hyphen + 1)...]
                if moment() { return true }
            }
            return reset(to: start)
        }

        /// ` (… conflicted copy …)`: in front of the words the owner, behind them the date, either of them or
        /// none.
        private mutating func parenthesis() -> Bool {
            guard rest.starts(with: " (".utf8), let end = rest.firstIndex(of: UInt8(ascii: ")")) else {
                return false
            }
            let words = rest[(rest.startIndex + 2)..<end].split(
                separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            let isConflict = zip(words, words.dropFirst()).contains {
                $0.elementsEqual("conflicted".utf8) && $1.elementsEqual("copy".utf8)
            }
            guard isConflict else { return false }
            rest = rest[(end + 1)...]
            return true
        }

        /// ` 2` to ` 99`; a longer number is a year or a person's own.
        private mutating func number() -> Bool {
            guard rest.first == UInt8(ascii: " ") else { return false }
            let digits = rest.dropFirst().prefix { $0.isASCIIDigit }
            guard let number = Int(String(decoding: digits, as: UTF8.self)), (2...99).contains(number),
                digits.first != UInt8(ascii: "0")
            else { return false }
            rest = rest[digits.endIndex...]
            return true
        }

        /// `20260204-120000`
        private mutating func moment() -> Bool {
            let text = rest.prefix(15)
            let isMoment =
                text.count == 15
                && text.enumerated().allSatisfy { index, byte in
                    index == 8 ? byte == UInt8(ascii: "-") : byte.isASCIIDigit
                }
            if isMoment { rest = rest.dropFirst(15) }
            return isMoment
        }

        private mutating func take(_ text: StaticString) -> Bool {
            let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard rest.starts(with: bytes) else { return false }
            rest = rest.dropFirst(bytes.count)
            return true
        }

        private mutating func reset(to start: ArraySlice<UInt8>) -> Bool {
            rest = start
            return false
        }

        private static func isBase32(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
        }
    }
}
