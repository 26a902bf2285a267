internal import RecordFormat
package import SystemPackage
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
