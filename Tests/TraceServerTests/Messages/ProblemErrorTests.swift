import HTTPTypes
import Testing
import TraceFiles

@testable import TraceServer

/// What errors of the modules below mean to a client.
struct ProblemErrorTests {
    @Test func `files that kept changing are asked for again, and not written over`() {
        let error = FileError(.changedMeanwhile, "kept changing while it was read")
        let question = Problem(error, isQuestion: true)
        #expect(question.status == .serviceUnavailable && question.retryAfter != nil)
        #expect(question.code == "changed-meanwhile")
        #expect(Problem(error).status == .preconditionFailed)
        // A condition of the request itself.
        let condition = Problem(.preconditionFailed, "changed-meanwhile", "it does not match If-Match")
        #expect(Problem(condition, isQuestion: true).status == .preconditionFailed)
    }
}
