internal import TraceFiles
package import TraceText

extension StoreError {
    /// That the user asked to stop.
    package static let stopped = StoreError(.stopped, "stopped before it finished")
}

extension Error {
    /// Whether the user asked to stop.
    package var isStop: Bool { (self as? StoreError)?.code == .stopped }
}

extension ChildProgram.End {
    /// What there is to say of a program that did not end well; nil if it did.
    package func failure(of name: String, errors: [UInt8], cure: Cure? = nil) -> StoreError? {
        let said = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last.map {
            String($0.prefix(500))
        }
        switch self {
        case .exited(0): return nil
        case .exited(let status):
            return StoreError(
                .toolFailed, "\(name) failed: \(said ?? "exit status \(status)")", cure: cure)
        case .signalled(let signal):
            return StoreError(.toolFailed, "\(name) was killed by signal \(signal)", cure: cure)
        case .timedOut:
            return StoreError(.toolFailed, "\(name) took too long and was stopped", cure: cure)
        case .tooMuchOutput:
            return StoreError(.toolFailed, "\(name) printed too much", cure: cure)
        case .stopped: return StoreError.stopped
        }
    }
}
