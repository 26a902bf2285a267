import FormatHarness
import TestSupport
import Testing
import RecordFormat
import TraceText

struct LineBufferTests {
    /// A line with a copy of its bytes.
    struct Cut: Equatable {
        var number: Int
        var offset: Int
        var text: [UInt8]
        var ending: Line.Ending

        init(_ number: Int, _ offset: Int, _ text: [UInt8], _ ending: Line.Ending = .lineBreak) {
            self.number = number
            self.offset = offset
            self.text = text
            self.ending = ending
        }

        init(_ line: Line) { self.init(line.number, line.offset, Array(line.content), line.ending) }
    }

    /// Cuts bytes into lines, in pieces of the sizes that `sizes` gives.
    private func cut(
        _ bytes: [UInt8], _ buffer: LineBuffer = LineBuffer(), isWhole: Bool = true,
        sizes: () -> Int = { .max }
    ) -> [Cut] {
        var lines: [Cut] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let space = buffer.space(atLeast: 16)
            let piece = rest.prefix(min(space.count, max(1, sizes())))
            space.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            buffer.filled(piece.count)
            while let line = buffer.next() { lines.append(Cut(line)) }
        }
        if isWhole, let line = buffer.last() { lines.append(Cut(line)) }
        return lines
    }

    /// The same, by a plain reading of the whole.
    private func expected(_ bytes: [UInt8], maximum: Int) -> [Cut] {
        var lines: [Cut] = []
        var offset = 0
        let pieces = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            defer { offset += piece.count + 1 }
            let isLast = index == pieces.count - 1
            if isLast, piece.isEmpty { continue }
            if piece.count > maximum {
                lines.append(Cut(index + 1, offset, Array(piece.prefix(256)), .tooLong))
            } else if isLast {
                lines.append(Cut(index + 1, offset, Array(piece), .endOfFile))
            } else {
                lines.append(Cut(index + 1, offset, Array(piece.last == 0x0D ? piece.dropLast() : piece)))
            }
        }
        return lines
    }

    @Test(
        arguments: [
            ("", []), ("a", [Cut(1, 0, [0x61], .endOfFile)]), ("\n", [Cut(1, 0, [])]),
            ("\r\n", [Cut(1, 0, [])]),
            ("\r", [Cut(1, 0, [0x0D], .endOfFile)]),
            ("a\n\nb\r\n", [Cut(1, 0, [0x61]), Cut(2, 2, []), Cut(3, 3, [0x62])]),
            ("a\r\r\n", [Cut(1, 0, [0x61, 0x0D])]), ("a\rb\n", [Cut(1, 0, [0x61, 0x0D, 0x62])]),
            ("a\n\0\n", [Cut(1, 0, [0x61]), Cut(2, 2, [0])]),
            ("a\nb", [Cut(1, 0, [0x61]), Cut(2, 2, [0x62], .endOfFile)]),
        ] as [(String, [Cut])])
    func `bytes are cut at line breaks`(text: String, lines: [Cut]) {
        #expect(cut(Array(text.utf8)) == lines)
        #expect(cut(Array(text.utf8), sizes: { 1 }) == lines)
    }

    @Test(arguments: Array(UInt64(1)...12)) func `however the bytes arrive, the lines are the same`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let maximum = 300
        for _ in 0..<40 {
            let bytes = Self.text(&random, longest: maximum)
            let lines = expected(bytes, maximum: maximum)
            let chunk = Int.random(in: 1...500, using: &random)
            let largest = Int.random(in: 1...700, using: &random)
            func buffer() -> LineBuffer { LineBuffer(chunk: chunk, maximumLineLength: maximum) }
            #expect(cut(bytes, buffer(), sizes: { .random(in: 1...largest, using: &random) }) == lines)
            #expect(cut(bytes, buffer(), sizes: { 1 }) == lines)
            #expect(cut(bytes, buffer()) == lines)
        }
    }

    /// Lines of very different lengths, some longer than a reader takes.
    private static func text(_ random: inout SeededRandom, longest: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            let length = random.element(of: [
                0, 1, 2, 40, 256, longest - 1, longest, longest + 1, longest + 2, longest * 3,
            ])
            bytes += (0..<length).map { _ in random.element(of: [0x61, 0x62, 0x0D, 0x20, 0x00, 0xFF]) }
            bytes += random.element(of: [[0x0A], [0x0A], [0x0D, 0x0A]])
        }
        if Bool.random(using: &random) {
            bytes.removeLast(min(bytes.count, .random(in: 1...5, using: &random)))
        }
        return bytes
    }

    @Test func `a line that is too long is skipped and the next one is in its place`() {
        let long = [UInt8](repeating: 0x78, count: LineBuffer.maximumLineLength + 1)
        let lines = cut(Array("a\n".utf8) + long + Array("\nb\n".utf8))
        #expect(lines.map(\.number) == [1, 2, 3])
        #expect(lines.map(\.offset) == [0, 2, long.count + 3])
        #expect(lines.map(\.ending) == [.lineBreak, .tooLong, .lineBreak])
        #expect(lines[1].text == [UInt8](repeating: 0x78, count: 256))
        #expect(lines[2].text == [0x62])
    }

    @Test func `the longest line is taken`() {
        let long = [UInt8](repeating: 0x78, count: LineBuffer.maximumLineLength)
        #expect(cut(long + [0x0A]) == [Cut(1, 0, long)])
        #expect(cut(long) == [Cut(1, 0, long, .endOfFile)])
    }

    @Test func `memory does not grow with a line that is skipped`() {
        let buffer = LineBuffer(chunk: 100, maximumLineLength: 1000)
        var largest = 0
        for _ in 0..<10000 {
            let space = buffer.space(atLeast: 100)
            largest = max(largest, space.count)
            _ = space.initializeMemory(as: UInt8.self, repeating: 0x78)
            buffer.filled(space.count)
            while buffer.next() != nil {}
        }
        #expect(largest < 10000)
        #expect(buffer.last() == nil)
        #expect(buffer.nextLineOffset == 0)
        #expect(buffer.nextLineNumber == 1)
    }

    @Test func `a stream that begins within a file counts from there`() {
        let buffer = LineBuffer(fileOffset: 1000, lineNumber: 50)
        #expect(
            cut(Array("ab\nc\nd".utf8), buffer) == [
                Cut(50, 1000, [0x61, 0x62]), Cut(51, 1003, [0x63]), Cut(52, 1005, [0x64], .endOfFile),
            ])
    }

    @Test(arguments: Array(UInt64(1)...4)) func `reading goes on where the last complete line ended`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let maximum = 300
        for _ in 0..<20 {
            let bytes = Self.text(&random, longest: maximum)
            let whole = expected(bytes, maximum: maximum)
            let place = Int.random(in: 0...bytes.count, using: &random)
            let first = LineBuffer(maximumLineLength: maximum)
            let before = cut(Array(bytes[..<place]), first, isWhole: false)
            // A line that was too long already is met again.
            let offset = first.nextLineOffset
            let second = LineBuffer(
                fileOffset: offset, lineNumber: first.nextLineNumber, maximumLineLength: maximum)
            let after = cut(Array(bytes[offset...]), second)
            #expect(before.filter { $0.offset < offset } + after == whole)
        }
    }

    @Test func `what follows a line may be read without harm`() {
        for line in 1...200 {
            let buffer = LineBuffer(chunk: 64)
            let bytes = [UInt8](repeating: 0x78, count: line)
            let space = buffer.space(atLeast: line)
            space.copyBytes(from: bytes)
            buffer.filled(line)
            #expect(buffer.next() == nil)
            guard let last = buffer.last() else { continue }
            // The padding lies in the buffer's memory; the address sanitizer would tell if it did not.
            let padded = UnsafeRawBufferPointer(
                start: last.content.baseAddress, count: last.content.count + JSONParser.padding)
            #expect(padded.reduce(0) { $0 ^ Int($1) } >= 0)
        }
    }

    @Test(arguments: [
        ("", true), (" \t", true), ("\u{B}\u{C}\r", true), ("\u{A0}", false), ("x", false), ("\0", false),
    ])
    func `a line of white space is blank`(text: String, isBlank: Bool) {
        PaddedBytes.withLine(text.utf8) { #expect($0.isBlank == isBlank) }
    }
}
