internal import RecordFormat
internal import TraceFormat
internal import TraceText

extension Digest {
    /// The digest as one HTML page that needs nothing else: no network, and of files at most the media that it links to.
    ///
    /// Without scripts it is as useful: each time is a link into the review audio. With them, it is played in the page.
    ///
    /// - Parameter words: What a person wrote in `digest.md`, which comes first.
    package func html(_ media: PageMedia, words: PageWords? = nil) -> String {
        let audio = PageAudio(of: session, in: media)
        let body: HTML = """
            <header>
            <h1>\(heading)</h1>
            <p class="facts">\(facts.joined(separator: " · "))</p>
            \(HTMLPage.list(of: counts))</header>
            \(PageTimeline(digest: self, audio: audio, waveform: media.waveform).html)\
            \(HTMLPage.player(audio))\(HTMLPage.words(words, audio, media))\(isEmpty ? "<p>There are no markers in this session yet.</p>\n" : "")\
            \(HTMLPage.section("Notable moments", notable) { row($0, audio) })\
            \(HTMLPage.section("To fix", fixes, style: "fix") { row($0, omitting: .fix, audio) })\
            \(HTMLPage.section("Voice notes", voiceNotes) { row($0, audio, media) })\
            \(allMarkers(audio))\
            \(HTMLPage.section("Actions", actions, style: "wide") { row($0) })\
            \(HTMLPage.section("Problems: \(problemCounts)", problems, style: "wide", HTMLPage.row))
            """
        return HTMLPage.text(title: heading, body: body)
    }

    /// Every marker, folded away.
    private func allMarkers(_ audio: PageAudio?) -> HTML {
        if markers.items.isEmpty { return "" }
        let rows = HTML(markers.items.map { moment -> HTML in "<li>\(row(moment, audio))</li>\n" })
        let more: HTML = markers.more > 0 ? "<li class=\"more\">+\(markers.more) more</li>\n" : ""
        return """
            <details class="all">
            <summary>All markers <b>\(markers.total)</b></summary>
            <ul class="rows">
            \(rows)\(more)</ul>
            </details>

            """
    }

    private var isEmpty: Bool {
        notable.total + fixes.total + voiceNotes.total + actions.total + problems.total == 0
    }

    /// A moment in a list.
    func row(
        _ moment: Moment, omitting omitted: MarkerCategory? = nil, _ audio: PageAudio?, after name: HTML = ""
    ) -> HTML {
        let facts = moment.facts(omitting: omitted).map { fact -> HTML in
            "<span class=\"fact \(fact.category?.rawValue ?? "other")\">\(fact.text)</span>"
        }
        let note: HTML = moment.note.map { "<p class=\"note\" tabindex=\"0\">\($0)</p>" } ?? ""
        return """
            \(HTMLPage.time(moment.marker.offset, audio)) <div><span class="name">\(moment.name)</span> \
            \(HTML.joined(facts, by: " "))\(name)\(note)</div>
            """
    }

    /// - Parameter name: What else is said of it.
    func row(_ action: ActionRun, after name: HTML = "") -> HTML {
        let date: HTML =
            action.createdAt.map { " <span class=\"fact\">\(zone.minuteText($0))</span>" } ?? ""
        let error: HTML = action.shownError.map { "<p class=\"note\">\($0)</p>" } ?? ""
        return """
            <span class="outcome \(action.outcome)">\(action.outcome)</span> \
            <div><span class="name">\(action.shownName)</span>\(date)\(name)\(error)</div>
            """
    }

    private func row(_ note: VoiceNote, _ audio: PageAudio?, _ media: PageMedia) -> HTML {
        let sound: HTML =
            media.url(of: note.mediaPath).map { url in
                " <a class=\"t spoken\" href=\"\(url)#t=0\">listen, \(note.duration.clock)</a>"
            } ?? ""
        return """
            \(HTMLPage.time(note.offset, audio)) <div><span class="\(note.isTranscribed ? "said" : "none")" tabindex="0">\
            \(note.excerpt)</span>\(sound)</div>
            """
    }
}

/// Hand-written text on a page.
package enum PageWords: Sendable, Hashable {
    /// As it was written.
    case plain(String)
    /// As it was meant.
    case tree(MarkdownTree)
}

/// The frame of all pages.
enum HTMLPage {
    /// A whole page around its body.
    static func text(title: SingleLine, body: HTML) -> String {
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; \
            style-src &#39;\(PageAssets.styleHash)&#39;; script-src &#39;\(PageAssets.scriptHash)&#39;; \
            media-src &#39;self&#39; file:; base-uri &#39;none&#39;; form-action &#39;none&#39;">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(title.text)</title>

            """
        let style = HTML(stringLiteral: "<style>\(PageAssets.style)</style>\n</head>\n<body>\n<main>\n")
        let script = HTML(
            stringLiteral: "</main>\n<script>\(PageAssets.script)</script>\n</body>\n</html>\n")
        return page.text + style.text + body.text + script.text
    }

    /// How many there are of what.
    static func list(of counts: [Digest.Count]) -> HTML {
        let items = counts.map { count -> HTML in
            "<li class=\"\(count.category?.rawValue ?? "all")\">\(count.name) <b>\(count.count)</b></li>\n"
        }
        return "<ul class=\"counts\">\n\(HTML(items))</ul>\n"
    }

    /// The review audio's player; nothing where there is none.
    static func player(_ audio: PageAudio?) -> HTML {
        guard let audio else { return "" }
        return "<audio controls preload=\"metadata\" src=\"\(audio.url)\"></audio>\n"
    }

    /// What a person wrote.
    static func words(_ words: PageWords?, _ audio: PageAudio?, _ media: PageMedia) -> HTML {
        let shown: HTML
        switch words {
        case .plain(let text)?:
            if SingleLine.isBlank(text) { return "" }
            shown = "<pre class=\"words\" dir=\"auto\">\n\(text)</pre>\n"
        case .tree(let tree)?:
            if tree.blocks.isEmpty { return "" }
            let html = MarkdownHTML(audio: audio, base: media.base).html(tree)
            shown = "<div class=\"words\">\n\(html)</div>\n"
        case nil: return ""
        }
        return "<section>\n<h2>In your words</h2>\n\(shown)</section>\n"
    }

    /// A heading and a list; nothing where the list is empty.
    static func section<Item>(
        _ heading: String, _ list: Digest.TruncatedList<Item>, style: String = "", _ row: (Item) -> HTML
    ) -> HTML {
        if list.items.isEmpty { return "" }
        let rows = HTML(list.items.map { item -> HTML in "<li>\(row(item))</li>\n" })
        let more: HTML = list.more > 0 ? "<li class=\"more\">+\(list.more) more</li>\n" : ""
        return """
            <section>
            <h2>\(heading)</h2>
            <ul class="rows \(style)">
            \(rows)\(more)</ul>
            </section>

            """
    }

    /// A time, which leads into the audio where that has it.
    static func time(_ offset: SessionOffset, _ audio: PageAudio?) -> HTML {
        guard let url = audio?.url(at: offset) else { return "<span class=\"time\">\(offset.clock)</span>" }
        return "<a class=\"t time\" href=\"\(url)\">\(offset.clock)</a>"
    }

    static func row(_ finding: Finding) -> HTML {
        """
        <span class="outcome \(finding.severity.rawValue)">\(finding.severity.rawValue)</span> \
        <div>\(finding.shownPlace): \(finding.shownMessage) <span class="fact">[\(finding.rule.id)]</span></div>
        """
    }
}
