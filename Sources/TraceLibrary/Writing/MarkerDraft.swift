package import RecordFormat
package import TraceFormat
package import TraceStore

/// A marker that somebody wants to set, before it is known at which offset that is.
package struct MarkerDraft: Sendable {
    /// Where, in the grammar of ``OffsetExpression``.
    var offset: String
    var label: String?
    var note: String?
    /// Empty ones are left out.
    var tags: [String]
    /// How long, in the grammar of ``OffsetExpression/duration(_:)``.
    var duration: String?
    /// The voice note that belongs to it, as ``RecordName`` reads it.
    var voiceNote: String?
    /// Whether an offset after the end of a closed session is allowed.
    var isForced: Bool

    /// A marker with these.
    package init(
        offset: String = "now", label: String? = nil, note: String? = nil, tags: [String] = [],
        duration: String? = nil, voiceNote: String? = nil, isForced: Bool = false
    ) {
        self.offset = offset
        self.label = label
        self.note = note
        self.tags = tags
        self.duration = duration
        self.voiceNote = voiceNote
        self.isForced = isForced
    }

    /// A marker that can be written.
    package struct Resolved {
        package let marker: Marker
        package let place: OffsetResolution.Place
        /// What is likely to be a slip.
        package let warnings: [String]
        /// What shows that a clock is wrong; nil if nothing does.
        package let setBack: ClockSetBack?
    }

    /// The marker of a moment whose session is not known, with an id of its own; its offset does not count.
    ///
    /// - Throws: As ``resolved(for:now:)``; a voice note must be named by its whole id.
    package func kept(now: Timestamp) throws -> Marker { try marker(at: .zero, in: nil, now: now) }

    private func marker(
        at offset: SessionOffset, in session: SessionTarget?, now: Timestamp
    ) throws -> Marker {
        let voiceNote = try RecordName.reference(voiceNote, "voice_note_id", to: .voiceNote, in: session)
        return Marker(
            id: IDGenerator.next(), offset: offset, createdAt: now, label: label, note: note,
            tags: tags.filter { !$0.isEmpty },
            duration: try duration.map { try OffsetExpression.duration($0) },
            voiceNoteID: voiceNote)
    }

    /// The marker for a session, with an id of its own.
    ///
    /// - Throws: ``LibraryError`` that shows how the offset was read, or why the voice note can't be meant; ``FormatError`` with
    ///   `.offsetMalformed`; ``FileError`` if the session can't be read.
    package func resolved(for target: WriteTarget, now: Timestamp) throws -> Resolved {
        let resolution = OffsetResolution(for: target, now: now)
        let place = try resolution.place(offset, force: isForced)
        return Resolved(
            marker: try marker(at: place.offset, in: target.place, now: now), place: place,
            warnings: resolution.warnings(offset, place.offset),
            setBack: target.setBack(now: now, appendingTo: .marker))
    }
}
