internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceLibrary
internal import TraceMedia
internal import TraceStore
internal import TraceText

/// `trace digest show`
struct DigestShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the digest of a session, or of several.",
        discussion: """
            Shows the text in digest.md, or a generated digest if there is none. On a terminal it is \
            rendered, and a text that is older than the session is said to be that; in a pipe it is Markdown.

            With --html, one page that needs no network. Its times link into the review audio if the page is in the session's \
            directory or above it, which is assumed for standard output. With --since or --until, the sessions of those \
            days in one digest.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "Generate the digest, even if digest.md has a written one.")
    var rendered = false
    @Flag(help: "As one HTML page.")
    var html = false
    @Option(
        help: ArgumentHelp("Write to this file; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String?
    @Option(
        help: ArgumentHelp(
            "The sessions that started at this moment or later: a date, today, yesterday, monday.",
            valueName: "time"), completion: .moments)
    var since: String?
    @Option(
        help: ArgumentHelp(
            "The sessions that started before this moment, or the end of this day.", valueName: "time"),
        completion: .moments)
    var until: String?
    @OptionGroup var template: TemplateOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let forms = [html, template.template != nil, global.json].count { $0 }
        if forms > 1 { throw ValidationError("use one of --html, --template and --json") }
        if session != nil, since != nil || until != nil {
            throw ValidationError("give a session, or use --since and --until, not both")
        }
        if rendered, since != nil || until != nil {
            throw ValidationError(
                "--rendered can't be combined with --since and --until, which always generate")
        }
        if output?.isEmpty == true { throw ValidationError("--output needs a file") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let moments = try context.moments(since: since, until: until)
            let file = output.flatMap { $0 == "-" ? nil : context.absolute(FilePath(argument: $0)) }
            let pages = html ? context.pageMedia(output: file) : nil
            if let moments {
                let (digest, failures) = try context.practice(
                    within: moments, pages: pages, zone: global.json ? .utc : context.zone)
                try show(.practice(digest), html: digest.html, to: file, context)
                return try failures.end()
            }
            let path = try context.session(session)
            let written = rendered || global.json ? nil : try HandwrittenDigest(in: OpenDirectory(path))
            if let written, !html, template.template == nil {
                if file == nil, isOnScreen, try show(written, of: path, context) { return }
                return try deliver(written.text, to: file, context)
            }
            var digest = try context.digest(of: path, listing: html ? Digest.pageLimit : 0)
            digest.zone = try context.zone
            // JSON does not tell it, and need not wait for the records to be read once more.
            if !global.json {
                digest.forgotten = context.forgotten(digest.session, in: { try SessionReader(path) })
            }
            let reading = pages ?? (file == nil && isOnScreen ? context.screenMedia() : nil)
            let media = try reading?.media(of: path, digest, home: path) ?? PageMedia()
            let words = html ? written.map { context.words(of: $0) } : nil
            try show(
                .session(digest), html: { digest.html(media, words: words) }, to: file,
                waveform: media.waveform,
                context)
        }
    }

    /// Whether standard output is for a person, who gets no Markdown.
    private var isOnScreen: Bool {
        !html && !global.json && template.template == nil && (Output.isTerminal || global.color == .always)
    }

    /// Shows on a terminal what a person wrote.
    ///
    /// - Returns: Whether it could be rendered.
    private func show(_ written: HandwrittenDigest, of path: FilePath, _ context: CommandContext) throws
        -> Bool
    {
        guard let text = written.terminal(columns: Output.columns, styled: Output.isStyled) else {
            return false
        }
        Output.paged(context.isPaged) {
            Output.text(text)
            // A session that can't be read says nothing about its digest.
            guard var digest = try? context.digest(of: path), let zone = try? context.zone else { return }
            digest.zone = zone
            guard written.isOlder(than: digest, zone: { try ZoneFiles.rules(named: $0) }) else { return }
            let verb = "trace digest generate \(path.escaped.asShellWord)"
            let cure =
                written.hasRenderedPart
                ? "'\(verb)' brings the generated part up to date" : "'\(verb) --adopt' adds a generated part"
            Output.lines([
                TerminalText(),
                TerminalText(
                    "This text is older than the session; \(cure).", Output.isStyled ? .yellow : .plain),
            ])
        }
        return true
    }

    /// Renders in the form that is asked for.
    ///
    /// - Parameter waveform: That of the session's review audio, where it is known.
    private func show(
        _ subject: DigestSubject, html page: () -> String, to file: FilePath?, waveform: Waveform? = nil,
        _ context: CommandContext
    ) throws {
        let text: String
        if html {
            text = page()
        } else if global.json {
            text = String(decoding: subject.json.bytes + [0x0A], as: UTF8.self)
        } else if let own = try template.render(subject, context) {
            text = own
        } else if file == nil, isOnScreen {
            let text = subject.terminal(
                columns: Output.columns, styled: Output.isStyled, waveform: waveform)
            return Output.paged(context.isPaged) { Output.text(text) }
        } else {
            text = subject.markdown
        }
        try deliver(Array(text.utf8), to: file, context)
    }

    private func deliver(_ bytes: [UInt8], to file: FilePath?, _ context: CommandContext) throws {
        guard let file else { return Output.paged(context.isPaged && !html) { Output.raw(bytes) } }
        try context.write(bytes, to: file)
        Output.done("digest: \(file.escaped)")
    }
}

extension CommandContext {
    /// What a person wrote in a digest, for a page.
    fileprivate func words(of digest: HandwrittenDigest) -> PageWords {
        let words = digest.pageWords
        if case .plain = words {
            notice("digest.md can't be parsed as Markdown within two seconds: it is shown as plain text")
        }
        return words
    }

    /// Writes a file that was named for an answer, in the place of an older one.
    ///
    /// - Throws: ``FileError``; ``CommandFailure`` with `.usage` for a file that belongs to a session.
    fileprivate func write(_ bytes: [UInt8], to file: FilePath) throws {
        let place = try OutputDestination(file, option: "--output")
        let (directory, name) = (place.directory, place.name)
        let old = try directory.statusIfPresent(of: name, followingLinks: true)?.identity
        try directory.replaceFile(name, with: bytes, expecting: old)
    }
}
