internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace practice merge FILE --device D`
struct PracticeMerge: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge the document of a device into the journal.",
        discussion: """
            What the device says is the difference between this file and what was exchanged with it last; the first time nothing is \
            removed, and what the journal had before is not taken for new. The file stays as it is, unless --write-back is given.
            """)

    @Argument(help: "The device's document; - is standard input.", completion: .file())
    var file: String
    @Option(help: "The name of the device.", transform: words)
    var device: String
    @Flag(help: "Write the merged document into the file, for the device to read.")
    var writeBack = false
    @Flag(help: "Write back what a reader can take that fails on words it does not know.")
    var strict = false
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func validate() throws {
        if writeBack, file == "-" { throw ValidationError("standard input can't be written back") }
        if strict, !writeBack { throw ValidationError("--strict belongs to --write-back") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let source = try DeviceFile(file, context)
            let (method, counts) = try merge(source, into: try context.practicePath(options), context)
            let report = JSONText.object { object in
                object.member("device", device)
                object.member("file", file)
                object.member("method", method.rawValue)
                object.add(counts)
                object.member("done", JSONText(!dryRun))
            }
            Output.done(
                "\(dryRun ? "would merge" : "merged"): \(device) (\(counts.summary))",
                global.json ? report : nil)
            if !global.json { Output.lines(counts.lines) }
            context.warn(of: counts)
        }
    }

    private func merge(
        _ source: DeviceFile, into path: FilePath, _ context: CommandContext
    ) throws -> (ReplicaExchange.Method, MergeCounts) {
        let exchange = ReplicaExchange(
            source.contents, from: try DeviceName(device), base: .last, written: source.modified,
            isStrict: strict, takesAnswer: writeBack)
        let devices = PracticeDevices(context.libraryWriter.journalWriter(at: path))
        let deliver = writeBack ? { (answer: [UInt8]) in try source.write(answer) } : nil
        switch try devices.merge(exchange, isDry: dryRun, deliver: deliver) {
        case .refused(let emptied):
            throw PracticeError(
                .replicaEmptied, emptied.message, path: source.path ?? path,
                cure: [
                    "\(verb: "practice accept \(device) --dry-run") lists what goes",
                    "without \(option: "dry-run") it is done",
                ]
            )
        case .merged(let method, _, let counts): return (method, counts)
        }
    }
}

/// A file that a device has left.
private struct DeviceFile {
    let contents: [UInt8]
    /// Nil for standard input.
    let path: FilePath?
    private let identity: FileIdentity?

    init(_ named: String, _ context: CommandContext) throws {
        guard named != "-" else {
            contents = try context.contents(ofFile: named, limit: 64 << 20)
            (path, identity) = (nil, nil)
            return
        }
        let path = context.absolute(FilePath(argument: named))
        guard let name = path.lastComponent,
            let read = try OpenDirectory(path.removingLastComponent()).readFile(name, limit: 64 << 20)
        else { throw FileError("open", path, .noSuchFileOrDirectory) }
        contents = read.contents
        identity = read.identity
        self.path = path
    }

    /// When the device wrote it.
    var modified: Timestamp? { identity?.modified.timestamp }

    /// Puts what the device gets in its place, unless that has changed.
    func write(_ answer: [UInt8]) throws {
        guard let path, let name = path.lastComponent, answer != contents else { return }
        try OpenDirectory(path.removingLastComponent()).replaceFile(name, with: answer, expecting: identity)
    }
}

/// `trace practice devices`
struct PracticeDevicesCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices that exchange the journal's document.",
        discussion:
            "One device a line: its name, when something was exchanged with it last, and whether a document was refused."
    )

    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let path = try context.practicePath(options)
            let devices = try PracticeDevices(context.libraryWriter.journalWriter(at: path)).list()
            if global.json {
                return Output.json(
                    devices.lazy.map { device in
                        JSONText.object { object in
                            object.member("device", device.name.description)
                            object.member("last", device.last.map { JSONText($0) })
                            object.member("versions", DocumentNumber.json(device.versions))
                            object.member("refused", device.refused.map { JSONText($0) })
                        }
                    })
            }
            let zone = try context.zone
            func text(_ time: Timestamp?) -> String {
                time.map { Output.isTerminal ? zone.minuteText($0) : zone.secondText($0) } ?? ""
            }
            PracticeTable.show(
                [.whole("DEVICE", rank: 1), .whole("LAST"), .whole("REFUSED")],
                devices.map { [$0.name.description, text($0.last), text($0.refused)] })
        }
    }
}

/// `trace practice accept D`
struct PracticeAccept: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Merge a document of a device that was refused.",
        discussion: """
            A document from which most is gone is not merged, as an app may leave one that could not read its own. This merges it: what \
            is gone from it goes, which --dry-run lists, and 'trace undo' brings it back. The device 'document' is any program that wrote \
            the journal's document in its place.
            """)

    @Argument(help: "The name of the device.", transform: words)
    var device: String
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let path = try context.practicePath(options)
            let devices = PracticeDevices(context.libraryWriter.journalWriter(at: path))
            let counts = try devices.accept(device, isDry: dryRun)
            Output.done(
                "\(dryRun ? "would accept" : "accepted"): \(device) (\(counts.summary))",
                global.json
                    ? .object { object in
                        object.member("device", device)
                        object.add(counts)
                        object.member("done", JSONText(!dryRun))
                    } : nil)
            if !global.json { Output.lines(counts.lines) }
        }
    }
}

extension CommandContext {
    /// The directory of the journal, which must be here.
    func practicePath(_ options: PracticeOptions) throws -> FilePath {
        try availablePracticeJournal(options).path
    }
}

extension CommandContext {
    /// Names what was not taken over, because nothing tells whether it is old or new.
    fileprivate func warn(of counts: MergeCounts) {
        guard !counts.undecided.isEmpty else { return }
        warn(
            "not taken, for the log no longer tells whether it is old or new: \(counts.undecided.map(\.text).shortList)",
            cure: "where the device is right, change it here: trace practice edit")
    }
}

extension MergeCounts {
    /// What it comes to, one line each.
    fileprivate var lines: [String] {
        let shown = changes.prefix(Self.longestList).map { "\($0.kind.rawValue): \($0.text)".oneLine }
        guard changes.count > shown.count else { return shown }
        return shown + ["and \(changes.count - shown.count) more, which --json lists"]
    }

    /// In lines: the first merge of a device may bring thousands.
    private static let longestList = 100

    fileprivate var summary: String {
        if isZero { return "nothing new" }
        let parts = [(added, "added"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }.map {
            "\($0.0) \($0.1)"
        }
        let others =
            members > 0 ? ["\(members) \(members == 1 ? "setting or note" : "settings or notes")"] : []
        return (parts + others).joined(separator: ", ")
    }
}

extension JSONObjectText {
    fileprivate mutating func add(_ counts: MergeCounts) {
        for (name, count) in [
            ("added", counts.added), ("changed", counts.changed), ("removed", counts.removed),
            ("members", counts.members),
        ] { member(name, DocumentNumber.json(count)) }
        member("changes", .array(counts.changes.map(\.json)))
        member("undecided", .array(counts.undecided.map(\.json)))
    }
}

extension MergeChange {
    fileprivate var json: JSONText {
        .object { object in
            object.member("change", kind.rawValue)
            object.member("in", container)
            object.member("id", name)
            object.member("text", text)
        }
    }
}
