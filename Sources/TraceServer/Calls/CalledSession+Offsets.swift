internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

extension CalledSession {
    /// The offset of a moment by the session's clock; zero for one before its start, which is a warning.
    ///
    /// - Throws: ``Problem`` with 422 if the session has no readable `start_time`; ``FileError``.
    func offset(of moment: Timestamp, _ warnings: inout [String]) throws -> SessionOffset {
        let reader = try SessionReader(path)
        guard let clock = try reader.clock(of: reader.readableHeader().session) else {
            throw Problem(
                .unprocessableContent, "no-start-time",
                "'at' needs the session's start_time, which can't be read",
                cure: "send 'offset_ms'")
        }
        let offset = clock.offset(at: moment)
        if offset < .zero { warnings.append("'at' is before the session's start; the offset is 0") }
        return max(.zero, offset)
    }

    /// What is likely to be a mistake in a record's offset, or shows that the device's clock is wrong. There is nobody at an outbox to
    /// ask, so the record is written anyway.
    ///
    /// - Parameter kind: That of the record, which is about to be appended.
    func warnings(about payload: [UInt8], _ kind: RecordKind, at now: Timestamp) -> [String] {
        let members = try? JSONParser().withParsed(payload) { record in
            (record[name: "offset_ms"]?.integer, record[name: "created_at"]?.string.flatMap(Timestamp.init))
        }
        guard let (number, created) = members, let number, let reader = try? SessionReader(path),
            let header = try? reader.readableHeader().session
        else { return [] }
        let offset = SessionOffset(milliseconds: number)
        var warnings: [String] = []
        if let created, created.milliseconds(since: now) > Clock.tolerance {
            warnings.append("created_at is in the future: the server's clock is at \(now)")
        }
        let setBack = ClockSetBack(of: header, in: reader.directory, now: now, lastOf: [kind])
        if let setBack { warnings.append(setBack.textOverHTTP) }
        if let created, let start = header.startTime, start.milliseconds(since: created) > Clock.tolerance {
            warnings.append("created_at is before the session's start at \(start)")
        }
        if header.status == .closed, let end = header.duration, offset > end {
            warnings.append("\(offset) is after the session's end at \(end)")
        }
        if header.status == .active, offset > .zero, let clock = try? reader.clock(of: header),
            !clock.hasReached(offset, at: now)
        {
            warnings.append(
                "\(offset) is in the session's future: its clock is at \(max(.zero, clock.offset(at: now)))")
        }
        return warnings
    }

    /// The line of its record of a kind and id, as it is in the file now; nil if it has none.
    ///
    /// - Throws: ``FileError``.
    func line(of id: ULID, _ kind: RecordKind) throws -> [UInt8]? {
        let lines = try SessionReader(path).existing([id], by: index)[id] ?? []
        return lines.last { $0.kind == kind }?.line
    }
}
