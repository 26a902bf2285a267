internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The longest file of an app or a device.
private let longestDocument: Int64 = 64 << 20

private let file = Parameter<String>("file", "The file; - is standard input", .file).with(completion: .files)

enum ImportVerb: DeclaredVerb {
    private static let shownFindings = 20

    static let verb = Verb(
        "import", "Take an app's file into a journal whose document is empty yet",
        discussion: """
            The file is the app's document, an object of its stored keys, or Android's older form, which is converted.
            """, examples: ["practice-state.json --dry-run"], [DeclaredParameter](file, .dryRun)
    ) { asked, _ in
        .act(Act { place in try taken(asked[file], isDry: asked[.dryRun], place) })
    }

    private static func taken(_ named: String, isDry: Bool, _ place: any ActPlace) throws -> Answer {
        let read = try PracticeFile(place.file(named, limit: longestDocument).contents, named: named)
        let writer = try place.writer
        try read.take(into: writer, isDry: isDry)
        let path = writer.path
        let json = JSONText.object { object in
            object.member("file", named)
            object.member("journal_path", path.escaped)
            object.member("findings", DocumentNumber.json(read.findings.count))
            object.member("done", JSONText(!isDry))
        }
        var answer = Answer(.one { json }) { _ in
            [.lines(["\(isDry ? "would import" : "imported"): \(named) into \(path.escaped)"])]
        }
        answer.notices = read.findings.prefix(shownFindings).map(\.warning)
        let left = read.findings.count - shownFindings
        if left > 0 {
            answer.notices.append("\(left) more; 'trace practice convert' shows all of them")
        }
        return answer
    }
}

enum ConvertVerb: DeclaredVerb {
    static let verb = Verb(
        "convert", "Print an app's file as a document of schema 4",
        examples: ["old-phone.json"], [DeclaredParameter](file), at: .nowhere
    ) { asked, _ in
        .act(
            Act { place in
                let read = try PracticeFile(
                    place.file(asked[file], limit: longestDocument).contents, named: asked[file])
                var answer = Answer(.one { JSONText(verbatim: read.document) }) { _ in
                    [.lines([String(decoding: read.document, as: UTF8.self)])]
                }
                answer.notices = read.findings.map(\.warning)
                return answer
            })
    }
}

extension Finding {
    /// What is wrong with an app's file, or is not in the document that it comes to.
    fileprivate var warning: String { "warning: \(message) [\(rule.id)]" }
}

enum MergeVerb: DeclaredVerb {
    private static let file = Parameter<String>(
        "file", "The device's document; - is standard input", .file
    ).with(completion: .files)
    private static let device = Parameter<String>("device", "The name of the device", as: .option)
    private static let writeBack = Parameter<Bool>(
        "write-back", "Write the merged document into the file, for the device to read")
    private static let strict = Parameter<Bool>(
        "strict", "Write back what a reader can take that fails on words it does not know")

    static let verb = Verb(
        "merge", "Merge the document of a device into the journal",
        discussion: """
            What the device says is the difference between this file and what was exchanged with it last; the first time nothing is \
            removed, and what the journal had before is not taken for new. The file stays as it is, unless --write-back is given.
            """,
        examples: [
            "phone/practice-state.json --device phone",
            "phone/practice-state.json --device phone --write-back --strict",
        ], [DeclaredParameter](file, device, writeBack, strict, .dryRun),
        check: { asked throws(ArgumentProblem) in
            if asked[writeBack], asked[file] == "-" {
                throw .refused("standard input can't be written back")
            }
            if asked[strict], !asked[writeBack] { throw .refused("--strict belongs to --write-back") }
        }
    ) { asked, _ in .act(Act { place in try merged(asked, place) }) }

    private static func merged(_ asked: Arguments, _ place: any ActPlace) throws -> Answer {
        let source = try place.file(asked[file], limit: longestDocument)
        let (device, isDry) = (asked[device], asked[.dryRun])
        let exchange = ReplicaExchange(
            source.contents, named: source.path == nil ? "standard input" : asked[file],
            from: try DeviceName(device), base: .last, written: source.modified,
            isStrict: asked[strict], takesAnswer: asked[writeBack])
        let deliver = asked[writeBack] ? source.replace : nil
        let writer = try place.writer
        switch try PracticeDevices(writer).merge(exchange, isDry: isDry, deliver: deliver) {
        case .refused(let emptied):
            throw PracticeError(emptied, of: device, at: source.path ?? writer.path)
        case .merged(let method, _, let counts):
            let json = JSONText.object { object in
                object.member("device", device)
                object.member("file", asked[file])
                object.member("method", method.rawValue)
                object.add(counts)
                object.member("done", JSONText(!isDry))
            }
            var answer = Answer(.one { json }) { _ in
                [
                    .lines(
                        ["\(isDry ? "would merge" : "merged"): \(device) (\(counts.summary))"] + counts.lines)
                ]
            }
            answer.notices = counts.notices
            return answer
        }
    }
}

