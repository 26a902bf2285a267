internal import RecordFormat
internal import TraceConfiguration
internal import TraceExchange
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// An error that ends a command: its message and exit status.
struct CommandFailure: Error {
    let status: ExitStatus
    /// Nil if everything has been said.
    let report: ErrorReport?

    init(_ status: ExitStatus, _ message: String?, cure: Cure? = nil) {
        self.status = status
        report = message.map { ErrorReport(message: $0, cure: cure) }
    }

    init(_ status: ExitStatus, _ report: ErrorReport) {
        self.status = status
        self.report = report
    }

    /// Says it on standard error.
    func tell() {
        if let report { Output.error("error: \(report.text)") }
    }

    /// The failure that an error of the modules below means.
    init(_ error: any Error) {
        if let failure = error as? CommandFailure {
            self = failure
        } else {
            self.init(error.anyMeaning.exit, error.anyReport)
        }
    }

    /// Runs `body`, turning whatever it throws into a failure.
    static func explaining<Result>(_ body: () throws -> Result) throws(CommandFailure) -> Result {
        do { return try body() } catch { throw CommandFailure(error) }
    }
}

extension [CommandFailure] {
    /// Ends a command that has told all but this, and whose answer so is not whole: reports each, and throws what the first
    /// of them means.
    func end() throws(CommandFailure) {
        guard let first else { return }
        for failure in self { failure.tell() }
        throw CommandFailure(first.status, nil)
    }
}
