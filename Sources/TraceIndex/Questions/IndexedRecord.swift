public import RecordFormat
public import SystemPackage
internal import TraceFormat

/// One line of a journal's files as the index knows it.
public struct IndexedRecord: Sendable, Hashable {
    /// The journal's directory, or the file that is a journal on its own.
    public var session: FilePath
    /// What it is a record of.
    public var kind: EntryKind
    /// What the kind is called in commands and in the index.
    public var kindName: String
    /// The name of the file in which it stands.
    public var fileName: String
    /// 1-based; of a document's record, a number that is the index's own.
    public var line: Int
    /// Bytes from the start of the file to the line.
    public var byteOffset: Int
    /// The length of the line without its line break.
    public var byteLength: Int
    /// Nil if the line has no valid id.
    public var id: ULID?
    /// An id that is no ULID, such as a UUID in lower case.
    public var otherID: String?
    /// The id of what it is about, such as a game.
    public var subject: String?
    /// Whether it is the last line of its id in its file, the one that counts; a line without a valid id never is.
    public var isAuthoritative: Bool
    /// Where in the session it stands; action runs have no offset.
    public var offset: SessionOffset?
    /// How long it lasts.
    public var duration: SessionOffset?
    /// The moment at which it stands, by the session's clock: nil without an offset, or a `start_time` of the session.
    public var wallTime: Timestamp?
    /// When the record was made.
    public var createdAt: Timestamp?
    /// The voice note of a marker, or the marker of a voice note.
    public var reference: ULID?
    /// A timeline entry's kind, or an action run's status.
    public var detail: String?
    /// A marker's label, a voice note's transcript, a segment's text, or an action's name.
    public var text: String?
    /// A marker's note, or an action run's error.
    public var note: String?
    /// Of a voice note.
    public var mediaPath: String?
    /// The tags in the order of the line.
    public var tags: [String]

    /// The file in which it stands.
    public var file: FilePath {
        isSingleFile ? session : session.pushing(FilePath(fileName))
    }

    /// Whether the journal is one file.
    var isSingleFile: Bool { session.lastComponent?.string == fileName }
}
