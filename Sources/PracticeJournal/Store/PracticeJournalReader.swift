package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceStore

/// Reads a practice journal's directory for questions; nothing is locked, and nothing written.
package struct PracticeJournalReader: Sendable {
    private let directory: OpenDirectory

    /// - Throws: ``FileError`` if the directory can't be opened.
    package init(_ path: FilePath) throws { directory = try OpenDirectory(path) }

    /// The games; none where there is no library, or what is in it is not one.
    ///
    /// - Throws: ``FileError`` if the library is there and can't be read.
    package func library() throws -> GameLibrary { try PracticeLibraryFile.library(in: directory) }

    /// The document, as it is read; one that is missing has nothing in it.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if it can't be read.
    package func document(now: Timestamp) throws -> PracticeDocument {
        let contents = try directory.readFile(OpenedDocument.file, limit: OpenedDocument.limit)?.contents
        let reading = try PracticeReading(contents ?? OpenedDocument.empty, now: now, isChecked: false)
        guard let document = reading.document else {
            throw FileError(
                .invalidData, reading.findings.first?.message ?? "can't be read",
                path: directory.path(of: OpenedDocument.file), hint: "'trace validate' shows what is wrong")
        }
        return document
    }

    /// The document's bytes; nil if there is none.
    ///
    /// - Throws: ``FileError``.
    package func documentBytes() throws -> [UInt8]? {
        try directory.readFile(OpenedDocument.file, limit: OpenedDocument.limit)?.contents
    }

    /// The library's log.
    ///
    /// - Throws: ``FileError``, ``FormatError`` if it can't be read.
    package func log(_ library: GameLibrary) throws -> [LogEntry] {
        try LibraryLogWriting.read(directory, library: library)?.log.entries ?? []
    }
}
