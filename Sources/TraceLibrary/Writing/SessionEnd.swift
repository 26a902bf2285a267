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
}

/// A session whose clock has been stopped.
package struct PausedSession: Sendable {
    let target: SessionTarget
    /// Where its clock is.
    package let offset: SessionOffset
    /// What a person should know.
    package let notices: [String]
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
}

/// The outcome of setting a session's title.
package struct RetitledSession: Sendable {
    let target: SessionTarget
    let title: String
    /// Whether it was called otherwise.
    package let isChanged: Bool
}

extension LibraryWriter {
    /// Ends an active session.
    ///
    /// - Throws: ``LibraryError`` with `.noLastRecord`; as ``SessionWriter/close(at:now:)``.
    /// - Note: Durable on return; as ``SessionWriter/close(at:now:)``.
    package func close(_ target: SessionTarget, at end: SessionEnd = .now) throws -> ClosedSession {
        let duration = try writer(target).close(at: moment(of: end, in: target))
        return ClosedSession(
            target: target, duration: duration,
            markersBehindEnd: try Self.markers(in: target.path, behind: duration))
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
        let (offset, notices) = try writer(target).pause()
        return PausedSession(target: target, offset: offset, notices: notices)
    }

    /// Lets the clock of a paused session continue.
    ///
    /// - Throws: As ``SessionWriter/resume(now:)``.
    /// - Note: Durable on return.
    package func resume(_ target: SessionTarget) throws -> ResumedSession {
        let (offset, length, notices) = try writer(target).resume()
        return ResumedSession(target: target, offset: offset, pause: length, notices: notices)
    }

    /// Gives a session another title; an empty one for none.
    ///
    /// - Throws: As ``SessionWriter/retitle(_:)``.
    /// - Note: Durable on return.
    package func retitle(_ target: SessionTarget, _ title: String) throws -> RetitledSession {
        RetitledSession(
            target: target, title: title, isChanged: try writer(target).retitle(title))
    }
}
