/// Takes the body of a request while it comes, on threads that may block; one call at a time.
protocol BodySink: Sendable {
    /// Takes some more bytes.
    ///
    /// - Throws: Any error: nothing more is read, and the error is the answer.
    func take(_ bytes: [UInt8]) throws

    /// The body is whole.
    ///
    /// - Returns: The answer.
    func finish() throws -> Response

    /// The body ended early, was refused, or could not be finished. Called last, and not after ``finish()`` has answered.
    func cutOff()
}
