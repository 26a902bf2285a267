internal import RecordFormat
internal import TraceFormat
internal import TraceText

// What a digest says about records, the same in every form that it is rendered in.

extension VoiceNote {
    /// The beginning of what was said.
    var excerpt: SingleLine {
        let said = SingleLine(transcript ?? "", limit: 140, cut: .atWord)
        return said.text.isEmpty ? SingleLine("(not transcribed)", limit: 140) : said
    }

    /// Whether there is a text of what was said.
    var isTranscribed: Bool { transcript.map { !SingleLine.isBlank($0) } ?? false }
}

extension ActionRun {
    /// How the run ended, or that it has not.
    var outcome: String {
        switch status {
        case .failed: "failed"
        case .started: "waiting"
        case .succeeded: "succeeded"
        }
    }

    /// The action's name.
    var shownName: SingleLine {
        let name = SingleLine(action, limit: 60)
        return name.text.isEmpty ? SingleLine("(no name)", limit: 60) : name
    }

    /// Why it failed; nil if it did not or nobody knows.
    var shownError: SingleLine? {
        guard status == .failed, let error, !SingleLine.isBlank(error) else { return nil }
        return SingleLine(error, limit: 200, cut: .atWord)
    }
}

extension Finding {
    /// Where it is. A file's name may be anything.
    var shownPlace: SingleLine {
        var place = place
        place.file = SingleLine(place.file, limit: 80).text
        return SingleLine(place.description, limit: 140)
    }

    /// What is wrong; the message may hold what a user wrote.
    var shownMessage: SingleLine { SingleLine(message, limit: 200, cut: .atWord) }
}
