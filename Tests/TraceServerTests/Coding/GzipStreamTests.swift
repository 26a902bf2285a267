import Foundation
import NIOCore
import TestSupport
import Testing

@testable import TraceServer

/// What is compressed comes out whole, as another program reads it.
struct GzipStreamTests {
    private static func text(_ count: Int) -> [UInt8] {
        var random = SeededRandom(seed: 5)
        let words = ["\"offset_ms\":", "120000", ",", "{", "}", "\"label\":\"That groove\"", "\n"]
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += Array(random.element(of: words).utf8) }
        return Array(bytes.prefix(count))
    }

    @Test func `texts of any length are read back by gzip`() throws {
        for count in [0, 1, 255, 256, 511, 1024, 16 * 1024, 32 * 1024 + 1, 300_000] {
            let text = Self.text(count)
            var output = ByteBuffer()
            let stream = try #require(GzipStream(expecting: count))
            try stream.add(ByteBuffer(bytes: text), isLast: true, to: &output)
            #expect(try gunzip(Data(output.readableBytesView)) == Data(text), "\(count)")
            #expect(count < 1024 || output.readableBytes < count / 2)
        }
    }

    @Test func `a stream is compressed in pieces of any size, and the same bytes to the same`() throws {
        let text = Self.text(200_000)
        for size in [1000, 65536, 200_000] {
            var outputs: [Data] = []
            for _ in 0..<2 {
                let source = try #require(CompressedSource(Pieces(rest: text, size: size)))
                var all = Data()
                while let piece = try source.next(atMost: 65536) { all += Data(piece.readableBytesView) }
                outputs.append(all)
            }
            #expect(outputs[0] == outputs[1])
            #expect(try gunzip(outputs[0]) == Data(text))
        }
    }

    @Test func `what fails while it is compressed fails`() throws {
        let source = try #require(CompressedSource(Pieces(rest: Self.text(100), size: 10, failsAtEnd: true)))
        #expect(throws: Pieces.Failure.self) { while try source.next(atMost: 100) != nil {} }
    }
}

/// What gzip makes of compressed bytes; fails if they are not whole.
func gunzip(_ compressed: Data) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: "gunzip-\(UUID().uuidString)")
    try compressed.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/gzip")
    process.arguments = ["-dc"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text
}
