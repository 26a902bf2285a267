internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceMedia
internal import TraceStore
internal import TraceText

extension CommandContext {
    /// The digest of a session as it is now.
    ///
    /// - Parameter limit: How many of all markers are kept for a list of them.
    /// - Throws: ``FileError``.
    func digest(of session: FilePath, listing limit: Int = 0) throws -> Digest {
        try DigestReading(session, settleTime: settings.settleTime).digest(listing: limit) {
            try overview(of: session)
        }
    }

    /// As the digest of a path, for what is to be written into a session that was chosen.
    ///
    /// - Throws: ``StoreError`` with `.otherSession` if another one was read.
    func digest(of target: SessionTarget) throws -> Digest {
        let digest = try digest(of: target.path)
        try target.require(digest.session.id)
        return digest
    }

    /// What an index knows of the files as they are, or else what a reading of all of them finds.
    private func overview(of session: FilePath) throws -> SessionOverview {
        if let known = library.indexedOverview(of: session) {
            explain("what counts and what is wrong: from the index")
            return known
        }
        explain("what counts and what is wrong: from the files")
        return SessionOverview(try Inspection(of: session, settleTime: settings.settleTime))
    }

    /// What collects the media of pages.
    ///
    /// - Parameter output: The file of the page; nil if it goes to standard output.
    func pageMedia(output: FilePath?) -> PageMediaReading {
        Interruption.installHandlers()
        return PageMediaReading(
            state: settings.stateDirectory, directory: output?.removingLastComponent(),
            shouldStop: { Interruption.isAsked },
            listening: listening,
            tell: { notice in
                switch notice {
                case .sessionIsElsewhere(let session):
                    self.notice(
                        "\(session.escaped) is not below the page: links to its times do not work\n"
                            + "  hint: write the page into the session's directory or the one above it")
                case .noWaveform(let error): self.notice("the page has no waveform: \(error)")
                }
            })
    }

    /// Reads a recording, with its progress.
    private func listening(_ read: () throws -> Waveform?) throws -> Waveform? {
        let progress = progress("listening to the review audio")
        defer { progress.finish() }
        return try read()
    }

    /// As ``pageMedia(output:)``, for a picture on a terminal, which has no links.
    func screenMedia() -> PageMediaReading {
        Interruption.installHandlers()
        return PageMediaReading(
            state: settings.stateDirectory, directory: nil, shouldStop: { Interruption.isAsked },
            listening: listening,
            tell: { notice in
                if case .noWaveform(let error) = notice { explain("the picture has no loudness: \(error)") }
            })
    }

    /// The digests of the sessions that started within these moments, the earliest first, and why any is left out.
    ///
    /// - Parameter zone: The zone for days and times.
    func practice(
        within moments: ClosedRange<Timestamp>, pages: PageMediaReading?, zone: ZoneRules
    ) throws -> (digest: CombinedDigest, failures: [CommandFailure]) {
        let (wanted, lacking, _) = try library.sessions(startedWithin: moments)
        let progress = progress("reading \(counted(wanted.count, "session"))")
        defer { progress.finish() }
        let now = Clock.now()
        let sources = wanted.map { session in
            CombinedReading.Source(
                session.path, named: session.path.escaped, isOnline: session.isOnline,
                forgotten: session.forgotten(now: now, after: settings.staleAfter))
        }
        var reading = CombinedReading()
        reading.onSession = { number in
            progress.update(Double(number) / Double(sources.count))
            if pages != nil, Interruption.isAsked { throw StoreError.stopped }
        }
        reading.onUnreachable = { path in
            notice("warning: \(path.escaped): its root can't be reached, so it is omitted")
        }
        reading.media = { path, digest in
            try pages?.media(of: path, digest, home: roots.root(of: path) ?? path) ?? PageMedia()
        }
        let (digest, failures) = try reading.digest(of: sources, zone: zone) { try self.digest(of: $0) }
        return (digest, lacking.map { CommandFailure($0) } + failures.map { CommandFailure($0) })
    }
}
