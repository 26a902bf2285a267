internal import HTTPTypes
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The documents of journals whose kind keeps one, and what devices exchange of them.
enum DocumentEndpoints {
    static let all = [document, replica]

    private static let reader = DeclaredParameter(
        name: "reader", type: .choice(["strict"]),
        summary: "For a reader that fails on a word it does not know: as it can read it")

    private static let document = Endpoint(
        method: .get, path: "/journals/{j}/document", id: "getJournalDocument", access: .scope(.read),
        summary: "The document of a journal, as it is in the file", query: [reader],
        answers: [Outcome(status: 200, summary: "The document", types: ["application/json"])],
        work: .asking
    ) { call in
        let (format, exchange) = try call.exchangedJournal()
        return try call.askJournal(of: format) { journal in
            let isSingle = Journals.all.isSingleFile(at: journal.path)
            let document =
                try isSingle
                ? exchange.ofSingleFile(journal)
                : ServedFile.contents(
                    of: exchange.file, in: OpenDirectory(journal.path), limit: exchange.limit)?.contents
            guard let document else {
                throw Problem(
                    .notFound, "no-document", "the journal has no document yet",
                    cure: "write something into the journal first")
            }
            let shown = call["reader"] != nil ? try exchange.forStrictReader(journal) : document
            var answer = Response(.ok, "application/json", shown)
            answer.fields[.eTag] = EntityTag.ofDocument(shown).description
            return answer
        }
    }

    private static let replica = Endpoint(
        method: .put, path: "/journals/{j}/replica/{device}", id: "putJournalReplica", access: .scope(.mark),
        summary: "Merges the document of a device; the answer is the merged one, from which its next differs",
        query: [reader],
        fields: [
            FieldParameter(
                name: .ifMatch,
                summary: "The ETag of the document that the device got last; without it nothing is removed"),
            FieldParameter(
                name: .traceWrittenAt, summary: "When the device wrote its document: 2026-02-04T20:15:00Z"),
        ],
        body: RequestBodyRule(types: ["application/json"], limit: 16 << 20, schema: .inline("{}")),
        answers: [
            Outcome(status: 200, summary: "The merged document", types: ["application/json"]),
            .problem("Most is gone from the document; nothing was merged", status: 409),
        ], work: .importing
    ) { call in
        let brought = BroughtDocument(
            contents: call.body, device: try call.text("device"), base: try call.base(),
            written: try call.written(), isStrict: call["reader"] != nil)
        // A question may be asked again when the journal has changed in between, as it does here; what writes is not.
        let (format, exchange) = try call.exchangedJournal()
        let path = try call.askJournal(of: format) { $0.path }
        call.touched.note(path)
        let document = try exchange.merge(
            brought, into: call.context.writer().journalWriter(at: path))
        var answer = Response(.ok, "application/json", document.contents)
        answer.fields[.eTag] = EntityTag.ofDocument(document.contents).description
        answer.fields[.traceMerge] = document.method
        return answer
    }
}

extension Call {
    /// The kind of the journal that `{j}` names, and what is exchanged of it.
    ///
    /// - Throws: ``Problem`` with 404 for a journal of a kind without documents.
    fileprivate func exchangedJournal() throws -> (any JournalFormat, any DocumentExchange) {
        try askJournal { _, path in
            guard let journal = try JournalCandidate(reading: path, of: Journals.all),
                let format = Journals.all[journal.kind], let exchange = format.surface.exchange
            else { throw Problem.noJournal }
            return (format, exchange)
        }
    }

    /// The hash of what the device got last.
    fileprivate func base() throws(Problem) -> String? {
        guard let field = fields[.ifMatch] else { return nil }
        guard let tag = EntityTag(field) else { throw Problem.tagMalformed }
        return String(decoding: tag.identity.opaque, as: UTF8.self)
    }

    /// When the device wrote its document.
    fileprivate func written() throws -> Timestamp? {
        guard let field = fields[.traceWrittenAt] else { return nil }
        guard let written = Timestamp(field) else {
            throw Problem(
                .badRequest, "time-malformed", "Trace-Written-At is not a time",
                cure: "write it as 2026-02-04T20:15:00Z, or leave it out")
        }
        return written
    }
}

extension EntityTag {
    /// The tag of a document that devices exchange: its whole hash, by which what a device had is found again.
    fileprivate static func ofDocument(_ bytes: [UInt8]) -> EntityTag {
        EntityTag(hash: EntityTag.digest(bytes))
    }
}

extension Problem {
    fileprivate static let tagMalformed = Problem(
        .badRequest, "condition-malformed", "If-Match is not one ETag",
        cure: "send the ETag of the document that the device got last, or leave it out")
}

extension HTTPField.Name {
    fileprivate static let traceWrittenAt = HTTPField.Name("Trace-Written-At") ?? .server
    fileprivate static let traceMerge = HTTPField.Name("Trace-Merge") ?? .server
}
