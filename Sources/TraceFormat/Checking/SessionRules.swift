package import RecordFormat

extension SessionFacts {
    /// What breaks the rules across lines and files.
    ///
    /// Source: docs/spec/format.md#rules-across-lines-and-files.
    package func findings() -> [Finding] {
        references() + ids() + startOfTimeline() + endOfSession() + offsets() + media() + files()
    }

    private func references() -> [Finding] {
        danglingReferences.map { record in
            let id = record.reference.map(\.description) ?? ""
            if record.kind == .marker {
                let message = "voice_note_id '\(id)' has no entry in voice_notes.jsonl"
                return Finding(.markerVoiceNoteMissing, at: record.place, message)
            }
            return Finding(
                .voiceNoteMarkerMissing, at: record.place, "marker_id '\(id)' has no entry in markers.jsonl")
        }
    }

    private func ids() -> [Finding] {
        mediaIDs()
            + reusedIDs.map { reused in
                let id = reused.record.id.map(\.description) ?? ""
                return Finding(
                    .idDuplicate, at: reused.record.place,
                    "id '\(id)' is also that of a \(reused.takenBy)")
            }
    }

    private func mediaIDs() -> [Finding] {
        var taken: [ULID: MediaItem] = [:]
        return session.media.compactMap { item in
            guard let id = item.id else { return nil }
            let other = taken[id]
            taken[id] = other ?? item
            let owner =
                id == session.id ? "the session" : other.map { "the media item on line \($0.place.line)" }
            return owner.map {
                Finding(.idDuplicate, at: item.place, "media item id '\(id)' is also that of \($0)")
            }
        }
    }

    /// The entries of that kind; of several lines of one id the last counts.
    private func entries(_ kind: TimelineEntry.Kind) -> [RecordSummary] {
        var lastLines: [ULID: Int] = [:]
        for entry in timeline { if let id = entry.id { lastLines[id] = entry.line } }
        return timeline.filter { entry in
            let isLast = entry.id.map { lastLines[$0] == entry.line } ?? true
            return isLast && entry.detail == kind.rawValue
        }
    }

    /// In milliseconds: a writer may ask the clock twice.
    private static let startTolerance: UInt64 = 1000

    private func startOfTimeline() -> [Finding] {
        guard directory.files.contains(RecordKind.timeline.fileName) else { return [] }
        let starts = entries(.sessionStart)
        guard let first = starts.first else {
            let place = Finding.Place(file: RecordKind.timeline.fileName)
            return [Finding(.sessionStartMissing, at: place, "there is no session_start")]
        }
        var findings = starts.dropFirst().map {
            Finding(
                .sessionStartDuplicate, at: $0.place,
                "there is already a session_start, on line \(first.line)")
        }
        if let offset = first.offset, offset != .zero {
            let message = "session_start is at \(offset.milliseconds), not at 0"
            findings.append(Finding(.sessionStartOffset, at: first.place, message))
        } else if let moment = first.wallTime, let start = session.startTime,
            moment.milliseconds(since: start).magnitude > Self.startTolerance
        {
            let message = "session_start happened at \(moment), but start_time is \(start)"
            findings.append(Finding(.sessionStartTime, at: first.place, message))
        }
        return findings
    }

