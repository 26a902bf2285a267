import Testing

@testable import TraceFiles

struct UserAccountTests {
    @Test func `the user has a name, or a number`() {
        let name = UserAccount.name
        #expect(!name.isEmpty)
        #expect(!name.contains(":") && !name.contains("\n"))
    }
}
