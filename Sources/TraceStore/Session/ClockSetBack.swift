package import RecordFormat
package import TraceFiles
package import TraceFormat
package import TraceText

/// What shows that a clock is wrong, or was when a session was written: "now" lies more than a minute before the session's start, or before
/// the moment that its last record gives as its own.
///
/// Whatever is written then is at 0:00 or at an offset that means something else, so it is said; it is written all the same, with the
/// moment that the clock shows.
package struct ClockSetBack: Sendable, Equatable {
    private let session: String?
    private let now: Timestamp
    private let moment: Timestamp
    /// The kind of the record; nil for the session's start.
    private let record: RecordKind?

    /// How much of the end of a file is read, in bytes: more than a line of a record that people make.
    private static let tail: Int64 = 4096

    /// - Parameters:
    ///   - session: What `session.json` says.
    ///   - directory: Where its files are; nil if they can't be reached.
    ///   - kinds: The files whose last lines are looked at: those that the write reads or appends to.
    /// - Returns: Nil if the clock is later than all of them, by less than a minute at most.
    /// - Complexity: O(1): of each file, the end.
    package init?(
        of session: Session, in directory: OpenDirectory?, now: Timestamp, lastOf kinds: [RecordKind]
    ) {
        var latest: (moment: Timestamp, record: RecordKind?)?
        func add(_ moment: Timestamp?, _ record: RecordKind?) {
            guard let moment, moment.milliseconds(since: now) > Clock.tolerance,
                latest.map({ $0.moment < moment }) ?? true
            else { return }
            latest = (moment, record)
        }
        add(session.startTime, nil)
        // The start tells more: what was written since is later by nature.
        if latest == nil, let directory {
            for kind in kinds { add(Self.lastCreated(kind, in: directory), kind) }
        }
        guard let latest else { return nil }
        self.session = directory?.path.escaped.asShellWord
        self.now = now
        (moment, record) = latest
    }

    /// When the last record of a file was made, as its line says; nil if that can't be read.
    private static func lastCreated(_ kind: RecordKind, in directory: OpenDirectory) -> Timestamp? {
        guard let file = try? directory.openRegularFile(kind.component) else { return nil }
        let count = min(file.identity.size, tail)
        guard count > 0,
            let bytes = try? file.bytes(at: file.identity.size - count, count: Int(count)),
            let line = bytes.split(separator: newline).last(where: { $0.contains(UInt8(ascii: "{")) })
        else { return nil }
        return (try? JSONParser().withParsed(Array(line)) { $0[name: "created_at"]?.timestamp }) ?? nil
    }

    /// Both times, and what to do about it.
    package var report: ErrorReport {
        guard let record else {
            return ErrorReport(
                message: "the clock is at \(now), before the session's start at \(moment)",
                cure: [
                    "set the clock if it is wrong",
                    "if the start is wrong, correct it with \(verb: "session edit \(session.map { "\($0) " } ?? "")--start TIME")",
                    "if the start is wrong, correct it with \(route: "POST /api/v1/sessions/{s}/edit") and 'start_time'",
                ])
        }
        return ErrorReport(
            message:
                "the clock is at \(now), before the last \(record.noun) of the session, written at \(moment)",
            cure: "set the clock if it is wrong; if it was wrong then, check the offsets of what was written")
    }

    /// As a client of the API reads it.
    package var textOverHTTP: String {
        let report = report
        return report.message + (report.cure?.text(overHTTPWith: []).map { "; \($0)" } ?? "")
    }
}
