package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension SessionWriter {
    /// Overwrites `transcript.jsonl`, or adds segments to it, and updates `session.json`. The transcript that was there is kept
    /// for an undo.
    ///
    /// - Parameters:
    ///   - lines: The new segments, one a line, in the order of their offsets.
    ///   - isAdded: Whether they are put among those that are there, each in its place by its offset.
    ///   - source: Where they come from, for messages.
    /// - Returns: How many segments there were before.
    /// - Throws: ``FileError``; `.invalidData` if a line breaks the format or its order, with the line; ``StoreError`` with
    ///   `.nothingToTranscribe` if the session has no audio or video. Then nothing is written.
    /// - Note: Durable on return; a reader sees the old transcript or the new one. Killed in between, `session.json` may not
    ///   know of a first transcript; the same again does the rest.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    @discardableResult
    package func writeTranscript(
        _ lines: [UInt8], isAdded: Bool = false, from source: FilePath = "transcript",
        now: Timestamp = Clock.now()
    ) throws -> Int {
        try TranscriptCheck.require(lines, from: source)
        var before = 0
        try recorded(.transcribe) { session in
            try session.requireMediaToTranscribe()
            try session.replace(RecordKind.transcript.component, keepingIn: undoLog) { old in
                before = TranscriptLines.count(old)
                return isAdded ? try TranscriptLines.merged(old, with: lines) : lines
            }
            try session.touch(
                after: "transcript.jsonl was written", now: now,
                undoing: ["transcript_path", "transcribed_at"]
            ) { editor in
                try editor.set("transcript_path", to: JSONText(RecordKind.transcript.fileName))
                try editor.set("transcribed_at", to: JSONText(now))
            }
        }
        return before
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
            cure: "add a recording with \(verb: "media add") or \(verb: "media add-review-audio")")
    }

    /// Gives a file the contents that `make` makes of what it holds, and keeps the old ones in the journal's directory.
    fileprivate func replace(
        _ name: FilePath.Component, keepingIn log: UndoLog?, _ make: ([UInt8]) throws -> [UInt8]
    ) throws {
        for attempt in 1...5 {
            let old = try directory.readFile(name, limit: SessionContents.limit)
            do {
                return try replace(name, old, with: make(old?.contents ?? []), keepingIn: log)
            } catch let error as FileError where error.code == .changedMeanwhile && attempt < 5 {
                continue
            }
        }
    }
}

/// The lines of a transcript, as bytes.
enum TranscriptLines {
    /// How many lines hold something.
    static func count(_ text: [UInt8]) -> Int { text.split(separator: newline).count { !isBlank($0) } }

    /// The lines of both, each byte for byte: a new one follows all old ones up to its offset, whatever order these have. An
    /// old line that holds no offset stays with the one before it.
    static func merged(_ old: [UInt8], with new: [UInt8]) throws(FormatError) -> [UInt8] {
        let parser = try JSONParser()
        func offset(_ line: ArraySlice<UInt8>) -> Int64? {
            try? parser.withParsed(Array(line)) { $0[name: "offset_ms"]?.integer }
        }
        var rest = new.split(separator: newline).filter { !isBlank($0) }.map {
            (line: $0, offset: offset($0) ?? 0)
        }[...]
        var merged: [UInt8] = []
        merged.reserveCapacity(old.count + new.count + 1)
        func add(_ line: ArraySlice<UInt8>) {
            merged += line
            merged.append(newline)
        }
        for line in old.split(separator: newline, omittingEmptySubsequences: false).dropLast(
            old.last == newline ? 1 : 0)
        where !old.isEmpty {
            if let place = offset(line) {
                while let next = rest.first, next.offset < place { add(rest.removeFirst().line) }
            }
            add(line)
        }
        for next in rest { add(next.line) }
        return merged
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    }
}

/// Checks the lines of a transcript.
enum TranscriptCheck {
    /// - Throws: ``FileError`` with `.invalidData` for the first line that breaks the format.
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
        throw FileError(
            .invalidData, "\(first.message) [\(first.rule.id)]", path: source,
            line: first.place.line == 0 ? nil : first.place.line, byteOffset: Int64(first.place.byteOffset),
            cure: first.rule.cure)
    }
}
