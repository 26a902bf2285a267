internal import PracticeJournal
public import TraceStore

/// The kinds of journal that these programs support.
public enum Journals {
    /// In the order in which they are recognised.
    public static let all = JournalRegistry([SessionFormat(), PracticeFormat()])
}
