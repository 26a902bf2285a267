internal import TraceCrypto
internal import Glibc
package import SystemPackage

extension OpenDirectory {
    /// The SHA-256 of a file as 64 lowercase hexadecimal digits. A symbolic link is followed.
    ///
    /// - Throws: ``FileError`` with `.notFound`, `.permissionDenied`, `.notRegularFile` or `.io`.
    /// - Complexity: O(size) in time, 256 KiB in memory.
    package func sha256(of name: FilePath.Component) throws -> String {
        let place = try finalPlace(of: name)
        return try place.directory.sha256(ofUnlinked: place.name)
    }

    /// As ``sha256(of:)``, but a symbolic link is refused (`.leavesSession`).
    ///
    /// - Parameter onProgress: Gets how many bytes have been read; what it throws ends the reading.
    package func sha256(
        ofUnlinked name: FilePath.Component, onProgress: ((Int64) throws(Errno) -> Void)? = nil
    ) throws -> String {
        let file = try explaining("open", path(of: name)) { () throws(Errno) in
            try openFile(name, O_RDONLY | O_NONBLOCK)
        }
        _ = try file.regularStatus(at: path(of: name))
        return try explaining("read", path(of: name)) { () throws(Errno) in
            try file.sha256(onProgress: onProgress)
        }
    }
}

extension OpenFile {
    /// The SHA-256 of the whole file, wherever the descriptor's position is.
    ///
    /// - Parameter onProgress: Gets how many bytes have been read; what it throws ends the reading.
    package func sha256(onProgress: ((Int64) throws(Errno) -> Void)? = nil) throws(Errno) -> String {
        var hash = SHA256()
        try readPieces { piece, offset throws(Errno) in
            // Sound: the hash copies what it keeps of the piece.
            hash.update(bufferPointer: piece)
            try onProgress?(offset + Int64(piece.count))
        }
        return hexadecimal(hash.finalize())
    }
}

/// Two lowercase digits a byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}
