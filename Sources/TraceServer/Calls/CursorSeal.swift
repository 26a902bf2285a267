internal import TraceCrypto

/// Hides what is in a cursor: a sort key can hold the name of a directory. Its key lives as long as the process, and so do its
/// cursors.
struct CursorSeal: Sendable {
    private let key = SymmetricKey(byteCount: 32)

    /// The cursor as a client gets it.
    func closed(_ cursor: Cursor) -> Cursor {
        // Fails only without memory: a cursor that is refused when it comes back.
        Cursor([.bytes((try? ChaChaPoly.seal(Array(cursor.text.utf8), using: key)) ?? [])])
    }

    /// The cursor that was closed.
    ///
    /// - Throws: ``ProtocolError`` with `.cursorMalformed` for one that was not.
    func opened(_ cursor: Cursor) throws(ProtocolError) -> Cursor {
        var reader = cursor.reader
        let sealed = try reader.bytes()
        try reader.finish()
        guard let bytes = try? ChaChaPoly.open(Array(sealed), using: key) else { throw .cursor }
        return try Cursor(String(decoding: bytes, as: UTF8.self))
    }
}
