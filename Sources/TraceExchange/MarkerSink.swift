internal import RecordFormat
internal import TraceFormat
internal import TraceText

/// Receives markers as they are read, one by one, so that they need not be held in memory; and collects what is in the way of
/// taking them, and what is not taken.
package struct MarkerSink {
    /// Why the file as a whole can't be taken. As long as there is any, nothing should be.
    var problems: [ExchangeProblem] = []
    /// How many markers were taken.
    private(set) var count = 0
    private let isStrict: Bool
    private let take: (ImportedMarker) -> MarkerRefusal?
    private var reasons: [LeftOut] = []
    private var untaken: [Untaken] = []
    private var notes: [ImportNotice] = []

    /// Elements that are left out for one reason: the first of them stands for all.
    fileprivate struct LeftOut {
        let thing: ImportNotice.Thing
        let first: ExchangeProblem
        let reason: String
        var count = 1
    }

    /// Things of one kind that have no place in a marker.
    fileprivate struct Untaken {
        let thing: ImportNotice.Thing
        var count = 0
        var names: [String] = []
    }

    /// How many different names of one kind of thing are shown.
    fileprivate static let shownNames = 10

    /// - Parameter isStrict: Whether an element whose meaning can't be taken refuses the file.
    init(isStrict: Bool, _ take: @escaping (ImportedMarker) -> MarkerRefusal?) {
        self.isStrict = isStrict
        self.take = take
    }

    /// For markers all of which can be taken.
    package init(_ take: @escaping (ImportedMarker) -> Void) {
        self.init(isStrict: false) { marker in
            take(marker)
            return nil
        }
    }

    /// Takes a marker.
    mutating func add(_ marker: ImportedMarker) {
        switch take(marker) {
        case nil: count += 1
        case .whole(let problem): problems.append(problem)
        case .element(let problem): leaveOut(.marker, problem)
        }
    }

    /// Leaves an element out whose meaning can't be taken: a marker, or a value of one.
    mutating func leaveOut(_ thing: ImportNotice.Thing, _ problem: ExchangeProblem) {
        if isStrict { return problems.append(problem) }
        // There are few, and mostly it is the last one again.
        let reason = problem.reason
        if let known = reasons.lastIndex(where: {
            $0.thing == thing && $0.reason == reason && $0.first.cure == problem.cure
        }) {
            reasons[known].count += 1
        } else {
            reasons.append(LeftOut(thing: thing, first: problem, reason: reason))
        }
    }

    /// Counts what has no place in a marker, or is not a marker.
    ///
    /// - Parameter name: What the file calls it.
    mutating func notTaken(
        _ thing: ImportNotice.Thing, _ name: @autoclosure () -> String? = nil, count: Int = 1
    ) {
        let known = untaken.firstIndex { $0.thing == thing }
        let number = known ?? untaken.count
        if known == nil { untaken.append(Untaken(thing: thing)) }
        untaken[number].count += count
        guard untaken[number].names.count < Self.shownNames, let name = name()?.shortened, !name.isEmpty,
            !untaken[number].names.contains(name)
        else { return }
        untaken[number].names.append(name)
    }

    /// Counts the colours of markers, which have no place in one; where all have the same, that is what the program gives each.
    ///
    /// - Parameter colours: How many markers have which.
    mutating func notTaken(colours: [String: Int]) {
        guard colours.count > 1 else { return }
        for (colour, count) in colours.sorted(by: { $0.key < $1.key }) {
            notTaken(.colour, colour, count: count)
        }
    }

    /// Says how something was read; the same is said once, and counted.
    mutating func say(_ notice: ImportNotice) {
        guard
            let known = notes.firstIndex(where: { $0.thing == notice.thing && $0.message == notice.message })
        else { return notes.append(notice) }
        let first = notes[known]
        notes[known] = ImportNotice(
            first.thing, count: first.count + 1, names: first.names, at: first.place, first.message,
            cure: first.cure)
    }

    /// What a person should know of the file.
    var notices: [ImportNotice] {
        reasons.map(\.notice) + untaken.map(\.notice) + notes
    }

    /// Why nothing of a file was taken that has something in it, which is then not among the notices; nil if there is nothing wrong.
    mutating func takeReasonForNothing(_ source: ImportSource) -> ExchangeProblem? {
        if let first = reasons.firstIndex(where: { $0.thing == .marker }) {
            let reason = reasons.remove(at: first)
            return ExchangeProblem(reason.first.place, reason.message, cure: reason.first.cure)
        }
        guard let most = untaken.indices.max(by: { untaken[$0].count < untaken[$1].count }), notes.isEmpty
        else { return nil }
        let start = Finding.Place(file: source.file, line: 1)
        let reason = untaken.remove(at: most)
        return ExchangeProblem(
            start, "no marker was found: \(reason.notice.message)", cure: reason.thing.cure)
    }
}

