internal import RecordFormat
internal import Synchronization
internal import HTTPTypes
internal import TraceText

/// The uploads that are coming now: one request at a time sends the audio of a voice note.
///
/// A phone that has lost its network comes back long before its old connection is known to be dead; so a request that has brought
/// nothing for a while gives way to the next.
final class UploadTable: Sendable {
    private let state = Mutex(State())

    private struct State {
        var uploads: [Key: Upload] = [:]
        var count = 0
    }

    fileprivate struct Key: Hashable {
        let owner: ULID?
        let id: ULID
    }

    private struct Upload {
        let number: Int
        var lastByte: ContinuousClock.Instant
        let hangUp: @Sendable () -> Void
    }

    /// How long a request may bring nothing before another takes its place.
    private static let patience = Duration.seconds(2)

    /// The place of one request.
    struct Ticket: Sendable {
        fileprivate let key: Key
        fileprivate let number: Int
    }

    /// Takes the place, from a request that has stalled if need be.
    ///
    /// - Parameter hangUp: Ends the request when another takes its place.
    /// - Throws: ``Problem`` with 409 while another request sends.
    func enter(
        _ id: ULID, of owner: ULID?, hangUp: @escaping @Sendable () -> Void
    ) throws(Problem) -> Ticket {
        let key = Key(owner: owner, id: id)
        let (ticket, stalled) = state.withLock { state -> (Ticket?, (@Sendable () -> Void)?) in
            let other = state.uploads[key]
            if let other, .now - other.lastByte < Self.patience { return (nil, nil) }
            state.count += 1
            state.uploads[key] = Upload(number: state.count, lastByte: .now, hangUp: hangUp)
            return (Ticket(key: key, number: state.count), other?.hangUp)
        }
        stalled?()
        guard let ticket else { throw .uploadInProgress }
        return ticket
    }

    /// Notes that bytes have come.
    func noteBytes(_ ticket: Ticket) {
        state.withLock { state in
            guard state.uploads[ticket.key]?.number == ticket.number else { return }
            state.uploads[ticket.key]?.lastByte = .now
        }
    }

    /// Gives the place back, unless another request has taken it.
    func leave(_ ticket: Ticket) {
        state.withLock { state in
            if state.uploads[ticket.key]?.number == ticket.number { state.uploads[ticket.key] = nil }
        }
    }
}

extension Problem {
    /// Another request sends the same audio.
    static let uploadInProgress = Problem(
        .conflict, "upload-in-progress", "another request is sending this audio",
        cure: "wait until that one has ended; HEAD says how much has been received", retryAfter: .seconds(2))
}
