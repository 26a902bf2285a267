internal import SystemPackage

/// The matching lines of a file.
struct FoundLines {
    var count = 0
    /// Where the last one stands, with its newline.
    var last: (offset: Int64, length: Int)?
}

extension OpenFile {
    /// Looks for whole lines, those that a newline ends, among the bytes before an offset.
    ///
    /// - Parameters:
    ///   - end: At most the size of the file: a device has no end.
    ///   - longest: The longest line that is looked at, in bytes; a longer one is skipped.
    /// - Complexity: O(bytes) in time, O(`longest`) in memory.
    func lines(
        before end: Int64, longest: Int = longestTail, where isWanted: (ArraySlice<UInt8>) -> Bool
    ) throws(Errno) -> FoundLines {
        var found = FoundLines()
        // Of the line that has not ended yet: where it begins, and its bytes until there are too many of them.
        var start: Int64 = 0
        var line: [UInt8] = []
        var isTooLong = false
        try readPieces(to: end) { piece, offset in
            let window = Array(piece)
            var position = 0
            while let next = window[position...].firstIndex(of: newline) {
                let isWhole = line.isEmpty
                if !isWhole { line += window[position..<next] }
                if !isTooLong, isWanted(isWhole ? window[position..<next] : line[...]) {
                    found.count += 1
                    found.last = (start, Int(offset - start) + next + 1)
                }
                position = next + 1
                start = offset + Int64(position)
                line.removeAll(keepingCapacity: true)
                isTooLong = false
            }
            if !isTooLong { line += window[position...] }
            if line.count > longest {
                isTooLong = true
                line = []
            }
        }
        return found
    }
}
