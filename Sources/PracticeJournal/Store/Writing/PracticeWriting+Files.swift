internal import RecordFormat
package import SystemPackage
package import TraceStore

/// New journals, and files that a person brings.
extension PracticeWriting {
    package func text(of header: JournalCreation.Header) -> [UInt8] { header.text(of: .practice) }

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
