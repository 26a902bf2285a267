internal import SystemPackage

/// The lines that were looked for in a file.
struct FoundLines {
    var count = 0
    /// Where the last one stands, with its newline.
    var last: (offset: Int64, length: Int)?
}

extension OpenFile {
    /// Looks for whole lines, those that a newline ends, among the bytes before an offset.
    ///
    /// - Complexity: O(size of the file) in time, O(longest line) in memory.
    func lines(before end: Int64, where isWanted: (ArraySlice<UInt8>) -> Bool) throws(Errno) -> FoundLines {
        var found = FoundLines()
        /// What has been read and ends no line yet, and where it begins.
        var rest: [UInt8] = []
        var start: Int64 = 0
        while true {
            let offset = start + Int64(rest.count)
            let window = try bytes(at: offset, count: Int(min(1 << 18, max(0, end - offset))))
            if window.isEmpty { return found }
            rest += window
            var position = 0
            while let next = rest[position...].firstIndex(of: newline) {
                if isWanted(rest[position..<next]) {
                    found.count += 1
                    found.last = (start + Int64(position), next + 1 - position)
                }
                position = next + 1
            }
            rest.removeFirst(position)
            start += Int64(position)
        }
    }
}
