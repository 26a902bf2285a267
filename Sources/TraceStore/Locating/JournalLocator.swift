package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// A journal as its directory and its header are.
package struct JournalCandidate: Sendable {
    package let path: FilePath
    package let kind: JournalKind
    package let header: JournalHeader

    /// Its id; nil if the header can't be read.
    package var id: ULID? { header.id.flatMap { ULID($0) } }

    /// What lists call it.
    var name: String { header.title ?? path.lastComponent?.escaped ?? path.escaped }

    /// - Returns: Nil if there is no such journal.
    /// - Throws: ``FileError`` if it can't be looked at.
    package init?(reading path: FilePath, of formats: JournalRegistry) throws {
        // Whether its files have settled does not matter here.
        guard let snapshot = try formats.snapshot(at: path, settleTime: .zero) else { return nil }
        self.path = path
        kind = snapshot.format.layout.kind
        header = try snapshot.format.header(of: snapshot)
    }
}

/// Finds journals of the given kinds by what a person has typed, or by their ids.
package struct JournalLocator: Sendable {
    private let roots: [FilePath]
    private let formats: JournalRegistry

    /// - Parameter formats: The kinds that are looked for.
    package init(roots: [FilePath], formats: JournalRegistry) {
        self.roots = roots
        self.formats = formats
    }

    /// Every journal below the roots; one that several roots lead to counts once. Those that can't be read are left out, and so are files that
    /// are a journal on their own.
    package func candidates() -> [JournalCandidate] { candidates(areSingle: false) }

    private func candidates(areSingle: Bool) -> [JournalCandidate] {
        var seen: Set<FileID> = []
        return roots.flatMap { root in
            (JournalFinder.journals(in: root, of: formats) ?? []).compactMap { path in
                guard let status = try? FileStatus(of: path, followingLinks: true),
                    (status.kind == .regular) == areSingle, seen.insert(status.identity.file).inserted
                else { return nil }
                return (try? JournalCandidate(reading: path, of: formats)) ?? nil
            }
        }
    }

    /// The journal that is meant.
    ///
    /// - Parameters:
    ///   - typed: A directory, an id or its beginning, or a title; nil for the one around the working directory, else the only one.
    ///   - noun: What such a journal is called in messages.
    /// - Throws: ``StoreError`` with `.noSuchSession` or `.ambiguousSession`.
    package func journal(
        _ typed: String?, noun: String, from workingDirectory: FilePath
    ) throws -> JournalCandidate {
        guard let typed else {
            if let around = around(workingDirectory) { return around }
            return try one(of: candidatesOrFiles(), "is here", noun)
        }
        let path = FilePath(typed)
        if let found = try? JournalCandidate(reading: workingDirectory.pushing(path), of: formats) {
            return found
        }
        let all = candidatesOrFiles()
        let prefix = typed.uppercased()
        for isMeant in [
            { (one: JournalCandidate) in one.header.id?.hasPrefix(prefix) ?? false },
            { $0.header.title == typed }, { $0.path.lastComponent?.escaped == typed },
            { $0.name.lowercased() == typed.lowercased() },
        ] {
            let found = all.filter(isMeant)
            if !found.isEmpty { return try one(of: found, "is named '\(typed)'", noun) }
        }
        throw StoreError(
            .noSuchSession, "there is no \(noun) '\(typed)'", cure: "give its directory, its id or its title")
    }

    /// The journals, or where there are none the files that are one on their own: a file that somebody has left beside a journal is not meant.
    private func candidatesOrFiles() -> [JournalCandidate] {
        let journals = candidates()
        return journals.isEmpty ? candidates(areSingle: true) : journals
    }

    private func around(_ directory: FilePath) -> JournalCandidate? {
        var path = directory
        while true {
            if let found = (try? JournalCandidate(reading: path, of: formats)) ?? nil { return found }
            guard path.removeLastComponent(), !path.isEmpty else { return nil }
        }
    }

    private func one(
        of found: [JournalCandidate], _ reason: String, _ noun: String
    ) throws -> JournalCandidate {
        if let only = found.first, found.count == 1 { return only }
        guard !found.isEmpty else {
            throw StoreError(
                .noSuchSession, "no \(noun) \(reason)",
                cure: ["give its directory with \(option: "journal")", "\(verb: "journal init") makes one"])
        }
        let names = found.map { "\($0.path.escaped) (\($0.name))" }.joined(separator: ", ")
        throw StoreError(
            .ambiguousSession, "more than one \(noun) \(reason): \(names)",
            cure: "give one of them with \(option: "journal")")
    }
}

extension JournalRegistry {
    /// The kinds besides sessions, which have ways of their own to be found and written.
    package var besidesSessions: JournalRegistry {
        JournalRegistry(formats.filter { !($0 is SessionFormat) })
    }
}
