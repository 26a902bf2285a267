internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace queue check FILE…`
struct QueueCheck: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check entries that another program has written, before they are queued.",
        discussion: """
            Checks them like the drain: the entry itself, its file's name, its record, and the audio next to it. Nothing is written. \
            - is standard input, for which the name and the audio are not checked. docs/queue.md has an example of each kind, and \
            'trace schema queue-entry' the JSON Schema. Exit status 65 if one of them is invalid.
            """)

    @Argument(help: "The files; - is standard input.", completion: .file(extensions: ["json"]))
    var files: [String]
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let sessions = context.libraryWriter.journalsByID()
            let results = try files.map { try Result($0, context, sessions) }
            if global.json { Output.json(results.lazy.map(\.json)) }
            for result in results {
                if let problem = result.problem {
                    CommandFailure(.badData, "\(result.file): \(problem.message)", cure: problem.cure)
                        .tell()
                } else if !global.json, let entry = result.entry {
                    Output.line(
                        "ok: \(result.file) (\(entry.kind) for \(entry.kind.journalNoun) \(entry.journalID))")
                }
                if let warning = result.warning { context.notice("warning: \(result.file): \(warning)") }
            }
            if results.contains(where: { $0.problem != nil }) { throw CommandFailure(.badData, nil) }
        }
    }

    /// The result for a file.
    private struct Result {
        let file: String
        private(set) var entry: SpoolEntry?
        private(set) var problem: FormatError?
        /// What keeps it waiting, though nothing is wrong with it.
        private(set) var warning: String?

        /// - Throws: ``CommandFailure``, ``FileError`` if the file can't be read.
        init(_ argument: String, _ context: CommandContext, _ sessions: (ULID) -> [FilePath]) throws {
            let path = argument == "-" ? nil : context.absolute(FilePath(argument: argument))
            file = path.map { $0.lastComponent?.escaped ?? $0.escaped } ?? "standard input"
            let text = try context.contents(ofFile: argument, limit: Spool.maximumEntrySize)
            do throws(FormatError) {
                let named = path?.lastComponent.flatMap(Spool.id(inName:))
                if let path, named == nil {
                    let id = SpoolEntry.statedID(in: text)
                    throw FormatError(
                        .recordInvalid, "'\(path.lastComponent?.escaped ?? "")' is not the name of an entry",
                        cure: "name the file \(id.map { "\($0)" } ?? "by its id, a ULID, and").json")
                }
                // Of one without a name nothing else can be said than what it says itself.
                let id = named ?? SpoolEntry.statedID(in: text)
                let entry = try SpoolEntry(parsing: text, named: id ?? IDGenerator.next())
                self.entry = entry
            } catch {
                problem = error
                return
            }
            guard let entry else { return }
            do { try Journals.all.check(entry) } catch let error as FormatError {
                problem = error
                return
            }
            if let path, let attachment = entry.attachment {
                problem = Self.problem(of: attachment, beside: path)
            }
            if sessions(entry.journalID).isEmpty {
                warning =
                    "its \(entry.kind.journalNoun) \(entry.journalID) was not found; it waits until it is"
            }
        }

        /// What is wrong with the audio.
        private static func problem(
            of attachment: SpoolEntry.Attachment, beside entry: FilePath
        ) -> FormatError? {
            let audio = entry.removingLastComponent().appending(attachment.name)
            let found: SpoolEntry.Attachment
            do { found = try Spool.attachment(for: audio, named: attachment.name) } catch {
                let cause = error.anyReport.message
                return FormatError(
                    .recordInvalid, "its audio '\(attachment.name)' can't be read: \(cause)",
                    cure: "put it next to the entry")
            }
            guard found != attachment else { return nil }
            return FormatError(
                .recordInvalid, "its audio '\(attachment.name)' is not the file that attachment describes",
                cure: "write \"size\":\(found.size) and \"sha256\":\"\(found.sha256 ?? "")\"")
        }

        var json: JSONText {
            .object { object in
                object.member("file", JSONText(file))
                object.member("ok", JSONText(problem == nil))
                object.member("id", entry.map { JSONText($0.id) })
                object.member("kind", entry.map { JSONText($0.kind.rawValue) })
                if let entry { object.member(entry.kind.journalKey, JSONText(entry.journalID)) }
                object.member("problem", (problem?.message).map { JSONText($0) })
                object.member("hint", (problem?.cure?.text).map { JSONText($0) })
                object.member("waiting", warning.map { JSONText($0) })
            }
        }
    }
}
