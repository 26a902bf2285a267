package import RecordFormat
package import TraceFiles
internal import TraceFormat
internal import TraceStore
package import TraceText

/// What a person wrote in a session's `digest.md`.
package struct HandwrittenDigest: Sendable {
    /// The file as it is.
    package let text: [UInt8]
    /// When it was written, as far as the file says.
    private var modified: Timestamp?

    /// Reads a session's text.
    ///
    /// - Returns: Nil if there is none, or nobody wrote anything into it.
    /// - Throws: ``FileError``.
    package init?(in session: OpenDirectory) throws {
        let file = try session.readFile(RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)
        guard let file else { return nil }
        self.init(file.contents)
        modified = file.identity.modified.timestamp
    }

    /// What is in the file.
    ///
    /// - Returns: Nil if nobody wrote anything into it.
    package init?(_ text: [UInt8]) {
        guard SessionWriter.isHandwritten(digest: text) else { return nil }
        self.text = text
    }

    /// The words on a page: as Markdown, or as they are where reading that takes too long.
    package var pageWords: PageWords {
        let words = SessionWriter.words(ofDigest: text)
        if ThreadCapacity.allows(1), let tree = MarkdownParser.tree(of: words) { return .tree(tree) }
        return .plain(String(decoding: words, as: UTF8.self))
    }

    /// The whole text for a terminal, without the signs of Markdown and without comments; nil where reading that takes too long.
    package func terminal(columns: Int, styled: Bool) -> TerminalText? {
        guard ThreadCapacity.allows(1), let tree = MarkdownParser.tree(of: text) else { return nil }
        return MarkdownTerminal.text(tree, columns: columns, styled: styled)
    }

    /// Whether the session has changed since the text was written, or since the part of it was rendered that is rendered.
    ///
    /// - Parameters:
    ///   - digest: What the session is now.
    ///   - zone: Finds a zone by its name.
    package func isOlder(than digest: Digest, zone: (String) throws -> ZoneRules) -> Bool {
        if let block = (try? ManagedBlock.find(in: text)) ?? nil {
            var now = digest
            if let noted = block.zone { now.zone = (try? zone(noted)) ?? digest.zone }
            // What was written into the session since may be nothing that the digest shows.
            if Array(now.markdown().utf8) == block.text { return false }
        }
        guard let changed = digest.session.updatedAt,
            let written = digest.session.digestUpdatedAt ?? modified
        else { return false }
        // Both are noted by the write itself, one after the other.
        return changed.milliseconds(since: written) > 1000
    }

    /// Whether a part of it is rendered.
    package var hasRenderedPart: Bool { (try? ManagedBlock.find(in: text)) ?? nil != nil }
}
