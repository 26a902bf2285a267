internal import Glibc
internal import TraceText

/// Writes to standard error for people and for the journal.
enum Console {
    /// Writes a line in one `write`, in which nothing is obeyed by a terminal; a line that can't be written is lost.
    static func write(_ line: String, to descriptor: Int32 = STDERR_FILENO) {
        let bytes = Array("\(TerminalText(line).text)\n".utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
