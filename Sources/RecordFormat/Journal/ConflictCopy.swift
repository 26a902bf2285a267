/// Names that sync tools give to the loser of two versions which they could not join.
///
/// | tool | between the name and its extension |
/// |---|---|
/// | Syncthing | `.sync-conflict-20260204-120000-ABCDEFG`, formerly without the device |
/// | Nextcloud | ` (conflicted copy 2026-02-04 120000)`, with the user's name before the date; ` (case clash from anna 2026-02-04 120000)`; formerly `_conflict-20260204-120000` |
/// | Dropbox | ` (Anna's conflicted copy 2026-02-04)`, in the language of the user: ` (In Konflikt stehende Kopie von Anna 2026-02-04)`; ` (Case Conflict)` and the like |
/// | Maestral | ` (conflicting copy)`, with a date and a number |
/// | Seafile | ` (SFConflict anna@example.org 2026-02-04-12-00-00)` |
/// | Synology Drive | `_HOMESERVER_Feb-04-120000-2026_Conflict` |
/// | iCloud | ` 2`, ` 3`, … ` 99` |
/// | rclone | `.conflict1`, also behind the extension |
///
/// Copies of copies have several of them. Anything else is not a conflict copy: these names are acted upon. So the form of OneDrive is
/// not among them, `-HOMESERVER`, which people write, too (`markers-OLD.jsonl`), nor ` (1)`, which browsers write: such a file is
/// reported if records are in it (``JournalLayout/mayHoldRecords(_:)``).
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
        if name.starts(with: original) {
            var mark = Reader(name[original.count...])
            return mark.isRcloneMark()
        }
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
                guard syncthing() || legacyNextcloud() || parenthesis() || number() || rclone() || synology()
                else { return false }
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

        /// Whether it is the mark of rclone alone.
        mutating func isRcloneMark() -> Bool { rclone() && rest.isEmpty }

        /// `.conflict1`
        private mutating func rclone() -> Bool {
            let start = rest
            guard take(".conflict") else { return false }
            let digits = rest.prefix(while: \.isASCIIDigit)
            guard (1...3).contains(digits.count) else { return reset(to: start) }
            rest = rest[digits.endIndex...]
            return true
        }

        /// `_HOMESERVER_Feb-04-120000-2026_Conflict`: the machine, when it was, and for what reason.
        private mutating func synology() -> Bool {
            guard rest.first == UInt8(ascii: "_") else { return false }
            let parts = rest.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
            guard parts.count >= 4, let reason = parts.last,
                reason.elementsEqual("Conflict".utf8) || reason.elementsEqual("CaseConflict".utf8)
            else { return false }
            let moment = parts[parts.count - 2].split(
                separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard moment.count == 4, moment[0].count == 3, moment[1].count == 2, moment[3].count == 4,
                (4...6).contains(moment[2].count),
                moment.dropFirst().allSatisfy({ $0.allSatisfy(\.isASCIIDigit) })
            else { return false }
            rest = rest[rest.endIndex...]
            return true
        }

        /// ` (… conflicted copy …)`: in front of the words the owner, behind them the date, either of them or
        /// none.
        private mutating func parenthesis() -> Bool {
            guard rest.starts(with: " (".utf8), let end = rest.firstIndex(of: UInt8(ascii: ")")) else {
                return false
            }
            // Texts that differ in how their accents are encoded are equal, as they must be: macOS takes them apart.
            let text = String(decoding: rest[(rest.startIndex + 2)..<end], as: UTF8.self).lowercased()
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            let isConflict =
                Self.phrases.contains { phrase in
                    words.indices.contains { words[$0...].starts(with: phrase) }
                } || Self.unspacedPhrases.contains { text.contains($0) }
            guard isConflict else { return false }
            rest = rest[(end + 1)...]
            return true
        }

        /// What sync tools call such a copy, in small letters.
        private static let phrases = [
            // Dropbox and Nextcloud; Dropbox in German, French, Spanish (twice), Italian and Portuguese.
            "conflicted copy", "in konflikt stehende kopie", "copie en conflit", "copia en conflicto",
            "copia conflictiva", "copia in conflitto", "cópia em conflito",
            // Dropbox, of names that differ in their case or encoding, or that are not synced.
            "case conflict", "unicode encoding conflict", "selective sync conflict",
            // Maestral, Nextcloud, Seafile.
            "conflicting copy", "case clash from", "sfconflict",
        ].map { $0.split(separator: " ") }

        /// As ``phrases``, of Dropbox in Japanese (twice) and Chinese (simplified, traditional).
        private static let unspacedPhrases = ["競合コピー", "問題のあるコピー", "冲突副本", "衝突複本"]

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