    private func endOfSession() -> [Finding] {
        let header = Finding.Place(file: RecordKind.session.fileName)
        let end = entries(.sessionEnd).last
        guard session.status == .closed else {
            guard session.status == .active, session.endTime != nil || session.duration != nil || end != nil
            else {
                return []
            }
            let what = end != nil ? "timeline.jsonl has a session_end" : "end_time or duration_ms is set"
            return [Finding(.activeHasEnd, at: header, "status is active, but \(what)")]
        }
        var findings: [Finding] = []
        if session.endTime == nil {
            findings.append(
                Finding(.closedEndTimeMissing, at: header, "the session is closed, but end_time is missing"))
        }
        if session.duration == nil {
            findings.append(
                Finding(
                    .closedDurationMissing, at: header, "the session is closed, but duration_ms is missing"))
        }
        if let clock, let finish = session.endTime,
            let duration = session.duration, clock.wall(at: duration) != finish,
            clock.wall(resumingAt: duration) != finish
        {
            let distance = finish.milliseconds(since: clock.start)
            let pauses = clock.pausedTime(before: duration)
            let message =
                "end_time is \(distance) ms after start_time, but duration_ms is \(duration.milliseconds)"
                + (pauses > 0 ? " and the pauses before it last \(pauses) ms" : "")
            findings.append(Finding(.closedDurationMismatch, at: header, message))
        }
        guard let end else {
            if directory.files.contains(RecordKind.timeline.fileName) {
                let place = Finding.Place(file: RecordKind.timeline.fileName)
                findings.append(
                    Finding(.sessionEndMissing, at: place, "the session is closed, but has no session_end"))
            }
            return findings
        }
        if let offset = end.offset, let duration = session.duration, offset != duration {
            let message =
                "session_end is at \(offset.milliseconds), but duration_ms is \(duration.milliseconds)"
            findings.append(Finding(.sessionEndOffset, at: end.place, message))
        }
        return findings
    }

    private func offsets() -> [Finding] {
        // An entry that ends the session is reported as disagreeing with duration_ms.
        let last = entries(.sessionEnd).last
        return beyondEnd.filter { $0.kind != .timeline || $0.line != last?.line }.map { record in
            let offset = record.offset?.milliseconds ?? 0
            let end = session.duration?.milliseconds ?? 0
            return Finding(
                .offsetBeyondEnd, at: record.place,
                "offset_ms \(offset) is after the session's end at \(end)")
        }
    }

    private func media() -> [Finding] {
        let items = session.media.map { (place: $0.place, path: $0.path) }
        let notes = voiceNotes.compactMap { note in note.mediaPath.map { (place: note.place, path: $0) } }
        return (items + notes).compactMap { place, path in
            switch directory.media[path] {
            case .present, nil: nil
            case .missing: Finding(.mediaMissing, at: place, "'\(path)' does not exist")
            case .misnamed(let name):
                // Texts that differ in nothing but how their accents are encoded are equal.
                Finding(
                    .mediaMissing, at: place,
                    path.hasSuffix("/\(name)")
                        ? "'\(path)' does not exist, but a file whose name has its accents encoded otherwise (NFC, NFD): rename that"
                        : "'\(path)' does not exist, but '\(name)', and case counts: rename that")
            case .outside:
                Finding(.mediaOutsideSession, at: place, "'\(path)' points outside the session directory")
            }
        }
    }

    private func files() -> [Finding] {
        let header = Finding.Place(file: RecordKind.session.fileName)
        var findings: [Finding] = []
        let optional = [
            (RecordKind.voiceNote.fileName, "voice_notes_path", session.namesVoiceNotes),
            (RecordKind.transcript.fileName, "transcript_path", session.namesTranscript),
            (SessionLayout.digest, "digest_path", session.namesDigest),
        ]
        for (file, key, isNamed) in optional {
            if isNamed, !directory.files.contains(file) {
                findings.append(
                    Finding(.fileMissing, at: header, "\(key) names \(file), which does not exist"))
            } else if session.nullPaths.contains(key), directory.files.contains(file) {
                findings.append(Finding(.pathNull, at: header, "\(key) is null, but \(file) exists"))
            }
        }
        for kind in [RecordKind.timeline, .marker] where !directory.files.contains(kind.fileName) {
            findings.append(
                Finding(.fileMissing, at: Finding.Place(file: kind.fileName), "the file does not exist"))
        }
        findings += directory.conflictCopies.map(Finding.conflictCopy)
        findings += directory.misnamed.map { file in
            Finding(
                .recordFileName, at: Finding.Place(file: file.name),
                file.original.map { "it is not read: case counts, and the name of the file is \($0)" }
                    ?? "it holds records that are not read: no file of a session has this name")
        }
        return findings
    }
}
