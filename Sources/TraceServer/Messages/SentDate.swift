internal import RecordFormat
internal import Synchronization

/// The text of `Date`, made once a second.
final class SentDate: Sendable {
    static let shared = SentDate()

    private let last = Mutex<(date: HTTPDate, text: String)?>(nil)

    /// The second of a moment.
    func text(at now: Timestamp) -> String {
        let date = HTTPDate(milliseconds: now.milliseconds)
        return last.withLock { last in
            if let last, last.date == date { return last.text }
            let text = date.description
            last = (date, text)
            return text
        }
    }
}
