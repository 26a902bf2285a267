package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// The sessions: the first kind of journal.
package struct SessionFormat: JournalFormat {
    package let layout = JournalLayout.session
    package let fileNames = RecordKind.allCases.map(\.component)

    package init() {}

    /// What `session.json` says; the details are a ``Session``.
    package func header(of snapshot: JournalSnapshot) throws -> JournalHeader {
        let found = try SessionReader(snapshot.directory, settleTime: snapshot.settleTime).header()
        var header = JournalHeader()
        header.id = found.session.id?.description
        header.title = found.session.title
        header.epoch = found.session.startTime
        header.identity = found.identity
        header.findings = found.findings
        header.details = found.session
        return header
    }
}
