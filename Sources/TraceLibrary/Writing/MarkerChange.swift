internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// What is to change of a marker; what is not given stays as it is, byte for byte.
package struct MarkerChange: Sendable {
    /// A field that can be cleared.
    package enum Field: String, Sendable, CaseIterable {
        case label, note, tags, duration
    }

    /// Where, in the grammar of ``OffsetExpression``; `+` and `-` count from where the marker is.
    package var offset: String?
    package var label: String?
    package var note: String?
    /// How long, in the grammar of ``OffsetExpression/duration(_:)``.
    package var duration: String?
    /// Tags that come; empty ones are left out.
    package var tags: [String] = []
    /// Tags that go, in any spelling of a category; one that also comes stays unless it is spelled so here.
    package var untags: [String] = []
    package var cleared: [Field] = []
    /// Whether an offset after the end of a closed session is allowed.
    package var isForced = false

    /// A change of nothing.
    package init() {}

    /// What the offset was read as, and what is likely to be a slip.
    package struct Notice {
        package let place: OffsetResolution.Place
        package let warnings: [String]
    }

    /// The edit of a marker's line.
    ///
    /// - Parameters:
    ///   - old: Where the marker is; nil if its line does not say that.
    ///   - report: Called with what the offset was read as, if one is given.
    /// - Throws: ``LibraryError`` that shows how the offset was read, or with `.nothingToChange`; ``FormatError`` with
    ///   `.offsetMalformed`; ``FileError`` if the session can't be read.
    func edit(
        in target: SessionTarget, from old: SessionOffset?, report: (Notice) -> Void
    ) throws -> RecordEdit {
        var edit = RecordEdit()
        if let offset {
            let resolution = OffsetResolution(in: target, lastMarker: { old.map { .init(offset: $0) } })
            let place = try resolution.place(offset, force: isForced)
            report(Notice(place: place, warnings: resolution.warnings(offset, place.offset)))
            // A number that means the same keeps its spelling.
            if place.offset != old { edit.values.append(("offset_ms", JSONText(place.offset))) }
        }
        if let label { edit.values.append(("label", JSONText(label))) }
        if let note { edit.values.append(("note", JSONText(note))) }
        if let duration {
            edit.values.append(("duration_ms", JSONText(try OffsetExpression.duration(duration))))
        }
        edit.cleared = cleared.map { $0 == .duration ? "duration_ms" : $0.rawValue }
        edit.addedTags = tags.filter { !$0.isEmpty }
        edit.removedTags = untags.filter { !$0.isEmpty }.flatMap(MarkerCategory.spellings(of:)).filter {
            !tags.contains($0) || untags.contains($0)
        }
        guard
            !edit.values.isEmpty || !edit.cleared.isEmpty || offset != nil || !edit.addedTags.isEmpty
                || !edit.removedTags.isEmpty
        else {
            throw LibraryError(
                .nothingToChange, "there is nothing to change",
                cure:
                    "give \(option: "offset"), \(option: "label"), \(option: "note"), \(option: "tag"), \(option: "untag"), \(option: "duration") or \(option: "clear")"
            )
        }
        return edit
    }
}
