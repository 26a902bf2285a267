package import SystemPackage
package import TraceFormat

extension SessionWriter {
    /// Overwrites `transcript.jsonl` and updates `session.json`. The transcript that was there is kept for an undo.
    ///
    /// - Parameters:
    ///   - lines: The whole new file.
    ///   - source: Where they come from, for messages.
    /// - Throws: ``StoreError``; `.invalidData` where a line breaks the format or its order, with the line;
    ///   `.nothingToTranscribe` where the session has no audio or video. Then nothing is written.
    /// - Note: Durable on return; a reader sees the old transcript or the new one. Killed in between, `session.json` may not
    ///   know of a first transcript; the same again does the rest.
    ///
    /// Source: format.md, "What each operation writes", transcribe.
    package func writeTranscript(
        _ lines: [UInt8], from source: FilePath = "transcript", now: Timestamp = Clock.now()
    ) throws {
        try TranscriptCheck.require(lines, from: source)
        try recorded(.transcribe) { session in
            try session.requireMediaToTranscribe()
            try session.replace(RecordKind.transcript.component, with: lines, keepingIn: journal)
            try session.touch(
                after: "transcript.jsonl is written", now: now,
                undoing: ["transcript_path", "transcribed_at"]
            ) { editor in
                try editor.set("transcript_path", to: JSONText(RecordKind.transcript.fileName))
                try editor.set("transcribed_at", to: JSONText(now))
            }
        }
    }

    /// Checks that there is something to transcribe, before time is spent on it.
    ///
    /// - Throws: ``StoreError`` with `.nothingToTranscribe`.
    package func requireMediaToTranscribe() throws {
        try locked { try $0.requireMediaToTranscribe() }
    }
}

extension LockedSession {
    fileprivate func requireMediaToTranscribe() throws {
        guard try wholeHeader().reviewAudio == nil else { return }
        throw StoreError(
            .nothingToTranscribe, "no audio/video media available for transcription", path: directory.path,
            hint: "add some with 'trace media add' or 'trace media add-review-audio'")
    }

    /// Gives a file other contents, whatever it holds, and keeps the old ones in the journal's directory.
    fileprivate func replace(
        _ name: FilePath.Component, with contents: [UInt8], keepingIn journal: UndoJournal?
    ) throws {
        for attempt in 1...5 {
            let old = try directory.readFile(name, limit: SessionContents.limit)
            do {
                return try replace(name, old, with: contents, keepingIn: journal)
            } catch let error as StoreError where error.code == .changedMeanwhile && attempt < 5 {
                continue
            }
        }
    }
}

/// Checks the lines of a transcript.
enum TranscriptCheck {
    /// - Throws: ``StoreError`` with `.invalidData` for the first line that breaks the format.
    static func require(_ lines: [UInt8], from source: FilePath) throws {
        var first: Finding?
        let stream = try RecordStream(.transcript, onRecord: { _ in }) { finding in
            if finding.severity == .error, first == nil { first = finding }
        }
        var rest = lines[...]
        while !rest.isEmpty {
            let space = stream.space()
            let piece = rest.prefix(space.count)
            // Sound: the piece is no longer than the space.
            space.copyBytes(from: piece)
            try stream.filled(piece.count)
            rest = rest.dropFirst(piece.count)
        }
        try stream.finish()
        guard let first else { return }
        throw StoreError(
            .invalidData, "\(first.message) [\(first.rule.id)]", path: source,
            line: first.place.line == 0 ? nil : first.place.line, byteOffset: Int64(first.place.byteOffset),
            hint: first.rule.cure)
    }
}

extension StoreError.Code {
    /// The session has no audio and no video.
    package static let nothingToTranscribe = StoreError.Code(rawValue: "nothing-to-transcribe")
}