enum AcceptVerb: DeclaredVerb {
    private static let device = Parameter<String>("device", "The name of the device")

    static let verb = Verb(
        "accept", "Merge a document of a device that was refused",
        discussion: """
            A document from which most is gone is not merged, as an app may leave one that could not read its own. This merges it: what \
            is gone from it goes, which --dry-run lists, and 'trace undo' brings it back. The device 'document' is any program that wrote \
            the journal's document in its place.
            """, examples: ["phone --dry-run"], [DeclaredParameter](device, .dryRun)
    ) { asked, _ in
        .act(
            Act { place in
                let (device, isDry) = (asked[device], asked[.dryRun])
                let counts = try PracticeDevices(place.writer).accept(device, isDry: isDry)
                let json = JSONText.object { object in
                    object.member("device", device)
                    object.add(counts)
                    object.member("done", JSONText(!isDry))
                }
                var answer = Answer(.one { json }) { _ in
                    [
                        .lines(
                            ["\(isDry ? "would accept" : "accepted"): \(device) (\(counts.summary))"]
                                + counts.lines)
                    ]
                }
                answer.notices = counts.notices
                return answer
            })
    }
}

enum DevicesVerb: DeclaredVerb {
    private static let shape = Shape<PracticeDevices.Device>(
        "PracticeDevice", "A device that exchanges the journal's document",
        [
            .always("device", "its name", \.name.description),
            .sometimes("last", "when something was exchanged with it last", \.last),
            .always("versions", "how many of its documents are known", \.versions),
            .sometimes("refused", "when a document of it was refused", \.refused),
        ])

    private static let columns: [Column<PracticeDevices.Device>] = [
        .whole("DEVICE", rank: 1, \.name.description), .time("LAST", \.last), .time("REFUSED", \.refused),
    ]

    static let verb = Verb(
        "devices", "List the devices that exchange the journal's document",
        discussion:
            "One device a line: its name, when something was exchanged with it last, and whether a document was refused.",
        examples: [""], own: Verb.tableForm
    ) { _, _ in
        .act(
            Act { place in
                let devices = try PracticeDevices(place.writer).list()
                var answer = Answer(.list(count: devices.count) { shape.json(devices[$0]) }) { reader in
                    [.table(columns, devices, for: reader)]
                }
                answer.nothing = devices.isEmpty ? "no devices" : nil
                return answer
            })
    }
}

// MARK: - What a merge comes to

extension MergeCounts {
    /// One line each.
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

    /// What a person must know besides.
    fileprivate var notices: [String] {
        let shown = leftOut.prefix(Self.longestList).map { "warning: left out: \($0)" }
        let more =
            leftOut.count > shown.count
            ? ["warning: left out: \(leftOut.count - shown.count) more that are not records"] : []
        return [undecidedNotice].compactMap(\.self) + shown + more
    }

    /// Names what was not taken over, because nothing tells whether it is old or new.
    private var undecidedNotice: String? {
        guard !undecided.isEmpty else { return nil }
        let report = ErrorReport(
            message:
                "not taken, since the log no longer says whether it is old or new: \(undecided.map(\.text).shortList)",
            cure: "where the device is right, change it here: trace practice edit")
        return "warning: \(report.text)"
    }
}

extension JSONObjectText {
    fileprivate mutating func add(_ counts: MergeCounts) {
        for (name, count) in [
            ("added", counts.added), ("changed", counts.changed), ("removed", counts.removed),
            ("members", counts.members), ("left_out", counts.leftOut.count),
        ] { member(name, DocumentNumber.json(count)) }
        member("changes", .array(counts.changes.map(MergeChange.shape.json)))
        member("undecided", .array(counts.undecided.map(MergeChange.shape.json)))
    }
}

extension MergeChange {
    fileprivate static let shape = Shape<MergeChange>(
        "PracticeMergeChange", "What a merge changes",
        [
            .always("change", "added, changed or removed", \.kind.rawValue),
            .always("in", "the array or object of the document", \.container),
            .always("id", "the record or member", \.name), .always("text", "for people", \.text),
        ])
}
