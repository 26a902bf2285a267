internal import RecordFormat
internal import TraceFormat
internal import TraceText

extension CombinedDigest {
    /// The digest for a terminal, with a newline at the end; as ``Digest/terminal(columns:styled:)``.
    func terminal(columns: Int, styled: Bool) -> TerminalText {
        let columns = max(columns, 20)
        var page = TerminalPage(columns: columns, styled: styled)
        guard sessions.total > 0 else {
            page.add([.init("No sessions.", .plain)])
            return page.text
        }
        page.add([.init(heading.text, .bold)])
        page.add([.init(facts.joined(separator: " · "), .faint)])
        page.addBlank()
        page.add(Digest.spans(for: counts))
        page.addBlank()
        for row in dayRows(columns: columns) { page.add([.init(row, .plain)]) }
        for entry in sessions.items { add(entry, to: &page) }
        if sessions.more > 0 {
            page.addBlank()
            page.add([.init("+\(sessions.more) earlier", .faint)])
        }
        addFixes(to: &page)
        addActions(to: &page)
        page.addSection("Problems", isEmpty: problems.items.isEmpty)
        for entry in problems.items {
            page.addItem(
                "", .plain,
                [.init(entry.digest.heading.text, .plain), .init(" \(entry.digest.problemCounts)", .red)])
        }
        page.addMore(problems.more)
        return page.text
    }

    private func add(_ entry: Entry, to page: inout TerminalPage) {
        page.addBlank()
        page.add([.init(entry.digest.heading.text, .bold)])
        page.add([.init((entry.digest.facts + [entry.countWords]).joined(separator: " · "), .faint)])
        entry.digest.add(entry.moments, to: &page)
    }

    private func addFixes(to page: inout TerminalPage) {
        let width = fixes.items.map(\.moment.marker.offset.clock.count).max() ?? 0
        page.addSection("To fix", isEmpty: fixes.items.isEmpty)
        for fix in fixes.items {
            let name = TerminalSpan(" — \(fix.session.digest.heading.text)", .faint)
            page.addItem(
                fix.moment.marker.offset.clock.rightAligned(in: width), .bold,
                Digest.spans(for: fix.moment, omitting: .fix, columns: page.columns) + [name])
            if let note = fix.moment.note {
                page.addItem("", width: width, .plain, [.init(note.text, .faint)])
            }
        }
        page.addMore(fixes.more)
    }

    private func addActions(to page: inout TerminalPage) {
        let width = actions.items.map(\.action.outcome.count).max() ?? 0
        page.addSection("Actions", isEmpty: actions.items.isEmpty)
        for entry in actions.items {
            let name = TerminalSpan(" — \(entry.session.digest.heading.text)", .faint)
            entry.session.digest.add(entry.action, width: width, more: [name], to: &page)
        }
        page.addMore(actions.more)
    }
}
