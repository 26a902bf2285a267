package import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// A change to a record.
package struct RecordEdit: Sendable {
    /// The members that get a value.
    package var values: [(name: String, text: JSONText)] = []
    /// The members that go.
    package var cleared: [String] = []
    /// Tags that come, and tags that go.
    package var addedTags: [String] = []
    package var removedTags: [String] = []
    /// A tag that gets another name, where it is.
    var renamedTag: (old: String, new: String)?

    package init() {}

    /// The line with the changes; every other byte is as it was.
    ///
    /// - Throws: ``FormatError`` with `.jsonMalformed`, or `.recordInvalid` if `tags` holds something else than strings.
    package func applied(to line: [UInt8]) throws(FormatError) -> [UInt8] {
        var editor = try JSONObjectEditor(line)
        for value in values where try editor.text(of: value.name).map({ Array($0) }) != value.text.bytes {
            try editor.set(value.name, to: value.text)
        }
        for name in cleared { try editor.remove(name) }
        let tags = try tags(of: editor)
        let kept = tags.filter { !removedTags.contains($0) } + addedTags.filter { !tags.contains($0) }
        let changed = renamed(kept)
        if changed != tags { try editor.set("tags", to: .array(changed.map { JSONText($0) })) }
        return editor.bytes
    }

    /// The tags with the new name in the place of the old one, and no tag twice that was there once.
    private func renamed(_ tags: [String]) -> [String] {
        guard let renamedTag, tags.contains(renamedTag.old) else { return tags }
        var hasNew = false
        return tags.compactMap { tag in
            let tag = tag == renamedTag.old ? renamedTag.new : tag
            defer { hasNew = hasNew || tag == renamedTag.new }
            return tag == renamedTag.new && hasNew ? nil : tag
        }
    }

    private func tags(of editor: JSONObjectEditor) throws(FormatError) -> [String] {
        guard !addedTags.isEmpty || !removedTags.isEmpty || renamedTag != nil,
            let text = try editor.text(of: "tags")
        else {
            return []
        }
        let parser = try JSONParser()
        let read = try? parser.withParsed(Array(text)) { value in
            value.kind == .array ? value.elements.map(\.string) : nil
        }
        guard let tags = read ?? nil, !tags.contains(nil) else {
            throw FormatError(
                .recordInvalid, "tags is not a list of strings",
                cure: "fix it in an editor, or replace it with \(option: "clear") tags")
        }
        return tags.compactMap(\.self)
    }
}

/// The outcome of an edit.
package struct RecordEditing: Sendable {
    /// Whether there was anything to change.
    package var isChanged: Bool
    /// The record's line as it is now.
    package var line: [UInt8]
    /// What a person should know: that a torn line was met.
    package var notices: [String] = []
}

extension SessionWriter {
    /// Changes a marker: its last line is appended once more with the changes, every other byte as it was.
    ///
    /// - Parameter edit: What is to change, given the line as it is.
    /// - Throws: ``StoreError`` with `.noSuchRecord`; ``FileError`` with `.invalidData` if the record would break the format in a way that it
    ///   does not break it now: then nothing is written.
    /// - Note: Durable on return, and may be repeated: an edit that stands changes nothing.
    ///
    /// Source: docs/spec/format.md#rules-across-lines-and-files, rules 1 and 8.
    package func editMarker(_ id: ULID, _ edit: ([UInt8]) throws -> RecordEdit) throws -> RecordEditing {
        try recorded(.editMarker) { try $0.edit(id, in: .marker, edit) }
    }

    /// Says what a voice note says, as ``editMarker(_:_:)``.
    package func setTranscript(of id: ULID, to text: String) throws -> RecordEditing {
        try recorded(.setTranscript) { session in
            try session.edit(id, in: .voiceNote) { _ in
                var edit = RecordEdit()
                edit.values = [("transcript_text", JSONText(text))]
                return edit
            }
        }
    }
}

extension LockedSession {
    /// Appends a record's last line once more with changes.
    func edit(
        _ id: ULID, in kind: RecordKind, _ edit: ([UInt8]) throws -> RecordEdit
    ) throws -> RecordEditing {
        try finishLastLine(of: kind) { $0 == id }
        let line = try require(id, in: kind)
        let edited: [UInt8]
        do {
            edited = try edit(line).applied(to: line)
        } catch let error as FormatError where error.code != .offsetMalformed {
            throw FileError(
                .invalidData, error.message, path: directory.path(of: kind.component), cure: error.cure)
        }
        guard edited != line else {
            // Visible is not durable, and a killed edit may have stopped before session.json.
            try directory.makeDurable(kind.component)
            let isEdited = try lines(of: [id], in: kind)[id, default: []].count > 1
            let isBehind = try isEdited && isHeaderBehind(kind)
            return RecordEditing(
                isChanged: false, line: line, notices: isBehind ? finish("the \(kind.noun) was changed") : [])
        }
        try RecordCheck.require(edited, toBe: kind, noWorseThan: line)
        let notices = try appendVerbatim(edited, to: kind) + finish("the \(kind.noun) was changed")
        return RecordEditing(isChanged: true, line: edited, notices: notices)
    }
}

extension LockedSession {
    /// Whether a file of records was written after `session.json` says that anything was: by a writer that was
    /// killed in between, or by one that does not keep `updated_at`.
    package func isHeaderBehind(_ kind: RecordKind) throws -> Bool {
        guard let written = try directory.statusIfPresent(of: kind.component, followingLinks: true)?.identity,
            let updated = try SessionReader(directory).readableHeader().session.updatedAt
        else { return false }
        return written.modified.timestamp > updated
    }
}

extension RecordCheck {
    /// - Throws: ``FileError`` with `.invalidData` if a record breaks the format in a way that an older line of it did not.
    static func require(_ record: [UInt8], toBe kind: RecordKind, noWorseThan old: [UInt8]) throws {
        let known = Set(try errors(in: old, kind).map { "\($0.rule.id) \($0.message)" })
        guard
            let finding = try errors(in: record, kind).first(where: {
                !known.contains("\($0.rule.id) \($0.message)")
            })
        else { return }
        throw FileError(.invalidData, "\(finding.message) [\(finding.rule.id)]", cure: finding.rule.cure)
    }

    private static func errors(in record: [UInt8], _ kind: RecordKind) throws -> [Finding] {
        let checker = try RecordChecker(kind)
        var findings: [Finding] = []
        PaddedBytes.withLine(record) { line in _ = checker.check(line) { findings.append($0) } }
        return findings.filter { $0.severity == .error }
    }
}
