package import SystemPackage
package import TraceFormat

extension SessionWriter {
    /// Overwrites `digest.md` and updates `session.json`.
    ///
    /// Where writes are noted, the old text is kept in the state directory first. Nothing is written where
    /// nothing would change.
    ///
    /// - Returns: Whether anything was written.
    /// - Throws: ``StoreError``; `.invalidData` where the text is not UTF-8, or the old text could not be kept
    ///   (then nothing is written).
    /// - Note: Durable on return; a reader sees the old text or the new one. Killed in between, `session.json`
    ///   may not know the new text yet; the same again does the rest.
    ///
    /// Source: format.md, "What each operation writes", write digest.
    @discardableResult
    public func writeDigest(_ text: [UInt8]) throws -> Bool {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw StoreError(.invalidData, "the digest is not UTF-8", hint: "save the text as UTF-8")
        }
        return try recorded(.writeDigest) { session in
            let name = RecordKind.digestComponent
            let old = try session.directory.readFile(name, limit: Self.maximumDigestSize)
            let isNew = old?.contents != text
            if isNew {
                let kept = try old.flatMap { try journal?.keep($0.contents, as: name) }
                try session.directory.replaceFile(name, with: text, expecting: old?.identity)
                session.recorder?.add(
                    .replaced(path: name.string, kept: kept, sha256: UndoableWrite.checksum(of: text)))
            } else {
                try session.directory.makeDurable(name)
                let header = try OpenSession(session.directory).readableHeader().session
                if header.namesDigest { return false }
            }
            try session.touch(
                after: "digest.md is written", undoing: ["digest_path", "digest_updated_at"]
            ) { editor in
                try editor.set("digest_path", to: JSONText(SessionLayout.digest))
                try editor.set("digest_updated_at", to: JSONText(Clock.now()))
            }
            return true
        }
    }

    /// The most bytes of a digest that are read at once.
    package static let maximumDigestSize: Int64 = 16 << 20
}

extension RecordKind {
    /// The name of the digest's file, which holds no records.
    package static let digestComponent: FilePath.Component = "digest.md"
}
