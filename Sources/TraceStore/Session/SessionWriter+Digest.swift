internal import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

extension SessionWriter {
    /// Overwrites `digest.md` with a text, as ``updateDigest(_:)``.
    @discardableResult
    public func writeDigest(_ text: [UInt8]) throws -> Bool { try updateDigest { _ in text } }

    /// Brings the part of `digest.md` up to date that is rendered, as ``updateDigest(_:)``.
    ///
    /// - Parameters:
    ///   - adopts: Whether the part is added to a text that has none.
    ///   - forces: Whether what somebody wrote into it is overwritten.
    ///   - render: Makes the part, given the zone that it noted so far, if any.
    /// - Throws: Also ``BlockError`` with `.blockMissing`, `.blockEdited` or `.blockUnbalanced`, and what `render` throws;
    ///   then nothing is written.
    @discardableResult
    package func generateDigest(
        adopts: Bool, forces: Bool, render: (_ zone: String?) throws -> ManagedBlock.Rendering
    ) throws -> Bool {
        try updateDigest { old in
            try ManagedBlock.updated(
                old, adopts: adopts, forces: forces, checksum: UndoableWrite.checksum, render: render)
        }
    }

    /// Overwrites `digest.md` with what a person made of its text, as ``updateDigest(_:)``.
    ///
    /// - Parameter old: The text that they began with; nil if there was none.
    /// - Throws: Also ``FileError`` with `.changedMeanwhile` if it is no longer that; then nothing is written.
    package func editDigest(from old: [UInt8]?, to text: [UInt8]) throws -> Bool {
        try updateDigest { now in
            guard now == old else {
                throw FileError(
                    .changedMeanwhile, "it has been changed since by someone else",
                    path: path.appending(RecordKind.digestComponent))
            }
            return text
        }
    }

    /// Replaces `digest.md` and updates `session.json`.
    ///
    /// Where writes are noted, the old text is kept in the state directory first. Nothing is written where
    /// nothing would change.
    ///
    /// - Parameter text: Makes the new text of the old one.
    /// - Returns: Whether anything was written.
    /// - Throws: ``FileError``; `.invalidData` if the text is not UTF-8, or the old text could not be kept (then nothing is
    ///   written); `.changedMeanwhile` if somebody else wrote in between; what `text` throws.
    /// - Note: Durable on return; a reader sees the old text or the new one. Killed in between, `session.json`
    ///   may not know the new text yet; the same again does the rest.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    private func updateDigest(_ text: ([UInt8]?) throws -> [UInt8]) throws -> Bool {
        try recorded(.writeDigest) { session in
            let name = RecordKind.digestComponent
            let old = try session.directory.readFile(
                name, limit: Self.maximumDigestSize, followsLink: followsDigestLink)
            let text = try text(old?.contents)
            guard String(validating: text, as: UTF8.self) != nil else {
                throw FileError(.invalidData, "the digest is not UTF-8", cure: "save the text as UTF-8")
            }
            if old?.contents != text {
                try session.replace(
                    name, old, with: text, keepingIn: undoLog, followsLink: followsDigestLink)
            } else {
                try session.directory.makeDurable(name)
                if try session.wholeHeader().namesDigest { return false }
            }
            try session.touch(
                after: "digest.md was written", undoing: ["digest_path", "digest_updated_at"]
            ) { editor in
                try editor.set("digest_path", to: JSONText(SessionLayout.digest))
                try editor.set("digest_updated_at", to: JSONText(Clock.now()))
            }
            return true
        }
    }

    /// A digest that is nothing but the part that is rendered.
    package static func generated(_ rendering: ManagedBlock.Rendering) throws -> [UInt8] {
        try ManagedBlock.updated(
            nil, adopts: false, forces: false, checksum: UndoableWrite.checksum
        ) { _ in rendering }
    }

    /// Whether a digest has a word of a person's: it is neither empty nor nothing but the part that is rendered, as it was
    /// written.
    package static func isHandwritten(digest text: [UInt8]) -> Bool {
        !text.isEmpty && !ManagedBlock.isUntouched(text, checksum: UndoableWrite.checksum)
    }

    /// What a person wrote of a digest: all but the part that is rendered, where nobody has written into that.
    package static func words(ofDigest text: [UInt8]) -> [UInt8] {
        ManagedBlock.words(in: text, checksum: UndoableWrite.checksum)
    }

    /// The most bytes of a digest that are read at once.
    package static let maximumDigestSize: Int64 = 16 << 20
}

extension RecordKind {
    /// The name of the digest's file, which holds no records.
    package static let digestComponent: FilePath.Component = "digest.md"
}
