internal import Journals
package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceFormat
package import TraceIndex
internal import TraceStore
internal import TraceText

/// What in sessions and other journals breaks a rule: `trace validate`.
package struct FindingsQuestion: Sendable {
    /// Only findings of that severity.
    var severity: Rule.Severity?
    /// Only findings of the rule of that id.
    var rule: String?
    /// How long a file must have rested before its unfinished last line counts as torn.
    var settleTime: Duration

    /// Everything that breaks a rule, or some of it.
    package init(
        severity: Rule.Severity? = nil, rule: String? = nil, settleTime: Duration = .seconds(2)
    ) {
        self.severity = severity
        self.rule = rule
        self.settleTime = settleTime
    }

    /// The sessions and other journals below the roots, in the order in which they are checked.
    ///
    /// - Parameter report: Called with each directory that can't be searched.
    package static func sessions(
        below roots: SessionRoots, report: (FileError) -> Void
    ) -> [FilePath] {
        roots.paths.flatMap { roots.journals(of: $0, report: report) }
    }

    /// What is wrong with a session, or another journal, by a reading of all its files.
    ///
    /// - Parameter directory: Where an index of a journal other than a session is made and removed again.
    /// - Throws: ``FileError`` if the session can't be read; ``IndexError``.
    /// - Complexity: O(size of the session's files) in time; in memory, the ids and what refers to others.
    package func findings(
        of session: FilePath, temporaryDirectory directory: FilePath = "/tmp"
    ) throws -> SessionFindings {
        let snapshot = try Journals.all.snapshot(at: session, settleTime: settleTime)
        if let snapshot, snapshot.format.layout.kind != .session {
            var found =
                snapshot.format.layout.isOfDocuments
                ? try findings(ofDocuments: session, snapshot) : try findings(ofJournal: session, directory)
            found.kind = snapshot.format.layout.kind
            return found
        }
        let inspection = try Inspection(of: session, settleTime: settleTime)
        let ambiguity = try snapshot.map { try Journals.all.ambiguity(of: $0) } ?? []
        return SessionFindings(
            .session(session, inspection.session.id), (inspection.findings + ambiguity).filter(isAsked))
    }

    /// Of a journal whose files are documents: what an index would say of it, which needs no rows for that.
    private func findings(ofDocuments path: FilePath, _ snapshot: JournalSnapshot) throws -> SessionFindings {
        let format = snapshot.format
        let header = try format.header(of: snapshot)
        var found = header.findings + (try Journals.all.ambiguity(of: snapshot))
        for file in format.layout.files where file.slot != .header {
            do { found += try format.findings(in: file.slot, of: snapshot) } catch let error as FileError {
                let place = Finding.Place(file: snapshot.name(of: file.slot) ?? file.name)
                found.append(Finding(.fileUnreadable, at: place, error.message))
            }
        }
        return SessionFindings(
            .session(path, header.id.flatMap { ULID($0) }), format.layout.sorted(found).filter(isAsked))
    }

    /// By an index of its own: the one reading of it there is.
    private func findings(ofJournal path: FilePath, _ directory: FilePath) throws -> SessionFindings {
        try PrivateDirectory.with(in: directory) { directory in
            let index = try JournalIndex(ownAt: directory.appending("index.sqlite"), formats: Journals.all)
            _ = try index.reconcile(journal: path, in: nil, settleTime: settleTime)
            return try findings(of: path, by: index) ?? SessionFindings(.session(path, nil), [])
        }
    }

    /// What is wrong with a session or another journal, as the index knows it.
    ///
    /// - Parameter index: One that is up to date for the session.
    /// - Returns: Nil if the index does not know the session.
    /// - Throws: ``IndexError``.
    package func findings(of session: FilePath, by index: JournalIndex) throws -> SessionFindings? {
        let id: ULID?
        if let known = try index.session(at: session) {
            id = known.id
        } else if let journal = try index.journals(.session(session)).first {
            id = journal.id.flatMap { ULID($0) }
        } else {
            return nil
        }
        let findings = try index.findings(of: session, severity: severity).map(\.finding)
        return SessionFindings(.session(session, id), findings.filter(isAsked))
    }

    private func isAsked(_ finding: Finding) -> Bool {
        (severity.map { finding.severity == $0 } ?? true) && (rule.map { finding.rule.id == $0 } ?? true)
    }
}

extension JournalLayout {
    /// Whether no file of it is one of lines, which depend on each other.
    fileprivate var isOfDocuments: Bool {
        files.allSatisfy { file in
            if case .document = file.container { true } else { false }
        }
    }
}
