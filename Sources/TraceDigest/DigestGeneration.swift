package import RecordFormat
package import TraceFiles
package import TraceFormat
package import TraceStore

/// Brings the part of a session's `digest.md` up to date that is generated.
package struct DigestGeneration {
    private var digest: Digest
    private let zone: (String?) throws -> ZoneRules
    private let render: (Digest) throws -> String
    /// What was rendered last; empty if nothing was.
    private var markdown = ""

    /// - Parameters:
    ///   - digest: That of the session as it is now.
    ///   - zone: The zone of its times, given the one that the text has noted so far.
    ///   - render: Makes the text; by default ``Digest/markdown()``.
    package init(
        _ digest: Digest, zone: @escaping (_ noted: String?) throws -> ZoneRules,
        render: @escaping (Digest) throws -> String = { $0.markdown() }
    ) {
        self.digest = digest
        self.zone = zone
        self.render = render
    }

    /// Writes the text.
    ///
    /// - Parameters:
    ///   - adopts: Whether the part is added to a text that has none.
    ///   - forces: Whether what somebody wrote into it is overwritten.
    /// - Returns: Whether it was another one before.
    /// - Throws: ``BlockError`` with `.blockMissing`, `.blockEdited` or `.blockUnbalanced`; ``FileError``; then nothing is
    ///   written.
    /// - Note: Durable on return.
    package mutating func run(_ writer: SessionWriter, adopts: Bool, forces: Bool) throws -> Bool {
        try writer.generateDigest(adopts: adopts, forces: forces) { noted in
            digest.zone = try zone(noted)
            markdown = try render(digest)
            return ManagedBlock.Rendering(markdown, zone: digest.zone.name)
        }
    }

    /// What somebody changed in the part, against what was rendered last; nil if the text has no such part.
    ///
    /// - Throws: ``FileError``; ``BlockError`` with `.blockUnbalanced`.
    package func edits(in session: OpenDirectory) throws -> LineDiff? {
        let file = try session.readFile(RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)
        return try file.flatMap { try ManagedBlock.find(in: $0.contents) }.map {
            LineDiff(from: $0.text, to: Array(markdown.utf8))
        }
    }
}
