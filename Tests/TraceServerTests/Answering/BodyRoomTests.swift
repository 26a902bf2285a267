import Foundation
import HTTPTypes
import NIOCore
import SystemPackage
import TestSupport
import Testing
import TraceFiles

@testable import TraceServer

/// The room that bodies take together.
struct BodyRoomTests {
    /// Where files without a name have room.
    private let directory = FilePath(FileManager.default.temporaryDirectory.path)

    private func room(_ change: (inout BodyRoom.Limits) -> Void = { _ in }) -> BodyRoom {
        var limits = BodyRoom.Limits()
        limits.memory = 1000
        limits.kept = 200
        limits.smallSize = 50
        limits.memorySize = 300
        limits.files = 2000
        limits.diskReserve = 0
        change(&limits)
        return BodyRoom(limits)
    }

    /// Sends so many bytes in pieces, as a connection brings them.
    private func send(_ count: Int, to body: ReceivedBody, limit: Int = 10_000) throws {
        var rest = count
        while rest > 0 {
            let piece = min(25, rest)
            let isFull = try body.take(
                ByteBuffer(repeating: UInt8(truncatingIfNeeded: rest), count: piece), upTo: limit)
            if isFull { try body.store() }
            rest -= piece
        }
    }

    private func code(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? Problem)?.code ?? "\(error)" }
        return nil
    }

    @Test func `bodies that would take more than there is are told to come again`() throws {
        let room = room()
        var bodies: [ReceivedBody] = []
        for _ in 0..<4 {
            let body = try room.enter(nil, in: directory)
            try send(200, to: body)
            bodies.append(body)
        }
        let next = try room.enter(nil, in: directory)
        #expect(code { try send(200, to: next) } == "too-many-bodies")
        bodies.removeLast()
        let later = try room.enter(nil, in: directory)
        try send(100, to: later)
        #expect(try later.whole().count == 100)
    }

    @Test func `a small body finds room where large ones have found none`() throws {
        let room = room()
        var bodies: [ReceivedBody] = []
        func fill() throws {
            while true {
                let body = try room.enter(nil, in: directory)
                bodies.append(body)
                try send(200, to: body)
            }
        }
        #expect(code { try fill() } == "too-many-bodies")
        #expect(room.taken.memory <= 800 + 50)
        for _ in 0..<3 {
            let mark = try room.enter(nil, in: directory)
            bodies.append(mark)
            try send(50, to: mark)
        }
    }

    @Test func `what is announced and does not come takes nothing`() throws {
        let room = room()
        let bodies = try (0..<100).map { _ in try room.enter(nil, in: directory) }
        #expect(room.taken.memory == 0)
        let body = try room.enter(nil, in: directory)
        try send(800, to: body)
        withExtendedLifetime(bodies) {}
    }

    @Test func `of a large body little is in memory while it comes, and all of it when it is asked for`()
        throws
    {
        let room = room { $0.memory = 3000 }
        let body = try room.enter(nil, in: directory)
        var sent: [UInt8] = []
        for number in 0..<80 {
            let piece = [UInt8](repeating: UInt8(number), count: 25)
            sent += piece
            if try body.take(ByteBuffer(bytes: piece), upTo: 10_000) {
                try body.store()
                #expect(room.taken.memory == 0)
            }
        }
        #expect(room.taken.files >= 300)
        #expect(try body.whole() == sent)
        #expect(room.taken == (2000, 0))
        #expect(try body.whole() == sent)
    }

    @Test func `a large body that can't be brought into memory is told to come again`() throws {
        let room = room()
        let body = try room.enter(nil, in: directory)
        try send(900, to: body)
        #expect(code { _ = try body.whole() } == "too-many-bodies")
    }

    @Test func `files take no more than they may, and leave the disk its reserve`() throws {
        let room = room { $0.memory = 100_000 }
        let first = try room.enter(nil, in: directory)
        try send(301, to: first)
        let other = self.room { $0.diskReserve = .max / 2 }
        let body = try other.enter(nil, in: directory)
        #expect(throws: FileError.self) { try send(400, to: body) }
        let narrow = self.room { $0.files = 100 }
        let third = try narrow.enter(nil, in: directory)
        #expect(code { try send(400, to: third) } == "too-many-bodies")
    }

    @Test func `a body is no longer than its endpoint takes`() throws {
        let room = room()
        let body = try room.enter(nil, in: directory)
        #expect(code { try send(51, to: body, limit: 50) } == "body-too-large")
    }

    @Test
    func `one client sends so many at the same time, and programs of this machine as many as they like`()
        throws
    {
        let room = room { $0.perClient = 2 }
        var bodies = try (0..<2).map { _ in try room.enter("203.0.113.7", in: directory) }
        #expect(code { _ = try room.enter("203.0.113.7", in: directory) } == "too-many-requests")
        _ = try room.enter("203.0.113.8", in: directory)
        let own = try (0..<9).map { _ in try room.enter(nil, in: directory) }
        bodies.removeLast()
        _ = try room.enter("203.0.113.7", in: directory)
        withExtendedLifetime(own) {}
    }

    @Test func `what bodies took is free when they are gone`() throws {
        let room = room { $0.memory = 100_000 }
        for _ in 0..<3 {
            let bodies = try (0..<3).map { _ in try room.enter("203.0.113.7", in: directory) }
            for body in bodies { try send(400, to: body) }
            _ = try bodies[0].whole()
        }
        #expect(room.taken == (0, 0))
    }

    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7", nil, "203.0.113.7"), ("127.0.0.1", "127.0.0.1", nil, nil),
        ("127.0.0.1", "127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "127.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        ("198.51.100.1", "127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("203.0.113.7", "203.0.113.7", "198.51.100.1", "203.0.113.7"), ("unix", nil, nil, nil),
        ("unix", nil, "198.51.100.1", "198.51.100.1"), ("127.0.0.1", "127.0.0.1", "no address", nil),
    ])
    func `loopback is no client of its own where a proxy says for whom it sends`(
        client: String, peer: String?, field: String?, sender: String?
    ) {
        var fields = HTTPFields()
        if let field, let name = HTTPField.Name("X-Forwarded-For") { fields[name] = field }
        #expect(Forwarded.sender(client, peer.flatMap { IPAddress($0) }, fields) == sender)
    }
}
