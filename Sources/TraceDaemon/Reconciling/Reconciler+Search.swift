internal import TraceConfiguration
internal import TraceIndex

/// The filling in of the search text, bit by bit while nothing happens.
extension Reconciler {
    /// How long nothing must have changed before the search text is filled in: offsets answer first.
    static let searchPause = Duration.milliseconds(500)
    /// So few lines that a change that comes in between does not wait.
    private static let searchLines = 1000

    func fillSearch() {
        searchFill = nil
        let isDone = attempt("fill in the search text", settings.indexDatabase) {
            if try !index.fillSearch(lines: Self.searchLines) {
                searchFill = .now + .milliseconds(2)
                hasFilledMuch = true
                noteIndexWritten()
            } else if hasFilledMuch {
                hasFilledMuch = false
                releaseMemory()
            }
        }
        if !isDone { searchFill = .now + Self.retryPause }
    }
}
