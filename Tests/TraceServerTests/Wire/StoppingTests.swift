import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The end of a daemon that serves.
struct StoppingTests {
    @Test func `clients that say nothing, take nothing or send nothing hold nobody up`() throws {
        let sample = try ServedSample()
        let large = sample.session(ServedSample.lateSet).appending(path: "media/large.wav")
        try Data().write(to: large)
        #expect(truncate(large.path, 1 << 32) == 0)
        let idle = try sample.connect()
        let reader = try sample.connect()
        let path = "/api/v1/sessions/\(ServedSample.lateSet)/files/media/large.wav"
        try reader.send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(sample.token)\r\n\r\n".utf8)
        #expect(try reader.head().status == 200)
        let sender = try sample.connect()
        try sender.send(
            """
            PUT /api/v1/sessions/\(ServedSample.active)/markers/01KGN7AAAAAAAAAAAAAAAAAAAA HTTP/1.1\r\nHost: localhost\r
            Authorization: Bearer \(sample.token)\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{
            """.utf8)
        let end = sample.daemon.terminate()
        #expect(end.status == 0)
        #expect(sample.daemon.log.contains(" stopped"))
        #expect(!sample.daemon.log.contains("still being read or written"))
        try idle.waitForClose()
        try reader.waitForClose()
        try sender.waitForClose()
        let markers = sample.session(ServedSample.active).appending(path: "markers.jsonl")
        #expect(try !String(contentsOf: markers, encoding: .utf8).contains("01KGN7AAAAAAAAAAAAAAAAAAAA"))
    }
}
