package import RecordFormat
package import SystemPackage
internal import TraceCrypto
internal import TraceFiles
package import TraceFormat

/// One write of the user, and what it changed: enough to take it back, and to see whether that is still safe.
package struct UndoableWrite: Sendable, Equatable {
    package var id: ULID
    package var time: Timestamp
    /// The user who wrote.
    var user: UInt32
    package var operation: Operation
    package var sessionID: ULID?
    /// The session's directory; nil if its name is not UTF-8, or the write was one into the queue.
    var session: FilePath?
    /// What the writes of one command that writes more than once have in common; an undo takes back all of them.
    var command: ULID?
    /// The file whose markers an import took; nil for other writes, and for imports of earlier versions.
    package var source: ImportedFile?
    /// What was done, in its order.
    var changes: [Change]

    package init(
        id: ULID, time: Timestamp, user: UInt32, operation: Operation, sessionID: ULID?, session: FilePath?,
        command: ULID? = nil, source: ImportedFile? = nil, changes: [Change]
    ) {
        self.id = id
        self.time = time
        self.user = user
        self.operation = operation
        self.sessionID = sessionID
        self.session = session
        self.command = command
        self.source = source
        self.changes = changes
    }

    /// The command, by its name; those that write into other kinds of journal are known to these.
    package struct Operation: RawRepresentable, Sendable, Hashable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The command that writes what an entry describes: the kind of the journal and the operation.
        init(_ kind: EntryOperation) {
            self.init(rawValue: String(kind.rawValue.map { $0 == "." ? " " : $0 }))
        }

        /// The kind of journal that it writes into, if it is one of those.
        var journal: JournalKind? {
            rawValue.split(separator: " ").first.map { JournalKind(name: String($0)) }
        }

        package static let mark = Operation(rawValue: "mark")
        package static let voiceNote = Operation(rawValue: "voice-note")
        static let close = Operation(rawValue: "session close")
        package static let initSession = Operation(rawValue: "session init")
        static let deleteSession = Operation(rawValue: "session delete")
        static let restoreSession = Operation(rawValue: "session restore")
        static let repair = Operation(rawValue: "repair")
        static let reopen = Operation(rawValue: "session reopen")
        static let pause = Operation(rawValue: "session pause")
        static let resume = Operation(rawValue: "session resume")
        static let editSession = Operation(rawValue: "session edit")
        static let editMarker = Operation(rawValue: "marker edit")
        static let removeMarker = Operation(rawValue: "marker remove")
        static let setTranscript = Operation(rawValue: "voice-note set-transcript")
        static let writeDigest = Operation(rawValue: "digest write")
        package static let queueAdd = Operation(rawValue: "queue add")
        package static let queueImport = Operation(rawValue: "queue import")
        package static let addMedia = Operation(rawValue: "media add")
        package static let addReviewAudio = Operation(rawValue: "media add-review-audio")
        static let transcribe = Operation(rawValue: "transcribe")
        static let renameTag = Operation(rawValue: "tag rename")
        package static let importMarkers = Operation(rawValue: "import")
        package static let requestAction = Operation(rawValue: "action request")
        static let declineAction = Operation(rawValue: "action decline")
        /// What came over the network, or out of a spool; no command of a user.
        package static let queue = Operation(rawValue: "queue")
    }

    package enum Change: Sendable, Hashable {
        /// A line was appended.
        case appended(RecordKind, ULID, NotedLine)
        /// So many lines were appended at once; where they are kept below the journal's directory.
        case appendedTogether(RecordKind, count: Int, kept: String)
        /// Lines were taken out.
        case removed(RecordKind, ULID, lines: [[UInt8]])
        /// All lines of so many records were taken out at once; where they are kept below the journal's directory.
        case removedTogether(RecordKind, count: Int, kept: String)
        /// A member of `session.json` got another text; nil if there was none.
        case header(String, before: [UInt8]?, after: [UInt8]?)
        /// A file was placed; its size and modification time.
        case media(path: String, size: Int64, modified: Int64)
        /// A file was overwritten, or made where there was none; where its old contents are kept, below the journal's
        /// directory or by a path from the root, and the SHA-256 of its new ones.
        case replaced(path: String, kept: String?, sha256: String)
        /// An entry was put into the local spool.
        case queued(ULID)
        /// A file was moved out of the session; where it is now.
        case away(path: String, to: String)
        /// The session was made.
        case made
        /// The session's directory got another path.
        case moved(from: String, to: String)
        /// Members of a document got other values, or came, or went.
        case members(path: String, [MemberChange])

        static func media(path: String, _ identity: FileIdentity) -> Change {
            .media(path: path, size: identity.size, modified: identity.modified.stamp)
        }
    }

    static func checksum(of bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    /// The checksum of a file; of `session.json`, in which each write sets `updated_at`, of the rest.
    static func checksum(of bytes: [UInt8], of path: String) -> String {
        guard path == RecordKind.session.fileName, var editor = try? JSONObjectEditor(bytes),
            (try? editor.remove("updated_at")) != nil
        else { return checksum(of: bytes) }
        return checksum(of: editor.bytes)
    }
}

// MARK: - As JSON

