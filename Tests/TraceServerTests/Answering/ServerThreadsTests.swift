import Dispatch
import Testing

@testable import TraceServer

/// Which work waits for which.
struct ServerThreadsTests {
    @Test(.timeLimit(.minutes(5)))
    func `who lost a token is looked for while all threads are busy with questions`() async {
        let threads = ServerThreads()
        let isOver = DispatchSemaphore(value: 0)
        async let questions: Void = withDiscardingTaskGroup { group in
            // More than there are threads for them, each until the look has come.
            for work in [Endpoint.Work.asking, .searching, .writing, .delivering] {
                for _ in 0..<8 { group.addTask { try? await threads.run(work) { isOver.wait() } } }
            }
        }
        await withCheckedContinuation { look in threads.watch { look.resume() } }
        for _ in 0..<32 { isOver.signal() }
        await questions
        threads.end()
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Endpoint.Work.importing, .delivering])
    func `a write comes to its end while what is imported or delivered has none`(work: Endpoint.Work)
        async throws
    {
        let threads = ServerThreads()
        let isOver = DispatchSemaphore(value: 0)
        async let imports: Void = withDiscardingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try? await threads.run(work) { isOver.wait() } } }
        }
        try await threads.run(.writing) {}
        for _ in 0..<8 { isOver.signal() }
        await imports
        threads.end()
    }

    @Test(arguments: [
        ("importMarkers", 16 << 20), ("importFromPhone", 2 << 20), ("putJournalReplica", 16 << 20),
        ("pair", 4 << 10),
    ])
    func `a body is no larger than what it is for asks for`(id: String, limit: Int) throws {
        let endpoint = try #require(Endpoint.all.first { $0.id == id })
        #expect(endpoint.body?.limit == limit)
    }

    @Test func `what takes large bodies does not hold up the thread that writes`() {
        // A digest is written as it comes.
        for endpoint in Endpoint.routed where endpoint.path != "/sessions/{s}/digest" {
            guard let rule = endpoint.body, rule.limit > 1 << 20 else { continue }
            #expect(endpoint.work != .writing, "\(endpoint.path) takes \(rule.limit) bytes")
        }
    }

    @Test func `records and audio of voice notes come on one thread, so that neither misses the other`() {
        let bringing: Set = [
            "putVoiceNote", "putQueueEntry", "postQueueEntries", "putVoiceNoteAudio", "resumeVoiceNoteAudio",
            "deleteVoiceNoteAudio",
        ]
        let found = Endpoint.routed.filter { bringing.contains($0.id) }
        #expect(found.count == bringing.count)
        #expect(found.allSatisfy { $0.work == .delivering })
        #expect(Endpoint.routed.filter { $0.receive != nil }.allSatisfy { $0.work == .delivering })
    }
}
