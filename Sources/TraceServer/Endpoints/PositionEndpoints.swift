internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// Where a person stopped listening, of all their devices.
enum PositionEndpoints {
    static let all = [position, setPosition]

    private static let position = Endpoint(
        method: .get, path: "/sessions/{s}/position", id: "getPosition", access: .scope(.read),
        summary: "Where the person stopped listening; null if unknown",
        answers: [.json(.component("Position"), "The position")], work: .asking
    ) { call in
        let session = try call.session()
        let target = try session.target()
        let person = try Person(call.visitor.person)
        let position = try SessionPositions(call.context.writer().positions, of: target).position(of: person)
        return .json(PositionAnswer(position, of: person, in: target).json(call.form(session.index)))
    }

    private static let schema =
        #"{"type":"object","properties":{"offset_ms":{"type":"integer","minimum":0},"media_id":{"type":["string","null"]},"at":{"type":"string","format":"date-time"}},"required":["offset_ms"],"additionalProperties":false}"#

    private static let setPosition = Endpoint(
        method: .put, path: "/sessions/{s}/position", id: "setPosition", access: .scope(.mark),
        summary: "Records where the person stopped listening; the latest time wins",
        body: .json(.inline(schema)),
        answers: [
            .json(.component("Position"), "The position as it is now"),
            .problem("A later one is known", status: 412),
        ], work: .writing
    ) { call in
        let session = try call.session()
        let target = try session.target()
        let person = try Person(call.visitor.person)
        let position = try call.object(["offset_ms", "media_id", "at"]) { body in
            guard let offset = try body.whole("offset_ms"), offset >= 0 else {
                throw Problem.member("offset_ms", "a whole number of milliseconds")
            }
            let media = try body.text("media_id").map { text in
                guard let id = ULID(text.uppercased()) else { throw Problem.member("media_id", "an id") }
                return id
            }
            let at = try body.text("at").map { text in
                guard let moment = Timestamp(text) else {
                    throw Problem.member("at", "a time such as 2026-02-04T20:15:00.000Z")
                }
                return moment
            }
            return ListeningPosition(
                offset: SessionOffset(milliseconds: offset), media: media, at: at ?? call.now)
        }
        let stored = try SessionPositions(call.context.writer().positions, of: target).set(
            position, of: person, now: call.now)
        return .json(
            PositionAnswer(stored.position, of: person, in: target).json(call.form(session.index)))
    }
}
