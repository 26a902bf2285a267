internal import ArgumentParser
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// The words that a shell offers, out of what there is at that moment; the completion scripts ask this very program.
enum CompletionWords {
    /// So many sessions are looked at for tags, the latest ones.
    private static let sessionLimit = 20

    private static var candidates: [SessionCandidate] {
        guard let settings = try? TraceSettings.load() else { return [] }
        return SessionLocator(roots: settings.roots).candidates().sorted {
            ($0.session.startTime?.milliseconds ?? .min) > ($1.session.startTime?.milliseconds ?? .min)
        }
    }

    /// What names a session: ids, `last`, and titles that are one word and can be typed.
    static var sessions: [String] {
        let candidates = candidates
        let titles = candidates.compactMap(\.session.displayTitle).filter {
            !$0.contains(where: \.isWhitespace) && $0.oneLine == $0
        }
        return ["last"] + candidates.compactMap { $0.session.id?.description } + titles
    }

    /// The categories, and the tags of the latest sessions.
    static var tags: [String] {
        var tags = Set(Marker.categories)
        for candidate in candidates.prefix(sessionLimit) {
            _ = try? OpenSession(candidate.path).read(.marker) {
                tags.formUnion($0.tags)
            } onFinding: { _ in
            }
        }
        return tags.filter { Marker.isTag($0) }.sorted()
    }

    static var rules: [String] { Rule.all.map(\.id) }
}

extension CompletionKind {
    /// Ids and titles of sessions.
    static var sessions: CompletionKind { .custom { _, _, _ in CompletionWords.sessions } }
    /// Tags of markers.
    static var tags: CompletionKind { .custom { _, _, _ in CompletionWords.tags } }
    /// Ids of rules.
    static var rules: CompletionKind { .custom { _, _, _ in CompletionWords.rules } }
}
