import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// A file that is changed while it is sent. It is sparse, and so large that most of it has not been read when it changes.
struct FileChangesOverTheWireTests {
    /// What happens to the file, whose path it gets.
    enum Change: String, CaseIterable {
        case replaced, appendedTo, cut, deleted, closedToAll

        func make(at path: String) throws {
            switch self {
            case .replaced:
                try Data("another".utf8).write(to: URL(filePath: path + ".new"))
                try #require(rename(path + ".new", path) == 0)
            case .appendedTo:
                let file = try FileHandle(forWritingTo: URL(filePath: path))
                try file.seekToEnd()
                try file.write(contentsOf: Data(repeating: 1, count: 1000))
                try file.close()
            case .cut: try #require(truncate(path, 1 << 20) == 0)
            case .deleted: try #require(unlink(path) == 0)
            case .closedToAll: try #require(chmod(path, 0) == 0)
            }
        }
    }

    private static let size = 200 << 20
    private static let pieceSize = 1 << 20

    @Test func `what is sent is the file that was opened, whole, or the connection ends`() throws {
        let sample = try ServedSample()
        let directory = sample.session(ServedSample.lateSet).appending(path: "media")
        for change in Change.allCases {
            let file = directory.appending(path: "\(change).wav")
            try Data().write(to: file)
            try #require(truncate(file.path, Self.size) == 0)
            let client = try sample.connect()
            let path = "/sessions/\(ServedSample.lateSetID)/files/media/\(change).wav"
            try client.send(sample.bytes("GET", path))
            let head = try client.head()
            #expect(head.status == 200)
            #expect(head["content-length"] == "\(Self.size)")
            let zeros = Data(count: Self.pieceSize)
            var received = try client.take(Self.pieceSize).count
            try change.make(at: file.path)
            func takeRest() throws {
                while received < Self.size {
                    let piece = try client.take(Self.pieceSize)
                    #expect(piece == zeros, "\(change), at \(received)")
                    received += piece.count
                }
            }
            if change == .cut {
                #expect(throws: ConnectionClosed.self) { try takeRest() }
                #expect(received < Self.size)
            } else {
                try takeRest()
                // Nothing of what came later follows: the next answer is that of the next request.
                #expect(try client.request("GET", "/healthz").status == 200, "\(change)")
            }
        }
        #expect(sample.daemon.isRunning)
        #expect(try sample.ask("GET", "/sessions").status == 200)
    }
}
