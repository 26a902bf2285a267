package import RecordFormat
internal import TraceText

/// Repairs what can be recovered of `session.json`; every other byte stays.
///
/// A value that several sources know is taken over only where they agree.
package struct HeaderFix: Sendable {
    /// `session.json` as it is to be.
    package private(set) var bytes: [UInt8]
    package private(set) var fixes: [Fix] = []
    /// Fields on which the sources disagree.
    package private(set) var unresolved: [UnresolvedProblem] = []
    /// What the file says, as it is to be.
    package let session: Session
    /// The end of a closed session; nil unless `end_time` and `duration_ms` are known and agree with `start_time`, the pauses and
    /// every copy.
    package let end: End?

    /// When a session ends.
    package struct End: Sendable, Equatable {
        package let offset: SessionOffset
        package let moment: Timestamp
    }

    /// What is known about the header besides `session.json` itself.
    package struct Evidence: Sendable {
        /// The files of the session, by their names.
        package var files: Set<String> = []
        /// Where each `session_end` of the timeline stands that counts.
        package var ends: [SessionOffset] = []
        /// The pauses that the timeline notes.
        package var pauses: [SessionClock.Pause] = []
        /// Who has the ids that are written in lower case.
        package var ids = IDCensus()
        /// What the index remembers.
        package var remembered: Session?
        /// The conflict copies of `session.json`.
        package var copies: [(name: String, bytes: [UInt8])] = []
        /// The files that were added as review audio, the last one last.
        package var reviewAudio: [String] = []

        package init() {}
    }

    /// - Returns: Nil if `session.json` is not one JSON object, which needs manual repair.
    package init?(_ bytes: [UInt8], knowing evidence: Evidence) {
        self.bytes = bytes
        let mark = RepairWording.lengthOfByteOrderMark(bytes)
        let name = RecordKind.session.fileName
        let spelling = CanonicalizationFix(header: Array(bytes[mark...])).fixed(knowing: evidence.ids)
        guard let editor = try? JSONObjectEditor(spelling.bytes),
            let header = SessionVersion(name: name, bytes: editor.bytes, evidence.ids)
        else { return nil }
        var fixer = HeaderFixer(editor: editor, session: header.session)
        if mark > 0 {
            fixer.fixes.append(
                Fix(.byteOrderMark, in: header.name, "byte order mark at the start removed"))
        }
        fixer.fixes += spelling.fixes
        fixer.fixPaths(evidence.files)
        let sources = FieldSources(header, evidence)
        fixer.fixFields(sources, evidence.files)
        fixer.fixReviewAudio(evidence.reviewAudio)
        self.bytes = fixer.editor.bytes
        fixes = fixer.fixes
        unresolved = fixer.unresolved
        session = SessionVersion(name: name, bytes: self.bytes, evidence.ids)?.session ?? header.session
        end = sources.end(of: session)
    }
}

/// Collects the fixes of a header.
private struct HeaderFixer {
    var editor: JSONObjectEditor
    let session: Session
    var fixes: [Fix] = []
    var unresolved: [UnresolvedProblem] = []

    private static let file = RecordKind.session.fileName

    /// Names the files that are there.
    mutating func fixPaths(_ files: Set<String>) {
        let names = [
            ("voice_notes_path", RecordKind.voiceNote.fileName),
            ("transcript_path", RecordKind.transcript.fileName), ("digest_path", SessionLayout.digest),
        ]
        for (key, name) in names where files.contains(name) && isMissing(key) {
            set(key, to: JSONText(name), .path, "\(key) set to \(name), which exists")
        }
    }

    /// Puts back what a rewrite dropped.
    mutating func fixFields(_ sources: FieldSources, _ files: Set<String>) {
        fix("title", from: sources.titles)
        if session.status == .closed {
            fix("end_time", from: sources.endTimes)
            fix("duration_ms", from: sources.durations)
        }
        if files.contains(RecordKind.transcript.fileName) {
            fix("transcribed_at", from: sources.times(of: "transcribed_at"))
        }
        if files.contains(SessionLayout.digest) {
            fix("digest_updated_at", from: sources.times(of: "digest_updated_at"))
        }
    }

    /// Puts what was added as review audio where it is that; where another item's name says that it is, it stays so.
    mutating func fixReviewAudio(_ added: [String]) {
        guard let path = added.last(where: { path in session.media.contains { $0.path == path } }),
            let present = session.reviewAudio, present.path != path, !present.isNamedReview,
            (try? editor.moveReviewAudio(path)) == true
        else { return }
        fixes.append(
            Fix(
                .reviewAudio, in: Self.file,
                "\(path) moved before \(present.path): it was added as review audio, according to the undo log"
            ))
    }

    private mutating func fix<Value: Hashable>(_ key: String, from sources: [FieldSource<Value>]) {
        guard isMissing(key), let source = sources.first else { return }
        guard Set(sources.map(\.value)).count == 1 else {
            let statements = sources.map {
                "\($0.name) says \(String(decoding: $0.text.bytes, as: UTF8.self))"
            }
            unresolved.append(
                UnresolvedProblem(
                    at: Finding.Place(file: Self.file),
                    "\(key) is missing, and its sources disagree: \(statements.joined(separator: ", "))",
                    cure: "write the correct \(key) into session.json"))
            return
        }
        let value = String(decoding: source.text.bytes, as: UTF8.self)
        set(
            key, to: source.text, .droppedField,
            "missing \(key) set to \(value), from \(source.name)")
    }

