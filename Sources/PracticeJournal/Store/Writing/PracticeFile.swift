internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// A file of an app, as the document of schema 4 that it comes to.
struct PracticeFile {
    let document: [UInt8]
    let log: [UInt8]?
    /// `slots.json`.
    let slots: [UInt8]?
    /// What is wrong with the file, and what of it is not in the document.
    let findings: [Finding]

    /// - Throws: ``FormatError`` with `.recordInvalid` if the file can't be read whole.
    init(_ bytes: [UInt8], named name: String) throws(FormatError) {
        let read = try PracticeImport(bytes, file: name, now: Clock.now())
        guard read.reading.shape != .mixed, let document = read.reading.document,
            document.schemaVersion <= PracticeDocument.schemaVersion
        else {
            let reason = read.findings.first { $0.severity == .error } ?? read.findings.first
            throw FormatError(
                .recordInvalid,
                "\(name): \(reason?.message ?? "its schema is newer than this version knows")",
                cure: reason?.rule.cure)
        }
        self.document = document.bytes
        log = read.log
        slots = read.slots
        findings = read.findings
    }

    /// Takes the file into a journal whose document is empty yet.
    ///
    /// - Parameters:
    ///   - writer: Of the journal.
    ///   - isDry: Whether it is only found out whether it could be.
    /// - Throws: ``FileError`` with `.alreadyExists` if the journal has a document that is not empty, which this does not merge;
    ///   as ``JournalWriter/locked(_:)``.
    /// - Note: Durable on return. Killed in between, the journal may have the document and not the log or the slots.
    func take(into writer: JournalWriter, isDry: Bool = false) throws {
        guard !isDry else {
            _ = try replaced(in: OpenDirectory(writer.path))
            return
        }
        try writer.locked { journal, _ in
            let directory = journal.directory
            let old = try replaced(in: directory)
            if let old, old.contents == document { return }
            try directory.replaceFile(OpenedDocument.file, with: document, expecting: old?.identity)
            for (name, contents) in [(LibraryLogWriting.file, log), (SlotsWriting.file, slots)] {
                guard let contents, try directory.readFile(name) == nil else { continue }
                try directory.replaceFile(name, with: contents, expecting: nil)
            }
        }
    }

    /// The document whose place it takes; nil if there is none.
    private func replaced(in directory: OpenDirectory) throws -> FileContents? {
        let old = try directory.readFile(OpenedDocument.file, limit: OpenedDocument.limit)
        guard let old, old.contents != document else { return old }
        let reading = try PracticeReading(old.contents, now: Clock.now(), isChecked: false)
        guard reading.isWritable, let there = reading.document, (try? DocumentValues(there))?.isEmpty ?? false
        else {
            throw FileError(
                .alreadyExists, "the journal has a document already, which is not empty",
                path: directory.path(of: OpenedDocument.file),
                cure: ["import into a journal of its own", "\(verb: "journal init") makes one"])
        }
        return old
    }
}
