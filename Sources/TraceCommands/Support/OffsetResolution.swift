internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// Turns what was typed for an offset into a place in a session.
struct OffsetResolution {
    let session: Session
    /// The session's clock, with its pauses; read only where the present matters.
    let clock: () throws -> SessionClock?
    /// The offset of the last marker in the file, asked for only where it matters.
    let lastMarker: () throws -> SessionOffset?
    let now: Timestamp

    /// - Parameter force: Allow a place after the end of a closed session.
    /// - Throws: ``CommandFailure`` that shows how the text was read.
    func offset(_ text: String, force: Bool = false) throws -> SessionOffset {
        let offset = try place(OffsetExpression(text), text)
        guard offset >= .zero else {
            throw CommandFailure(
                .usage,
                "'\(text)' was read as \(offset) (\(offset.milliseconds) ms), before the session's start")
        }
        if !force, session.status == .closed, let end = session.duration, offset > end {
            throw CommandFailure(
                .usage,
                "'\(text)' was read as \(offset) (\(offset.milliseconds) ms), after the session's end at \(end)",
                hint: "write 90s for seconds or 1:30 for minutes; --force writes it all the same")
        }
        return offset
    }

    private func place(_ expression: OffsetExpression, _ text: String) throws -> SessionOffset {
        switch expression {
        case .absolute(let offset): return offset
        case .now:
            guard session.status != nil else {
                throw CommandFailure(
                    .badData, "'now' needs the session's start_time, which can't be read",
                    hint: "write an offset")
            }
            guard session.status == .active, let clock = try clock() else {
                throw CommandFailure(
                    .usage, "'now' means something only in an active session",
                    hint: "write an offset, or 'end'")
            }
            return max(.zero, clock.offset(at: now))
        case .end:
            if let end = session.duration { return end }
            guard session.status == .active, let clock = try clock() else {
                throw CommandFailure(.badData, "the session has no duration_ms", hint: "write an offset")
            }
            return max(.zero, clock.offset(at: now))
        case .fromLastMarker(let distance):
            guard let last = try lastMarker() else {
                throw CommandFailure(
                    .usage, "'\(text)' counts from the last marker, and there is none",
                    hint: "write an offset")
            }
            let (sum, overflow) = last.milliseconds.addingReportingOverflow(distance)
            guard !overflow else { throw CommandFailure(.usage, "'\(text)' is too large") }
            return SessionOffset(milliseconds: sum)
        }
    }

    /// A word of doubt about a bare number that looks like seconds, or nil.
    func doubt(_ text: String, _ offset: SessionOffset) -> String? {
        guard session.status == .closed, offset.milliseconds > 0, offset.milliseconds < 1000, Int(text) != nil
        else {
            return nil
        }
        return "'\(text)' is milliseconds; did you mean \(text)s?"
    }
}

extension OffsetResolution {
    /// For a session as it is now.
    init(in session: FilePath) throws { self.init(in: try SessionTarget(reading: session)) }

    /// For a session as it was when it was chosen.
    init(in target: SessionTarget) {
        self.init(in: target, lastMarker: { try MarkerReading.lastOffset(in: target) })
    }

    /// For a session as it was when it was chosen, where `+` and `-` count from another place than its last marker.
    init(
        in target: SessionTarget, lastMarker: @escaping () throws -> SessionOffset?,
        now: Timestamp = Clock.now()
    ) {
        self.init(
            session: target.session, clock: { try OpenSession(target.directory).clock(of: target.session) },
            lastMarker: lastMarker, now: now)
    }

    /// For what is to be written, be it into a session or into the queue.
    init(for target: WriteTarget, now: Timestamp) {
        let session = target.session
        self.init(
            session: session,
            clock: {
                guard let place = target.place else { return PauseReader().clock(of: session) }
                return try OpenSession(place.directory).clock(of: session)
            },
            lastMarker: { try target.place.flatMap { try MarkerReading.lastOffset(in: $0) } }, now: now)
    }
}
