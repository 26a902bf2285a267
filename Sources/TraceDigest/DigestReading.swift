internal import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceStore
internal import TraceText

/// Reads out of a session's files what a digest tells, in memory that does not grow with the markers.
///
/// Which lines count is known before: from an ``Inspection``, or from an index that has read the same files. The files are
/// then gone through once, a second time only for the markers of a session whose length nothing tells.
package struct DigestReading {
    /// What is known about a session's files before their records are read.
    package typealias Overview = SessionOverview

    private let path: FilePath
    private let settleTime: Duration

    package init(_ path: FilePath, settleTime: Duration = .seconds(2)) {
        self.path = path
        self.settleTime = settleTime
    }

    /// The digest of the session as it is now.
    ///
    /// - Parameters:
    ///   - limit: How many of all markers are kept for a list of them.
    ///   - learn: Says what is known of the files; is asked again where they were rewritten meanwhile.
    /// - Throws: ``FileError``, with `.changedMeanwhile` if they never rest; what `learn` throws.
    /// - Complexity: O(size of the files) in time; in memory, a few words a voice note, what is wrong, and what `learn` makes.
    package func digest(listing limit: Int = 0, _ learn: () throws -> Overview) throws -> Digest {
        for _ in 1...5 {
            let session = try SessionReader(path, settleTime: settleTime)
            let before = try Self.kinds.map { try session.identity(of: $0) }
            if let digest = try digest(of: session, learn(), before, listing: limit) { return digest }
        }
        throw FileError(
            .changedMeanwhile, "its files kept changing while they were read", path: path,
            cure: "wait until the program that writes them has finished, then try again")
    }

    private static let kinds: [RecordKind] = [.voiceNote, .marker, .action]

    /// - Returns: Nil if a file is not the one that the knowledge is about.
    private func digest(
        of session: SessionReader, _ known: Overview, _ before: [FileIdentity?], listing limit: Int
    ) throws -> Digest? {
        var isSame = true
        func read(_ kind: RecordKind, _ take: @escaping (CheckedLine) -> Void) throws {
            guard let lines = known.lines[kind] else { return }
            let reading = try session.readLines(kind, onLine: { if lines.contains($0) { take($0) } })
            let known = Self.kinds.firstIndex(of: kind).flatMap { before[$0] }
            let after = try session.identity(of: kind)
            // What only grew still begins with the lines that are known. One that can't be read is reported among the findings.
            let isRead = reading.map { Self.holds($0.identity, known) } ?? true
            isSame = isSame && isRead && Self.holds(after, known)
        }
        let clock = try session.clock(of: known.session)
        var extent = SessionExtent(by: clock)
        if known.session.statedLength(by: clock) == nil {
            for kind in [RecordKind.marker, .voiceNote] {
                try read(kind) { line in
                    let record = line.fields
                    guard let offset = record.offset else { return }
                    // A voice note that is spoken at the end makes no session longer.
                    let length = kind == .marker ? record.duration : nil
                    extent.add(offset, lasting: length, written: record.createdAt)
                }
            }
        }
        var builder = DigestBuilder(
            session: known.session,
            length: known.session.length(by: clock, reaching: extent.offset),
            listLimit: limit)
        try read(.voiceNote) { if let note = $0.voiceNote { builder.add(note) } }
        try read(.marker) { builder.add(marker: $0) }
        try read(.action) { if let run = $0.actionRun { builder.add(run) } }
        guard isSame else { return nil }
        var digest = builder.finish(findings: known.findings)
        digest.pausedAt = clock?.pausedAt
        return digest
    }

    /// Whether a file is the one that it was, or that one with more behind it.
    private static func holds(_ identity: FileIdentity?, _ before: FileIdentity?) -> Bool {
        guard let identity, let before else { return identity == nil && before == nil }
        if identity == before { return true }
        return identity.device == before.device && identity.inode == before.inode
            && identity.size > before.size
    }
}
