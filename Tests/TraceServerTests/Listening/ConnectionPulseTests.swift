import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Testing

@testable import TraceServer

/// How slow a client may be, by a clock that the test turns.
struct ConnectionPulseTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let head = HTTPRequestPart.head(
        HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: "/"))

    private func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    @Test func `the head of the first request is whole within ten seconds`() {
        let pulse = ConnectionPulse(ConnectionLimits(), now: start)
        pulse.noteReceived(1)
        #expect(!pulse.isOverdue(at: at(9)))
        #expect(pulse.isOverdue(at: at(10)))
    }

    @Test func `between two requests a connection may rest for longer`() {
        let pulse = ConnectionPulse(ConnectionLimits(), now: start)
        pulse.noteRequest(head, now: at(1))
        pulse.noteRequest(.end(nil), now: at(1))
        #expect(!pulse.isOverdue(at: at(1000)), "the server may take its time")
        pulse.noteAnswered(isLast: false, now: at(1000))
        #expect(!pulse.isOverdue(at: at(1074)))
        #expect(pulse.isOverdue(at: at(1075)))
    }

    @Test func `a body that is waited for brings a kilobyte a second`() {
        let pulse = ConnectionPulse(ConnectionLimits(), now: start)
        pulse.noteRequest(head, now: start)
        pulse.noteReceived(10 * 1024)
        pulse.noteRead()
        #expect(!pulse.isOverdue(at: at(10)), "enough in the first ten seconds")
        pulse.noteReceived(10 * 1024 - 1)
        pulse.noteRead()
        #expect(pulse.isOverdue(at: at(20)), "one byte too few in the next")
    }

    @Test func `a body that nobody has asked for may wait`() {
        let pulse = ConnectionPulse(ConnectionLimits(), now: start)
        pulse.noteRequest(head, now: start)
        pulse.noteReceived(1)
        for second in stride(from: Int64(1), to: 600, by: 1) {
            #expect(!pulse.isOverdue(at: at(second)))
        }
        pulse.noteRead()
        #expect(!pulse.isOverdue(at: at(608)), "the period begins when it is asked for")
        #expect(pulse.isOverdue(at: at(609)))
    }

    @Test func `a client that takes nothing of its answer is given two minutes, and again for each byte`() {
        let pulse = ConnectionPulse(ConnectionLimits(), now: start)
        pulse.noteRequest(head, now: start)
        pulse.noteRequest(.end(nil), now: start)
        pulse.noteUnsent(100, of: 1100, now: start)
        pulse.noteUnsent(100, of: 1100, now: at(60))
        #expect(!pulse.isOverdue(at: at(119)))
        pulse.noteUnsent(99, of: 1100, now: at(119))
        pulse.noteUnsent(199, of: 1200, now: at(200))
        #expect(!pulse.isOverdue(at: at(238)), "it took a byte after 119 seconds")
        #expect(pulse.isOverdue(at: at(239)), "and none of what was written meanwhile")
        pulse.noteUnsent(0, of: 1200, now: at(239))
        #expect(!pulse.isOverdue(at: at(1000)), "all of it is taken")
        pulse.noteUnsent(10, of: 1210, now: at(1000))
        #expect(!pulse.isOverdue(at: at(1119)), "the next answer has two minutes of its own")
    }

    @Test func `after the last answer the client hears the end before the connection is cut`() {
        let pulse = ConnectionPulse(ConnectionLimits(), now: start)
        pulse.noteRequest(head, now: start)
        pulse.noteUnsent(10, of: 10, now: start)
        pulse.noteAnswered(isLast: true, now: start)
        #expect(!pulse.isOverdue(at: at(2)), "the answer is still on its way")
        pulse.noteUnsent(0, of: 10, now: at(2))
        #expect(pulse.isOverdue(at: at(2)))
    }
}
