package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceStore

/// New journals, and files that a person brings.
extension PracticeWriting {
    package func text(of header: JournalCreation.Header) -> [UInt8] {
        let members: [(String, JSONText?)] = [
            ("journal", JSONText(JournalKind.practice.name)), ("format", JSONText(PracticeHeader.format)),
            ("id", JSONText(header.id)), ("title", header.title.map { JSONText($0) }),
            ("time_zone", header.timeZone.map { JSONText($0) }), ("created_at", JSONText(header.createdAt)),
        ]
        let lines = members.compactMap { name, value in
            value.map { "  \"\(name)\": \(String(decoding: $0.bytes, as: UTF8.self))" }
        }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }

    /// The document that a file comes to, and the library's log and the slots, if it has them.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if the file can't be read whole.
    package func files(
        adopting bytes: [UInt8], named name: String
    ) throws -> [(name: FilePath.Component, contents: [UInt8])] {
        let read = try PracticeFile(bytes, named: name)
        var files: [(name: FilePath.Component, contents: [UInt8])] = [
            (OpenedDocument.file, read.document)
        ]
        if let log = read.log { files.append((LibraryLogWriting.file, log)) }
        if let slots = read.slots { files.append((SlotsWriting.file, slots)) }
        return files
    }
}

/// A file of an app, as the document of schema 4 that it comes to.
package struct PracticeFile {
    package let document: [UInt8]
    package let log: [UInt8]?
    /// `slots.json`.
    package let slots: [UInt8]?
    package let findings: [Finding]

    /// - Throws: ``FormatError`` with `.recordInvalid` if the file can't be read whole.
    package init(_ bytes: [UInt8], named name: String) throws(FormatError) {
        let read = try PracticeImport(bytes, file: name, now: Clock.now())
        guard read.reading.shape != .mixed, let document = read.reading.document,
            document.schemaVersion <= PracticeDocument.schemaVersion
        else {
            let reason = read.findings.first { $0.severity == .error } ?? read.findings.first
            throw FormatError(
                .recordInvalid,
                "\(name): \(reason?.message ?? "its schema is newer than this version knows")",
                hint: reason?.rule.cure)
        }
        self.document = document.bytes
        log = read.log
        slots = read.slots
        findings = read.findings
    }
}

extension PracticeWriting {
    /// Takes a file into a journal that has no records yet.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if the file can't be read whole; ``FileError`` with `.alreadyExists` if the
    ///   journal has records, which this does not merge.
    /// - Note: Durable on return. Killed in between, the journal may have the document and not the log or the slots.
    package static func take(
        _ file: PracticeFile, into path: FilePath, runtimeDirectory: FilePath?
    ) throws {
        try DirectoryLock.holding(path, runtimeDirectory: runtimeDirectory) { lock in
            let directory = lock.directory
            let old = try directory.readFile(OpenedDocument.file, limit: OpenedDocument.limit)
            if let old, old.contents == file.document { return }
            if let old {
                let there = try PracticeReading(old.contents, now: Clock.now(), isChecked: false).document
                guard let there, there.isWithoutRecords else {
                    throw FileError(
                        .alreadyExists, "the journal has records already",
                        path: directory.path(of: OpenedDocument.file),
                        hint: "import into a journal of its own; 'trace journal init' makes one")
                }
            }
            try directory.replaceFile(OpenedDocument.file, with: file.document, expecting: old?.identity)
            for (name, contents) in [(LibraryLogWriting.file, file.log), (SlotsWriting.file, file.slots)] {
                guard let contents, try directory.readFile(name) == nil else { continue }
                try directory.replaceFile(name, with: contents, expecting: nil)
            }
        }
    }
}

extension PracticeDocument {
    fileprivate var isWithoutRecords: Bool {
        PracticeArray.allCases.allSatisfy { outline.elements(of: $0.rawValue).isEmpty }
            && resumeOffsets.isEmpty && videoHints.isEmpty && gameNotes.isEmpty
    }
}
