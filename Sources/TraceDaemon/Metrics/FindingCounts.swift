/// How often each rule is broken, which is counted again only when it can have changed.
struct FindingCounts {
    typealias Count = (rule: String, severity: String, count: Int)

    private var known: (news: Int, counts: [Count])?

    /// The counts; the last ones where they can't be counted now, and none before they were counted once.
    ///
    /// - Parameters:
    ///   - news: ``Metrics/Counts/newsCount``.
    ///   - count: Counts them.
    mutating func counts(at news: Int, _ count: () throws -> [Count]) -> [Count] {
        if known?.news != news, let counts = try? count() { known = (news, counts) }
        return known?.counts ?? []
    }
}