    /// Whether a member is missing, or null, which says no more.
    private func isMissing(_ key: String) -> Bool {
        guard let text = (try? editor.text(of: key)) ?? nil else { return true }
        return text.elementsEqual("null".utf8)
    }

    private mutating func set(_ key: String, to value: JSONText, _ kind: Fix.Kind, _ reason: String) {
        do {
            try editor.set(key, to: value)
            fixes.append(Fix(kind, in: Self.file, reason))
        } catch {
            unresolved.append(
                UnresolvedProblem(
                    at: Finding.Place(file: Self.file), error.message, cure: error.cure?.text ?? ""))
        }
    }
}

/// What one source knows of a field.
private struct FieldSource<Value: Hashable> {
    /// For a person.
    let name: String
    let value: Value
    let text: JSONText
}

/// A text that is a `session.json`.
private struct SessionVersion {
    let name: String
    let session: Session
    private let editor: JSONObjectEditor

    init?(name: String, bytes: [UInt8], _ ids: IDCensus) {
        let bytes = Array(bytes[RepairWording.lengthOfByteOrderMark(bytes)...])
        let text = CanonicalizationFix(header: bytes).fixed(knowing: ids).bytes
        guard let editor = try? JSONObjectEditor(text), let checker = try? RecordChecker(.session) else {
            return nil
        }
        let session = PaddedBytes.withLine(text) { line in checker.check(line) { _ in }.map { Session($0) } }
        guard let session else { return nil }
        self.name = name
        self.session = session
        self.editor = editor
    }

    /// A member as it is written.
    func text(of key: String) -> JSONText? {
        ((try? editor.text(of: key)) ?? nil).map { JSONText(verbatim: $0) }
    }

    /// The moment that a member holds.
    func moment(of key: String) -> Timestamp? {
        text(of: key).flatMap { $0.bytes.withUnsafeBytes { Timestamp(JSONText.unescaped($0)) } }
    }
}

/// Who knows what of the fields that a rewrite drops, the best source first.
private struct FieldSources {
    private let header: SessionVersion
    private let ends: [SessionOffset]
    private let clock: SessionClock?
    private let remembered: Session?
    private let copies: [SessionVersion]

    private static let end = "session_end in timeline.jsonl"
    private static let index = "the index"

    init(_ header: SessionVersion, _ evidence: HeaderFix.Evidence) {
        self.header = header
        ends = evidence.ends
        clock = header.session.startTime.map { SessionClock(start: $0, pauses: evidence.pauses) }
        let id = header.session.id
        // What has another id, or none, may speak of another session.
        remembered = evidence.remembered.flatMap { $0.id != nil && $0.id == id ? $0 : nil }
        copies = evidence.copies.compactMap { copy in
            SessionVersion(name: copy.name, bytes: copy.bytes, evidence.ids)
        }.filter { $0.session.id != nil && $0.session.id == id }
    }

    /// Where a session ends, if everything that knows it agrees.
    func end(of session: Session) -> HeaderFix.End? {
        guard session.status == .closed, let clock, let moment = session.endTime,
            let offset = session.duration,
            clock.wall(at: offset) == moment || clock.wall(resumingAt: offset) == moment,
            copies.allSatisfy({ copy in
                (copy.session.endTime ?? moment) == moment && (copy.session.duration ?? offset) == offset
            })
        else { return nil }
        return HeaderFix.End(offset: offset, moment: moment)
    }

    var titles: [FieldSource<String>] {
        let known = remembered?.displayTitle.map {
            FieldSource(name: Self.index, value: $0, text: JSONText($0))
        }
        return [known].compactMap(\.self)
            + copies.compactMap { copy in
                guard let title = copy.session.displayTitle, let text = copy.text(of: "title") else {
                    return nil
                }
                return FieldSource(name: copy.name, value: title, text: text)
            }
    }

    var endTimes: [FieldSource<Timestamp>] {
        func source(_ name: String, _ moment: Timestamp?) -> FieldSource<Timestamp>? {
            // What no year has room for was not meant.
            moment.flatMap { Timestamp($0.description) == $0 ? $0 : nil }
                .map { FieldSource(name: name, value: $0, text: JSONText($0)) }
        }
        let own = [
            ends.map { source(Self.end, clock?.wall(at: $0)) },
            [source("duration_ms", header.session.duration.flatMap { clock?.wall(at: $0) })],
            [source(Self.index, remembered?.endTime)],
        ]
        return own.joined().compactMap(\.self) + times(of: "end_time")
    }

    var durations: [FieldSource<SessionOffset>] {
        func source(_ name: String, _ duration: SessionOffset?) -> FieldSource<SessionOffset>? {
            duration.map { FieldSource(name: name, value: $0, text: JSONText($0)) }
        }
        let session = header.session
        let length = session.endTime.flatMap { clock?.offset(at: $0) }
        let own = [
            ends.map { source(Self.end, $0) },
            [source("end_time", length.flatMap { $0 < .zero ? nil : $0 })],
            [source(Self.index, remembered?.duration)],
            copies.map { source($0.name, $0.session.duration) },
        ]
        return own.joined().compactMap(\.self)
    }

    /// What the copies say of a time, written as there.
    func times(of key: String) -> [FieldSource<Timestamp>] {
        copies.compactMap { copy in
            guard let moment = copy.moment(of: key), let text = copy.text(of: key) else { return nil }
            return FieldSource(name: copy.name, value: moment, text: text)
        }
    }
}
