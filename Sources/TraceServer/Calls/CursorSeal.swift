internal import Crypto

/// Hides what is in a cursor: a sort key can hold the name of a directory. Its key lives as long as the process, and so do its
/// cursors.
struct CursorSeal: Sendable {
    private let key = SymmetricKey(size: .bits256)

    /// The cursor as a client gets it.
    func closed(_ cursor: Cursor) -> Cursor {
        // Fails only for keys and nonces of another length.
        let box = try? ChaChaPoly.seal(Array(cursor.text.utf8), using: key)
        return Cursor([.bytes(box.map { Array($0.combined) } ?? [])])
    }

    /// The cursor that was closed.
    ///
    /// - Throws: ``ProtocolError`` with `.cursorMalformed` for one that was not.
    func opened(_ cursor: Cursor) throws(ProtocolError) -> Cursor {
        var reader = cursor.reader
        let sealed = try reader.bytes()
        try reader.finish()
        guard let box = try? ChaChaPoly.SealedBox(combined: sealed),
            let bytes = try? ChaChaPoly.open(box, using: key)
        else { throw .cursor }
        return try Cursor(String(decoding: bytes, as: UTF8.self))
    }
}
