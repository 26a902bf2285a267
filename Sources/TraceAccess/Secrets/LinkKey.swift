internal import TraceCrypto
internal import Glibc
package import SystemPackage
package import TraceFiles
internal import TraceText

/// The key with which links for players are signed: 32 random bytes in `access/secret`, readable for the daemon's user alone.
package struct LinkKey: Sendable, HiddenValue {
    private let key: SymmetricKey

    private static let file: FilePath.Component = "secret"
    private static let length = 32

    /// Reads the key of a state directory, and makes it if it is missing. Of several processes that make one at once, all get the
    /// same.
    ///
    /// - Throws: ``FileError``; ``AccessError`` with `.linkKeyDamaged` if the file is not 32 bytes.
    /// - Note: Durable on return. Killed in between, there is a whole key or none.
    package init(state: FilePath, failPoint: FailPoint? = nil) throws {
        let place = AccessDirectory(AccessDirectory.tokens(in: state), failPoint: failPoint)
        if let found = try place.opened().flatMap(Self.read) {
            key = found
            return
        }
        let directory = try place.made()
        try Self.make(in: directory)
        // What counts is what is under the name now, made by this process or by another.
        guard let found = try Self.read(in: directory) else {
            throw FileError(.changedMeanwhile, "was removed again", path: directory.path(of: Self.file))
        }
        key = found
    }

    private static func read(in directory: OpenDirectory) throws -> SymmetricKey? {
        guard let bytes = try directory.accessFile(file)?.contents else { return nil }
        guard bytes.count == length else {
            throw AccessError(
                .linkKeyDamaged, "has \(bytes.count) bytes, not \(length)", path: directory.path(of: file),
                cure: "remove it: a new one is made, and links that were handed out stop working")
        }
        return SymmetricKey(data: bytes)
    }

    private static func make(in directory: OpenDirectory) throws {
        let bytes = randomBytes(length)
        var temporary = try TemporaryFile(TemporaryFile.name(for: file), in: directory, permissions: 0o600)
        try explaining("write", directory.path(of: file)) { () throws(Errno) in
            try directory.reach(.write, file)
            var rest = bytes[...]
            while !rest.isEmpty { rest = rest.dropFirst(try temporary.file.writeOnce(Array(rest))) }
            try directory.reach(.sync, file)
            try temporary.file.sync()
            // Another process was first.
            do throws(Errno) { try temporary.placeAsNew(file) } catch {
                if error != .fileExists { throw error }
            }
            try directory.sync()
        }
    }

    /// The HMAC-SHA-256 of a message.
    ///
    /// - Throws: If there is no memory for it.
    package func signature(of message: [UInt8]) throws -> [UInt8] {
        try MessageAuthentication.code(for: message, using: key)
    }

    /// Whether a signature is that of a message; compared in constant time.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        MessageAuthentication.isValid(signature, for: message, using: key)
    }
}
