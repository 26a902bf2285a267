#if canImport(Glibc)
import Glibc
#endif

/// Cuts a stream of bytes into lines, in memory that does not grow with the stream.
///
/// The caller writes bytes into ``space(atLeast:)``, reports how many with ``filled(_:)``, then takes lines with ``next()``
/// until there is none, and at the end of the stream the unfinished one with ``last()``.
package final class LineBuffer {
    /// The longest line that a reader takes, in bytes.
    package static let maximumLineLength = 16 << 20

    /// Soundness: allocated here, owned by this object alone and freed in `deinit`; `start ..< end` is initialised,
    /// and `end + JSONParser.padding` never lies beyond `capacity`.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private let maximumLineLength: Int
    private var start = 0
    private var end = 0
    /// Up to here there is no line break in `start ..< end`.
    private var searched = 0

    private var fileOffset: Int
    private var lineNumber: Int
    private var skipping = false
    /// Where the line began that is being skipped.
    private var skippedLineOffset = 0

    /// A buffer for a stream that begins at a line's first byte.
    ///
    /// - Parameters:
    ///   - offset: Where in the file the stream begins.
    ///   - lineNumber: The number of the line that begins there.
    package init(
        fileOffset offset: Int = 0, lineNumber: Int = 1, chunk: Int = 256 << 10,
        maximumLineLength: Int = LineBuffer.maximumLineLength
    ) {
        fileOffset = offset
        self.lineNumber = lineNumber
        self.maximumLineLength = maximumLineLength
        capacity = chunk + JSONParser.padding
        memory = .allocate(byteCount: capacity, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
    }

    deinit { memory.deallocate() }

    /// Memory into which the next bytes of the stream are to be written.
    package func space(atLeast count: Int = 64 << 10) -> UnsafeMutableRawBufferPointer {
        if start > 0 {
            memmove(memory, memory + start, end - start)
            fileOffset += start
            searched -= start
            end -= start
            start = 0
        }
        if capacity - end - JSONParser.padding < count { grow(by: count) }
        return UnsafeMutableRawBufferPointer(start: memory + end, count: capacity - end - JSONParser.padding)
    }

    /// Says how many bytes have been written into ``space(atLeast:)``.
    package func filled(_ count: Int) { end += count }

    private func grow(by count: Int) {
        let wanted = max(capacity * 2, end + count + JSONParser.padding)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 64)
        larger.initializeMemory(as: UInt8.self, repeating: 0, count: wanted)
        memcpy(larger, memory, end)
        memory.deallocate()
        memory = larger
        capacity = wanted
    }

    /// The next line that ends with a line break, or nil when more bytes are needed.
    package func next() -> Line? {
        while true {
            guard let found = memchr(memory + searched, 0x0A, end - searched) else {
                searched = end
                if end - start > maximumLineLength, !skipping { return startSkipping() }
                if skipping { drop(until: end) }
                return nil
            }
            let breakAt = UnsafeRawPointer(found) - UnsafeRawPointer(memory)
            if skipping {
                skipping = false
                drop(until: breakAt + 1)
                lineNumber += 1
                continue
            }
            let line =
                breakAt - start > maximumLineLength ? tooLongLine : line(until: breakAt, ending: .lineBreak)
            drop(until: breakAt + 1)
            lineNumber += 1
            return line
        }
    }

    /// What stands after the last line break when the stream has ended, or nil when there is nothing.
    package func last() -> Line? {
        guard end > start, !skipping else { return nil }
        let line = line(until: end, ending: .endOfFile)
        start = end
        return line
    }

    /// The number that the line after the last complete one has.
    package var nextLineNumber: Int { lineNumber }

    /// Where in the file that line begins: bytes before it have been handed out or skipped.
    package var nextLineOffset: Int { skipping ? skippedLineOffset : fileOffset + start }

    private func line(until end: Int, ending: Line.Ending) -> Line {
        var count = end - start
        if ending == .lineBreak, count > 0, memory.load(fromByteOffset: end - 1, as: UInt8.self) == 0x0D {
            count -= 1
        }
        return Line(
            number: lineNumber, offset: fileOffset + start,
            content: UnsafeRawBufferPointer(start: memory + start, count: count), ending: ending)
    }

    private func startSkipping() -> Line {
        skipping = true
        skippedLineOffset = fileOffset + start
        return tooLongLine
    }

    /// The beginning of the line that begins at `start`.
    private var tooLongLine: Line {
        Line(
            number: lineNumber, offset: fileOffset + start,
            content: UnsafeRawBufferPointer(start: memory + start, count: min(256, maximumLineLength)),
            ending: .tooLong)
    }

    private func drop(until position: Int) {
        start = position
        searched = position
    }
}
