extension StringProtocol {
    /// The text with its first letter in upper case.
    package var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
