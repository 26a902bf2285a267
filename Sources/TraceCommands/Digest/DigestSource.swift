internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
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
    /// - Throws: ``FileError`` with `.otherSession` if another one was read.
    func digest(of target: SessionTarget) throws -> Digest {
        let digest = try digest(of: target.path)
        try target.require(digest.session.id)
        return digest
    }

    /// What an index knows of the files as they are, or else what a reading of all of them finds.
    private func overview(of session: FilePath) throws -> DigestReading.Overview {
        if let known = indexed(session) {
            explain("what counts and what is wrong: from the index")
            return known
        }
        explain("what counts and what is wrong: from the files")
        return DigestReading.Overview(try Inspection(of: session, settleTime: settings.settleTime))
    }

    /// Nil if the index can't be used or lags: to bring it up to date would take longer than to read the files.
    private func indexed(_ session: FilePath) -> DigestReading.Overview? {
        guard roots.root(of: session) != nil,
            let index = try? SessionIndex(readingAt: settings.indexDatabase, formats: Journals.all),
            (try? index.isCurrent(session: session)) == true, let lines = try? index.liveLines(of: session),
            let findings = try? index.findings(of: session),
            let header = try? SessionReader(session, settleTime: settings.settleTime).header()
        else { return nil }
        return DigestReading.Overview(
            session: header.session, findings: findings.map(\.finding), lines: lines)
    }

    /// The digests of the sessions that started within these moments, the earliest first, and why any is left out.
    ///
    /// - Parameter zone: The zone for days and times.
    func practice(
        within moments: ClosedRange<Timestamp>, pages: DigestPages?, zone: ZoneRules
    ) throws -> (digest: PracticeDigest, failures: [CommandFailure]) {
        let library = library
        let fresh = FreshIndex(library, session: nil, about: [])
        let known = try fresh.answer { try library.list($0) }
        var failures = fresh.failures.map { CommandFailure($0) }
        let wanted = known.filter { $0.startTime.map(moments.contains) ?? false }
        let progress = progress("reading \(counted(wanted.count, "session"))")
        defer { progress.finish() }
        var entries: [PracticeDigest.Entry] = []
        for (number, session) in wanted.enumerated() {
            progress.update(Double(number) / Double(wanted.count))
            if pages != nil, Interruption.isAsked { throw FileError.stopped }
            guard session.isOnline else {
                notice("warning: \(session.path.escaped): its root can't be reached, so it is omitted")
                continue
            }
            do {
                var digest = try digest(of: session.path)
                digest.forgotten = session.forgotten(now: Clock.now(), after: settings.staleAfter)
                let media = try pages?.media(of: session.path, digest) ?? PageMedia()
                entries.append(.init(digest, path: session.path.escaped, media: media))
            } catch let error as FileError where error.code != .stopped {
                failures.append(CommandFailure(error))
            }
        }
        return (PracticeDigest(entries, zone: zone), failures)
    }
}
