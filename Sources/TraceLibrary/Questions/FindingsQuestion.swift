package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceFormat
package import TraceIndex
internal import TraceStore

/// What in sessions breaks a rule: `trace validate`.
package struct FindingsQuestion: Sendable {
    /// Only findings of that severity.
    package var severity: Rule.Severity?
    /// Only findings of the rule of that id.
    package var rule: String?
    /// How long a file must have rested before its unfinished last line counts as torn.
    package var settleTime: Duration

    /// Everything that breaks a rule, or some of it.
    package init(
        severity: Rule.Severity? = nil, rule: String? = nil, settleTime: Duration = .seconds(2)
    ) {
        self.severity = severity
        self.rule = rule
        self.settleTime = settleTime
    }

    /// The sessions below the roots, in the order in which they are checked.
    ///
    /// - Parameter report: Called with each directory that can't be searched.
    package static func sessions(
        below roots: SessionRoots, report: (FileError) -> Void
    ) -> [FilePath] {
        roots.paths.flatMap { SessionFinder.sessions(in: $0, report: report) }
    }

    /// What is wrong with a session, by a reading of all its files.
    ///
    /// - Throws: ``FileError`` if the session can't be read.
    /// - Complexity: O(size of the session's files) in time; in memory, the ids and what refers to others.
    package func findings(of session: FilePath) throws -> SessionFindings {
        let inspection = try Inspection(of: session, settleTime: settleTime)
        return SessionFindings(
            .session(session, inspection.session.id), inspection.findings.filter(isAsked))
    }

    /// What is wrong with a session, as the index knows it.
    ///
    /// - Parameter index: One that is up to date for the session.
    /// - Returns: Nil if the index does not know the session.
    /// - Throws: ``IndexError``.
    package func findings(of session: FilePath, by index: SessionIndex) throws -> SessionFindings? {
        guard let known = try index.session(at: session) else { return nil }
        let findings = try index.findings(of: session, severity: severity).map(\.finding)
        return SessionFindings(.session(session, known.id), findings.filter(isAsked))
    }

    private func isAsked(_ finding: Finding) -> Bool {
        (severity.map { finding.severity == $0 } ?? true) && (rule.map { finding.rule.id == $0 } ?? true)
    }
}
