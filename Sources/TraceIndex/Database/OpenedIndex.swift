package import TraceFiles

/// A file that was opened as the index.
///
/// As long as it is open, no other file has its number. Once it is closed, the next new file may get it, as on ext4: so that one is
/// another ``OpenedIndex`` of the same ``file``.
package struct OpenedIndex: Sendable, Hashable {
    /// Which file it is.
    package let file: FileID
    private let number: Int

    /// - Parameter number: How many files the process had opened, at this path, when it opened this one.
    package init(file: FileID, number: Int) {
        self.file = file
        self.number = number
    }
}
