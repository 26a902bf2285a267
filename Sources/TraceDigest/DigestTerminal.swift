internal import RecordFormat
internal import TraceFormat
internal import TraceMedia
public import TraceText

extension Digest {
    /// The digest for a terminal, with a newline at the end.
    ///
    /// Control characters that users wrote are shown as pictures.
    ///
    /// - Parameters:
    ///   - columns: How wide a line may be; less than 20 counts as 20.
    ///   - styled: Whether colours and bold type are used. They add nothing that the words do not say.
    public func terminal(columns: Int, styled: Bool) -> TerminalText {
        terminal(columns: columns, styled: styled, waveform: nil)
    }

    /// As ``terminal(columns:styled:)``.
    ///
    /// - Parameter waveform: That of the review audio, where it is known.
    func terminal(columns: Int, styled: Bool, waveform: Waveform?) -> TerminalText {
        let columns = max(columns, 20)
        var page = TerminalPage(columns: columns, styled: styled)
        page.add([.init(heading.text, .bold)])
        page.add([.init(facts.joined(separator: " · "), .faint)])
        page.addBlank()
        page.add(Self.spans(for: counts))
        let sound = waveform.flatMap { waveform in
            length.flatMap { SoundLevels(waveform, of: session, length: $0) }
        }
        if let strip = strip ?? (sound == nil ? nil : length.flatMap { TimelineStrip(length: $0) }) {
            page.addBlank()
            for row in strip.rows(columns: columns, sound: sound) { page.addVerbatim(row) }
            for line in strip.legend(columns: columns, isSound: sound != nil) {
                page.add([.init(line, .faint)])
            }
        }
        add(notable, "Notable moments", to: &page)
        add(fixes, "To fix", omitting: .fix, to: &page)
        addVoiceNotes(to: &page)
        addActions(to: &page)
        addProblems(to: &page)
        return page.text
    }

    static func spans(for counts: [Count]) -> [TerminalSpan] {
        let parts = counts.map { count in
            [TerminalSpan("\(count.name) \(count.count)", count.category?.style ?? .plain)]
        }
        return Array(parts.joined(separator: [TerminalSpan(" · ", .faint)]))
    }

    private func add(
        _ moments: TruncatedList<Moment>, _ heading: String, omitting omitted: MarkerCategory? = nil,
        to page: inout TerminalPage
    ) {
        page.addSection(heading, isEmpty: moments.items.isEmpty)
        add(moments.items, omitting: omitted, to: &page)
        page.addMore(moments.more)
    }

    func add(_ moments: [Moment], omitting omitted: MarkerCategory? = nil, to page: inout TerminalPage) {
        let width = moments.map(\.marker.offset.clock.count).max() ?? 0
        for moment in moments {
            page.addItem(
                moment.marker.offset.clock.rightAligned(in: width), .bold,
                Self.spans(for: moment, omitting: omitted, columns: page.columns))
            if let note = moment.note { page.addItem("", width: width, .plain, [.init(note.text, .faint)]) }
        }
    }

    /// - Parameter columns: Of the page; a name that is longer than two of its lines is cut.
    static func spans(for moment: Moment, omitting omitted: MarkerCategory?, columns: Int) -> [TerminalSpan] {
        let facts = moment.facts(omitting: omitted).map { fact in
            [TerminalSpan(fact.text.text, fact.category?.style ?? .faint)]
        }
        let namesCategory = facts.isEmpty || moment.marker.label.map(SingleLine.isBlank) ?? true
        let style = namesCategory && omitted == nil ? moment.categories.first?.style ?? .plain : .plain
        let name = [TerminalSpan(SingleLine(moment.name.text, limit: 2 * min(columns, 1 << 20)).text, style)]
        if facts.isEmpty { return name }
        return name + [.init(" (", .faint)] + facts.joined(separator: [.init(", ", .faint)]) + [
            .init(")", .faint)
        ]
    }

    private func addVoiceNotes(to page: inout TerminalPage) {
        let width = voiceNotes.items.map(\.offset.clock.count).max() ?? 0
        page.addSection("Voice notes", isEmpty: voiceNotes.items.isEmpty)
        for note in voiceNotes.items {
            let style = note.isTranscribed ? TerminalStyle.plain : .faint
            page.addItem(note.offset.clock.rightAligned(in: width), .bold, [.init(note.excerpt.text, style)])
        }
        page.addMore(voiceNotes.more)
    }

    private func addActions(to page: inout TerminalPage) {
        let width = actions.items.map(\.outcome.count).max() ?? 0
        page.addSection("Actions", isEmpty: actions.items.isEmpty)
        for action in actions.items { add(action, width: width, to: &page) }
        page.addMore(actions.more)
    }

    func add(_ action: ActionRun, width: Int, more: [TerminalSpan] = [], to page: inout TerminalPage) {
        let date = action.createdAt.map { " (\(zone.minuteText($0)))" } ?? ""
        page.addItem(
            action.outcome, width: width, action.status.style,
            [.init(action.shownName.text, .plain), .init(date, .faint)] + more)
        if let error = action.shownError {
            page.addItem("", width: width, .plain, [.init(error.text, .plain)])
        }
    }

    private func addProblems(to page: inout TerminalPage) {
        let width = problems.items.map(\.severity.rawValue.count).max() ?? 0
        page.addSection("Problems: \(problemCounts)", isEmpty: problems.items.isEmpty)
        for finding in problems.items {
            let text = "\(finding.shownPlace.text): \(finding.shownMessage.text)"
            page.addItem(
                finding.severity.rawValue, width: width, finding.severity.style,
                [.init(text, .plain), .init(" [\(finding.rule.id)]", .faint)])
        }
        page.addMore(problems.more)
    }
}

extension MarkerCategory {
    /// Its colour on a terminal.
    package var style: TerminalStyle {
        switch self {
        case .highlight: .yellow
        case .structure: .cyan
        case .texture: .magenta
        case .fix: .red
        }
    }
}

extension ActionRun.Status {
    /// Its colour on a terminal.
    package var style: TerminalStyle {
        switch self {
        case .failed: .red
        case .started: .yellow
        case .succeeded: .green
        }
    }
}

extension Rule.Severity {
    /// Its colour on a terminal.
    package var style: TerminalStyle { self == .error ? .red : .yellow }
}

extension String {
    func rightAligned(in width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
