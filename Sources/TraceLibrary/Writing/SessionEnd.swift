package import RecordFormat
internal import SystemPackage
internal import TraceFormat
package import TraceStore
internal import TraceText

/// When a session ended.
package enum SessionEnd: Sendable {
    /// Now.
    case now
    /// With its last record: of a session that nobody closed.
    case lastRecord
    /// Then.
    case moment(Timestamp)
}

/// A session that has been closed.
package struct ClosedSession: Sendable {
    let target: SessionTarget
    /// How long it was.
    package let duration: SessionOffset
    /// How many markers are after its end.
    package let markersBehindEnd: Int
    /// What shows that a clock is wrong; nil if nothing does.
    package let setBack: ClockSetBack?
}

/// A session whose clock has been stopped.
package struct PausedSession: Sendable {
    let target: SessionTarget
    /// Where its clock is.
    package let offset: SessionOffset
    /// What a person should know.
    package let notices: [String]
    /// What shows that a clock is wrong; nil if nothing does.
    package let setBack: ClockSetBack?
}

/// A session whose clock runs again.
package struct ResumedSession: Sendable {
    let target: SessionTarget
    /// Where its clock was.
    package let offset: SessionOffset
    /// How long the pause was, in milliseconds.
    package let pause: Int64
    /// What a person should know.
    package let notices: [String]
    /// What shows that a clock is wrong; nil if nothing does.
    package let setBack: ClockSetBack?
}

/// A session that is active again.
package struct ReopenedSession: Sendable {
    let target: SessionTarget
    /// Where its clock stood.
    package let offset: SessionOffset
    /// How long the pause since its end was, in milliseconds; 0 if there was none.
    package let pause: Int64
    /// What a person should know.
    package let notices: [String]
}

/// The outcome of changing what a session is called, or when it began.
package struct EditedSession: Sendable {
    let target: SessionTarget
    /// What it is called now.
    package let title: String
    /// When it begins now, where that was asked for.
    let start: Timestamp?
    /// Whether any of it was otherwise.
    package let isChanged: Bool
}

extension LibraryWriter {
    /// Ends an active session.
    ///
    /// - Throws: ``LibraryError`` with `.noLastRecord`; as ``SessionWriter/close(at:now:)``.
    /// - Note: Durable on return; as ``SessionWriter/close(at:now:)``.
    package func close(_ target: SessionTarget, at end: SessionEnd = .now) throws -> ClosedSession {
        let setBack = Self.setBack(target)
        let duration = try writer(target).close(at: moment(of: end, in: target))
        return ClosedSession(
            target: target, duration: duration,
            markersBehindEnd: try Self.markers(in: target.path, behind: duration), setBack: setBack)
    }

    /// - Returns: Nil for now.
    private func moment(of end: SessionEnd, in target: SessionTarget) throws -> Timestamp? {
        switch end {
        case .now: return nil
        case .moment(let moment): return moment
        case .lastRecord:
            // A closed one is the store's to refuse.
            guard target.session.status != .closed else { return nil }
            let reader = SessionReader(target.directory)
            guard let last = try reader.lastMoment(of: target.session, until: Clock.now()) else {
                throw LibraryError(
                    .noLastRecord, about: "at",
                    "last needs a record in the past and the session's start_time",
                    cure: "give the time when it ended: \(option: "at") 2026-02-04T21:40")
            }
            return last
        }
    }

    /// How many markers follow the end.
    private static func markers(in session: FilePath, behind end: SessionOffset) throws -> Int {
        guard let next = end.next else { return 0 }
        var choice = OrderedMarkers.Choice()
        choice.offsets = next...SessionOffset(milliseconds: .max)
        return try OrderedMarkers(in: SessionReader(session), choice).count
    }

    /// Stops the clock of an active session.
    ///
    /// - Throws: As ``SessionWriter/pause(now:)``.
    /// - Note: Durable on return.
    package func pause(_ target: SessionTarget) throws -> PausedSession {
        let setBack = Self.setBack(target)
        let (offset, notices) = try writer(target).pause()
        return PausedSession(target: target, offset: offset, notices: notices, setBack: setBack)
    }

    /// Lets the clock of a paused session continue.
    ///
    /// - Throws: As ``SessionWriter/resume(now:)``.
    /// - Note: Durable on return.
    package func resume(_ target: SessionTarget) throws -> ResumedSession {
        let setBack = Self.setBack(target)
        let (offset, length, notices) = try writer(target).resume()
        return ResumedSession(
            target: target, offset: offset, pause: length, notices: notices, setBack: setBack)
    }

    /// Makes a closed session active again.
    ///
    /// - Parameter hasRun: Whether its clock has run since the end; if not, the time in between is a pause.
    /// - Throws: As ``SessionWriter/reopen(hasRun:now:)``.
    /// - Note: Durable on return; as ``SessionWriter/reopen(hasRun:now:)``.
    package func reopen(_ target: SessionTarget, hasRun: Bool = false) throws -> ReopenedSession {
        let (offset, pause, notices) = try writer(target).reopen(hasRun: hasRun)
        return ReopenedSession(target: target, offset: offset, pause: pause, notices: notices)
    }

    /// What shows that a clock is wrong, before the session's clock is stopped, started or ended by it.
    private static func setBack(_ target: SessionTarget) -> ClockSetBack? {
        // The index, out of which the session may come, may be older than its file.
        let session = try? SessionReader(target.directory).readableHeader().session
        return ClockSetBack(
            of: session ?? target.session, in: target.directory, now: Clock.now(),
            lastOf: [.timeline, .marker])
    }

    /// Changes what a session is called, when it began, or both; one undo takes back both.
    ///
    /// - Parameters:
    ///   - title: An empty one for none; nil for the one that it has.
    ///   - start: Not in the future; nil for what it is.
    /// - Throws: As ``SessionWriter/correctStart(to:now:)`` and ``SessionWriter/retitle(_:)``.
    /// - Note: Durable on return.
    package func edit(
        _ target: SessionTarget, title: String? = nil, start: Timestamp? = nil
    ) throws -> EditedSession {
        let writer = writer(target)
        var isChanged = false
        // The one that can be refused goes first.
        if let start, try writer.correctStart(to: start) { isChanged = true }
        if let title, try writer.retitle(title) { isChanged = true }
        return EditedSession(
            target: target, title: title ?? target.session.title ?? "", start: start, isChanged: isChanged)
    }
}
