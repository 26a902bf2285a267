package import RecordFormat

/// What the rules across lines and files need to know of a session.
///
/// It is filled in by reading the session: from the files, line by line, or from an index that holds the lines already. The
/// rules themselves are written once, in ``findings()``.
package struct SessionFacts: Sendable {
    package var session: Session
    /// Every line of `timeline.jsonl`, in file order.
    package var timeline: [RecordSummary] = []
    /// When an offset is reached; nil without a `start_time`.
    package var clock: SessionClock?
    /// Markers and voice notes whose reference names no record.
    package var danglingReferences: [RecordSummary] = []
    /// Records that use the id of a record of another kind (or of the session or a media item) that came before.
    package var reusedIDs: [ReusedID] = []
    /// The authoritative voice notes, for their audio.
    package var voiceNotes: [RecordSummary] = []
    /// Records of a session with an end that lie beyond it.
    package var beyondEnd: [RecordSummary] = []
    /// What is in the directory.
    var directory: Directory

    /// A record with an id that is already taken.
    package struct ReusedID: Sendable {
        let record: RecordSummary
        /// Which kind of record had it first.
        let takenBy: String

        package init(record: RecordSummary, takenBy: String) {
            self.record = record
            self.takenBy = takenBy
        }
    }

    /// The contents of the session directory.
    package struct Directory: Sendable {
        /// The records' files and `digest.md` that exist.
        package var files: Set<String> = []
        /// Conflict copies, by their (escaped) names.
        package var conflictCopies: [String] = []
        /// Files that hold records under a name by which they are not read.
        package var misnamed: [Misnamed] = []
        /// How each media path that is named turned out; paths that are missing here were not checked.
        package var media: [String: MediaState] = [:]

        package init() {}
    }

    /// A file whose records are not read.
    package struct Misnamed: Sendable, Equatable {
        /// Its (escaped) name.
        package let name: String
        /// The file that it would be if case did not count; nil for any other name.
        let original: String?

        package init(name: String, original: String?) {
            self.name = name
            self.original = original
        }
    }

    /// The target of a media path.
    package enum MediaState: Sendable, Equatable {
        case present
        case missing
        /// It is missing, and a file is there whose (escaped) name differs from it only in its case, or in how its accents are encoded.
        case misnamed(as: String)
        /// It leads out of the session directory.
        case outside
    }

    package init(session: Session, directory: Directory) {
        self.session = session
        self.directory = directory
    }
}
