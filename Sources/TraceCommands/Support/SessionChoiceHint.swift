internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The error shown if something is to be written now, no session is given and several are active: none can be chosen, but the
/// time is kept, in a ready-made command for each.
struct SessionChoiceHint {
    let context: CommandContext
    /// What was typed for the offset.
    let offset: String
    let now: Timestamp

    /// How many sessions are shown.
    private static let limit = 10

    /// - Parameter error: Why no session could be chosen.
    /// - Returns: The error where it is about anything but active sessions.
    func failure(_ error: StoreError) -> any Error {
        let open = OpenSessions(in: context, now: now)
        let all = open.all
        let active = open.live.isEmpty ? open.choices : open.live
        guard error.code == .ambiguousSession, active.count > 1 else { return error }
        var lines = ["no session was given, and \(active.count) are active [\(error.code.rawValue)]"]
        for candidate in active.prefix(Self.limit) {
            lines.append("  \(candidate.session.shownName(at: candidate.path))")
            lines.append("    \(command(for: candidate, among: all))")
        }
        if active.count > Self.limit { lines.append("  and \(active.count - Self.limit) more") }
        let moment = isOfNow ? "; its offset is the time of this command" : ""
        return CommandFailure(
            error.code.meaning.exit, lines.joined(separator: "\n"),
            cure: "run the line of the intended session\(moment)")
    }

    /// Whether the offset is another one a moment later.
    private var isOfNow: Bool { offset.hasPrefix("now") || offset == "end" }

    /// What was typed, with the session named, and with its own offset instead of a word that means the present.
    private func command(for candidate: SessionCandidate, among all: [SessionCandidate]) -> String {
        var words = TraceCommand.arguments
        var named = ["-s", SessionLocator.name(of: candidate, among: all)]
        if isOfNow, let target = try? SessionTarget(reading: candidate.path),
            let place = try? OffsetResolution(in: target, lastMarker: { nil }, now: now).offset(offset)
        {
            named += ["--offset", place.typed]
            remove(offset, from: &words)
        }
        let verb = words.firstIndex { $0 == "mark" || $0 == "voice-note" } ?? words.endIndex - 1
        let place = words.dropFirst(verb + 1).first == "add" ? verb + 2 : verb + 1
        words.insert(contentsOf: named, at: place)
        return (["trace"] + words.map(\.asShellWord)).joined(separator: " ")
    }

    private func remove(_ offset: String, from words: inout [String]) {
        for (index, word) in words.enumerated() {
            let before = index > 0 ? words[index - 1] : ""
            let isValue = before.hasPrefix("-") && !before.contains("=")
            if word == "--offset=\(offset)" || word == offset && !isValue {
                words.remove(at: index)
                return
            }
            if word == "--offset", words.dropFirst(index + 1).first == offset {
                words.removeSubrange(index...index + 1)
                return
            }
        }
    }
}

extension SessionOffset {
    /// The shortest text that is read as this offset: `0:27.8`.
    fileprivate var typed: String {
        var text = Substring(description)
        while text.last == "0" { text.removeLast() }
        return text.last == "." ? String(text.dropLast()) : String(text)
    }
}
