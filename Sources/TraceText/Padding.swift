extension String {
    /// The text with spaces behind it, one at least.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(1, width - count))
    }
}