extension UndoableWrite {
    var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("at", JSONText(time))
            object.member("uid", JSONText(Int64(user)))
            object.member("operation", JSONText(operation.rawValue))
            object.member("session_id", sessionID.map { JSONText($0) })
            object.member("session", session.map { JSONText($0.string) })
            object.member("command_id", command.map { JSONText($0) })
            object.member("import", source?.json)
            object.member("changes", .array(changes.map(\.json)))
        }
    }

    init?(_ value: JSONValue) {
        guard let id = value[name: "id"]?.utf8.flatMap(ULID.init(bytes:)),
            let time = value[name: "at"]?.timestamp,
            let user = value[name: "uid"]?.integer.flatMap(UInt32.init(exactly:)),
            let operation = value[name: "operation"]?.string.map(Operation.init(rawValue:)),
            let changes = value[name: "changes"]?.elements.map(Change.init), !changes.contains(nil)
        else { return nil }
        self.init(
            id: id, time: time, user: user, operation: operation,
            sessionID: value[name: "session_id"]?.utf8.flatMap(ULID.init(bytes:)),
            session: value[name: "session"]?.string.map { FilePath($0) },
            command: value[name: "command_id"]?.utf8.flatMap(ULID.init(bytes:)),
            source: value[name: "import"].flatMap(ImportedFile.init),
            changes: changes.compactMap(\.self))
    }
}

extension UndoableWrite.Change {
    var json: JSONText {
        .object { object in
            switch self {
            case .appended(let kind, let id, let line):
                object.member("change", JSONText("appended"))
                object.member("kind", JSONText(kind.rawValue))
                object.member("id", JSONText(id))
                line.add(to: &object)
            case .appendedTogether(let kind, let count, let kept):
                object.member("change", JSONText("appended-together"))
                object.member("kind", JSONText(kind.rawValue))
                object.member("count", JSONText(Int64(count)))
                object.member("kept", JSONText(kept))
            case .removed(let kind, let id, let lines):
                object.member("change", JSONText("removed"))
                object.member("kind", JSONText(kind.rawValue))
                object.member("id", JSONText(id))
                object.member("lines", .array(lines.map { JSONText(String(decoding: $0, as: UTF8.self)) }))
            case .removedTogether(let kind, let count, let kept):
                object.member("change", JSONText("removed-together"))
                object.member("kind", JSONText(kind.rawValue))
                object.member("count", JSONText(Int64(count)))
                object.member("kept", JSONText(kept))
            case .header(let key, let before, let after):
                object.member("change", JSONText("header"))
                object.member("key", JSONText(key))
                object.member("before", before.map { JSONText(String(decoding: $0, as: UTF8.self)) })
                object.member("after", after.map { JSONText(String(decoding: $0, as: UTF8.self)) })
            case .media(let path, let size, let modified):
                object.member("change", JSONText("media"))
                object.member("path", JSONText(path))
                object.member("size", JSONText(size))
                object.member("modified", JSONText(modified))
            case .replaced(let path, let kept, let sha256):
                object.member("change", JSONText("replaced"))
                object.member("path", JSONText(path))
                object.member("kept", kept.map { JSONText($0) })
                object.member("sha256", JSONText(sha256))
            case .queued(let id):
                object.member("change", JSONText("queued"))
                object.member("id", JSONText(id))
            case .away(let path, let place):
                object.member("change", JSONText("away"))
                object.member("path", JSONText(path))
                object.member("to", JSONText(place))
            case .made: object.member("change", JSONText("made"))
            case .moved(let old, let new):
                object.member("change", JSONText("moved"))
                object.member("from", JSONText(old))
                object.member("to", JSONText(new))
            case .members(let path, let members):
                object.member("change", JSONText("members"))
                object.member("path", JSONText(path))
                object.member("members", .array(members.map(\.json)))
            }
        }
    }

    init?(_ value: JSONValue) {
        let id = value[name: "id"]?.utf8.flatMap(ULID.init(bytes:))
        let kind = value[name: "kind"]?.string.flatMap(RecordKind.init(rawValue:))
        let text = { (value: JSONValue?) in value?.string.map { Array($0.utf8) } }
        switch value[name: "change"]?.string {
        case "appended":
            guard let kind, let id, let line = NotedLine(value) else { return nil }
            self = .appended(kind, id, line)
        case "appended-together":
            guard let kind, let count = value[name: "count"]?.integer, let kept = value[name: "kept"]?.string
            else {
                return nil
            }
            self = .appendedTogether(kind, count: Int(count), kept: kept)
        case "removed":
            guard let kind, let id, let lines = value[name: "lines"]?.elements.compactMap({ text($0) }) else {
                return nil
            }
            self = .removed(kind, id, lines: lines)
        case "removed-together":
            guard let kind, let count = value[name: "count"]?.integer, let kept = value[name: "kept"]?.string
            else { return nil }
            self = .removedTogether(kind, count: Int(count), kept: kept)
        case "header":
            guard let key = value[name: "key"]?.string else { return nil }
            self = .header(key, before: text(value[name: "before"]), after: text(value[name: "after"]))
        case "media":
            guard let path = value[name: "path"]?.string, let size = value[name: "size"]?.integer,
                let modified = value[name: "modified"]?.integer
            else { return nil }
            self = .media(path: path, size: size, modified: modified)
        case "replaced":
            guard let path = value[name: "path"]?.string, let sha256 = value[name: "sha256"]?.string else {
                return nil
            }
            self = .replaced(path: path, kept: value[name: "kept"]?.string, sha256: sha256)
        case "queued":
            guard let id else { return nil }
            self = .queued(id)
        case "away":
            guard let path = value[name: "path"]?.string, let place = value[name: "to"]?.string else {
                return nil
            }
            self = .away(path: path, to: place)
        case "made": self = .made
        case "moved":
            guard let old = value[name: "from"]?.string, let new = value[name: "to"]?.string else {
                return nil
            }
            self = .moved(from: old, to: new)
        case "members":
            guard let path = value[name: "path"]?.string, let members = value[name: "members"]?.elements
            else { return nil }
            let read = members.map(MemberChange.init)
            guard !read.contains(nil) else { return nil }
            self = .members(path: path, read.compactMap(\.self))
        default: return nil
        }
    }
}
