internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Takes a media file into a session.
///
/// The steps: file durable in `media/` → its start and end in the timeline, in order → the item in `session.json`. The
/// file is copied without the session's lock, so that nobody who marks has to wait for a long copy. Killed in between, the
/// same again takes over what is there: the file by its contents, the entries of the timeline by their places.
struct MediaAddition {
    let writer: SessionWriter
    let media: NewMedia
    let source: FilePath
    let operation: UndoableWrite.Operation
    let now: Timestamp
    /// Gets how many bytes have been gone through, and of how many.
    let onProgress: ((Int64, Int64) throws(Errno) -> Void)?

    func run() throws -> AddedMedia {
        for _ in 1...5 {
            let (unnamed, directory) = try writer.locked { (try prepare($0), $0.directory) }
            let file = try place(unnamed, in: directory)
            if let added = try record(file) { return added }
        }
        throw FileError(
            .changedMeanwhile, "another process kept adding the same file", path: source,
            cure: "check \(verb: "session show"), then try again")
    }

    /// A file in `media/`, and whether it came there now.
    private struct Placed {
        var id: ULID
        var path: String
        var placement: MediaPlacement
        /// The session's directory: another one may have its path by the time that the copy is made.
        var directory: OpenDirectory
    }

    // MARK: - Before

    /// Checks what can be checked before a long copy.
    ///
    /// - Returns: Files that a run may have left that was killed before it came to `session.json`.
    private func prepare(_ session: LockedSession) throws -> [ULID] {
        let header = try header(of: session)
        try check(header, session)
        let id = IDGenerator.next()
        try session.checkHeader(adding: media.members(id: id, path: path(of: id), createdAt: now))
        return try session.unnamedMedia(suffix: media.suffix, header: header)
    }

    private func path(of id: ULID) -> String { "\(SessionLayout.media)/\(id)\(media.suffix)" }

    private func header(of session: LockedSession) throws -> Session {
        let header = try session.wholeHeader()
        guard header.startTime != nil else {
            throw FileError(
                .invalidData, "session start_time is missing or invalid",
                path: session.directory.path(of: RecordKind.session.component),
                cure: "write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then try again")
        }
        guard
            try session.directory.statusIfPresent(of: RecordKind.timeline.component, followingLinks: true)
                != nil
        else {
            throw FileError(
                .notFound, "does not exist", path: session.directory.path(of: RecordKind.timeline.component),
                cure: ["restore it from a copy of the session", "\(verb: "validate") shows more"])
        }
        return header
    }

    /// By how much the clocks of a recorder and of this machine may differ, or what is planned may lie ahead: a day.
    private static let tolerance = SessionOffset(milliseconds: 86_400_000)

    /// Checks that what is added is within a closed session, and has begun in one that is active: no end could be given to a session that
    /// holds what is to come.
    private func check(_ header: Session, _ session: LockedSession) throws {
        if header.status == .active, let clock = try SessionReader(session.directory).clock(of: header) {
            let elapsed = clock.offset(at: now)
            guard media.startOffset > elapsed.adding(Self.tolerance) else { return }
            throw FileError(
                .invalidData,
                "the media file starts at \(media.startOffset) (\(media.startOffset.milliseconds) ms), but the session has lasted "
                    + "\(elapsed) until now",
                cure: "check \(option: "offset"): it is milliseconds, or has a unit such as 90s")
        }
        guard header.status == .closed, let length = header.duration else { return }
        let last = media.mayOutlastSession ? media.startOffset : media.endOffset ?? media.startOffset
        guard last > length else { return }
        let what = media.startOffset > length ? "starts" : "ends"
        throw FileError(
            .invalidData,
            "the media file \(what) at \(last) (\(last.milliseconds) ms), after the closed session's end at \(length)",
            cure:
                "check \(option: "offset") and \(option: "duration"): both are milliseconds, or have a unit such as 90s"
        )
    }

    // MARK: - The file

    private func place(_ unnamed: [ULID], in directory: OpenDirectory) throws -> Placed {
        for id in unnamed {
            do {
                let placement = try directory.placeMedia(
                    from: source, to: FilePath(path(of: id)), onProgress: onProgress)
                return Placed(id: id, path: path(of: id), placement: placement, directory: directory)
            } catch let error as FileError where error.code == .alreadyExists { continue }
        }
        let id = IDGenerator.next()
        let placement = try directory.placeMedia(
            from: source, to: FilePath(path(of: id)), onProgress: onProgress)
        return Placed(id: id, path: path(of: id), placement: placement, directory: directory)
    }

    /// Takes a file away that came now and is named by nothing.
    private func remove(_ file: Placed) {
        guard case .placed(let identity) = file.placement, let name = FilePath(file.path).lastComponent,
            let directory = try? file.directory.openDirectory("media"),
            let existing = try? directory.status(of: name, followingLinks: false).identity,
            existing.isSameFile(as: identity)
        else { return }
        _ = try? directory.unlink(name)
    }

    // MARK: - The records

    /// - Returns: Nil if another process has taken the file for its own in between, or the session's directory is another.
    private func record(_ file: Placed) throws -> AddedMedia? {
        do { return try recordUnderLock(file) } catch let error as StoreError
            where error.code == .otherSession
        {
            remove(file)
            throw error
        }
    }

    private func recordUnderLock(_ file: Placed) throws -> AddedMedia? {
        try writer.recorded(operation) { session in
            // Where records name the file it stays, and an undo is to know of it; else it goes.
            var isNoted = false
            var isOthers = false
            defer {
                if isNoted {
                    session.recorder?.addFirst(.media(path: file.path, file.placement.identity))
                } else if !isOthers {
                    remove(file)
                }
            }
            guard
                try session.directory.status().identity.isSameFile(as: file.directory.status().identity)
            else { return nil }
            let header = try header(of: session)
            isOthers = header.media.contains { $0.path == file.path || $0.id == file.id }
            if isOthers { return nil }
            try check(header, session)
            var added = AddedMedia(id: file.id, path: file.path, sessionID: header.id)
            let (entries, notice) = entries(for: header)
            added.notices = try session.addToTimeline(entries, of: header, now: now) { isNoted = true }
            if let notice { added.notices.append(notice) }
            try session.touch(
                after: "the media file and its timeline entries were written", now: now, undoing: ["media"]
            ) {
                let members = media.members(id: file.id, path: file.path, createdAt: now)
                guard media.isReviewAudio else { return try $0.append(members, toArray: "media") }
                try $0.addReviewAudio(members)
            }
            isNoted = true
            if media.isReviewAudio, let other = header.reviewAudio, other.isNamedReview {
                added.notices.append(
                    "'\(other.path)' is still the review audio, since its name says so; to hear the new one, take that "
                        + "item out of media in session.json")
            }
            return added
        }
    }

    /// What the timeline is to say, and what a person should know of it.
    private func entries(
        for header: Session
    ) -> (entries: [(kind: TimelineEntry.Kind, offset: SessionOffset)], notice: String?) {
        let start = (kind: TimelineEntry.Kind.mediaStart, offset: media.startOffset)
        guard let end = media.endOffset else { return ([start], nil) }
        if let length = header.duration, header.status == .closed, end > length {
            let notice =
                "it lasts until \(end), longer than the session (\(length)): the timeline does not record its end"
            return ([start], notice)
        }
        return ([start, (.mediaEnd, end)], nil)
    }
}
