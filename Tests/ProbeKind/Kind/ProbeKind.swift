package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceStore

// A kind of journal in one file, as docs/contributing.md has it: beats of a metronome. What programs do with it they have of what is declared
// here, and `trace-probe` and `traced-probe` know no more of it than its name.

// MARK: - The files

extension JournalKind {
    fileprivate static var probe: JournalKind { JournalKind(name: "probe") }
}

extension RecordSchema {
    fileprivate static let probe = header(EntryKind(code: 127), of: "probe", in: "probe.json")

    fileprivate static let beats = RecordSchema(
        EntryKind(code: 112), in: "beats.jsonl",
        [
            .required("id", .ulid), .required("created_at", .timestamp), .required("text", .string),
            .required("tempo", .number), .optional("note", .string), .optional("bars", .integer(1...999)),
        ], columns: RecordColumns(offset: "created_at", text: "text", note: "note"))
}

package struct ProbeFormat: JournalFormat {
    package let layout = JournalLayout(
        .probe,
        files: [
            JournalFile(.header, document: RecordSchema.probe.fileName, of: []),
            JournalFile(FileSlot(FileSlot.header.number + 1), linesOf: .beats),
        ],
        entryKinds: [
            EntryDeclaration(RecordSchema.beats.kind, "probe.beat", isSearched: true, isOnTimeline: true)
        ],
        rules: Rule.reading + Rule.schema + Rule.journal)
    package let fileNames: [FilePath.Component] = ["probe.json", "beats.jsonl"]
    package let writing: (any JournalWriting)? = LineWriting(.probe, .beats)
    package let verbs: (any VerbGroup.Type)? = ProbeVerbs.self
    package var opened: (any OpenedJournal.Type)? { OpenedProbe.self }
    package var surface: KindSurface { .probe }

    package init() {}

    package func header(of snapshot: JournalSnapshot) throws -> JournalHeader {
        try JournalHeader(of: snapshot, as: .probe)
    }
}

// MARK: - What they say

extension Double {
    /// Without a fraction if it has none.
    fileprivate var formatted: String {
        String(decoding: ArgumentValue.number(self).json.bytes, as: UTF8.self)
    }
}

private struct Beat {
    let id: ULID
    let time: Timestamp
    let tempo: Double
    let note: String?
    let bars: Int?

    init?(_ id: ULID, _ json: JSONValue) {
        guard let time = json[name: "created_at"]?.timestamp, let tempo = json[name: "tempo"]?.number else {
            return nil
        }
        self.id = id
        self.time = time
        self.tempo = tempo
        note = json[name: "note"]?.string
        bars = json[name: "bars"]?.integer.map { Int($0) }
    }
}

/// What the beats come to.
private struct Tempo {
    let count: Int
    let mean: Double?

    init(_ beats: [Beat]) {
        count = beats.count
        mean = beats.isEmpty ? nil : beats.reduce(0) { $0 + $1.tempo } / Double(beats.count)
    }
}

private final class OpenedProbe: OpenedJournal {
    let path: FilePath
    var asking: Asking
    private let directory: OpenDirectory
    private var read: [Beat]?

    init(_ path: FilePath, _ asking: Asking) throws {
        directory = try OpenDirectory(path)
        self.path = path
        self.asking = asking
    }

    var zone: ZoneRules { get throws { try asking.zone() } }

    var beats: [Beat] {
        get throws {
            if let read { return read }
            let beats = try JournalLines(.beats, in: directory).records { Beat($0, $1) }
            read = beats
            return beats
        }
    }
}

// MARK: - The surface

extension KindSurface {
    fileprivate static let probe = KindSurface(
        operations: [.beat],
        questions: [QuestionPath(.beats, id: "listProbeBeats"), QuestionPath(.tempo, id: "getProbeTempo")])
}

private let tempo = Parameter<Double>("tempo", "Beats a minute", .number(20...400))
private let note = Parameter<String?>("note", "What was played")
private let bars = Parameter<Int?>("bars", "How many bars of it", .integer(1...999))
private let least = Parameter<Double?>("least", "Only beats of at least so many a minute", .number(20...400))

extension Operation {
    fileprivate static let beat = Operation(
        "beat", "Note how fast it was", makesRecords: true, [DeclaredParameter](tempo, note, bars)
    ) { asked in
        LineWrite(to: .beats) { write, record in
            record.member("created_at", write.time)
            record.member("text", "\(asked[tempo].formatted) a minute")
            record.member("tempo", ArgumentValue.number(asked[tempo]).json)
            record.member("note", asked[note].map { JSONText($0) })
            record.member("bars", asked[bars].map { JSONText(Int64($0)) })
        }
    }
}

extension Question {
    fileprivate static let beats = list(
        "beats", "The beats that were noted",
        of: Shape<Beat>(
            "ProbeBeat", "A beat that was noted",
            [
                .always("id", "its id", \.id.description), .always("time", "when it was noted", \.time),
                .always("tempo", "beats a minute", \.tempo), .sometimes("note", "what was played", \.note),
                .sometimes("bars", "how many bars of it", \.bars),
            ]),
        columns: [
            .time("TIME", \.time), .number("TEMPO", \.tempo.formatted),
            .text("NOTE", least: 10) { $0.note ?? "" },
        ], [DeclaredParameter](least)
    ) { (journal: OpenedProbe, asked) in try journal.beats.filter { $0.tempo >= asked[least] ?? 0 } }

    fileprivate static let tempo = one(
        "tempo", "How fast it was all in all",
        of: Shape<Tempo>(
            "ProbeTempo", "How fast it was all in all",
            [
                .always("count", "how many beats there are", \.count),
                .sometimes("mean", "beats a minute, of all of them", \.mean),
            ])
    ) { (journal: OpenedProbe, _) in
        try Tempo(journal.beats)
    } screen: { found, _ in
        [.lines([found.mean.map { "\($0.formatted) a minute" } ?? "no beat was noted"])]
    }
}

private enum ProbeVerbs: VerbGroup {
    static let name = "probe"
    static let title = "Probe"
    static let abstract = "Write and read beats"
    static let members: [VerbGroupMember] = [
        .verb(BeatVerb.self), .verb(BeatsVerb.self), .verb(TempoVerb.self), .verb(UndoVerb.self),
    ]
}

private enum BeatVerb: DeclaredVerb {
    static let verb = Verb.writing(.beat, examples: ["120 --note scales --bars 16"])
}
private enum BeatsVerb: DeclaredVerb {
    static let verb = Verb.asking(.beats, examples: ["--least 100"], own: [DeclaredParameter](.limit))
}
private enum TempoVerb: DeclaredVerb { static let verb = Verb.asking(.tempo, examples: [""]) }
