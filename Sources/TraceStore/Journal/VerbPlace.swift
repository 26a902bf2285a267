package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// What a verb is done with: the journal, if it is here, opened when that is first needed.
package final class VerbPlace {
    /// The journal's directory; nil if it is away.
    let path: FilePath?
    private let open: (FilePath) throws -> any OpenedJournal
    private var opened: (any OpenedJournal)?
    /// The name of the zone that holds where the person is, as other machines know it; nil if none does.
    package let namedZone: String?

    package init(
        _ path: FilePath?, namedZone: String?, open: @escaping (FilePath) throws -> any OpenedJournal
    ) {
        self.path = path
        self.namedZone = namedZone
        self.open = open
    }

    /// Why a verb can't be done whose journal must be here.
    package static let away = StoreError(
        .noSuchSession, "the journal was not found", cure: "give its directory with \(option: "journal")")

    /// The reading of the journal; nil if it is away.
    ///
    /// - Throws: ``FileError`` if it can't be opened.
    package var journal: (any OpenedJournal)? {
        get throws {
            if let opened { return opened }
            opened = try path.map(open)
            return opened
        }
    }
}

/// What is done with a journal, or without one, that is neither a question nor a write of the queue.
package struct Act {
    /// - Returns: What was done, or would be; the first line of its screen says so.
    package let run: (any ActPlace) throws -> Answer

    package init(_ run: @escaping (any ActPlace) throws -> Answer) { self.run = run }
}

/// What an act needs of the program that does it.
package protocol ActPlace {
    /// What writes into the journal.
    ///
    /// - Throws: ``StoreError`` with `.noSuchSession` if it is away.
    var writer: JournalWriter { get throws }
    /// Of the machine, for what must not outlive it.
    var runtimeDirectory: FilePath { get }
    /// All kinds of journal.
    var formats: JournalRegistry { get }
    /// A file that was named; `-` is standard input.
    ///
    /// - Throws: ``FileError``.
    func file(_ name: String, limit: Int64) throws -> NamedFile
    /// A path that was typed, from the root on.
    func absolute(_ typed: String) -> FilePath
}

/// A file that was named.
package struct NamedFile {
    package let contents: [UInt8]
    /// Nil for standard input.
    package let path: FilePath?
    /// When it was written; nil for standard input.
    package let modified: Timestamp?
    /// Puts other contents in its place, unless it has changed since it was read; nil for standard input.
    package let replace: (([UInt8]) throws -> Void)?

    package init(
        contents: [UInt8], path: FilePath?, modified: Timestamp?, replace: (([UInt8]) throws -> Void)?
    ) {
        self.contents = contents
        self.path = path
        self.modified = modified
        self.replace = replace
    }
}
