internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// Makes journals of kinds that have a header of ours.
package struct JournalCreation {
    private let format: any JournalFormat
    private let writing: any JournalWriting
    private let formats: JournalRegistry

    /// - Throws: ``StoreError`` with `.journalNotWritable` if no journal of the kind can be made.
    package init(of kind: JournalKind, _ formats: JournalRegistry) throws {
        guard let format = formats[kind], let writing = format.writing else {
            let kinds = formats.formats.filter { $0.writing != nil }.map(\.layout.kind.name)
            throw StoreError(
                .journalNotWritable, "no journal of the kind '\(kind)' can be made",
                cure: "write one of \(kinds.joined(separator: ", "))")
        }
        self.format = format
        self.writing = writing
        self.formats = formats
    }

    /// A header that a journal gets.
    package struct Header: Sendable {
        package let id: ULID
        package let title: String?
        /// IANA name; nil for that of the configuration.
        let timeZone: String?
        let createdAt: Timestamp

        package init(id: ULID, title: String?, timeZone: String?, createdAt: Timestamp) {
            self.id = id
            self.title = title
            self.timeZone = timeZone
            self.createdAt = createdAt
        }
    }

    /// Makes a journal in a directory, which may exist already.
    ///
    /// - Throws: ``FileError`` with `.alreadyExists` if the directory is a journal.
    /// - Note: Durable on return. Killed in between, the directory may be there, and no journal yet.
    package func make(at path: FilePath, _ header: Header) throws {
        try OpenDirectory.make(path)
        try place([], header, in: path)
    }

    /// Makes a journal of a file that an app has left: the header beside it, and, if the file has another name or another form, what it
    /// comes to; the file itself stays as it is.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if the file can't be taken; ``FileError``.
    /// - Note: As ``make(at:_:)``.
    package func adopt(_ file: FilePath, _ header: Header) throws {
        guard let name = file.lastComponent,
            let contents = try OpenDirectory(file.removingLastComponent()).readFile(name)?.contents
        else {
            throw FileError(.notFound, "does not exist", path: file, cure: "give the app's file")
        }
        let files = try writing.files(adopting: contents, named: name.escaped)
        if files.contains(where: { $0.name == name && $0.contents != contents }) {
            throw FileError(
                .alreadyExists, "has the name of the journal's own document, and another form", path: file,
                cure: "rename it, and adopt it by its new name; the document is then written beside it")
        }
        try place(files, header, in: file.removingLastComponent())
    }

    /// The header comes last: by it the directory is a journal.
    private func place(
        _ files: [(name: FilePath.Component, contents: [UInt8])], _ header: Header, in path: FilePath
    ) throws {
        try DirectoryLock.holding(path) { lock in
            if try formats.isJournal(path) {
                throw FileError(
                    .alreadyExists, "is a journal already", path: path, cure: "give another directory")
            }
            for file in files {
                let old = try lock.directory.readFile(file.name)
                if old?.contents == file.contents { continue }
                guard old == nil else {
                    throw FileError(
                        .alreadyExists, "there is another file of that name",
                        path: lock.directory.path(of: file.name),
                        cure: "move one of the two into a directory of its own")
                }
                try lock.directory.replaceFile(file.name, with: file.contents, expecting: nil)
            }
            guard let name = format.fileNames.first else { return }
            try lock.directory.replaceFile(name, with: writing.text(of: header), expecting: nil)
        }
    }
}
