package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// A voice note of a list. Of a line that breaks the format it has what can be read.
package struct ListedVoiceNote: Sendable {
    /// Its id.
    package let id: ULID
    /// Where in the session it was spoken.
    package let offset: SessionOffset
    /// How long it is; nil if the line does not say.
    package let duration: SessionOffset?
    /// What is said in it.
    package let transcript: String?
    /// Where its audio lies, relative to the session directory; nil if the line does not say.
    package let mediaPath: String?
    /// The line as it is in the file, without its line break.
    fileprivate(set) var line: [UInt8] = []

    fileprivate init?(_ record: RecordChecker.Record) {
        let root = record.root
        guard let id = record.id, let offset = root[name: "offset_ms"]?.integer, offset >= 0 else {
            return nil
        }
        self.id = id
        self.offset = SessionOffset(milliseconds: offset)
        duration = root[name: "duration_ms"]?.integer.flatMap {
            $0 < 0 ? nil : SessionOffset(milliseconds: $0)
        }
        transcript = root[name: "transcript_text"]?.string
        mediaPath = root[name: "media_path"]?.string
    }
}

/// The voice notes of one session, read from the file: there are few of them, as people have to speak each.
package struct VoiceNoteReading {
    /// In the order of their offsets; those of one offset in the order of the file.
    package let notes: [ListedVoiceNote]
    /// How many lines of the file hold no voice note, or one without a valid id or offset.
    package let unreadable: Int

    /// How often the file is read if it changes meanwhile.
    private static let attemptLimit = 5

    /// Reads the voice notes within a range of offsets; a session without the file has none.
    ///
    /// - Throws: ``FileError`` if the file can't be read, with `.changedMeanwhile` if another program keeps overwriting it.
    /// - Complexity: O(size of the file).
    package init(in session: FilePath, offsets: ClosedRange<SessionOffset>) throws {
        let reader = try SessionReader(session)
        var attempts = 1
        while true {
            do {
                let found = try reader.authoritativeLines(
                    .voiceNote, where: { $0.offset.map(offsets.contains) ?? false }, ListedVoiceNote.init)
                let notes = found.records.map { record in
                    var note = record.value
                    note.line = record.line
                    return note
                }
                self.notes = notes.enumerated().sorted {
                    ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
                }.map(\.element)
                unreadable = found.unreadable
                return
            } catch let error as FileError
                where error.code == .changedMeanwhile && attempts < Self.attemptLimit
            { attempts += 1 }
        }
    }
}