extension ExchangeProblem {
    /// The message without what is different in each element: what is quoted, and numbers.
    fileprivate var reason: String {
        var parts = message.split(separator: "'", omittingEmptySubsequences: false)
        if parts.count > 2 { parts.removeSubrange(1..<(parts.count - 1)) }
        return String(parts.joined(separator: "'").unicodeScalars.filter { !("0"..."9").contains($0) })
    }
}

extension MarkerSink.LeftOut {
    /// What is wrong, and how often.
    fileprivate var message: String { first.message + (count > 1 ? ", and \(count - 1) more like it" : "") }

    fileprivate var notice: ImportNotice {
        let what = thing == .value ? "value" : "marker"
        let outcome = "\(count == 1 ? "the \(what) is" : "\(counted(count, what)) are") left out"
        return ImportNotice(
            thing, count: count, at: first.place, "\(message); \(outcome)", cure: first.cure)
    }
}

extension MarkerSink.Untaken {
    fileprivate var notice: ImportNotice {
        let shown = names.map { "'\($0)'" }.joined(separator: ", ")
        let more = names.count == MarkerSink.shownNames ? ", …" : ""
        return ImportNotice(
            thing, count: count, names: names,
            "not taken: \(counted(count, thing.noun, thing.plural))\(shown.isEmpty ? "" : " (\(shown)\(more))")",
            cure: thing == .line ? nil : thing.cure)
    }
}

/// Why a marker that was read can't be taken.
enum MarkerRefusal {
    /// The file as a whole is not for this session.
    case whole(ExchangeProblem)
    /// The others can be taken without it.
    case element(ExchangeProblem)
}

extension ImportNotice.Thing {
    /// What one of them is called.
    fileprivate var noun: String {
        switch self {
        case .field: "field behind the last column"
        case .setting: "setting of a cue"
        case .colour: "colour of a marker"
        case .block: "block that is not a cue"
        case .line: "line without a time"
        case .secondTime: "second time of a line"
        case .event: "event without a marker"
        case .clipMarker: "marker on a clip"
        default: rawValue
        }
    }

    /// What several are called, where that is not the noun with an `s`.
    fileprivate var plural: String? {
        switch self {
        case .field: "fields behind the last column"
        case .setting: "settings of cues"
        case .colour: "colours of markers"
        case .block: "blocks that are not cues"
        case .line: "lines without a time"
        case .secondTime: "second times of lines"
        case .event: "events without a marker"
        case .clipMarker: "markers on clips"
        default: nil
        }
    }

    /// How it could be taken.
    fileprivate var cure: Cure? {
        switch self {
        case .field: "put a text that has a separator in it in double quotes"
        case .block: "put a line of two times above the text: 00:00:12.500 --> 00:01:00.250"
        case .line: "begin or end each line with its time: 0:00 Intro"
        case .event: "set markers on the timeline, and export those"
        case .clipMarker: "move them to the timeline or to one of its tracks"
        default: nil
        }
    }
}
