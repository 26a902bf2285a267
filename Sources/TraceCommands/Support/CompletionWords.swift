internal import TraceAccess
internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// The words that a shell offers, out of what there is at that moment; the completion scripts ask this very program.
enum CompletionWords {
    /// So many sessions are looked at for tags, the latest ones.
    static let sessionLimit = 20

    private static var candidates: [SessionCandidate] {
        guard let settings = try? TraceSettings.load() else { return [] }
        return SessionLocator(roots: settings.roots).candidates().sorted {
            ($0.session.startTime?.milliseconds ?? .min) > ($1.session.startTime?.milliseconds ?? .min)
        }
    }

    /// What names a session, in the order in which a person thinks of them: `last`, the names of directories, titles that are
    /// one word, and ids.
    static var sessions: [String] {
        let candidates = candidates
        let zone = zone
        var words: Set<String> = ["last"]
        var offered = [CompletionWord("last", candidates.first.map { facts($0, zone) } ?? "")]
        func offer(_ word: String?, _ about: (SessionCandidate) -> [String?], _ candidate: SessionCandidate) {
            guard let word, canBeTyped(word), words.insert(word).inserted else { return }
            offered.append(
                CompletionWord(word, about(candidate).compactMap(\.self).joined(separator: "  ")))
        }
        for candidate in candidates {
            offer(
                candidate.path.lastComponent?.string,
                { [facts($0, zone), $0.session.displayTitle] }, candidate)
        }
        for candidate in candidates {
            offer(candidate.session.displayTitle, { [facts($0, zone)] }, candidate)
        }
        for candidate in candidates {
            offer(
                candidate.session.id?.description,
                { [facts($0, zone), $0.session.displayTitle ?? $0.path.lastComponent?.escaped] }, candidate)
        }
        return offered.map(\.text)
    }

    /// When it began, and how long it is.
    private static func facts(_ candidate: SessionCandidate, _ zone: ZoneRules) -> String {
        let session = candidate.session
        let length = session.duration?.clock ?? session.status?.rawValue
        return [session.startTime.map(zone.minuteText), length].compactMap(\.self).joined(separator: ", ")
    }

    /// That of the settings, or else the machine's.
    private static var zone: ZoneRules {
        let name = (try? TraceSettings.load())?.timeZone
        return name.flatMap { try? ZoneFiles.rules(named: $0) } ?? ZoneFiles.machine.rules
    }

    /// Whether a shell takes it as one word, and shows it as it is.
    private static func canBeTyped(_ word: String) -> Bool {
        !word.isEmpty && !word.hasPrefix("-") && !word.contains(where: \.isWhitespace) && word.oneLine == word
            && !word.unicodeScalars.contains("\u{FFFD}")
    }

    /// So many markers are offered, the last ones.
    private static let markerLimit = 50

    /// `last`, and the ids of the markers of a session, the last one first, each with where it is and what it is called.
    ///
    /// - Parameter typed: The words that are on the command line; one of them may name the session, else it is the active one,
    ///   or the latest.
    static func markers(_ typed: [String]) -> [String] {
        let candidates = candidates
        let named = candidates.first { candidate in
            typed.contains { word in
                word == candidate.session.id?.description || word == candidate.path.lastComponent?.string
                    || word == candidate.path.string || word == candidate.session.displayTitle
            }
        }
        guard
            let session = named ?? candidates.first(where: { $0.session.status == .active })
                ?? candidates.first
        else { return [CompletionWord("last").text] }
        var markers: [RecordSummary] = []
        _ = try? SessionReader(session.path).read(.marker) {
            if $0.id != nil { markers.append($0) }
        } onFinding: { _ in
        }
        // Of several lines of a marker the last one counts.
        var ids: Set<ULID> = []
        var words = [CompletionWord("last", markers.last.map(facts) ?? "").text]
        for marker in markers.reversed() where words.count <= markerLimit {
            guard let id = marker.id, ids.insert(id).inserted else { continue }
            words.append(CompletionWord(id.description, facts(marker)).text)
        }
        return words
    }

    /// Where a marker is, and what it is called.
    private static func facts(_ marker: RecordSummary) -> String {
        let words = marker.text.flatMap { $0.isEmpty ? nil : $0 } ?? marker.tags.joined(separator: ", ")
        return [marker.offset?.tenths, words].compactMap(\.self).joined(separator: "  ")
    }

    static let offsets = ["now", "end"]
    static let moments = [
        "today", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        "last week", "1w",
    ]

    /// The categories, and the tags of the latest sessions.
    static var tags: [String] {
        var tags = Set(Marker.categories)
        for candidate in candidates.prefix(sessionLimit) {
            _ = try? SessionReader(candidate.path).read(.marker) {
                tags.formUnion($0.tags)
            } onFinding: { _ in
            }
        }
        return tags.filter { Marker.isTag($0) }.sorted()
    }

    static var rules: [String] { Journals.all.rules.map(\.id) }

    /// The names of tokens, and the ids of those whose name is not one word.
    static var tokens: [String] {
        guard let settings = try? TraceSettings.load(),
            let list = try? AccessTokens(state: settings.stateDirectory).list()
        else { return [] }
        return list.tokens.map { CompletionWord(canBeTyped($0.name) ? $0.name : $0.id.description).text }
    }
}

/// A word that a shell offers, and what it shows beside it.
private struct CompletionWord {
    /// As the shell that asks reads both; of those that show nothing beside a word, the word alone.
    let text: String

    init(_ word: String, _ about: String = "") {
        let about = about.oneLine
        switch CompletionShell.requesting {
        case .zsh?:
            let escaped = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            text = about.isEmpty ? escaped : "\(escaped):\(about)"
        case .fish?: text = about.isEmpty ? word : "\(word)\t\(about)"
        default: text = word
        }
    }
}

extension CompletionKind {
    /// Ids and titles of sessions.
    static var sessions: CompletionKind { .custom { _, _, _ in CompletionWords.sessions } }
    /// Sessions, and the words that are offsets.
    static var places: CompletionKind {
        .custom { _, _, _ in CompletionWords.sessions + CompletionWords.offsets }
    }
    /// Ids of markers.
    static var markers: CompletionKind { .custom { typed, _, _ in CompletionWords.markers(typed) } }
    /// The words that are offsets.
    static var offsets: CompletionKind { .list(CompletionWords.offsets) }
    /// The words that are moments.
    static var moments: CompletionKind { .list(CompletionWords.moments) }
    /// The words of an enumeration.
    static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> CompletionKind
    where Word.RawValue == String {
        .list(type.allCases.map(\.rawValue))
    }
    /// Tags of markers.
    static var tags: CompletionKind { .custom { _, _, _ in CompletionWords.tags } }
    /// Tokens of the HTTP API.
    static var tokens: CompletionKind { .custom { _, _, _ in CompletionWords.tokens } }
    /// Ids of rules.
    static var rules: CompletionKind { .custom { _, _, _ in CompletionWords.rules } }
}
