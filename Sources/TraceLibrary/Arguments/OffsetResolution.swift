package import RecordFormat
package import SystemPackage
package import TraceFormat
package import TraceStore
internal import TraceText

/// Resolves a typed offset to an offset in a session.
package struct OffsetResolution {
    let session: Session
    /// The session's clock, with its pauses; read only where the present matters.
    package let clock: () throws -> SessionClock?
    /// The last marker in the file, asked for only where it matters.
    let lastMarker: () throws -> ReferenceMarker?
    package let now: Timestamp

    /// - Parameters:
    ///   - clock: The session's clock; nil if it can't be determined.
    ///   - lastMarker: Where `+` and `-` count from.
    init(
        session: Session, clock: @escaping () throws -> SessionClock?,
        lastMarker: @escaping () throws -> ReferenceMarker?, now: Timestamp
    ) {
        self.session = session
        self.clock = clock
        self.lastMarker = lastMarker
        self.now = now
    }

    /// The marker to which a relative offset refers.
    package struct ReferenceMarker {
        let offset: SessionOffset
        var label: String?

        init(offset: SessionOffset, label: String? = nil) {
            self.offset = offset
            self.label = label
        }
    }

    /// The result of resolving an offset.
    package struct Place {
        package let offset: SessionOffset
        /// From what it counts, where that is not the session's start: `"10 s before marker 'Too fast' at 1:30.000"`.
        var origin: String?

        /// What a person is shown, so that a slip is seen: `"at 2:00.000 (120000 ms)"`.
        package var notice: String {
            "at \(offset) (\(offset.milliseconds) ms)" + (origin.map { ", \($0)" } ?? "")
        }
    }

    /// - Parameter force: Allow a place after the end of a closed session.
    /// - Throws: ``LibraryError`` that shows how the text was read.
    package func offset(_ text: String, force: Bool = false) throws -> SessionOffset {
        try place(text, force: force).offset
    }

    /// As ``offset(_:force:)``, with what it counts from.
    package func place(_ text: String, force: Bool = false) throws -> Place {
        let place = try place(OffsetExpression(text), text)
        let offset = place.offset
        guard offset >= .zero else {
            throw LibraryError(
                .beforeStart,
                "'\(text)' means \(offset) (\(offset.milliseconds) ms), which is before the session's start")
        }
        if !force, session.status == .closed, let end = session.duration, offset > end {
            throw LibraryError(
                .afterEnd,
                "'\(text)' means \(offset) (\(offset.milliseconds) ms), but the session ends at \(end)",
                cure:
                    "write an offset up to \(end), such as 5s (seconds) or 5m (minutes), or add \(option: "force") to mark after the end"
            )
        }
        return place
    }

    private func place(_ expression: OffsetExpression, _ text: String) throws -> Place {
        switch expression {
        case .absolute(let offset): return Place(offset: offset)
        case .now: return Place(offset: try present(text))
        case .beforeNow(let distance):
            let present = try present(text)
            return Place(
                offset: present.subtracting(SessionOffset(milliseconds: distance)),
                origin: "\(Self.length(distance)) before now at \(present)")
        case .end:
            if let end = session.duration { return Place(offset: end) }
            guard session.status == .active, let clock = try clock() else {
                throw LibraryError(.noDuration, "the session has no duration_ms", cure: "write an offset")
            }
            return Place(offset: max(.zero, clock.offset(at: now)))
        case .fromLastMarker(let distance):
            guard let last = try lastMarker() else {
                throw LibraryError(
                    .noLastMarker, "'\(text)' counts from the last marker, but there is none",
                    cure: Cure(
                        "write an offset" + (distance < 0 ? ", or now\(text) for as long before now" : "")))
            }
            guard let sum = last.offset.sum(with: SessionOffset(milliseconds: distance)) else {
                throw LibraryError(.offsetTooLarge, "'\(text)' is too large")
            }
            let name = last.label.map { " '\(SingleLine($0, limit: Self.labelLimit).text)'" } ?? ""
            return Place(
                offset: sum,
                origin:
                    "\(Self.length(distance)) \(distance < 0 ? "before" : "after") marker\(name) at \(last.offset)"
            )
        }
    }

    /// Where an active session's clock is.
    private func present(_ text: String) throws -> SessionOffset {
        guard session.status != nil else {
            throw LibraryError(
                .noStartTime, "'\(text)' needs the session's start_time, which can't be read",
                cure: "write an offset")
        }
        guard session.status == .active, let clock = try clock() else {
            throw LibraryError(
                .notActive, "'\(text)' is valid only in an active session",
                cure: "write an offset, or 'end'")
        }
        return max(.zero, clock.offset(at: now))
    }

    private static let labelLimit = 40

    /// `10 s`, `1.5 s`, `2:05`: a distance as a person says it.
    private static func length(_ milliseconds: Int64) -> String {
        let magnitude = milliseconds.magnitude
        guard magnitude < 60_000 else {
            let offset = SessionOffset(milliseconds: Int64(clamping: magnitude))
            return magnitude % 1000 == 0 ? offset.clock : offset.description
        }
        let rest = magnitude % 1000
        guard rest > 0 else { return "\(magnitude / 1000) s" }
        var decimals = String(String(1000 + rest).dropFirst())
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(magnitude / 1000).\(decimals) s"
    }

    /// What is likely to be a slip: a bare number that looks like seconds, a place that an active session has not reached yet.
    package func warnings(_ text: String, _ offset: SessionOffset) -> [String] {
        var warnings: [String] = []
        if offset.milliseconds > 0, offset.milliseconds < 1000, Int(text) != nil {
            warnings.append("'\(text)' is milliseconds; did you mean \(text)s?")
        }
        if session.status == .active, offset > .zero, let clock = try? clock(),
            !clock.hasReached(offset, at: now)
        {
            let there = max(.zero, clock.offset(at: now))
            warnings.append("\(offset) is in the session's future: its clock is at \(there)")
        }
        return warnings
    }
}

extension OffsetResolution {
    /// The last marker in the file, or nil when there is none.
    static func lastMarker(in session: SessionTarget) throws -> ReferenceMarker? {
        var last: ReferenceMarker?
        try SessionReader(session.directory).read(.marker) { marker in
            guard let offset = marker.offset else { return }
            last = .init(offset: offset, label: marker.text)
        }
        return last
    }

    /// For a session as it is now.
    package init(in session: FilePath) throws { self.init(in: try SessionTarget(reading: session)) }

    /// For a session as it was when it was chosen.
    package init(in target: SessionTarget) {
        self.init(in: target, lastMarker: { try Self.lastMarker(in: target) })
    }

    /// For a session as it was when it was chosen, where `+` and `-` count from another place than its last marker.
    package init(
        in target: SessionTarget, lastMarker: @escaping () throws -> ReferenceMarker?,
        now: Timestamp = Clock.now()
    ) {
        self.init(
            session: target.session, clock: { try SessionReader(target.directory).clock(of: target.session) },
            lastMarker: lastMarker, now: now)
    }
}
