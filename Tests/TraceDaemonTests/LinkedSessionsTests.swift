import SystemPackage
import Testing
import TraceStore

@testable import TraceDaemon

struct LinkedSessionsTests {
    @Test func `a second name is news once, and a symbolic link never`() {
        var linked = LinkedSessions()
        let session = FilePath("/sessions/set")
        #expect(linked.note(session, []) == false)
        #expect(linked.note(session, .symbolicLink) == false)
        #expect(linked.note(session, [.symbolicLink, .hardLink]) == true)
        #expect(linked.note(session, .hardLink) == false)
        #expect(Array(linked.paths) == [session])
        #expect(linked.note(session, []) == false)
        #expect(linked.paths.isEmpty)
        #expect(linked.note(session, .hardLink) == true)
    }

    @Test func `those of a root are forgotten together, and of too many none is compared`() {
        var linked = LinkedSessions()
        for number in 0..<LinkedSessions.limit { _ = linked.note(FilePath("/a/\(number)"), .symbolicLink) }
        #expect(linked.areComparable)
        _ = linked.note("/ab/x", .symbolicLink)
        #expect(!linked.areComparable)
        linked.forget(below: "/a")
        #expect(linked.areComparable && Array(linked.paths) == ["/ab/x"])
    }
}
