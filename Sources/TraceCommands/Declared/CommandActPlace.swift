internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// What an act that was typed is done with.
struct CommandActPlace: ActPlace {
    let context: CommandContext
    /// The journal's directory; nil if it is away, or none is needed.
    let path: FilePath?

    var writer: JournalWriter {
        get throws {
            guard let path else { throw VerbPlace.away }
            return context.libraryWriter.journalWriter(at: path)
        }
    }

    var runtimeDirectory: FilePath { context.settings.runtimeDirectory }
    var formats: JournalRegistry { Journals.all }

    func absolute(_ typed: String) -> FilePath { context.absolute(FilePath(argument: typed)) }

    func file(_ name: String, limit: Int64) throws -> NamedFile {
        guard name != "-" else {
            return NamedFile(
                contents: try StandardInput.all(limit: Int(limit)), path: nil, modified: nil, replace: nil)
        }
        let path = absolute(name)
        guard let last = path.lastComponent,
            let read = try OpenDirectory(path.removingLastComponent()).readFile(last, limit: limit)
        else { throw FileError("open", path, .noSuchFileOrDirectory) }
        return NamedFile(contents: read.contents, path: path, modified: read.identity.modified.timestamp) {
            guard $0 != read.contents else { return }
            try OpenDirectory(path.removingLastComponent()).replaceFile(
                last, with: $0, expecting: read.identity)
        }
    }
}
