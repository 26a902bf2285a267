internal import PracticeJournal
internal import Synchronization
public import TraceStore

/// The kinds of journal that these programs support.
public enum Journals {
    /// In the order in which they are recognised. It is made when it is first asked for, and stays.
    public static let all = JournalRegistry(
        [SessionFormat(), PracticeFormat()] + added.withLock { $0.take() ?? [] })

    /// What else is to be in the list; nil once that has been made.
    private static let added = Mutex<[any JournalFormat]?>([])

    /// Adds a kind behind the others, in a program of the tests: before anything asks for the list, as the first thing that it does.
    ///
    /// - Precondition: Nothing has asked for the list. Commands and requests are made of it once, and would not know the kind.
    package static func add(_ format: any JournalFormat) {
        added.withLock { added in
            precondition(added != nil, "the list of kinds has been made")
            added?.append(format)
        }
    }
}
