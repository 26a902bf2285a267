internal import ArgumentParser
internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace digest edit`
struct DigestEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit the digest of a session.",
        discussion: """
            Opens a copy of digest.md in VISUAL, else EDITOR, else vi, and writes it back when the editor has ended. \
            If there is none yet, it starts with a generated digest. If nothing was changed, nothing is written; \
            'trace undo' undoes an edit.

            VISUAL and EDITOR need a terminal; a command given by --editor need not.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(
        help: ArgumentHelp(
            "The editor, instead of VISUAL and EDITOR; it need not use a terminal.", valueName: "command"))
    var editor: String?
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let editor = try editor ?? Self.editorOfTerminal
            let context = try CommandContext(global)
            let target = try context.target(session)
            let old = try target.directory.readFile(
                RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)?.contents
            let draft = try old ?? draft(of: target, context)
            let copy = try EditedCopy(of: draft, state: context.settings.stateDirectory)
            let isChanged = try keeping(copy) {
                try copy.edit(with: editor)
                let text = try copy.contents()
                // What a killed run left is finished by the same again.
                if old == nil, text == draft { return false }
                return try context.writer(target).editDigest(from: old, to: text)
            }
            copy.remove()
            Output.done(
                isChanged ? "digest: updated" : "digest: not changed",
                global.json ? WrittenDigest(target, isChanged: isChanged).json(.commandLine) : nil)
        }
    }

    /// What the session is now, for a person to begin with.
    private func draft(of target: SessionTarget, _ context: CommandContext) throws -> [UInt8] {
        var digest = try context.digest(of: target)
        digest.zone = try context.zone(ofDigest: nil)
        return try SessionWriter.generated(ManagedBlock.Rendering(digest.markdown(), zone: digest.zone.name))
    }

    /// The editor that the environment names, for the person at the terminal.
    ///
    /// - Throws: ``CommandFailure`` with `.usage` if there is none: such an editor would wait for keys for ever.
    private static var editorOfTerminal: String {
        get throws {
            guard isatty(STDIN_FILENO) == 1, Output.isTerminal || isatty(STDERR_FILENO) == 1 else {
                throw CommandFailure(
                    .usage, "there is no terminal for an editor",
                    cure:
                        "run it on a terminal, give an editor that needs none with \(option: "editor"), or use \(verb: "digest write --file")"
                )
            }
            let names: [String] = ["VISUAL", "EDITOR"]
            let named = names.compactMap { name in getenv(name).map { String(cString: $0) } }
            return named.first { !$0.allSatisfy(\.isWhitespace) } ?? "vi"
        }
    }

    /// Says where the person's text is when something goes wrong; a copy that was not changed is removed.
    private func keeping(_ copy: EditedCopy, _ body: () throws -> Bool) throws -> Bool {
        do { return try body() } catch {
            let failure = CommandFailure(error)
            guard copy.isChanged else {
                copy.remove()
                throw failure
            }
            throw CommandFailure(
                failure.status,
                "\(failure.report?.text ?? "digest.md was not written")\n  your text is kept in \(copy.file.escaped)",
                cure: "compare both, then \(verb: "digest write --file") writes yours")
        }
    }
}

/// A copy of a text in a directory of its own, for an editor.
private struct EditedCopy {
    private let directory: FilePath
    private let original: [UInt8]

    var file: FilePath { directory.appending(RecordKind.digestComponent) }

    init(of text: [UInt8], state: FilePath) throws {
        let parent = state.appending("edit")
        try OpenDirectory.make(parent)
        directory = parent.appending(IDGenerator.next().description)
        try OpenDirectory.make(directory)
        original = text
        // For the user alone.
        _ = directory.withPlatformString { chmod($0, 0o700) }
        try OpenDirectory(directory).replaceFile(RecordKind.digestComponent, with: text, expecting: nil)
    }

    func contents() throws -> [UInt8] {
        guard
            let file = try OpenDirectory(directory).readFile(
                RecordKind.digestComponent, limit: SessionWriter.maximumDigestSize)
        else { throw FileError(.notFound, "the editor left no file", path: file) }
        return file.contents
    }

    var isChanged: Bool { (try? contents()).map { $0 != original } ?? false }

    /// Runs the editor and waits for it; the terminal is its own meanwhile.
    func edit(with editor: String) throws {
        _ = file.withPlatformString { setenv("TRACE_EDITED_FILE", $0, 1) }
        defer { unsetenv("TRACE_EDITED_FILE") }
        // An editor is a command with arguments, as for other programs. What is printed is our answer alone.
        let redirection = Output.isTerminal ? "" : " >&2"
        let status = system("\(editor) \"$TRACE_EDITED_FILE\"\(redirection)")
        guard status == 0 else {
            let code = (status >> 8) & 0xFF
            let isMissing = status & 0x7F == 0 && code == 127
            throw StoreError(
                isMissing ? .toolMissing : .toolFailed,
                isMissing
                    ? "the editor '\(editor.oneLine)' was not found"
                    : "the editor '\(editor.oneLine)' failed: nothing was written",
                cure: isMissing ? "give an installed one with --editor, VISUAL or EDITOR" : nil)
        }
    }

    func remove() { PrivateDirectory.remove(directory) }
}
