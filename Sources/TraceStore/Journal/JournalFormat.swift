package import RecordFormat
package import SystemPackage
package import TraceFiles

/// A kind of journal: how a directory is known to be one, what its header says, and how its documents are read. What its files hold
/// is declared in its layout.
///
/// Everything that is the same for all kinds (finding, comparing, reading lines, indexing, searching) is outside of it and asks
/// it once a file, never once a record.
///
/// Source: docs/contributing.md#a-kind-of-journal.
package protocol JournalFormat: Sendable {
    var layout: JournalLayout { get }
    /// The names of the layout's files, in their order.
    var fileNames: [FilePath.Component] { get }
    /// What the header of a journal says; what is wrong with it is among its findings.
    ///
    /// - Throws: ``FileError`` if the directory can't be read.
    func header(of snapshot: JournalSnapshot) throws -> JournalHeader
    /// Reads a file that is one document, whole: its records, and what is wrong with it.
    ///
    /// - Parameter slot: One of the layout's files, whose container is a document and which is not the header.
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``FileError`` if it can't be read.
    func read(_ slot: FileSlot, of snapshot: JournalSnapshot) throws -> DocumentReading?
    /// What is wrong with a file that is not the header, without its records.
    ///
    /// - Returns: Nothing if there is no such file.
    /// - Throws: ``FileError`` if it can't be read.
    func findings(in slot: FileSlot, of snapshot: JournalSnapshot) throws -> [Finding]
    /// What writes into journals of the kind; nil if they are only read, or written in another way, as sessions are.
    var writing: (any JournalWriting)? { get }
    /// What is typed behind the kind's name, without what those verbs are: every start of a command reads it. Nil if the name is no command.
    var verbs: (any VerbGroup.Type)? { get }
    /// What a question reads its journals by, without what is asked; nil of a kind that has no questions.
    var opened: (any OpenedJournal.Type)? { get }
    /// What people, programs and documents see of it: of a kind that is handled beside the others, nothing.
    var surface: KindSurface { get }
}

extension JournalFormat {
    /// For kinds without documents: none is there.
    package func read(_ slot: FileSlot, of snapshot: JournalSnapshot) throws -> DocumentReading? { nil }
    package func findings(in slot: FileSlot, of snapshot: JournalSnapshot) throws -> [Finding] {
        if case .lines(let schema)? = layout.file(slot)?.container {
            return try JournalLines.findings(in: slot, as: schema, of: snapshot)
        }
        return try read(slot, of: snapshot)?.findings ?? []
    }
    package var writing: (any JournalWriting)? { nil }
    package var verbs: (any VerbGroup.Type)? { nil }
    package var opened: (any OpenedJournal.Type)? { nil }
    package var surface: KindSurface { KindSurface() }
}

/// The header of a journal.
package struct JournalHeader: Sendable {
    /// Opaque; nil if it can't be read.
    package var id: String?
    package var title: String?
    /// What offsets count from.
    package var epoch: Timestamp?
    /// The IANA name of the zone in which its days are counted; nil if it does not say.
    package var timeZone: String?
    package var state = State.open
    /// The file; nil if it can't be read.
    package var identity: FileIdentity?
    package var findings: [Finding] = []
    /// What only this kind of journal has, as that knows it.
    package var details: (any Sendable)?

    package init() {}

    /// Whether the header can be read.
    package enum State: String, Sendable, Hashable {
        case open
        /// It is sealed, and its key is not there.
        case locked
        /// A newer version wrote it.
        case newer
    }
}
