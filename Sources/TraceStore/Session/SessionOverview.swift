package import RecordFormat
package import TraceFormat

/// What is known about a session's files before their records are read: of an ``Inspection``, or of an index that has read the
/// same files.
package struct SessionOverview {
    package var session: Session
    package var findings: [Finding]
    /// Which lines count; a file that has no entry has no records.
    package var lines: [RecordKind: LiveLines]

    /// An overview of these.
    package init(session: Session, findings: [Finding], lines: [RecordKind: LiveLines]) {
        self.session = session
        self.findings = findings
        self.lines = lines
    }

    /// What a reading of all files has found.
    package init(_ inspection: Inspection) {
        self.init(
            session: inspection.session, findings: inspection.findings, lines: inspection.liveLines)
    }
}
