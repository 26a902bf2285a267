internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceDigest
internal import TraceExchange
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// Closed sessions as a podcast. Its address has the token in it, since apps send no header; it is in no log.
///
/// Source: docs/http.md#podcast-feeds.
enum FeedEndpoints {
    static let all = [feed, part]

    /// How many sessions a feed has, the latest ones: an app that has subscribed keeps what it had before.
    static let episodeLimit = 100

    private static let feed = Endpoint(
        method: .get, path: "//feeds/{token}/feed.xml", id: "getFeed", access: .feed,
        summary: "The latest closed sessions that have a recording, as a podcast (RSS 2.0)",
        answers: [
            Outcome(status: 200, summary: "The feed", types: ["application/rss+xml"]), .noFeed,
        ], work: .searching
    ) { call in
        let scope = call.visitor.sessions(of: call.context.roots)
        let address = try "\(call.publicAddress)/feeds/\(call.text("token"))"
        let episodes = try call.askAll { asked -> [PodcastFeed.Episode] in
            var question = SessionsQuestion()
            question.status = .closed
            let rows = try question.answer(
                asked.index, in: asked.library, now: call.now, staleAfter: call.context.settings.staleAfter
            ).rows.lazy.map(\.session).filter { scope.contains($0) }
            let handles = call.handles(asked.index)
            var episodes: [PodcastFeed.Episode] = []
            for row in rows where episodes.count < episodeLimit {
                guard let session = try? CalledSession(row, handles, asked.index),
                    let found = try? recording(of: session, call)
                else { continue }
                call.freshness.note(shown: [row.path])
                episodes.append(try episode(session, found, address, call))
            }
            return episodes
        }
        let hasImage = (try? call.context.host.page.page()?[Page.cover]) != nil
        let feed = PodcastFeed(
            title: call.visitor.token?.name ?? "Sessions", link: "\(call.publicAddress)/",
            address: "\(address)/feed.xml",
            image: hasImage ? "\(call.publicAddress)/\(Page.cover)" : nil,
            language: language(call.context.settings.speechLanguage), episodes: episodes,
            in: (try? call.context.zone()) ?? .utc)
        return Response(.ok, "application/rss+xml; charset=utf-8", feed.bytes)
    }

    /// That of what is said in the recordings; English, which the descriptions are in, where that is left to the program that hears it.
    private static func language(_ configured: String) -> String {
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        let isCode = (2...3).contains(configured.utf8.count) && configured.utf8.allSatisfy(isLetter)
        return isCode ? configured.lowercased() : "en"
    }

    /// What one listens to, and its file.
    private struct Recording {
        let header: Session
        let item: MediaItem
        let id: ULID
        let file: ServedFile
        let type: MediaType

        /// The extension of the file's name, of letters and digits.
        var fileExtension: String {
            let name = file.name.bytes
            guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "bin" }
            return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        }
    }

    /// The recording of a closed session.
    ///
    /// - Throws: ``Problem`` with 404 if it has none, or none that can be played; ``FileError``.
    private static func recording(of session: CalledSession, _ call: Call) throws -> Recording {
        let directory = try OpenDirectory(session.path)
        let header = try SessionReader(directory).readableHeader().session
        guard header.status == .closed, let item = header.reviewAudio, let id = item.id,
            let file = try ServedFile.media(
                at: item.path, below: directory, settleTime: call.context.settings.settleTime)
        else { throw Problem.notFound }
        let type = MediaType.ofRecording(named: file.name.bytes)
        // There is nothing to hear in an empty file, and an enclosure has a length.
        guard type.isInline, file.identity.size > 0 else { throw Problem.notFound }
        return Recording(header: header, item: item, id: id, file: file, type: type)
    }

    private static func episode(
        _ session: CalledSession, _ found: Recording, _ address: String, _ call: Call
    ) throws -> PodcastFeed.Episode {
        let base = "\(address)/\(session.handle)/\(found.id)"
        // A session whose files can't all be read is heard all the same.
        let description = (try? DigestEndpoints.read(session, listing: 0, call)).map { digest in
            var digest = digest
            digest.zone = (try? call.context.zone()) ?? digest.zone
            return digest.markdown()
        }
        return PodcastFeed.Episode(
            title: found.header.displayTitle ?? session.path.lastComponent?.escaped ?? session.handle,
            guid: found.id.description, published: found.header.startTime ?? found.header.createdAt,
            description: description ?? "", audio: "\(base).\(found.fileExtension)",
            size: found.file.identity.size, type: found.type.name,
            duration: found.item.duration ?? found.header.duration, chapters: "\(base).json",
            transcript: session.known.counts[.transcript, default: 0] > 0 ? "\(base).vtt" : nil)
    }

    // MARK: - What belongs to an episode

    private static let part = Endpoint(
        method: .get, path: "//feeds/{token}/{s}/{name}", id: "getEpisode", access: .feed,
        summary: "A recording of the feed; with '.json' its chapters, with '.vtt' its transcript",
        fields: [.range, .ifRange, .ifMatch], answers: FileEndpoints.bytes + [.noFeed], work: .asking
    ) { call in
        let session: CalledSession
        do { session = try call.session() } catch let problem as Problem where problem.status == .conflict {
            throw Problem.notFound
        }
        let found: Recording
        do { found = try recording(of: session, call) } catch is FileError { throw Problem.notFound }
        let name = try call.text("name")
        switch name.uppercased() {
        case "\(found.id).JSON": return try chapters(session, found, call)
        case "\(found.id).VTT": return try transcript(session, found, call)
        case "\(found.id).\(found.fileExtension.uppercased())":
            return found.file.answer(to: call, as: found.type)
        default: throw Problem.notFound
        }
    }

    /// The markers, by the clock of the recording.
    private static func chapters(_ session: CalledSession, _ found: Recording, _ call: Call) throws
        -> Response
    {
        let file = try ExportRequest(.podcast, media: found.item).markers(
            of: SessionReader(session.path), found.header, named: session.path.lastComponent?.escaped ?? "")
        return try Response(
            [.contentType: "application/json+chapters"], madeIn: call.context.settings.stateDirectory
        ) { written in _ = try file.write { try written.append($0) } }
    }

    /// What is said in it, by its clock.
    private static func transcript(_ session: CalledSession, _ found: Recording, _ call: Call) throws
        -> Response
    {
        let start = found.item.startOffset ?? .zero
        return try Response(
            [.contentType: "text/vtt; charset=utf-8"], madeIn: call.context.settings.stateDirectory
        ) { written in
            try written.append(WebVTTCaptions.head)
            var question = RecordsQuestion(of: session.path, .transcript)
            question.limit = Call.streamedRows
            repeat {
                let answer = try call.ask(session, isLater: true) { try question.answer($0) }
                try written.append(answer.rows.flatMap { WebVTTCaptions.cue(of: $0.line, from: start) })
                question.after = answer.next
            } while question.after != nil
        }
    }
}

extension Outcome {
    /// What a feed and what is in it answers to a token that is wrong, or no longer valid.
    fileprivate static let noFeed = Outcome.problem("There is no such feed, or not any more", status: 404)
}
