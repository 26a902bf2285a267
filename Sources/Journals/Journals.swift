public import TraceStore

/// All kinds of journal that these programs know: the one list of them.
public enum Journals {
    /// In the order in which they are recognised.
    public static let all = JournalRegistry([SessionFormat()])
}
