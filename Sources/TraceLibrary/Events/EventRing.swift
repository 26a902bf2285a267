internal import RecordFormat
internal import SystemPackage
internal import TraceFiles

/// The last events that were told, each encoded once for all who follow.
struct EventRing {
    /// Whom an event is for.
    enum Audience {
        /// Everybody who sees the session or other journal.
        case session(FilePath, ULID?)
        /// Who follows its records.
        case records(FilePath, ULID?)
        /// Everybody who sees the session or other journal of this id, to which an entry of the queue belongs, by its id; without an
        /// id, who sees all.
        case queue(ULID?)
        case everyone
    }

    struct Event {
        let audience: Audience
        let text: [UInt8]
    }

    private let ids = EventIDs()
    private var events: [Event] = []
    /// How many have gone out of `events` at its front, since it was last shortened.
    private var dropped = 0
    private var bytes = 0
    /// The number of the last event; numbers begin with 1.
    private(set) var last: Int64 = 0

    private static let countLimit = 4096
    private static let byteLimit = 4 << 20

    /// The number of the first event that is still there; one more than the last if there is none.
    var first: Int64 { last - Int64(events.count - dropped) + 1 }

    /// A field that names a number: another one each time.
    func id(_ number: Int64) -> String { ids.id(of: number) }

    mutating func append(_ kind: String, _ data: JSONText, _ audience: Audience) {
        last += 1
        let text = Array("id: \(id(last))\nevent: \(kind)\ndata: ".utf8) + data.bytes + [newline, newline]
        events.append(Event(audience: audience, text: text))
        bytes += text.count
        while events.count - dropped > Self.countLimit || bytes > Self.byteLimit {
            bytes -= events[dropped].text.count
            dropped += 1
        }
        if dropped > Self.countLimit {
            events.removeFirst(dropped)
            dropped = 0
        }
    }

    /// The events behind a number, which must not be before ``first`` - 1.
    func events(after number: Int64) -> ArraySlice<Event> {
        events.suffix(Int(last - number))
    }

    /// The number that a client got last; nil for one of another ring, or what is none.
    func number(of id: String) -> Int64? {
        ids.number(of: id).flatMap { (0...last).contains($0) ? $0 : nil }
    }
}
