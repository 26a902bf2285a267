internal import Synchronization
public import SystemPackage
public import TraceStore

/// The index of session directories: a SQLite database that answers fast what the files say.
///
/// The files are the truth: the database may be deleted at any time and comes back the same. One that is missing, damaged,
/// foreign or of another version is moved aside and rebuilt, when it is opened or whenever it shows later. Several processes
/// may use one index at a time; each question sees one state of it.
///
/// Source: docs/index.md#invariants.
public final class JournalIndex: Sendable {
    let database: IndexDatabase
    /// The last state in which all of the search text was seen to be filled in.
    let filledRevision = Mutex<IndexRevision?>(nil)
    /// The last state in which the tables of the search text were seen to be whole.
    let soundRevision = Mutex<IndexRevision?>(nil)

    /// Opens the index for building and asking; makes it where there is none.
    ///
    /// - Parameters:
    ///   - path: The database file; its directory must exist.
    ///   - formats: The kinds of journal that it holds.
    ///   - work: By which other threads see that it works, and end it.
    /// - Throws: ``IndexError`` with `.busy`, `.permissionDenied`, `.diskFull`, `.notFound` for the directory,
    ///   `.invalidPath` or `.io`.
    package init(
        at path: FilePath, formats: JournalRegistry, work: IndexWork = IndexWork()
    ) throws {
        database = try IndexDatabase(path, access: .writing, formats: formats, work: work)
    }

    /// Makes an index that this process alone uses and that need not outlive it, in a directory of its own.
    ///
    /// - Throws: ``IndexError``.
    package init(ownAt path: FilePath, formats: JournalRegistry) throws {
        database = try IndexDatabase(path, access: .filling, formats: formats)
    }

    /// Opens the index for asking, where it may not or must not be written.
    ///
    /// - Throws: ``IndexError`` with `.notFound`, `.corrupt`, `.otherSchema`, `.permissionDenied`, `.invalidPath` or `.io`.
    public init(readingAt path: FilePath, formats: JournalRegistry) throws {
        database = try IndexDatabase(path, access: .reading, formats: formats)
    }

    /// The kinds of journal that it holds.
    package var formats: JournalRegistry { database.formats }

    /// The database file.
    public var path: FilePath { database.path }

    /// Notices the state of the file since it was opened (``drainNotices()``): a question may be answered out of memory.
    package func checkFile() throws { try database.checkFile() }

    /// Which file is asked and written now; another one once the index was deleted or rebuilt.
    ///
    /// - Throws: ``IndexError``.
    package func opened() throws -> OpenedIndex? { try database.opened() }

    /// Whether a file, as ``opened()`` told it, has been open since and still is the index; nothing is opened.
    package func isStill(_ opened: OpenedIndex) -> Bool { database.isStill(opened) }

    /// Looks whether the database answers, a writer too.
    ///
    /// - Throws: ``IndexError`` with `.busy` if another process keeps it for five seconds.
    package func probe() throws { try database.probe() }

    /// Gives back what the connection keeps in memory of the database; it reads it again when it is asked for it.
    package func releaseMemory() { database.releaseMemory() }

    /// What happened to the database since the last call that a person should know (it was rebuilt or replaced, and why), after
    /// each of which it lacks rows.
    package func drainNotices() -> [String] { database.drainNotices() }
}
