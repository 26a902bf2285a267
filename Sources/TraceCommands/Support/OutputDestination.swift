internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Where the output file given on the command line is written.
struct OutputDestination {
    let directory: OpenDirectory
    let name: FilePath.Component

    /// - Parameter option: The option that named the file.
    /// - Throws: ``FileError``; ``CommandFailure`` with `.usage` for no file, and for one that belongs to a session.
    init(_ file: FilePath, option: String) throws {
        guard let name = file.lastComponent else {
            throw CommandFailure(
                .usage, "\(option) '\(file.escaped)' is not a file", cure: "give the file to write")
        }
        directory = try OpenDirectory(file.removingLastComponent())
        self.name = name
        guard try directory.holdsSessionFile(name) else { return }
        let own = name == RecordKind.digestComponent ? "; 'trace digest generate' writes digest.md" : ""
        throw CommandFailure(
            .usage, "\(option) '\(file.escaped)' belongs to a session", cure: "use another file\(own)")
    }
}
