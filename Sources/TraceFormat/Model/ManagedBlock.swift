internal import RecordFormat
internal import TraceText

/// The part of a `digest.md` that is rendered: what is between two comments. Everything else is a person's, and no byte of it
/// is ever touched.
///
/// ```
/// <!-- trace:begin digest v1 zone=Europe/Berlin -->
/// …
/// <!-- trace:end digest sum=0123456789abcdef -->
/// ```
///
/// The zone is that of the times between the two, so that the same session renders the same text wherever it is rendered again.
///
/// The sum is that of the text between the two, with `\n` for line breaks: a program that turns all of a file's line breaks
/// into `\r\n` is not an edit, a person who changes a word is.
///
/// Source: docs/digest.md#your-text-and-the-generated-text.
package struct ManagedBlock: Sendable, Equatable {
    /// The bytes from the first comment to the second, without the line break after that.
    let range: Range<Int>
    /// The text between the two, with `\n` for line breaks.
    package let text: [UInt8]
    /// What the second comment says of the text that was written.
    let sum: String
    /// The zone that the first comment names; nil if it names none, as those of earlier versions.
    package let zone: String?
    /// Whether its lines end with `\r\n`.
    let usesCarriageReturns: Bool

    private static let beginning = "<!-- trace:begin digest"
    private static let version = "v1"
    private static let ending = "<!-- trace:end digest"

    /// Finds the block of a text.
    ///
    /// - Returns: Nil if there is none.
    /// - Throws: ``BlockError`` with `.blockUnbalanced` if the comments are not one pair, or of another version.
    package static func find(in file: [UInt8]) throws(BlockError) -> ManagedBlock? {
        var begins: [Comment] = []
        var ends: [Comment] = []
        for comment in comments(in: file) {
            if comment.text.hasPrefix(beginning) { begins.append(comment) } else { ends.append(comment) }
        }
        guard let begin = begins.first ?? ends.first else { return nil }
        guard begins.count == 1, ends.count == 1, let end = ends.first,
            begin.range.lowerBound < end.range.lowerBound
        else {
            throw BlockError(
                .blockUnbalanced,
                "digest.md:\(begin.line): \(begins.count) comments begin a digest block and \(ends.count) end one",
                cure: "leave one '\(beginning) \(version) -->' and one '\(ending) …' below it, "
                    + "or remove them all")
        }
        guard let zone = zone(noted: begin.text) else {
            throw BlockError(
                .blockUnbalanced, "digest.md:\(begin.line): '\(begin.text)' is not supported by this version",
                cure: "update trace, or remove the block with its two comments")
        }
        // From behind the first comment's line break to the second comment.
        let inside = file[begin.range.upperBound..<end.range.lowerBound]
        let usesCarriageReturns = inside.first == 0x0D
        return ManagedBlock(
            range: begin.range.lowerBound..<end.range.upperBound,
            text: withoutCarriageReturns(inside.drop { $0 == 0x0D }.dropFirst()),
            sum: end.text.dropFirst(ending.count).split(separator: " ").first { $0.hasPrefix("sum=") }
                .map { String($0.dropFirst(4)) } ?? "",
            zone: zone.isEmpty ? nil : zone, usesCarriageReturns: usesCarriageReturns)
    }

    /// The zone in the text of a first comment: empty if it names none, nil if the comment is not one of this version.
    private static func zone(noted comment: String) -> String? {
        let words = comment.dropFirst(beginning.count).split(separator: " ")
        guard words.first == version[...], words.last == "-->" else { return nil }
        switch words.count {
        case 2: return ""
        case 3 where words[1].hasPrefix("zone="): return String(words[1].dropFirst(5))
        default: return nil
        }
    }

    /// Whether a text is a block as it was written and nothing else: no word of a person's.
    ///
    /// - Parameter checksum: As for ``updated(_:adopts:forces:checksum:render:)``.
    package static func isUntouched(_ file: [UInt8], checksum: ([UInt8]) -> String) -> Bool {
        guard let block = try? find(in: file), block.sum == checksum(block.text).prefix(16) else {
            return false
        }
        let outside = file[..<block.range.lowerBound] + file[block.range.upperBound...]
        return outside.allSatisfy { $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }
    }

    /// A text without the block, where that is as it was written: what a person wrote.
    ///
    /// - Parameter checksum: As for ``updated(_:adopts:forces:checksum:render:)``.
    package static func words(in file: [UInt8], checksum: ([UInt8]) -> String) -> [UInt8] {
        guard let block = try? find(in: file), block.sum == checksum(block.text).prefix(16) else {
            return file
        }
        return Array(file[..<block.range.lowerBound] + file[block.range.upperBound...])
    }

    /// What `digest.md` is to be.
    ///
    /// - Parameters:
    ///   - old: What it is now; nil or nothing where there is none.
    ///   - adopts: Whether a block is added to a text that has none.
    ///   - forces: Whether what somebody wrote into the block is overwritten.
    ///   - checksum: Of bytes; hexadecimal, at least 16 digits.
    ///   - render: Makes what is in the block, given the zone that the block noted so far, if any.
    /// - Throws: ``BlockError`` with `.blockMissing`, `.blockEdited` or `.blockUnbalanced`; what `render` throws.
    package static func updated(
        _ old: [UInt8]?, adopts: Bool, forces: Bool, checksum: ([UInt8]) -> String,
        render: (_ zone: String?) throws -> Rendering
    ) throws -> [UInt8] {
        let present = try old.flatMap { try find(in: $0) }
        let rendering = try render(present?.zone)
        // What a template brought along must neither look like an edit later nor end the block.
        let lines = rendering.markdown.replacing("\r\n", with: "\n")
        let markdown = lines.isEmpty || lines.hasSuffix("\n") ? lines : lines + "\n"
        let text = Array(markdown.utf8)
        if let comment = comments(in: text).first {
            throw BlockError(
                .blockUnbalanced, "line \(comment.line) of the digest is '\(comment.text)'",
                cure: "remove it from the template: these comments are added around the digest")
        }
        func block(usesCarriageReturns: Bool) -> [UInt8] {
            let begin = "\(beginning) \(version) zone=\(rendering.zone) -->"
            let lines = "\(begin)\n\(markdown)\(ending) sum=\(checksum(text).prefix(16)) -->"
            return Array((usesCarriageReturns ? lines.replacing("\n", with: "\r\n") : lines).utf8)
        }
        guard let old, !old.isEmpty else { return block(usesCarriageReturns: false) + [0x0A] }
        guard let present else {
            guard adopts else {
                throw BlockError(
                    .blockMissing, "digest.md was written by hand",
                    cure: [
                        "\(option: "adopt") adds the digest below it",
                        "\(verb: "digest show --rendered") only shows it",
                        .overHTTP(
                            #"send {"adopt":true} with scope 'admin' to add the digest below the text"#),
                    ])
            }
            let usesCarriageReturns = old.firstIndex(of: 0x0A).map { $0 > 0 && old[$0 - 1] == 0x0D } ?? false
            let lineBreak: [UInt8] = usesCarriageReturns ? [0x0D, 0x0A] : [0x0A]
            return old + (old.last == 0x0A ? [] : lineBreak) + lineBreak
                + block(usesCarriageReturns: usesCarriageReturns) + lineBreak
        }
        guard forces || present.sum == checksum(present.text).prefix(16) else {
            throw BlockError(
                .blockEdited, "digest.md has been edited between the two comments of the digest",
                cure: [
                    .atMachine("move your text above or below the block"),
                    "\(option: "force") overwrites them and keeps a copy",
                    .overHTTP(
                        #"move your text above or below the block, or send {"force":true} with scope 'admin'"#
                    ),
                ])
        }
        return old[..<present.range.lowerBound] + block(usesCarriageReturns: present.usesCarriageReturns)
            + old[present.range.upperBound...]
    }

    /// What is in the block, and in which zone it tells times.
    package struct Rendering {
        var zone: String
        var markdown: String

        package init(_ markdown: String, zone: String) {
            self.markdown = markdown
            self.zone = zone
        }
    }

    // MARK: - Comments

    /// One of the two comments, on a line of its own.
    private struct Comment {
        /// 1-based.
        var line: Int
        /// Its bytes, from the first of the line.
        var range: Range<Int>
        var text: String
    }

    private static func comments(in file: [UInt8]) -> [Comment] {
        var comments: [Comment] = []
        var start = 0
        var line = 1
        while start < file.count {
            let next = file[start...].firstIndex(of: 0x0A) ?? file.count
            let end =
                file[start..<next].lastIndex { $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 }
                ?? start
            if file[start..<end].starts(with: "<!-- trace:".utf8) {
                let text = String(decoding: file[start..<end], as: UTF8.self)
                if text.hasPrefix(beginning) || text.hasPrefix(ending) {
                    comments.append(Comment(line: line, range: start..<end, text: text))
                }
            }
            start = next + 1
            line += 1
        }
        return comments
    }

    private static func withoutCarriageReturns(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.indices.filter { bytes[$0] != 0x0D || $0 + 1 >= bytes.endIndex || bytes[$0 + 1] != 0x0A }.map {
            bytes[$0]
        }
    }
}
