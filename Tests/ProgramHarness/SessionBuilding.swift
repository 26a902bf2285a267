import Foundation

/// The id that ends in this number.
package func number(_ number: Int) -> String {
    let digits = String(number)
    return "01J" + String(repeating: "0", count: 23 - digits.count) + digits
}

/// A line of `markers.jsonl`, as existing writers write it.
package func marker(_ id: Int, at offset: Int, _ more: String = "", tags: [String] = []) -> String {
    let tags = tags.map { "\"\($0)\"" }.joined(separator: ",")
    return """
        {"id":"\(number(id))","offset_ms":\(offset),"created_at":"2026-02-04T20:01:00.000Z","source":"user",\
        \(more)"tags":[\(tags)]}

        """
}

extension Scratch {
    /// Writes an active session as it is after its creation.
    ///
    /// - Parameters:
    ///   - name: Its directory below `sessions`.
    ///   - start: When it started.
    ///   - title: Its title; none if nil.
    package func session(
        _ name: String, id: Int = 1, start: String = "2026-02-04T20:00:00.000Z", title: String? = "Set",
        markers: String = ""
    ) throws {
        try write(
            name, id: id,
            header: """
                {
                  "id": "\(number(id))",\(title.map { "\n  \"title\": \"\($0)\"," } ?? "")
                  "created_at": "\(start)",
                  "updated_at": "\(start)",
                  "status": "active",
                  "start_time": "\(start)",
                  "timeline_path": "timeline.jsonl",
                  "markers_path": "markers.jsonl",
                  "transcript_path": null,
                  "voice_notes_path": null,
                  "digest_path": null,
                  "media": []
                }

                """,
            timeline: Self.timeline("session_start", id: id, at: 0, start: start), markers: markers)
    }

    /// Writes a closed session of two minutes.
    package func closedSession(_ name: String, id: Int = 1, title: String = "Set", markers: String = "")
        throws
    {
        try write(
            name, id: id,
            header: """
                {
                  "id": "\(number(id))",
                  "title": "\(title)",
                  "created_at": "2026-02-04T20:00:00.000Z",
                  "updated_at": "2026-02-04T20:02:00.000Z",
                  "status": "closed",
                  "start_time": "2026-02-04T20:00:00.000Z",
                  "timeline_path": "timeline.jsonl",
                  "markers_path": "markers.jsonl",
                  "transcript_path": null,
                  "voice_notes_path": null,
                  "digest_path": null,
                  "media": [],
                  "end_time": "2026-02-04T20:02:00.000Z",
                  "duration_ms": 120000
                }

                """,
            timeline: Self.timeline("session_start", id: id, at: 0)
                + Self.timeline("session_end", id: id, at: 120_000), markers: markers)
    }

    private func write(_ name: String, id: Int, header: String, timeline: String, markers: String) throws {
        try makeDirectory("sessions/\(name)/media")
        try write(header, to: "sessions/\(name)/session.json")
        try write(timeline, to: "sessions/\(name)/timeline.jsonl")
        try write(markers, to: "sessions/\(name)/markers.jsonl")
        try letRest("sessions/\(name)")
    }

    private static func timeline(_ kind: String, id: Int, at offset: Int, start: String? = nil) -> String {
        let moment = start ?? "2026-02-04T20:0\(offset / 60_000):00.000Z"
        return """
            {"id":"\(number(id * 100 + 9000 + offset / 120_000))","kind":"\(kind)","offset_ms":\(offset),\
            "wall_time":"\(moment)","created_at":"\(start ?? "2026-02-04T20:00:00.000Z")","source":"system"}

            """
    }
}
