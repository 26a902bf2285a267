internal import Glibc

/// How long a test waits for what must come: so long that nothing but what never comes is given up, however busy the machine is.
package let waitLimit = Duration.seconds(180)

/// What a test has waited for in vain.
package struct NeverCameTrue: Error, CustomStringConvertible {
    package let what: String

    package init(what: String) { self.what = what }

    package var description: String { "this did not come true in time: \(what)" }
}

/// Looks again and again until something is true of which no event tells, such as what another process has written.
///
/// That nothing happens can't be seen by waiting: then a test waits for something that comes after it.
package func soon(
    _ what: @autoclosure () throws -> String, within limit: Duration = waitLimit,
    _ isTrue: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + limit
    while try !isTrue() {
        if ContinuousClock.now > deadline { throw NeverCameTrue(what: try what()) }
        usleep(2000)
    }
}

/// As ``soon(_:within:_:)``, without holding up a thread meanwhile.
package func eventually(_ what: String, _ isTrue: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + waitLimit
    while try !isTrue() {
        if ContinuousClock.now > deadline { throw NeverCameTrue(what: what) }
        try await Task.sleep(for: .milliseconds(1))
    }
}
