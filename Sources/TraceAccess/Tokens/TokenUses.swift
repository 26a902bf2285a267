package import RecordFormat
internal import Synchronization
package import SystemPackage
internal import TraceFiles

/// When a token was used last, and from where.
package struct TokenUse: Sendable, Hashable {
    /// When.
    package let at: Timestamp
    /// The address that it came from, as the server saw it.
    package let address: String

    /// A use from its parts.
    package init(at: Timestamp, address: String) {
        self.at = at
        self.address = address
    }
}

/// The last use of each token: `access-use/<ULID>.json` in the state directory, outside `access/`, so that noting one does not look like a
/// change of the tokens. Written by the daemon; not durable, since a power cut may well cost the last minute of it.
package final class TokenUses: Sendable {
    private let path: FilePath
    private let noted = Mutex<[ULID: Timestamp]>([:])

    /// How long the same token is not noted again, in milliseconds.
    private static let interval: Int64 = 60_000

    /// The uses of the tokens of a state directory.
    package init(state: FilePath) { path = state.appending("access-use") }

    /// Notes a use, at most once a minute for each token.
    ///
    /// - Throws: ``FileError``; the next use is noted again then.
    package func note(_ id: ULID, _ use: TokenUse) throws {
        let isDue = noted.withLock { noted in
            // Also after the clock was set back.
            if let last = noted[id], (0..<Self.interval).contains(use.at.milliseconds(since: last)) {
                return false
            }
            noted[id] = use.at
            return true
        }
        guard isDue else { return }
        do {
            let name = try id.accessFileName
            try OpenDirectory.make(path)
            let permissions = try OpenDirectory(path).closeToStrangers()
            let text = JSONText.object { object in
                object.member("at", use.at)
                object.member("address", use.address)
            }
            try VolatileFile.replace(
                path.appending(name), with: text.bytes + [newline],
                mode: permissions & 0o020 == 0 ? 0o640 : 0o660)
        } catch {
            noted.withLock { $0[id] = nil }
            throw error
        }
    }

    /// The last use of a token that has been noted; nil if there is none, or it can't be read.
    package func last(of id: ULID) -> TokenUse? {
        guard let name = try? id.accessFileName,
            let file = try? OpenDirectory(path).readFile(name, limit: 1 << 12, followsLink: false)
        else { return nil }
        let use = try? JSONParser().withParsed(file.contents) { object -> TokenUse? in
            guard let at = object[name: "at"]?.timestamp, let address = object[name: "address"]?.string else {
                return nil
            }
            return TokenUse(at: at, address: address)
        }
        return use ?? nil
    }

    /// Forgets the uses of a token that is gone.
    func forget(_ id: ULID) {
        guard let name = try? id.accessFileName else { return }
        try? OpenDirectory(path).unlink(name)
    }
}
