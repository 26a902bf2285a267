package import TraceFiles
internal import TraceStore
internal import TraceFormat

/// What a person wrote in a session's `digest.md`.
package struct HandwrittenDigest: Sendable {
    /// The file as it is.
    package let text: [UInt8]

    /// Reads a session's text.
    ///
    /// - Returns: Nil if there is none, or nobody wrote anything into it.
    /// - Throws: ``FileError``.
    package init?(in session: OpenDirectory) throws {
        let file = try session.readFile(RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)
        guard let file else { return nil }
        self.init(file.contents)
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
}
