internal import RecordFormat
internal import TraceFormat
internal import TraceText

extension CombinedDigest {
    /// The digest as one HTML page; as ``Digest/html(_:)``, with a timeline for each session.
    package func html() -> String {
        let body: HTML = """
            <header>
            <h1>\(sessions.total == 0 ? SingleLine("Practice", limit: 80) : heading)</h1>
            <p class="facts">\(sessions.total == 0 ? "No sessions." : facts.joined(separator: " · "))</p>
            \(sessions.total == 0 ? "" : HTMLPage.list(of: counts))</header>
            \(dayTable)\(HTML(sessions.items.map(section)))\
            \(sessions.more > 0 ? "<p class=\"more\">+\(sessions.more) earlier</p>\n" : "")\
            \(HTMLPage.section("To fix", fixes, style: "fix", row))\
            \(HTMLPage.section("Actions", actions, style: "wide") {
                $0.session.digest.row($0.action, after: Self.name(of: $0.session))
            })\
            \(HTMLPage.section("Problems", problems, style: "plain") { entry in
                "<div><span class=\"name\">\(entry.digest.heading)</span> \(entry.digest.problemCounts)</div>"
            })
            """
        return HTMLPage.text(title: heading, body: body)
    }

    private var dayTable: HTML {
        if days.isEmpty { return "" }
        let longest = Double(max(1, longestDay.milliseconds))
        let rows = days.map { day -> HTML in
            let width = Int((Double(day.length.milliseconds) / longest * 1000).rounded())
            let bar: HTML = """
                <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">\
                <rect width="\(day.sessionCount == 0 ? 0 : max(4, width))" height="10"/></svg>
                """
            // On a narrow screen the length has to do.
            let words: HTML =
                day.sessionCount == 0
                ? "" : "\(day.length.clock)<span class=\"wide\">, \(Self.numbers(of: day))</span>"
            return """
                <tr><th scope="row">\(day.weekday) \(day.date)</th><td>\(bar)</td><td>\(words)</td></tr>

                """
        }
        return "<table class=\"days\">\n\(HTML(rows))</table>\n"
    }

    private func section(_ entry: Entry) -> HTML {
        let digest = entry.digest
        let audio = PageAudio(of: digest.session, in: entry.media)
        let rows = entry.moments.map { moment -> HTML in "<li>\(digest.row(moment, audio))</li>\n" }
        let list: HTML = rows.isEmpty ? "" : "<ul class=\"rows\">\n\(HTML(rows))</ul>\n"
        return """
            <section>
            <h2>\(digest.heading)</h2>
            <p class="facts">\((digest.facts + [entry.countWords]).joined(separator: " · "))</p>
            \(PageTimeline(digest: digest, audio: audio, waveform: entry.media.waveform).html)\(list)</section>

            """
    }

    private func row(_ fix: SessionMoment) -> HTML {
        let audio = PageAudio(of: fix.session.digest.session, in: fix.session.media)
        return fix.session.digest.row(
            fix.moment, omitting: .fix, audio, after: Self.name(of: fix.session))
    }

    private static func name(of entry: Entry) -> HTML { " <span class=\"of\">\(entry.digest.heading)</span>" }
}
