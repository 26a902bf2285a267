extension Int {
    /// How many rows to ask for, to know whether there are more than a page.
    var pageAndOneMore: Int { self == .max ? self : self + 1 }
}

extension Array {
    /// The first rows, and the sort key of the last of them if there are more.
    ///
    /// - Parameter limit: At most so many, > 0; nil for all.
    func page<Key>(of limit: Int?, _ key: (Element) -> Key) -> (rows: [Element], next: Key?) {
        guard let limit, count > limit else { return (self, nil) }
        let rows = Array(prefix(limit))
        return (rows, rows.last.map(key))
    }
}
