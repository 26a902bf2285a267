/// How many of something each client has.
struct ClientCounts {
    private var counts: [String: Int] = [:]

    /// Counts one more.
    ///
    /// - Returns: False if the client has as many as it may; then it is not counted.
    mutating func add(_ client: String, upTo limit: Int) -> Bool {
        let count = counts[client, default: 0]
        guard count < limit else { return false }
        counts[client] = count + 1
        return true
    }

    /// Counts one less; nothing is kept of a client that has none.
    mutating func remove(_ client: String) {
        let left = counts[client, default: 1] - 1
        counts[client] = left > 0 ? left : nil
    }
}
