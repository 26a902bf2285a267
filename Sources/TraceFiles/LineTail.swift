package import SystemPackage

/// How a file of lines ends.
package enum LineTail {
    /// Empty, or its last line has its newline.
    case finished
    /// The last line has no newline: where it begins, its bytes, and whether all of them are here.
    case unfinished(offset: Int64, bytes: [UInt8], isWhole: Bool)
}

extension OpenFile {
    /// The longest unfinished last line that is read, in bytes.
    static let longestTail = 16 << 20

    /// Looks at the end of a file of `length` bytes.
    ///
    /// - Complexity: One byte read if the last line is finished; else O(length of the last line), at most
    ///   ``longestTail``, whatever the size of the file.
    package func tail(length: Int64, limit: Int = longestTail) throws(Errno) -> LineTail {
        guard length > 0 else { return .finished }
        if try bytes(at: length - 1, count: 1) == [newline] { return .finished }
        // Not `readPieces`: this one reads from the end, and asks for more until the line's beginning is among it.
        var window = 4096
        while true {
            let count = Int(min(Int64(min(window, limit)), length))
            let start = length - Int64(count)
            let bytes = try bytes(at: start, count: count)
            if let last = bytes.lastIndex(of: newline) {
                let line = Array(bytes[(last + 1)...])
                return .unfinished(offset: start + Int64(last) + 1, bytes: line, isWhole: true)
            }
            if start == 0 { return .unfinished(offset: 0, bytes: bytes, isWhole: true) }
            if count == limit { return .unfinished(offset: start, bytes: bytes, isWhole: false) }
            window *= 4
        }
    }
}

extension OpenRegularFile {
    /// The bytes of a line, without its line break, where a line begins at `offset` and has that length.
    ///
    /// - Returns: Nil if those bytes are not one line, with a line break before and behind it.
    /// - Throws: ``FileError`` with `.io`.
    package func line(at offset: Int, length: Int) throws -> [UInt8]? {
        guard offset >= 0, length >= 0 else { return nil }
        let before = offset > 0 ? 1 : 0
        // One byte before the line and two behind it: the breaks between which it must be.
        let bytes = try bytes(at: Int64(offset - before), count: before + length + 2)
        let line = bytes.dropFirst(before).prefix(length)
        let end = bytes.dropFirst(before + length)
        guard before == 0 || bytes.first == newline, line.count == length,
            end.first == newline || end.elementsEqual("\r\n".utf8), !line.contains(newline)
        else { return nil }
        return Array(line)
    }
}

package let newline = UInt8(ascii: "\n")
